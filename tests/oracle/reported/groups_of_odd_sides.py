def runs(np, bf16):
    rng = np.random.default_rng(40)
    rs = []
    for D in [[], ["pipeline.warp_specialized=false"]]:
        for st, M, N, K in [([0, 36, 36, 107], 107, 36, 36), ([0, 3, 70, 70], 75, 45, 51)]:
            a = rng.standard_normal((M, K)).astype(np.float16)
            b = rng.standard_normal((3, K, N)).astype(np.float16)
            c = np.zeros((M, N))
            for g in range(3):
                c[st[g] : st[g + 1]] = a[st[g] : st[g + 1]].astype(float) @ b[g].astype(float)
            rs.append(
                dict(
                    D=D,
                    dims=dict(G=3, M=M, N=N, K=K),
                    inputs=dict(a=a, b=b, starts=np.array(st, np.int32)),
                    expect=dict(c=c.astype(np.float16)),
                    tol=4e-3,
                )
            )
    return rs
