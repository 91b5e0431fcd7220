def runs(np, bf16):
    import ml_dtypes

    rng = np.random.default_rng(20)
    f8 = ml_dtypes.float8_e4m3fn
    a = (rng.random((15, 4096)) + 0.5).astype(f8)
    b = (rng.random((13, 4096)) + 0.5).astype(f8)
    return [
        dict(
            dims=dict(M=15, N=13, K=4096),
            inputs=dict(a=a, b=b),
            expect=dict(c=(a.astype(np.float64) @ b.astype(np.float64).T).astype(np.float32)),
            tol=1e-3,
        )
    ]
