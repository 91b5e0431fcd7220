def runs(np, bf16):
    rng = np.random.default_rng(23)
    rs = []
    for M in (4, 1, 9):
        x = rng.standard_normal((M, 3)).astype(np.float32)
        t = rng.integers(0, 3, M)
        t[-1] = -100 if M == 9 else t[-1]
        l = np.log(np.exp(x.astype(np.float64)).sum(1)) - x[np.arange(M), np.maximum(t, 0)]
        rs.append(
            dict(
                dims=dict(M=M),
                inputs=dict(x=x, t=t.astype(np.int64)),
                expect=dict(loss=np.array([np.where(t >= 0, l, 0).sum() / M], np.float32)),
            )
        )
    return rs
