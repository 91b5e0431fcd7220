def runs(np, bf16):
    rs = []
    for name, T, u in [("bf16", bf16, 2.0**-7), ("f16", np.float16, 2.0**-10)]:
        x = np.concatenate(
            [np.linspace(-9, 9, 501), [0.0, -0.0, 88.5 if name == "bf16" else 11.0, -30, np.inf, -np.inf, np.nan]]
        ).astype(T)
        f = x.astype(np.float64)
        with np.errstate(all="ignore"):

            def c(v):
                return v.astype(np.float32).astype(T)

            ex = dict(
                e=c(np.exp(f)),
                l=c(np.log(np.abs(f))),
                t=c(np.tanh(f)),
                r=c(1 / np.sqrt(np.abs(f))),
                s=c(np.sin(f)),
                p=c(np.abs(f) ** 1.5),
            )
        rs.append(dict(D=["T=" + name], dims=dict(N=len(x)), inputs=dict(x=x), expect=ex, tol=u))
    return rs
