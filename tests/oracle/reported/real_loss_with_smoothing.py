def runs(np, bf16):
    rng = np.random.default_rng(38)
    rs = []
    F = np.float64
    for D, M, V in [([], 4, 2056), (["capped=false"], 3, 1024), (["bv=128"], 2, 8)]:
        x = (rng.standard_normal((M, V)) * 5).astype(bf16)
        t = rng.integers(0, V, M).astype(np.int64)
        t[1] = -100
        sm, pe, cap = 0.1, 1e-3, 30.0
        f = x.astype(F)
        y = cap * np.tanh(f / cap) if "capped=false" not in D else f
        sl = 1 - (y / cap) ** 2 if "capped=false" not in D else 1
        lse = np.log(np.exp(y).sum(1))
        ch = y[np.arange(M), np.maximum(t, 0)]
        eps = sm / V
        k = t != -100
        z = pe * lse * lse
        l = (1 - sm) * (lse - ch) + eps * (V * lse - y.sum(1)) + z
        g = np.exp(y - lse[:, None]) * (1 + 2 * pe * lse[:, None]) - eps
        g[np.arange(M), np.maximum(t, 0)] -= 1 - sm
        g = g * sl / M
        rs.append(
            dict(
                D=D,
                dims=dict(M=M, V=V),
                scalars=dict(smoothing=sm, penalty=pe, cap=cap, rows=float(M)),
                inputs=dict(x=x, t=t),
                expect=dict(
                    dx=np.where(k[:, None], g, 0).astype(np.float32).astype(bf16),
                    loss=np.where(k, l / M, 0).astype(np.float32),
                    zloss=np.where(k, z / M, 0).astype(np.float32),
                ),
                tol=2e-3,
            )
        )
    return rs
