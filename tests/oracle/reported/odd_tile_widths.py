def runs(np, bf16):
    rs = []
    rng = np.random.default_rng(12)
    for D in [
        ["bn=24"],
        ["bn=40", "pipeline.warp_specialized=true"],
        ["bn=56", "bm=128"],
        ["bn=72", "bm=128", "pipeline.warp_specialized=true"],
        ["bk=24"],
        ["bk=40", "bn=72", "pipeline.warp_specialized=true"],
        ["bn=200", "bk=48"],
        ["bm=16", "bn=24", "bk=8"],
    ]:
        for M, N, K in [(64, 72, 96), (150, 104, 40)]:
            a = rng.standard_normal((M, K)).astype(bf16)
            b = rng.standard_normal((K, N)).astype(bf16)
            rs.append(
                dict(
                    D=D,
                    dims=dict(M=M, N=N, K=K),
                    inputs=dict(a=a, b=b),
                    expect=dict(c=a.astype(np.float32) @ b.astype(np.float32)),
                    tol=1e-3,
                )
            )
    return rs
