def runs(np, bf16):
    rng = np.random.default_rng(42)
    rs = []
    F = np.float64
    for S in (129, 65, 1):
        q, k, v = ((rng.standard_normal((2, S, 64)) / 3).astype(bf16) for _ in range(3))
        s = q.astype(F) @ k.astype(F).transpose(0, 2, 1)
        i = np.arange(S)
        s = s + (i[:, None] - i[None, :])
        s = np.where(i[:, None] >= i[None, :], s, -np.inf)
        e = np.exp(s - s.max(-1, keepdims=True))
        o = e / e.sum(-1, keepdims=True) @ v.astype(F)
        rs.append(
            dict(
                dims=dict(H=2, S=S),
                scalars=dict(slope=1.0),
                inputs=dict(q=q, k=k, v=v),
                expect=dict(o=o.astype(np.float32).astype(bf16)),
                tol=0.02,
            )
        )
    return rs
