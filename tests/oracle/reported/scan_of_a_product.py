def runs(np, bf16):
    rs = []
    rng = np.random.default_rng(17)
    for M, K in [(64, 128), (100, 72)]:
        a = rng.standard_normal((M, K)).astype(bf16)
        b = rng.standard_normal((64, K)).astype(bf16)
        p = a.astype(np.float64) @ b.astype(np.float64).T
        c = np.concatenate([np.cumsum(p[i : i + 64], 0) for i in range(0, M, 64)])
        rs.append(
            dict(
                dims=dict(M=M, K=K),
                inputs=dict(a=a, b=b),
                expect=dict(r=np.cumsum(p, 1).astype(np.float32), c=c.astype(np.float32)),
                tol=2e-3,
            )
        )
    return rs
