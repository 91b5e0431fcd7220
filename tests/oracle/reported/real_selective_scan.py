def runs(np, bf16):
    rng = np.random.default_rng(33)
    rs = []
    F = np.float64
    for B, D, L in [(2, 68, 37), (1, 4, 3)]:
        x, dt, z = (rng.standard_normal((B, L, D)).astype(bf16) for _ in range(3))
        a = -rng.random((D, 16)).astype(np.float32) * 4
        sk = rng.standard_normal(D).astype(np.float32)
        bi = rng.standard_normal(D).astype(np.float32)
        bm, cm = (rng.standard_normal((B, L, 16)).astype(np.float32) for _ in range(2))
        h = np.zeros((B, D, 16))
        y = np.zeros((B, L, D))
        for t in range(L):
            s = np.log1p(np.exp(dt[:, t].astype(F) + bi))
            X = x[:, t].astype(F)
            Z = z[:, t].astype(F)
            h = np.exp(s[..., None] * a) * h + (s * X)[..., None] * bm[:, t][:, None, :]
            y[:, t] = ((h * cm[:, t][:, None, :]).sum(-1) + sk * X) * Z / (1 + np.exp(-Z))
        rs.append(
            dict(
                dims=dict(B=B, D=D, L=L),
                inputs=dict(x=x, dt=dt, z=z, a=a, skip_=sk, bias=bi, bm=bm, cm=cm),
                expect=dict(y=y.astype(np.float32).astype(bf16), last=h.astype(np.float32)),
                tol=0.01,
            )
        )
    return rs
