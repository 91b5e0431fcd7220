"""Operators, comparisons, choice and broadcasting. Witness: NumPy, with every operation rounded to its dtype."""

import textwrap

import numpy as np

from oracle_case import Case, bf16, rng, whole

# Values that floating-point units often get wrong: zeros, infinities, NaN; and plain numbers.
SPECIAL = np.array([0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 2.5, -2.5], np.float32)


def pairs(values):
    """Returns every pair of values, as two arrays."""
    first, second = np.meshgrid(values, values, indexing="ij")
    return first.ravel(), second.ravel()


def zeros_above(values):
    """Returns how many zeros precede the highest 1, in as many digits as the dtype has bits."""
    width = values.dtype.itemsize * 8
    digits = [np.binary_repr(int(v), width=width)[-width:] for v in values]
    return np.array([len(text) - len(text.lstrip("0")) for text in digits]).astype(values.dtype)


def integers():
    x, y = pairs(np.array([-7, -6, -1, 1, 2, 6, 7, 8], np.int32))
    low = np.array([-2**31, -2**31, 2**31 - 1, -2**31], np.int32)
    one = np.array([-1, 2, -1, 3], np.int32)
    quotient = np.array([-2**31, -2**30, -(2**31) + 1, -715827883], np.int32)  # -2^31 // -1 is 2^31, which wraps
    big, other = pairs(np.array([2**31 - 1, -2**31, 1, -1, 123456789, 65537], np.int32))
    bytes_, more = pairs(np.array([0, 1, 127, 128, 200, 255], np.uint8))
    small, less = pairs(np.array([-128, -1, 0, 1, 100, 127], np.int8))
    u = np.array([0, 1, 2**31, 2**32 - 1], np.uint32)
    s = np.array([-2**31, -5, 5, 2**31 - 1], np.int32)
    by = np.array([0, 1, 4, 31], np.int32)
    p, q = pairs(np.array([0x0F0F0F0F, -1, 0, 12345678], np.int32))
    wide = np.array([0, 1, -1, 2**40, -2**63, 2**63 - 1, 0x0123456789ABCDEF], np.int64)
    with np.errstate(over="ignore"):
        return [
            whole("int_floor_division", "// and % round towards minus infinity", ["d[...] = x // y", "m[...] = x % y"],
                  {"x": x, "y": y}, {"d": x // y, "m": x % y}),
            whole("int_floor_division_limits", "the most negative integer over -1 wraps, its remainder is 0",
                  ["d[...] = x // y", "m[...] = x % y"], {"x": low, "y": one},
                  {"d": quotient, "m": (low.astype(np.int64) % one).astype(np.int32)}),
            whole("int_floor_division_constant", "// and % by constants of either sign",
                  ["d[...] = x // 4", "m[...] = x % 4", "f[...] = x // -3", "g[...] = x % -3"], {"x": x},
                  {"d": x // 4, "m": x % 4, "f": x // -3, "g": x % -3}),
            whole("int_wrap", "sums, differences, products and negation of i32 wrap",
                  ["s[...] = x + y", "d[...] = x - y", "p[...] = x * y", "n[...] = -x"], {"x": big, "y": other},
                  {"s": big + other, "d": big - other, "p": big * other, "n": -big}),
            whole("int_wrap_narrow", "i8 and u8 wrap in their own width",
                  ["s[...] = x + y", "p[...] = x * y", "u[...] = a + b", "v[...] = a * b", "w[...] = a - b"],
                  {"x": small, "y": less, "a": bytes_, "b": more},
                  {"s": small + less, "p": small * less, "u": bytes_ + more, "v": bytes_ * more, "w": bytes_ - more}),
            whole("int_shift", ">> is arithmetic for signed types, logical for unsigned; << drops high bits",
                  ["a[...] = s >> by", "b[...] = u >> by.astype(u32)", "c[...] = s << by"], {"s": s, "u": u, "by": by},
                  {"a": s >> by, "b": u >> by.astype(np.uint32), "c": s << by}),
            whole("int_bits", "and, or, exclusive or, complement",
                  ["a[...] = p & q", "o[...] = p | q", "x[...] = p ^ q", "n[...] = ~p"], {"p": p, "q": q},
                  {"a": p & q, "o": p | q, "x": p ^ q, "n": ~p}),
            whole("int_count", "zeros above the highest 1, and ones, of each width",
                  ["a[...] = clz(p)", "b[...] = popcount(p)", "c[...] = clz(x)", "d[...] = popcount(x)", "e[...] = clz(u)",
                   "f[...] = popcount(u)", "g[...] = clz(w)", "h[...] = popcount(w)"],
                  {"p": p, "x": small, "u": bytes_, "w": wide},
                  {"a": zeros_above(p), "b": np.bitwise_count(p.view(np.uint32)).astype(p.dtype), "c": zeros_above(small),
                   "d": np.bitwise_count(small.view(np.uint8)).astype(small.dtype), "e": zeros_above(bytes_),
                   "f": np.bitwise_count(bytes_).astype(bytes_.dtype), "g": zeros_above(wide),
                   "h": np.bitwise_count(wide.view(np.uint64)).astype(wide.dtype)}),
            whole("int_power", "a constant exponent; the product wraps",
                  ["c[...] = x ** 3", "o[...] = x ** 0", "w[...] = y ** 5"], {"x": x, "y": big},
                  {"c": x**3, "o": np.ones_like(x), "w": big * big * big * big * big}),
        ]


def floats():
    x, y = pairs(SPECIAL)
    r = rng("floats")
    a, b = (r.standard_normal(64).astype(np.float32) for _ in "ab")
    ha, hb = a.astype(np.float16), b.astype(np.float16)
    ba, bb = a.astype(bf16), b.astype(bf16)
    with np.errstate(all="ignore"):
        return [
            whole("float_special", "sums, products and quotients of zeros, infinities and NaN",
                  ["s[...] = x + y", "p[...] = x * y", "q[...] = x / y"], {"x": x, "y": y},
                  {"s": x + y, "p": x * y, "q": x / y}),
            whole("float_f32_operators", "one rounding per operation",
                  ["s[...] = a - b", "p[...] = a * b", "q[...] = a / b"],
                  {"a": a, "b": b}, {"s": a - b, "p": a * b, "q": a / b}),
            whole("float_f16_operators", "each operation rounds to f16",
                  ["s[...] = (a + b) * b", "q[...] = a / b"], {"a": ha, "b": hb},
                  {"s": (ha + hb) * hb, "q": ha / hb}),
            whole("float_bf16_operators", "each operation rounds to bf16; literals take bf16",
                  ["s[...] = (a + b) * b", "q[...] = a / b", "t[...] = a * 0.1"], {"a": ba, "b": bb},
                  {"s": (ba + bb) * bb, "q": ba / bb, "t": ba * bf16(0.1)}),
            whole("float_literal_dtype", "a literal takes the dtype of the other operand, once",
                  ["x[...] = a * 0.1", "y[...] = b * 0.1", "z[...] = 1e-3"], {"a": a, "b": hb},
                  {"x": a * np.float32(0.1), "y": hb * np.float16(0.1), "z": np.full(4, 1e-3, np.float16)}),
            whole("float_fma", "fma(x, y, z) rounds once", ["z[...] = fma(x, y, w)"],
                  {"x": a, "y": b, "w": -(a * b)},
                  {"z": (a.astype(np.float64) * b - (a * b).astype(np.float64)).astype(np.float32)}),
        ]


def comparisons():
    x, y = pairs(SPECIAL)
    i, j = pairs(np.array([-2**31, -1, 0, 2**31 - 1], np.int32))
    u, v = (k.view(np.uint32) for k in (i, j))
    p, q = (k.astype(bool) for k in pairs(np.array([0, 1])))
    return [
        whole("compare_float", "NaN compares false, and unequal to everything",
              ["a[...] = x < y", "b[...] = x >= y", "c[...] = x == y", "d[...] = x != y"], {"x": x, "y": y},
              {"a": x < y, "b": x >= y, "c": x == y, "d": x != y}),
        whole("compare_integer", "signed and unsigned order", ["a[...] = i < j", "b[...] = u < v", "c[...] = u <= v"],
              {"i": i, "j": j, "u": u, "v": v}, {"a": i < j, "b": u < v, "c": u <= v}),
        whole("compare_chained", "a < b <= c is both; and, or, not on bool arrays are elementwise",
              ["a[...] = -2.0 < x <= 2.5", "b[...] = x < 0.0 or x > 2.0", "c[...] = not x < 0.0 and x < 2.0"], {"x": x},
              {"a": (-2 < x) & (x <= 2.5), "b": (x < 0) | (x > 2), "c": ~(x < 0) & (x < 2)}),
        whole("compare_bool", "logic of bool arrays",
              ["a[...] = p and q", "b[...] = p or not q", "c[...] = p == q"], {"p": p, "q": q},
              {"a": p & q, "b": p | ~q, "c": p == q}),
    ]


def choices():
    x, y = pairs(SPECIAL[SPECIAL != 0])  # which zero wins is unspecified
    i, j = pairs(np.array([-2**31, -1, 0, 5], np.int32))
    h = SPECIAL.astype(bf16)
    r = rng("where")
    c = r.integers(0, 2, (4, 1)).astype(bool)
    a, b = r.standard_normal((1, 5)).astype(np.float32), np.float32(r.standard_normal()).reshape(())
    n = r.integers(-9, 9, (3, 1, 5)).astype(np.int32)
    m = r.integers(-9, 9, (2, 1)).astype(np.int32)
    clamped = np.minimum(np.maximum(SPECIAL, np.float32(-1.5)), np.float32(2.0))
    return [
        whole("minimum_maximum", "NaN on either side gives NaN", ["a[...] = minimum(x, y)", "b[...] = maximum(x, y)"],
              {"x": x, "y": y}, {"a": np.minimum(x, y), "b": np.maximum(x, y)}),
        whole("minimum_maximum_integer", "signed order", ["a[...] = minimum(i, j)", "b[...] = maximum(i, 0)"],
              {"i": i, "j": j}, {"a": np.minimum(i, j), "b": np.maximum(i, 0)}),
        whole("minimum_maximum_bf16", "NaN stays", ["a[...] = minimum(x, 1.0)", "b[...] = maximum(x, -1.0)"], {"x": h},
              {"a": np.minimum(h, bf16(1)), "b": np.maximum(h, bf16(-1))}),
        whole("clamp_values", "clamp(x, low, high): NaN stays",
              ["y[...] = clamp(x, -1.5, 2.0)", "k[...] = clamp(i, -3, 2)"],
              {"x": SPECIAL, "i": i}, {"y": clamped, "k": np.minimum(np.maximum(i, -3), 2)}),
        whole("where_broadcast", "condition and both arms broadcast together, of any ranks",
              ["z[...] = where(c, a, b)"],
              {"c": c, "a": a, "b": b}, {"z": np.where(c, a, b)}),
        whole("where_integer", "a literal arm takes the dtype of the other", ["z[...] = where(n > m, n, -1)"],
              {"n": n, "m": m}, {"z": np.where(n > m, n, np.int32(-1))}),
        whole("where_nan", "the arm that is not chosen has no effect",
              ["z[...] = where(x > 0.0, x, 0.0)", "w[...] = where(isnan(x), -1.0, x)"], {"x": SPECIAL},
              {"z": np.where(SPECIAL > 0, SPECIAL, np.float32(0)),
               "w": np.where(np.isnan(SPECIAL), np.float32(-1), SPECIAL)}),
    ]


def literals():
    x, n = np.array([1, 2, 4], np.float32), np.array([1, 2, 4], np.int8)
    return [
        whole("literal_values", "pi, log2e, ln2, inf, nan, true, false, hexadecimal integers and powers of ten",
              ["a[...] = pi", "b[...] = log2e", "c[...] = ln2", "d[...] = -inf", "f[...] = nan", "g[...] = true",
               "h[...] = not false", "k[...] = 0x10", "m[...] = 1e-5", "n[...] = pi * ln2"], {},
              {"a": np.full(2, np.pi, np.float32), "b": np.full(2, np.log2(np.e), np.float64),
               "c": np.full(2, bf16(np.log(2.0))), "d": np.full(2, -np.inf, np.float16), "f": np.full(2, np.nan, np.float32),
               "g": np.full(2, True), "h": np.full(2, True), "k": np.full(2, 16, np.uint8),
               "m": np.full(2, 1e-5, np.float32), "n": np.full(2, np.pi * np.log(2.0), np.float64)}),
        Case("index_value_dtype", "index values take the dtype of the other operand, or of what is assigned",
             textwrap.dedent("""\
            dims: {N: {}}
            consts: {three: 3}
            grid: [{axis: i, size: 2}]
            inputs: {x: {type: "f32[3]"}, n: {type: "i8[3]"}}
            outputs:
              a: {type: "f32[2, 3]", block: [squeezed, 3], index_map: [i, 0]}
              b: {type: "i8[2, 3]", block: [squeezed, 3], index_map: [i, 0]}
              c: {type: "bf16[2, 3]", block: [squeezed, 3], index_map: [i, 0]}
              d: {type: "i32[2, 3]", block: [squeezed, 3], index_map: [i, 0]}
            body:
              - a[...] = x * three + i
              - b[...] = n * 2 - i
              - c[...] = i + 1
              - d[...] = min(N, 7) + max(i, 1) * 10 + cdiv(N, 4) * 100 + (i - 3) // 2 * 1000
            """), {"a": np.stack([x * 3, x * 3 + 1]), "b": np.stack([n * np.int8(2), n * np.int8(2) - np.int8(1)]),
                   "c": np.stack([np.full(3, bf16(1)), np.full(3, bf16(2))]),
                   "d": np.stack([np.full(3, 7 + 10 + 300 - 2000, np.int32), np.full(3, 7 + 10 + 300 - 1000, np.int32)])},
             {"x": x, "n": n}, dims={"N": 9}),
    ]


def broadcasts():
    r = rng("broadcasts")
    row, column = r.integers(-9, 9, 5).astype(np.float32), r.integers(-9, 9, 4).astype(np.float32)
    cube = r.integers(-9, 9, (2, 1, 5)).astype(np.int32)
    plane = r.integers(-9, 9, (4, 1)).astype(np.int32)
    scalar = np.float32(2.5).reshape(())
    return [
        whole("broadcast_row_column", "new axes by None", ["z[...] = x[:, None] * y[None, :]"],
              {"x": column, "y": row}, {"z": column[:, None] * row[None, :]}),
        whole("broadcast_ranks", "shapes are aligned at the right, size 1 stretches", ["z[...] = x - y"],
              {"x": cube, "y": plane}, {"z": cube - plane}),
        whole("broadcast_scalar", "a scalar, a literal and a rank-0 array", ["z[...] = x * s + 1.0", "w[...] = 7"],
              {"x": row, "s": scalar}, {"z": row * scalar + np.float32(1), "w": np.full((2, 3), 7, np.int32)}),
        whole("broadcast_assign", "the value stretches to the shape that is assigned", ["z[...] = x"],
              {"x": row}, {"z": np.tile(row, (3, 1))}),
    ]


def cases():
    return integers() + floats() + comparisons() + choices() + literals() + broadcasts()
