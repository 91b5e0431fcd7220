def runs(np, bf16):
    rng = np.random.default_rng(32)
    rs = []
    for M, E, N, K in [(50, 3, 104, 104), (7, 4, 128, 64)]:
        S = M * 2
        ids = np.stack([rng.permutation(E)[:2] for _ in range(M)]).reshape(-1)
        lst, ex = [], []
        for e in range(E):
            r = np.nonzero(ids == e)[0]
            p = -(-len(r) // 64) * 64
            lst += list(r) + [S] * (p - len(r))
            ex += [e] * (p // 64)
        used = len(lst)
        lst += [S] * 64
        ex += [-1]
        a = rng.standard_normal((M, K)).astype(bf16)
        w = rng.standard_normal((E, N, K)).astype(bf16)
        f = rng.random(S).astype(np.float32)
        c = np.einsum("sk,snk->sn", a.astype(np.float64)[np.arange(S) // 2], w.astype(np.float64)[ids]) * f[:, None]
        rs.append(
            dict(
                dims=dict(M=M, S=S, L=len(lst), E=E, N=N, K=K),
                scalars=dict(used=used),
                inputs=dict(list=np.array(lst, np.int32), expert=np.array(ex, np.int32), a=a, w=w, weight=f),
                expect=dict(c=c.astype(np.float32).astype(bf16)),
                tol=0.02,
            )
        )
    return rs
