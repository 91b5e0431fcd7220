def runs(np, bf16):
    return [
        dict(
            D=D,
            dims=dict(M=m, N=n),
            inputs=dict(x=np.arange(m * n, dtype=np.float32).reshape(m, n)),
            expect=dict(o=np.arange(m * n, dtype=np.float32).reshape(m, n) + 1),
        )
        for D in ([], ["bm=8", "bn=16"])
        for m, n in ((1, 128), (1, 384), (4, 512), (24, 16), (3, 1025))
    ]
