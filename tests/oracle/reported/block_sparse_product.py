def runs(np, bf16):
    rs = []
    rng = np.random.default_rng(15)
    for D in [[], ["pipeline.warp_specialized=false"]]:
        for M, N, K, p in [(128, 128, 160, 0.5), (70, 72, 40, 0.0), (64, 64, 96, 1.0)]:
            a = rng.standard_normal((M, K)).astype(bf16)
            b = rng.standard_normal((K, N)).astype(bf16)
            keep = rng.random((-(-M // 64), -(-N // 64), -(-K // 32))) < p
            big = np.repeat(np.repeat(np.repeat(keep, 64, 0), 64, 1), 32, 2)[:M, :N, :K]
            c = np.einsum("mk,kn,mnk->mn", a.astype(np.float64), b.astype(np.float64), big.astype(np.float64)).astype(
                np.float32
            )
            rs.append(dict(D=D, dims=dict(M=M, N=N, K=K), inputs=dict(a=a, b=b, keep=keep), expect=dict(c=c), tol=1e-3))
    return rs
