def runs(np, bf16):
    rng = np.random.default_rng(25)
    rs = []
    for M, P in [(2, 1), (2, 5), (7, 3)]:
        x = rng.standard_normal((M, 16)).astype(np.float16)
        g = rng.standard_normal((M, 16)).astype(np.float16)
        X = x.astype(np.float64)
        G = g.astype(np.float64)
        r = 1 / np.sqrt((X * X).mean(1, keepdims=True) + 1e-6)
        h = X * r
        dx = r * (G - h * (h * G).mean(1, keepdims=True))
        dw = np.stack([(h * G)[p::P].sum(0) for p in range(P)])
        rs.append(
            dict(
                dims=dict(M=M, P=P),
                inputs=dict(x=x, g=g),
                expect=dict(dx=dx.astype(np.float32).astype(np.float16), dw=dw.astype(np.float32)),
                tol=2e-3,
            )
        )
    return rs
