def runs(np, bf16):
    import ml_dtypes

    rng = np.random.default_rng(21)
    f8 = ml_dtypes.float8_e4m3fn
    a = rng.standard_normal((70, 144)).astype(f8)
    b = rng.standard_normal((144, 80)).astype(f8)
    return [
        dict(
            dims=dict(M=70, N=80, K=144),
            inputs=dict(a=a, b=b),
            expect=dict(c=a.astype(np.float32) @ b.astype(np.float32)),
            tol=2e-3,
        )
    ]
