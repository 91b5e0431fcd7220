def runs(np, bf16):
    rs = []
    for m, n in [(3, 3), (1, 1), (5, 7), (2, 33)]:
        for T, N in [(np.float32, "f32"), (np.int32, "i32")]:
            for v in (1, -2):
                x = np.full((m, n), v, T)
                rs.append(
                    dict(
                        D=[f"m={m}", f"n={n}", "T=" + N],
                        inputs=dict(x=x),
                        expect=dict(
                            lo=x.min().reshape(1),
                            hi=x.max().reshape(1),
                            s=x.sum().astype(T).reshape(1),
                            p=(
                                x.astype(np.float64).prod().astype(T)
                                if N == "f32"
                                else (
                                    np.array(pow(v, m * n, 2**32), np.uint64).astype(np.uint32).view(np.int32).astype(T)
                                    if True
                                    else 0
                                )
                            ).reshape(1),
                        ),
                    )
                )
    return rs
