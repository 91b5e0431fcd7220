"""Reductions and scans over any axes. Witness: NumPy; data is chosen so that every order of a sum is exact."""

import jax
import numpy as np
import scipy.special

from oracle_case import bf16, rng, whole


def sums():
    r = rng("sums")
    x = r.integers(-99, 99, (4, 6, 5)).astype(np.float32)
    flat = r.integers(-99, 99, (3, 8)).astype(np.float32)
    # 64 terms on a grid of 2^-8 below 2^7: exact in f32, while sums rounded to bf16 on the way would lose most terms.
    fine = (r.integers(-128, 128, (4, 64)) / 128).astype(bf16)
    fine[:, 0] = 100
    halves = (r.integers(-64, 64, (4, 32)) / 64).astype(np.float16)
    halves[:, 0] = 1000
    wide = fine.astype(np.float32)
    return [
        whole("sum_axes", "over one axis, two, all; keepdims",
              ["a[...] = sum(x, axis=1)", "b[...] = sum(x, axis=[0, 2])", "c[...] = sum(x)",
               "d[...] = sum(x, axis=-1, keepdims=true)"], {"x": x},
              {"a": x.sum(1), "b": x.sum((0, 2)), "c": x.sum().reshape(()), "d": x.sum(-1, keepdims=True)}),
        whole("sum_bf16", "accumulates in f32 and rounds once", ["a[...] = sum(x, axis=1)", "b[...] = sum(x, axis=0)"],
              {"x": fine}, {"a": wide.sum(1).astype(bf16), "b": wide.sum(0).astype(bf16)}),
        whole("sum_f16", "accumulates in f32 and rounds once", ["a[...] = sum(x, axis=1)"], {"x": halves},
              {"a": halves.astype(np.float32).sum(1).astype(np.float16)}),
        whole("reduce_mean", "bf16 in f32, rounded once; f32", ["a[...] = mean(x, axis=1)", "b[...] = mean(y, axis=1)"],
              {"x": fine, "y": flat}, {"a": (wide.sum(1) / 64).astype(bf16), "b": flat.mean(1)}),
        whole("scan_sum", "running sums along an axis; bf16 rounds each prefix once",
              ["a[...] = cumsum(y, axis=1)", "b[...] = cumsum(y, axis=0)", "c[...] = cumsum(x, axis=1)"],
              {"x": fine, "y": flat}, {"a": flat.cumsum(1, dtype=np.float32), "b": flat.cumsum(0, dtype=np.float32),
                                       "c": wide.cumsum(1, dtype=np.float32).astype(bf16)}),
    ]


def scans():
    """Returns rows of several runs, in a warp and in several warps; and a column of their results."""
    r = rng("scans")
    x = r.integers(-99, 99, (2, 3000)).astype(np.float32)
    numbers = r.integers(-(2**31), 2**31, (2, 3000)).astype(np.int32)
    flags = r.integers(0, 2, (3, 700)).astype(bool)
    halves = r.integers(-256, 256, (3, 520)).astype(bf16)
    gaps = r.standard_normal((2, 1500)).astype(np.float32)
    gaps[0, 40], gaps[1, :900] = np.nan, -np.inf
    sums = x.cumsum(1, dtype=np.float32)
    return [
        whole("scan_long", "rows of many runs: of f32, of i32 that wrap, of bool as i32; one column of the sums",
              ["s = cumsum(x, axis=1)", "a[...] = s", "b[...] = s[:, 1234]", "c[...] = cumsum(i, axis=1)",
               "d[...] = cumsum(p, axis=1)"],
              {"x": x, "i": numbers, "p": flags},
              {"a": sums, "b": sums[:, 1234], "c": numbers.cumsum(1, dtype=np.int32),
               "d": flags.cumsum(1, dtype=np.int32)}),
        whole("scan_max_long", "NaN from its place on, -inf before the first number; of bf16",
              ["a[...] = cummax(x, axis=1)", "b[...] = cummax(h, axis=1)"], {"x": gaps, "h": halves},
              {"a": np.maximum.accumulate(gaps, 1),
               "b": np.maximum.accumulate(halves.astype(np.float32), 1).astype(bf16)}),
    ]


def integers():
    r = rng("integer_sums")
    bytes_ = r.integers(-128, 128, (3, 200)).astype(np.int8)
    unsigned = r.integers(0, 256, (3, 200)).astype(np.uint8)
    flags = r.integers(0, 2, (3, 50)).astype(bool)
    big = np.full((2, 4), 2**30, np.int32)
    factors = r.integers(-3, 4, (3, 5)).astype(np.int8)
    return [
        whole("sum_narrow", "sums of bool and narrow integers are i32",
              ["a[...] = sum(x, axis=1)", "b[...] = sum(y, axis=1)", "c[...] = sum(p, axis=1)"],
              {"x": bytes_, "y": unsigned, "p": flags},
              {"a": bytes_.sum(1, dtype=np.int32), "b": unsigned.sum(1, dtype=np.int32),
               "c": flags.sum(1, dtype=np.int32)}),
        whole("sum_wrap", "sums of i32 wrap", ["a[...] = sum(x, axis=1)"],
              {"x": big}, {"a": big.sum(1, dtype=np.int32)}),
        whole("reduce_prod", "products; of i8 in i32", ["a[...] = prod(x, axis=1)", "b[...] = prod(y, axis=0)"],
              {"x": factors, "y": factors.astype(np.float32)},
              {"a": factors.prod(1, dtype=np.int32), "b": factors.astype(np.float32).prod(0)}),
        whole("any_all", "of bool, over an axis and over all",
              ["a[...] = any(p, axis=0)", "b[...] = all(p, axis=0)", "c[...] = any(p)"], {"p": flags},
              {"a": flags.any(0), "b": flags.all(0), "c": flags.any().reshape(())}),
    ]


def extremes():
    x = rng("extremes").standard_normal((4, 9)).astype(np.float32)
    x[1, 3] = np.nan
    x[2, :] = -np.inf
    ints = np.array([[3, 9, 9, -4, 9], [0, 0, 0, 0, 0], [-5, -1, -9, -1, -9]], np.int32)
    narrow = x.astype(bf16)
    wide = narrow.astype(np.float32)
    with np.errstate(invalid="ignore"):
        return [
            whole("max_min", "NaN propagates; -inf everywhere",
                  ["a[...] = max(x, axis=1)", "b[...] = min(x, axis=1)", "c[...] = max(x, axis=0, keepdims=true)"],
                  {"x": x}, {"a": x.max(1), "b": x.min(1), "c": x.max(0, keepdims=True)}),
            whole("max_min_integer", "of i32", ["a[...] = max(i, axis=1)", "b[...] = min(i)"], {"i": ints},
                  {"a": ints.max(1), "b": ints.min().reshape(())}),
            whole("max_bf16", "of bf16, NaN propagates", ["a[...] = max(x, axis=1)"], {"x": narrow},
                  {"a": wide.max(1).astype(bf16)}),
            whole("argmax_argmin", "the lowest index of equal values, as i32",
                  ["a[...] = argmax(i, axis=1)", "b[...] = argmin(i, axis=1)", "c[...] = argmax(i, axis=0)"],
                  {"i": ints},
                  {"a": ints.argmax(1).astype(np.int32), "b": ints.argmin(1).astype(np.int32),
                   "c": ints.argmax(0).astype(np.int32)}),
            whole("scan_max", "the greatest so far", ["a[...] = cummax(i, axis=1)"], {"i": ints},
                  {"a": np.maximum.accumulate(ints, 1)}),
        ]


def exponentials():
    x = rng("softmax").standard_normal((4, 33)).astype(np.float32) * 5
    x[1] += 1e4  # overflows unless the maximum is subtracted
    x[2, 5:] = -np.inf
    wide = x.astype(np.float64)
    why = "exp within 2 units in the last place, a sum of 33 terms, one division"
    return [
        whole("reduce_softmax", "large and infinite arguments", ["y[...] = softmax(x, axis=1)"], {"x": x},
              {"y": scipy.special.softmax(wide, 1).astype(np.float32)}, tolerance=2e-6, why=why),
        whole("reduce_logsumexp", "large and infinite arguments", ["y[...] = logsumexp(x, axis=1)"], {"x": x},
              {"y": scipy.special.logsumexp(wide, 1).astype(np.float32)}, tolerance=2e-6, why=why),
        *infinite_sums(),
    ]


def infinite_sums():
    """Returns rows of infinities: the logarithm of an empty sum, of infinity, and with NaN among them."""
    x = rng("logsumexp_infinite").standard_normal((6, 70)).astype(np.float32)
    x[0], x[1, 3], x[2], x[3, :69], x[4, 5] = -np.inf, np.inf, np.inf, -np.inf, np.nan
    x[5, :2] = np.inf, -np.inf
    why = "exp within 2 units in the last place, a sum of 70 terms"

    def want(axis, keepdims=False):
        return np.asarray(jax.nn.logsumexp(x, axis=axis, keepdims=keepdims))

    forms = {"rows": "x, axis=1", "columns": "x[:4, :], axis=0", "kept": "x, axis=-1, keepdims=true", "whole": "x[3:4, :]"}
    outputs = {"rows": want(1), "columns": np.asarray(jax.nn.logsumexp(x[:4], axis=0)), "kept": want(1, True),
               "whole": np.asarray(jax.nn.logsumexp(x[3:4]))}
    made = [whole("logsumexp_infinite", "rows of -inf, with +inf, with NaN, in every form of the call",
                  [f"{name}[...] = logsumexp({form})" for name, form in forms.items()], {"x": x}, outputs,
                  tolerance=1e-5, why=why)]
    for kind, dtype in (("f16", np.float16), ("bf16", bf16), ("f64", np.float64)):
        y = x[:4].astype(dtype)
        full = np.array([-np.inf, np.inf, np.inf, float(y[3, 69])])
        made.append(whole(f"logsumexp_infinite_{kind}", f"the same of {kind}", ["rows[...] = logsumexp(y, axis=1)"], {"y": y},
                          {"rows": full.astype(dtype)}))
    return made


def cases():
    return sums() + scans() + integers() + extremes() + exponentials()
