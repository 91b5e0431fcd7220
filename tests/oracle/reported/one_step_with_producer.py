def runs(np, bf16):
    rs = []
    rng = np.random.default_rng(14)
    for D in [[], ["pipeline.stages=1"], ["pipeline.stages=5", "schedule.persistent=true", "schedule.num_ctas=2"]]:
        for M, N, K in [(64, 64, 64), (64, 64, 8), (150, 136, 64), (64, 64, 0)]:
            a = rng.standard_normal((M, K)).astype(np.float16)
            b = rng.standard_normal((N, K)).astype(np.float16)
            s = rng.standard_normal(N).astype(np.float32)
            c = np.maximum(a.astype(np.float32) @ b.astype(np.float32).T + s, 0).astype(np.float16)
            rs.append(dict(D=D, dims=dict(M=M, N=N, K=K), inputs=dict(a=a, b=b, bias=s), expect=dict(c=c), tol=4e-3))
    return rs
