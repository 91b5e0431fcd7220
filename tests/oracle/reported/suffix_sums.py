def runs(np, bf16):
    rs = []
    rng = np.random.default_rng(5)
    for T, D in [(64, 32), (150, 40)]:
        x = rng.standard_normal((T, D)).astype(np.float32)
        x[:32, 0] = 1e8
        x[32:64, 0] = 1
        y = np.concatenate(
            [np.cumsum(x[i : i + 64][::-1].astype(np.float64), 0)[::-1] for i in range(0, T, 64)]
        ).astype(np.float32)
        rs.append(dict(dims=dict(T=T, D=D), inputs=dict(x=x), expect=dict(y=y), tol=1e-5))
    return rs
