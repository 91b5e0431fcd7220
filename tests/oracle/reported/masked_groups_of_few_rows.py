def runs(np, bf16):
    import ml_dtypes

    rs = []
    rng = np.random.default_rng(19)
    f8 = ml_dtypes.float8_e4m3fn
    for R, cnt, N, K in [
        (8, [8, 3, 0], 128, 256),
        (16, [0, 16, 1], 136, 128),
        (32, [32, 31, 5], 256, 128),
        (100, [100, 64, 65], 128, 256),
    ]:
        G = 3
        a = rng.standard_normal((G, R, K)).astype(f8)
        b = rng.standard_normal((G, N, K)).astype(f8)
        sa = rng.random((G, R, K // 128)).astype(np.float32)
        sb = rng.random((G, -(-N // 128), K // 128)).astype(np.float32)
        A = a.astype(np.float64) * np.repeat(sa, 128, 2)
        B = b.astype(np.float64) * np.repeat(np.repeat(sb, 128, 1)[:, :N], 128, 2)
        c = np.einsum("gmk,gnk->gmn", A, B)
        for g in range(G):
            c[g, cnt[g] :] = 0
        rs.append(
            dict(
                dims=dict(G=G, R=R, N=N, K=K),
                inputs=dict(a=a, b=b, sa=sa, sb=sb, count=np.array(cnt, np.int32)),
                expect=dict(c=c.astype(np.float32).astype(bf16)),
                tol=0.02,
            )
        )
    return rs
