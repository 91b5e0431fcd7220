def runs(np, bf16):
    rs = []
    for name, T, n in [
        ("f32", np.float32, 128),
        ("f32", np.float32, 2),
        ("f16", np.float16, 128),
        ("bf16", bf16, 300),
        ("f32", np.float32, 4),
    ]:
        rng = np.random.default_rng(n)
        x = rng.standard_normal((7, n)).astype(T)
        x[0, 0] = np.nan
        x[1, n - 1] = np.nan
        x[1, 0] = np.inf
        x[2, :] = -np.inf
        x[3, :] = np.nan
        x[4, n // 2] = np.nan
        x[4, n - 1] = np.nan
        x[5, :] = 1
        f = x.astype(np.float32)
        rs.append(
            dict(
                D=["T=" + name, f"n={n}"],
                dims=dict(M=7),
                inputs=dict(x=x),
                expect=dict(a=f.argmax(1).astype(np.int32), b=f.argmin(1).astype(np.int32), v=f.max(1).astype(T)),
                tol=0,
            )
        )
    return rs
