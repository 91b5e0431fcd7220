"""dot of every dtype and form. Witness: NumPy in exact integers; JAX for one with random values."""

import textwrap

import jax.numpy as jnp
import ml_dtypes
import numpy as np

from oracle_case import Case, bf16, f8e4m3, f8e5m2, rng, whole

f8e8m0 = ml_dtypes.float8_e8m0fnu


def whole_numbers(name, shape, dtype, low=-8, high=8):
    return rng(name).integers(low, high, shape).astype(dtype)


def product(a, b, dtype=np.float32):
    """Returns a @ b in exact arithmetic, for whole numbers that f64 holds."""
    return (a.astype(np.float64) @ b.astype(np.float64)).astype(dtype)


def dtypes():
    made = []
    for kind, dtype, result in [("bf16", bf16, np.float32), ("f16", np.float16, np.float32),
                                ("f32", np.float32, np.float32), ("f64", np.float64, np.float64),
                                ("f8e4m3", f8e4m3, np.float32), ("f8e5m2", f8e5m2, np.float32)]:
        limit = 4 if kind == "f8e5m2" else 8
        a, b = (whole_numbers(f"dot_{kind}_{n}", s, dtype, -limit, limit) for n, s in (("a", (8, 32)), ("b", (32, 16))))
        made.append(whole(f"dot_{kind}", f"dot of {kind} gives {'f64' if kind == 'f64' else 'f32'}",
                          ["c[...] = dot(a, b)"], {"a": a, "b": b}, {"c": product(a, b, result)}))
    for kind, dtype in [("i8", np.int8), ("u8", np.uint8)]:
        info = np.iinfo(dtype)
        a, b = (whole_numbers(f"dot_{kind}_{n}", s, dtype, info.min, info.max + 1)
                for n, s in (("a", (5, 40)), ("b", (40, 9))))
        a[0] = info.min
        b[:, 0] = info.min
        made.append(whole(f"dot_{kind}", f"dot of {kind} gives i32, no saturation on the way", ["c[...] = dot(a, b)"],
                          {"a": a, "b": b}, {"c": a.astype(np.int32) @ b.astype(np.int32)}))
    a, b = (whole_numbers(f"dot_mixed_{n}", s, t, -4, 4)
            for n, s, t in (("a", (4, 32), f8e4m3), ("b", (32, 8), f8e5m2)))
    made.append(whole("dot_f8_mixed", "e4m3 with e5m2", ["c[...] = dot(a, b)"], {"a": a, "b": b}, {"c": product(a, b)}))
    return made


def forms():
    a, b = whole_numbers("dot_forms_a", (6, 20), bf16), whole_numbers("dot_forms_b", (20, 10), bf16)
    c = whole_numbers("dot_forms_c", (6, 10), np.float32, -99, 99)
    batch_a = whole_numbers("dot_batch_a", (3, 4, 8), np.float16)
    batch_b = whole_numbers("dot_batch_b", (3, 8, 5), np.float16)
    # 1 + 2^-12 is exact in f32 and lost in tf32; the products and their sum are exact in f32.
    fine = np.eye(4, dtype=np.float32) * np.float32(1 + 2.0**-12)
    scale = np.diag(np.arange(1, 5)).astype(np.float32)
    result = product(a, b)
    return [
        whole("dot_trans_b", "the right operand is stored transposed", ["c[...] = dot(a, b, trans_b=true)"],
              {"a": a, "b": b.T.copy()}, {"c": result}),
        whole("dot_trans_a", "the left operand is stored transposed", ["c[...] = dot(a, b, trans_a=true)"],
              {"a": a.T.copy(), "b": b}, {"c": result}),
        whole("dot_trans_both", "both are", ["c[...] = dot(a, b, trans_a=true, trans_b=true)"],
              {"a": a.T.copy(), "b": b.T.copy()}, {"c": result}),
        whole("dot_operator", "@ is dot; .T is a transposed view", ["c[...] = a @ b", "d[...] = a @ e.T"],
              {"a": a, "b": b, "e": b.T.copy()}, {"c": result, "d": result}),
        whole("dot_accumulate", "c + dot(a, b) is one accumulation", ["d[...] = c + dot(a, b)"],
              {"a": a, "b": b, "c": c}, {"d": c + result}),
        whole("dot_batch", "leading dims batch", ["c[...] = dot(a, b)"], {"a": batch_a, "b": batch_b},
              {"c": product(batch_a, batch_b)}),
        whole("dot_f32_exact", "f32 inputs multiply exactly", ["c[...] = dot(a, b)"], {"a": fine, "b": scale},
              {"c": product(fine, scale)}),
    ]


def scaled():
    """Returns cases with scales of parts of k: one of a and one of b for each, in their three dtypes."""
    made = []
    for kind, dtype in [("f32", np.float32), ("f8e8m0", f8e8m0), ("f8e4m3", f8e4m3)]:
        a, b = (whole_numbers(f"dot_scaled_{kind}_{n}", s, f8e4m3, -3, 4) for n, s in (("a", (6, 96)), ("b", (96, 10))))
        s, t = ((2.0 ** whole_numbers(f"dot_scaled_{kind}_{n}", shape, np.int64, -2, 3)).astype(dtype)
                for n, shape in (("s", (6, 3)), ("t", (10, 3))))
        wide = [np.repeat(x.astype(np.float64), 32, axis=1) for x in (s, t)]
        left, right = a.astype(np.float64) * wide[0], b.astype(np.float64) * wide[1].T
        sums = whole_numbers(f"dot_scaled_{kind}_c", (6, 10), np.float32, -99, 99)
        made.append(whole(f"dot_scaled_{kind}", f"scales of {kind} for each 32 products, of both operands or of one", [
            "c[...] = dot(a, b, a_scale=s, b_scale=t)", "d[...] = dot(a, b, a_scale=s)",
            "e[...] = sums - 2 * dot(a, b.T, trans_b=true, b_scale=t)"],
            {"a": a, "b": b, "s": s, "t": t, "sums": sums},
            {"c": product(left, right), "d": product(left, b),
             "e": (sums - 2 * product(a, right, np.float64)).astype(np.float32)}))
    return made


MATMUL = textwrap.dedent("""\
    dims: {M: {}, N: {}, K: {}}
    grid:
      - {axis: m, size: "cdiv(M, 16)"}
      - {axis: n, size: "cdiv(N, 16)"}
      - {axis: k, size: "cdiv(K, 16)", semantics: sequential}
    inputs:
      a: {type: "bf16[M, K]", block: [16, 16], index_map: [m, k]FILL}
      b: {type: "bf16[K, N]", block: [16, 16], index_map: [k, n]FILL}
    outputs:
      c: {type: "f32[M, N]", block: [16, 16], index_map: [m, n]}
    scratch:
      acc: {type: "f32[16, 16]", space: acc}
    body:
      - when: k == 0
        do:
          - acc[...] = 0
      - acc[...] += DOT
      - when: k == num_programs(k) - 1
        do:
          - c[...] = acc[...]
    """)


def blocked():
    filled = MATMUL.replace("FILL", ", fill: 0").replace("DOT", "dot(a, b)")
    masked = MATMUL.replace("FILL", "").replace("DOT", "dot(where(valid(a), a, 0.0), where(valid(b), b, 0.0))")
    made = []
    for name, about, spec, (m, n, k) in [
            ("matmul_exact_blocks", "k is a sequential axis", filled, (32, 32, 48)),
            ("matmul_ragged", "ragged on every axis, filled with 0", filled, (21, 35, 37)),
            ("matmul_masked", "ragged on every axis, masked by valid(ref)", masked, (21, 35, 37)),
            ("matmul_small", "smaller than a block on every axis", filled, (3, 5, 7)),
            ("matmul_no_steps", "K = 0: first and last guard run, c is zero", filled, (18, 20, 0)),
            ("matmul_no_rows", "M = 0: nothing runs", filled, (0, 20, 16))]:
        a, b = whole_numbers(f"{name}_a", (m, k), bf16), whole_numbers(f"{name}_b", (k, n), bf16)
        made.append(Case(name, about, spec, {"c": product(a, b)}, {"a": a, "b": b}, {"M": m, "N": n, "K": k}))
    a, b = (rng(f"matmul_random_{x}").standard_normal(s).astype(bf16) for x, s in (("a", (40, 72)), ("b", (72, 56))))
    c = np.asarray(jnp.dot(jnp.asarray(a), jnp.asarray(b), preferred_element_type=jnp.float32))
    np.testing.assert_allclose(c, a.astype(np.float64) @ b.astype(np.float64), atol=1e-4)
    made.append(Case("matmul_random", "random values against JAX", filled, {"c": c}, {"a": a, "b": b},
                     {"M": 40, "N": 56, "K": 72}, tolerance=2e-5,
                     why="the order of a sum of 72 exact products in f32 is free"))
    return made


def einsums():
    r = rng("einsum")
    x = r.integers(-9, 9, (4, 6)).astype(np.float32)
    y = r.integers(-9, 9, (6, 5)).astype(np.float32)
    u = r.integers(-9, 9, (2, 4, 6)).astype(np.float32)
    reference = """reference:
  c: einsum("ij,jk->ki", x, y)
  s: einsum("ij->j", x)
  p: einsum("bij,bkj->bik", u, u)
  q: einsum("bij,ij,jk->bk", u, x, y)
"""
    return [whole("einsum_reference", "einsum of one, two and three operands, as the reference",
                  ["c[...] = dot(x, y).T", "s[...] = sum(x, axis=0)", "p[...] = dot(u, u, trans_b=true)",
                   "q[...] = dot(sum(u * x, axis=1), y)"], {"x": x, "y": y, "u": u},
                  {"c": np.einsum("ij,jk->ki", x, y), "s": np.einsum("ij->j", x),
                   "p": np.einsum("bij,bkj->bik", u, u), "q": np.einsum("bij,ij,jk->bk", u, x, y)}, reference)]


def cases():
    return einsums() + dtypes() + forms() + scaled() + blocked()
