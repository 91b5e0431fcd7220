def runs(np, bf16):
    x = np.arange(70, dtype=np.float64)
    rs = []
    for a, b, c, d in [(1.0, 1.0, 1.0, 1.0), (65504.0, 3.25, 1e300, -256.0), (-0.333251953125, 1e30, 0.1, 1.0078125)]:
        y = x + np.float64(np.float16(a)) + np.float64(np.float32(b)) + c + float(np.float32(bf16(d)))
        with np.errstate(all="ignore"):
            z = (x.astype(np.float16).astype(np.float32) * np.float32(np.float16(a))).astype(np.float16)
        rs.append(
            dict(
                dims=dict(N=70),
                scalars=dict(a=a, b=b, c=c, d=d),
                inputs=dict(x=x),
                expect=dict(y=y, z=z),
                tol=1e-12 if c < 1e9 else 1e-3,
            )
        )
    return rs
