def runs(np, bf16):
    rs = []
    rng = np.random.default_rng(10)
    for D, k in [([], 5), (["k=24"], 24), (["bn=32", "k=7"], 7), (["k=1"], 1)]:
        for M, N, K in [(7, 260, 8), (4, 32, 3)]:
            a = rng.standard_normal((M, N)).astype(np.float32)
            b = rng.standard_normal(k).astype(np.float32)
            t = rng.standard_normal(K).astype(np.float32)
            j = np.arange(N)
            f = np.arange(M * N).reshape(M, N)
            rs.append(
                dict(
                    D=D,
                    dims=dict(M=M, N=N, K=K),
                    inputs=dict(a=a, b=b, t=t),
                    expect=dict(c=a + b[j % k], d=a + t[(f % 21) % K]),
                )
            )
    return rs
