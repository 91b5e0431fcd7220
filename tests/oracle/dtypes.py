"""Functions, reductions, operators and random numbers on the dtypes that their own modules leave out. Witness: NumPy and
SciPy in f64, rounded once; exact whole numbers where rounding would leave a choice."""

import functools
import operator

import ml_dtypes
import numpy as np
import scipy.special

from conversions import NUMPY, to_float
from functions import BF16_ULP
from oracle_case import bf16, rng, whole
from randoms import bits, unit

i4, u4 = ml_dtypes.int4, ml_dtypes.uint4

# name, meaning in f64, the interval of arguments
FUNCTIONS = [
    ("sqrt", np.sqrt, 0, 30), ("rsqrt", lambda v: 1 / np.sqrt(v), 0.1, 30), ("exp", np.exp, -8, 8),
    ("exp2", np.exp2, -10, 10), ("expm1", np.expm1, -4, 4), ("log", np.log, 0.1, 30), ("log2", np.log2, 0.1, 30),
    ("log1p", np.log1p, -0.9, 30), ("sin", np.sin, -12, 12), ("cos", np.cos, -12, 12), ("tan", np.tan, -1.4, 1.4),
    ("tanh", np.tanh, -4, 4), ("erf", scipy.special.erf, -3, 3), ("logistic", scipy.special.expit, -8, 8),
    ("floor", np.floor, -9, 9), ("ceil", np.ceil, -9, 9), ("round", np.round, -9, 9), ("trunc", np.trunc, -9, 9),
    ("relu", lambda v: np.maximum(v, 0), -9, 9), ("silu", lambda v: v * scipy.special.expit(v), -8, 8),
    ("gelu", lambda v: 0.5 * v * (1 + scipy.special.erf(v / np.sqrt(2))), -6, 6),
    ("gelu_tanh", lambda v: 0.5 * v * (1 + np.tanh(np.sqrt(2 / np.pi) * (v + 0.044715 * v**3))), -6, 6),
    ("softplus", lambda v: np.logaddexp(v, 0), -9, 9),
]
# The activations are several operations, each rounded to its dtype: a few units. The functions alone are one.
LIBRARY = ("silu", "gelu", "gelu_tanh", "softplus")


def functions():
    made = []
    tolerances = {"f16": (2.0**-10, 2.0**-8), "bf16": (BF16_ULP, 2.0**-5), "f64": (1e-15, 4e-15)}
    why = {"f16": "one unit in the last place: the exact result may lie near a tie", "f64": "a few units in the last place"}
    for kind, (one, several) in tolerances.items():
        for name, chosen, tolerance in (("fn_of", [f for f in FUNCTIONS if f[0] not in LIBRARY], one),
                                        ("act_of", [f for f in FUNCTIONS if f[0] in LIBRARY], several)):
            inputs, outputs, body = {}, {}, []
            for function, meaning, low, high in chosen:
                x = np.linspace(low, high, 41).astype(NUMPY[kind])
                inputs[f"x_{function}"] = x
                outputs[f"y_{function}"] = meaning(x.astype(np.float64)).astype(NUMPY[kind])
                body.append(f"y_{function}[...] = {function}(x_{function})")
            if name == "fn_of":
                r = rng(f"fn_of_{kind}")
                a, b = (r.uniform(0.25, 3, 41).astype(NUMPY[kind]) for _ in "ab")
                inputs |= {"a": a, "b": b}
                outputs |= {"angle": np.arctan2(a.astype(np.float64), b.astype(np.float64)).astype(NUMPY[kind]),
                            "power": np.power(a.astype(np.float64), b.astype(np.float64)).astype(NUMPY[kind])}
                body += ["angle[...] = atan2(a, b)", "power[...] = pow(a, b)"]
            about = f"every {'activation' if name == 'act_of' else 'function'} of {kind}"
            reason = "each step rounds to the dtype" if name == "act_of" else why.get(kind, why["f16"])
            made.append(whole(f"{name}_{kind}", about, body, inputs, outputs, tolerance=tolerance, why=reason))
    return made


def reductions():
    made = []
    for kind in ("f16", "bf16", "f64"):
        r = rng(f"reduce_{kind}")
        x = r.integers(-3, 4, (3, 7)).astype(NUMPY[kind])
        factors = np.exp2(r.integers(-1, 2, (3, 7))).astype(NUMPY[kind])
        wide = x.astype(np.float64)
        soft = np.exp(wide - wide.max(1, keepdims=True))

        def same(values, kind=kind):
            return np.asarray(values).astype(NUMPY[kind])

        made.append(whole(f"reduce_of_{kind}", f"every reduction and scan of {kind}, exact",
                          ["s[...] = sum(x, axis=1)", "p[...] = prod(f, axis=1)", "a[...] = mean(f, axis=1)",
                           "m[...] = max(x, axis=0)", "n[...] = min(x, axis=0)", "u[...] = argmax(x, axis=1)",
                           "v[...] = argmin(x, axis=1)", "c[...] = cumsum(x, axis=1)", "d[...] = cummax(x, axis=0)"],
                          {"x": x, "f": factors},
                          {"s": same(wide.sum(1)), "p": same(factors.astype(np.float64).prod(1)),
                           "a": same(factors.astype(np.float64).mean(1)), "m": same(wide.max(0)), "n": same(wide.min(0)),
                           "u": wide.argmax(1).astype(np.int32), "v": wide.argmin(1).astype(np.int32),
                           "c": same(wide.cumsum(1)), "d": same(np.maximum.accumulate(wide, 0))},
                          **({} if kind == "f16" else dict(tolerance=1e-2 if kind == "bf16" else 1e-15,
                                                           why="a mean of 7 terms is rounded twice"))))
        made.append(whole(f"softmax_of_{kind}", f"softmax and logsumexp of {kind}",
                          ["y[...] = softmax(x, axis=1)", "l[...] = logsumexp(x, axis=1)"], {"x": x},
                          {"y": same(soft / soft.sum(1, keepdims=True)), "l": same(scipy.special.logsumexp(wide, 1))},
                          tolerance={"f16": 4e-3, "bf16": 3e-2, "f64": 4e-15}[kind], why="each step rounds to the dtype"))
    x = rng("reduce_integers").integers(0, 4, (3, 6))
    kinds = ("i4", "u4", "i8", "u8", "i16", "u16", "u32", "i64", "u64")
    inputs = {f"x_{k}": (x.astype(np.int8) if k in ("i4", "u4") else x).astype(NUMPY[k]) for k in kinds}
    outputs, body = {}, []
    for k in kinds:
        summed = np.int32 if k in kinds[:6] else NUMPY[k]
        narrow = x.astype(np.int8) if k in ("i4", "u4") else x
        outputs |= {f"s_{k}": x.sum(1).astype(summed), f"p_{k}": x.prod(0).astype(summed),
                    f"c_{k}": x.cumsum(1).astype(summed), f"m_{k}": narrow.max(1).astype(NUMPY[k]),
                    f"n_{k}": narrow.min(1).astype(NUMPY[k]), f"u_{k}": x.argmax(1).astype(np.int32),
                    f"d_{k}": np.maximum.accumulate(narrow, 1).astype(NUMPY[k])}
        body += [f"s_{k}[...] = sum(x_{k}, axis=1)", f"p_{k}[...] = prod(x_{k}, axis=0)",
                 f"c_{k}[...] = cumsum(x_{k}, axis=1)", f"m_{k}[...] = max(x_{k}, axis=1)",
                 f"n_{k}[...] = min(x_{k}, axis=1)", f"u_{k}[...] = argmax(x_{k}, axis=1)",
                 f"d_{k}[...] = cummax(x_{k}, axis=1)"]
    made.append(whole("reduce_of_integers", "sums of narrow integers are i32, of others their own; extremes keep the dtype",
                      body, inputs, outputs))
    nan = np.array([[1, np.nan, 2], [-np.inf, 3, 3], [0, 5, 7]], np.float32)
    made.append(whole("reduce_floats_nan", "NaN stays in max, min and cummax; over all elements, and over two axes",
                      ["a[...] = max(x)", "b[...] = min(x, axis=0)", "c[...] = cummax(x, axis=1)",
                       "d[...] = argmax(x[1:3, :], axis=1)", "f[...] = min(x[1:3, :], axis=[0, 1])"], {"x": nan},
                      {"a": nan.max().reshape(()), "b": nan.min(0), "c": np.maximum.accumulate(nan, 1),
                       "d": nan[1:].argmax(1).astype(np.int32), "f": nan[1:].min().reshape(())}))
    return made


def operators():
    """Returns cases: operations on floats of 8, 4 and 64 bits round to their dtype; integers of every width wrap."""
    made = []
    signs = {"s": operator.add, "d": operator.sub, "p": operator.mul}
    for kind in ("f8e4m3", "f8e5m2", "f4e2m1"):
        values = np.array([0.5, -1.5, 3.0, 6.0, 1.0, -4.0, 2.0, 0.0])
        x, y = (v.ravel() for v in np.meshgrid(values, values))
        body = ["s[...] = x + y", "d[...] = x - y", "p[...] = x * y", "m[...] = maximum(x, y)", "n[...] = abs(-x)"]
        exact = {k: f(x, y) for k, f in signs.items()} | {"m": np.maximum(x, y), "n": np.abs(x)}
        outputs = {k: np.array([to_float(float(v), kind) for v in vs]).astype(NUMPY[kind]) for k, vs in exact.items()}
        made.append(whole(f"float_{kind}_operators", "each operation rounds to its dtype and saturates", body,
                          {"x": x.astype(NUMPY[kind]), "y": y.astype(NUMPY[kind])}, outputs))
    a, b = (rng(f"float_f64_{n}").standard_normal(32) for n in "ab")
    made.append(whole("float_f64_operators", "one rounding per operation; literals take f64",
                      ["s[...] = a + b", "p[...] = a * b", "q[...] = a / b", "r[...] = a * 0.1", "m[...] = minimum(a, b)",
                       "k[...] = clamp(a, -0.5, 0.5)"], {"a": a, "b": b},
                      {"s": a + b, "p": a * b, "q": a / b, "r": a * 0.1, "m": np.minimum(a, b), "k": np.clip(a, -0.5, 0.5)}))
    made.append(whole("float_power", "** by a constant: whole, negative, a root", ["a[...] = x ** 2", "b[...] = x ** -1",
                                                                               "c[...] = abs(x) ** 0.5"],
                      {"x": np.array([1.5, -2, 4, 0.25], np.float32)},
                      {"a": np.array([2.25, 4, 16, 0.0625], np.float32), "b": np.array([1 / 1.5, -0.5, 0.25, 4], np.float32),
                       "c": np.sqrt(np.array([1.5, 2, 4, 0.25], np.float32))}, tolerance=5e-7,
                      why="pow within a few units in the last place"))
    for kind, width in (("i4", 4), ("u4", 4), ("i16", 16), ("u32", 32), ("i64", 64), ("u64", 64)):
        signed = kind[0] == "i"
        low, high = (-2**(width - 1), 2**(width - 1) - 1) if signed else (0, 2**width - 1)
        pairs = [(p, q) for p in (low, low + 1, 1, 3, high - 1, high) for q in (1, 3, high - 2, high)]
        made.append(integers(kind, width, pairs, low))
    return made


def integers(kind, width, pairs, low):
    def array(values, dtype=None):
        target = NUMPY[dtype or kind]
        wrapped = [(v - low) % 2**width + low for v in values] if dtype is None else values
        wide = np.array(wrapped, np.uint64 if kind == "u64" and dtype is None else np.int64)
        return wide.astype(np.int8).astype(target) if kind in ("i4", "u4") and dtype is None else wide.astype(target)

    rules = {"s": ("x + y", operator.add), "d": ("x - y", operator.sub), "p": ("x * y", operator.mul),
             "q": ("x // y", operator.floordiv), "r": ("x % y", operator.mod), "a": ("x & y", operator.and_),
             "o": ("x | y", operator.or_), "e": ("x ^ y", operator.xor), "n": ("~x", lambda p, q: ~p),
             "m": ("minimum(x, y)", min), "g": ("maximum(x, y)", max), "k": ("cdiv(x, y)", lambda p, q: -(-p // q)),
             "h": ("x >> 2", lambda p, q: p >> 2), "j": ("x << 1", lambda p, q: p << 1),
             "z": ("x ** 3", lambda p, q: p**3)}
    outputs = {name: array([f(p, q) for p, q in pairs]) for name, (_, f) in rules.items()}
    outputs["lt"] = np.array([p < q for p, q in pairs])
    outputs["eq"] = np.array([p == q for p, q in pairs])
    body = [f"{name}[...] = {text}" for name, (text, _) in rules.items()] + ["lt[...] = x < y", "eq[...] = x == y"]
    return whole(f"int_{kind}_operators", f"{kind} wraps in its own width", body,
                 {"x": array([p for p, _ in pairs]), "y": array([q for _, q in pairs])}, outputs)


def dots():
    a, b = (rng(f"dot_more_{n}").integers(-4, 5, s) for n, s in (("a", (5, 16)), ("b", (16, 6))))
    low, high = (np.abs(v).astype(np.int8).astype(u4) for v in (a, b))
    four, other = (np.clip(v, -4, 4).astype(np.float32).astype(NUMPY["f4e2m1"]) for v in (a, b))
    exact = (a @ b).astype(np.int32)
    # tf32 holds 1 + 2^-9, but not 1 + 2^-12, which is no tie; bf16x3 holds both as two halves.
    fine, finer = (np.eye(4, dtype=np.float32) * np.float32(v) for v in (1 + 2.0**-9, 1 + 2.0**-12))
    scale = np.diag([1, 2, 3, 5]).astype(np.float32)
    return [
        whole("dot_4_bits", "i4 and u4 give i32, f4e2m1 f32",
              ["c[...] = dot(a, b)", "d[...] = dot(u, v)", "f[...] = dot(p, q)"],
              {"a": a.astype(np.int8).astype(i4), "b": b.astype(np.int8).astype(i4), "u": low, "v": high, "p": four,
               "q": other},
              {"c": exact, "d": (np.abs(a) @ np.abs(b)).astype(np.int32),
               "f": four.astype(np.float32) @ other.astype(np.float32)}),
        whole("dot_f16_result", "dtype=f16 accumulates in f16; whole numbers that it holds",
              ["c[...] = dot(a, b, dtype=f16)"], {"a": a.astype(np.float16), "b": b.astype(np.float16)},
              {"c": exact.astype(np.float16)}),
        whole("dot_precision", "tf32 keeps 10 bits after the point of each operand, bf16x3 about 16, ieee all",
              ["a[...] = dot(x, s, precision=tf32)", "b[...] = dot(y, s, precision=tf32)",
               "c[...] = dot(y, s, precision=bf16x3)", "d[...] = dot(y, s, precision=ieee)"],
              {"x": fine, "y": finer, "s": scale}, {"a": fine @ scale, "b": scale, "c": finer @ scale, "d": finer @ scale}),
    ]


def randoms():
    shape = (64,)
    angle = unit(7, 11, 5 ^ (1 << 62), shape, 24)
    single = np.sqrt(-2 * np.log(unit(7, 11, 5, shape, 24) + 2.0**-24)) * np.cos(2 * np.pi * angle)
    wide = [((bits(7, 11, 5 ^ top, shape).astype(np.uint64) << np.uint64(32)) | bits(7, 11, 5 ^ low, shape)) >> np.uint64(11)
            for top, low in ((0, 2 << 62), (1 << 62, 3 << 62))]
    u, v = (w.astype(np.float64) * 2.0**-53 for w in wide)
    return [
        whole("random_uniform_f16", "11 bits of each word", ["a[...] = uniform(7, 11, [21], f16)"], {},
              {"a": unit(7, 11, 0, (21,), 11).astype(np.float16)}),
        whole("random_normal_bf16", "in f32, then one rounding", ["a[...] = normal(7, [11, 5], [64], bf16)"], {},
              {"a": single.astype(np.float32).astype(bf16)}, tolerance=BF16_ULP, why="the f32 result may lie near a tie"),
        whole("random_normal_f64", "two words for each of the two numbers", ["a[...] = normal(7, [11, 5], [64], f64)"], {},
              {"a": np.sqrt(-2 * np.log(u + 2.0**-53)) * np.cos(2 * np.pi * v)}, tolerance=1e-14,
              why="log, sqrt and cos in f64, of an angle up to 2 pi"),
    ]


@functools.cache
def cases():
    return functions() + reductions() + operators() + dots() + randoms()
