def runs(np, bf16):
    rng = np.random.default_rng(35)
    rs = []
    F = np.float32
    for D, rot, neox in [
        ([], 64, True),
        (["neox=false"], 64, False),
        (["rot=128"], 128, True),
        (["rot=32", "hs=80"], 32, True),
    ]:
        hs = 80 if "hs=80" in D else 128
        T, H, G, P = 5, 4, 1, 40
        q = rng.standard_normal((T, H, hs)).astype(bf16)
        k = rng.standard_normal((T, G, hs)).astype(bf16)
        tb = rng.uniform(-1, 1, (P, rot)).astype(bf16)
        pos = rng.integers(0, P, T).astype(np.int64)
        j = np.arange(rot // 2)
        a, b = (j, j + rot // 2) if neox else (2 * j, 2 * j + 1)

        def turn(x):
            y = x.copy()
            c = tb[pos][:, None, : rot // 2].astype(F)
            s = tb[pos][:, None, rot // 2 :].astype(F)
            u = x[..., a].astype(F)
            v = x[..., b].astype(F)

            def r(t):
                return t.astype(bf16).astype(F)

            y[..., a] = (r(u * c) - r(v * s)).astype(bf16)
            y[..., b] = (r(v * c) + r(u * s)).astype(bf16)
            return y

        rs.append(
            dict(
                D=D,
                dims=dict(T=T, H=H, G=G, P=P),
                inputs=dict(pos=pos, q=q, k=k, table=tb),
                expect=dict(qo=turn(q), ko=turn(k)),
                tol=0.02,
            )
        )
    return rs
