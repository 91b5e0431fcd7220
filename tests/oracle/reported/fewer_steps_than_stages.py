def runs(np, bf16):
    rs = []
    rng = np.random.default_rng(8)
    for D in [[], ["pipeline.warp_specialized=true"], ["pipeline.stages=0"]]:
        ln = np.array([0, 1, 16, 17, 50, 100, 0], np.int32)
        x = rng.standard_normal((7, 100, 20)).astype(np.float32)
        rs.append(
            dict(
                D=D,
                dims=dict(B=7, K=100, N=20),
                inputs=dict(x=x, len=ln),
                expect=dict(
                    y=np.stack([x[b, :l].astype(np.float64).sum(0) for b, l in enumerate(ln)]).astype(np.float32)
                ),
            )
        )
    return rs
