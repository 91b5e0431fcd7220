def runs(np, bf16):
    rng = np.random.default_rng(2)
    rs = []
    for name, T, lim in [
        ("i32", np.int32, 50),
        ("i64", np.int64, 2**40),
        ("i8", np.int8, 100),
        ("i16", np.int16, 3000),
    ]:
        for N in [1000, 5]:
            x = rng.integers(-lim, lim, N).astype(T)
            y = rng.integers(1, 9, N).astype(T) * rng.choice([-1, 1], N).astype(T)
            if N == 1000:
                x[:2] = np.iinfo(T).min
                y[:2] = -1, 1  # the one quotient that overflows wraps
            with np.errstate(all="ignore"):
                X, Y = x.astype(object), y.astype(object)

                def w(a):
                    return (
                        np.array([int(v) for v in a]).astype(T)
                        if name != "i64"
                        else np.array([((int(v) + 2**63) % 2**64) - 2**63 for v in a], T)
                    )

                q = w(X // Y)
                r = w(X % Y)
                c = w([-((-a) // b) for a, b in zip(X, Y)])
                i = np.arange(N) // 256
                k = w([int(a) // -2 + (int(j) - 3) // 2 + (int(j) - 5) % 3 for a, j in zip(X, i)])
            rs.append(dict(D=["T=" + name], dims=dict(N=N), inputs=dict(x=x, y=y), expect=dict(q=q, r=r, c=c, k=k)))
    return rs
