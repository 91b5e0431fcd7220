def runs(np, bf16):
    rs = []
    rng = np.random.default_rng(6)
    for B, T, D in [(2, 70, 132), (1, 8, 8)]:
        x = rng.standard_normal((B, T, D)).astype(np.float32)
        y = np.zeros_like(x)
        h = np.zeros((B, D), np.float64)
        for t in range(T):
            h = 0.5 * h + x[:, t]
            y[:, t] = h
        rs.append(dict(dims=dict(B=B, T=T, D=D), scalars=dict(g=0.5), inputs=dict(x=x), expect=dict(y=y)))
    return rs
