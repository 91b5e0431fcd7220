def runs(np, bf16):
    rng = np.random.default_rng(3)
    rs = []
    for name, T in [("f32", np.float32), ("f64", np.float64), ("f16", np.float16), ("bf16", bf16)]:
        x = -np.abs(rng.standard_normal((11, 300))).astype(T)
        x[0, :] = -1
        x[0, 7] = -0.0
        x[1, :] = -0.0
        x[2, 250] = 3.5
        x[3, :] = np.abs(x[3, :])
        x[3, 9] = -0.0
        lo = T(60000)
        rs.append(
            dict(
                D=["T=" + name],
                dims=dict(M=11, N=300),
                inputs=dict(x=x),
                expect=dict(top=x.astype(np.float64).max(1).astype(T), low_=x.astype(np.float64).min(1).astype(T)),
                tol=0,
            )
        )
    return rs
