def runs(np, bf16):
    a = np.linspace(-3, 7, 300).astype(np.float32)
    t = np.maximum(a, 1)
    return [
        dict(D=D, dims=dict(N=300), inputs=dict(a=a), expect=dict(a_out=t * 2, b=t / 2)) for D in ([], ["late=false"])
    ]
