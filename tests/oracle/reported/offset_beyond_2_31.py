def runs(np, bf16):
    rng = np.random.default_rng(9)
    w = rng.integers(0, 255, (3, 208)).astype(np.uint8)
    e = np.array([2, 0, 1, 2], np.int32)
    return [
        dict(dims=dict(E=3, X=16 * 3, N=48), inputs=dict(w=w[:, :48], expert=e), expect=dict(y=w[e, :48])),
        dict(dims=dict(E=3, X=2**30 + 2**29, N=208), inputs=dict(w=w, expert=e), expect=dict(y=w[e]), emu=False),
    ]
