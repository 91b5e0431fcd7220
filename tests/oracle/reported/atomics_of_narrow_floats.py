def runs(np, bf16):
    rs = []
    for name, T in [("f16", np.float16), ("bf16", bf16)]:
        x = (np.arange(203) % 17 - 8).astype(T)
        s = np.ones(206, np.float32)
        s[3:] += x.astype(np.float32)
        rs.append(
            dict(
                D=["T=" + name],
                dims=dict(N=203),
                inputs=dict(x=x),
                expect=dict(top=np.full(8, 42, T), low=np.full(8, -42.5, T), sums=s.astype(T)),
                tol=0,
            )
        )
    return rs
