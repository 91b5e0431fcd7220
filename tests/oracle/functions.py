"""Elementwise operations and activations. Witness: NumPy for exact ones, f64 mathematics, rounded, for the rest."""

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special

from oracle_case import bf16, rng, whole

ULPS = 5e-7
ULPS_WHY = "four units in the last place of f32 at 1; CUDA documents at most that for these functions"
BF16_ULP = 0.0079
BF16_WHY = "one unit in the last place of bf16: the exact result may lie near a tie"


def exact():
    x = np.array([0.5, 1.5, 2.5, 3.5, -0.5, -1.5, -2.5, 0.3, -0.3, 0.7, -0.7, 8388609.0, 1e20, -1e20, np.inf, -np.inf,
                  np.nan, 0.0], np.float32)
    signed = x[x != 0]
    i = np.array([0, 1, -1, 5, -5, 2**31 - 1, -2**31], np.int32)
    u = np.array([0, 1, 2**32 - 1], np.uint32)
    root = np.concatenate([np.abs(rng("sqrt").standard_normal(40)), [0.0, 2.0, 4.0, np.inf, np.nan, -1.0, 1e-40]])
    root = root.astype(np.float32)
    with np.errstate(all="ignore"):
        return [
            whole("round_floor_ceil", "round takes ties to even; zeros keep their sign",
                  ["a[...] = floor(x)", "b[...] = ceil(x)", "c[...] = round(x)", "d[...] = trunc(x)"], {"x": x},
                  {"a": np.floor(x), "b": np.ceil(x), "c": np.round(x), "d": np.trunc(x)}),
            whole("abs_sign_neg", "NaN stays; floats", ["a[...] = abs(x)", "b[...] = sign(x)", "c[...] = neg(x)"],
                  {"x": signed}, {"a": np.abs(signed), "b": np.sign(signed), "c": -signed}),
            whole("abs_sign_neg_integer", "the most negative integer is its own absolute value",
                  ["a[...] = abs(i)", "b[...] = sign(i)", "c[...] = neg(i)", "d[...] = sign(u)"], {"i": i, "u": u},
                  {"a": np.abs(i), "b": np.sign(i), "c": -i, "d": np.sign(u)}),
            whole("sqrt_f32", "correctly rounded; NaN below zero", ["y[...] = sqrt(x)"], {"x": root},
                  {"y": np.sqrt(root)}),
            whole("isnan_isfinite", "masks", ["a[...] = isnan(x)", "b[...] = isfinite(x)"], {"x": x},
                  {"a": np.isnan(x), "b": np.isfinite(x)}),
        ]


def table(name, function, meaning, x, about="", tolerance=ULPS, why=ULPS_WHY):
    with np.errstate(all="ignore"):
        expected = meaning(x.astype(np.float64)).astype(np.float32).astype(x.dtype)
    return whole(f"fn_{name}", about or f"{function} of f32", [f"y[...] = {function}(x)"], {"x": x}, {"y": expected},
                 tolerance=tolerance, why=why)


def transcendental():
    def spread(low, high, *special):
        return np.concatenate([np.linspace(low, high, 61), special]).astype(np.float32)

    ends = (0.0, np.inf, -np.inf, np.nan)
    small = (1e-6, -1e-6, 1e-4, 0.0, np.nan)
    return [
        table("exp", "exp", np.exp, spread(-90, 10, *ends)),
        table("exp2", "exp2", np.exp2, spread(-130, 12, -126.5, 100.0, 127.5, 128.0, *ends),
              "exp2 of f32, exact at integers, into subnormals and overflow"),
        table("expm1", "expm1", np.expm1, spread(-20, 5, *small), "expm1 of f32, near 0 too"),
        table("log", "log", np.log, spread(0.01, 30, 1e-30, 1e30, *ends)),
        table("log2", "log2", np.log2, spread(0.01, 30, 1e-30, 1e30, *ends)),
        table("log1p", "log1p", np.log1p, spread(-0.9, 30, -1.0, *small), "log1p of f32, near 0 too"),
        table("sin", "sin", np.sin, spread(-12, 12, 1000.0, 0.0, np.inf, np.nan), "sin of f32, of large arguments too"),
        table("cos", "cos", np.cos, spread(-12, 12, 1000.0, 0.0, np.inf, np.nan), "cos of f32, of large arguments too"),
        table("tan", "tan", np.tan, spread(-1.4, 1.4, *small), tolerance=1e-6,
              why="CUDA documents 4 units in the last place"),
        table("tanh", "tanh", np.tanh, spread(-10, 10, np.inf, -np.inf, *small)),
        table("erf", "erf", scipy.special.erf, spread(-4.5, 4.5, np.inf, -np.inf, *small)),
        table("logistic", "logistic", scipy.special.expit, spread(-20, 20, *ends)),
        table("rsqrt", "rsqrt", lambda v: 1 / np.sqrt(v), spread(0.01, 30, 1e-30, np.inf, np.nan)),
        table("exp_bf16", "exp", np.exp, spread(-8, 8).astype(bf16), "exp of bf16 rounds its result to bf16", BF16_ULP,
              BF16_WHY),
    ]


def two_arguments():
    r = rng("two_arguments")
    y, x = (np.concatenate([r.standard_normal(60), s]).astype(np.float32)
            for s in ([1.0, -1.0, 0.0, 0.0], [0.0, 0.0, 1.0, -1.0]))
    base = np.concatenate([r.uniform(0.1, 4, 60), [0.0, 2.0, -2.0, 1.0]]).astype(np.float32)
    power = np.concatenate([r.uniform(-4, 4, 60), [0.0, 10.0, 3.0, np.nan]]).astype(np.float32)
    with np.errstate(all="ignore"):
        return [
            whole("fn_atan2", "the angle's quadrant", ["z[...] = atan2(y, x)"], {"y": y, "x": x},
                  {"z": np.arctan2(y.astype(np.float64), x).astype(np.float32)}, tolerance=ULPS, why=ULPS_WHY),
            whole("fn_pow", "pow(x, y); a negative base with a whole exponent; 1 to any power is 1",
                  ["z[...] = pow(x, y)"], {"x": base, "y": power},
                  {"z": np.power(base.astype(np.float64), power).astype(np.float32)}, tolerance=1e-6,
                  why="CUDA documents 8 units in the last place; the values are within 2^10 of 1"),
        ]


def activations():
    x = np.concatenate([np.linspace(-6, 6, 49), [0.0, 30.0, -30.0]]).astype(np.float32)
    wide = x.astype(np.float64)
    tanh = 0.5 * wide * (1 + np.tanh(np.sqrt(2 / np.pi) * (wide + 0.044715 * wide**3)))
    meanings = {
        "identity": wide,
        "relu": np.maximum(wide, 0),
        "gelu": 0.5 * wide * (1 + scipy.special.erf(wide / np.sqrt(2))),
        "gelu_tanh": tanh,
        "silu": wide * scipy.special.expit(wide),
        "softplus": np.logaddexp(wide, 0),
    }
    witnesses = {
        "relu": jax.nn.relu, "gelu": lambda v: jax.nn.gelu(v, approximate=False), "gelu_tanh": jax.nn.gelu,
        "silu": jax.nn.silu, "softplus": jax.nn.softplus,
    }
    for name, function in witnesses.items():  # the formulas are JAX's
        np.testing.assert_allclose(np.asarray(function(jnp.asarray(x))), meanings[name], rtol=2e-5, atol=2e-6)
    made = [whole(f"act_{name}", f"{name} of f32", [f"y[...] = {name}(x)"], {"x": x}, {"y": y.astype(np.float32)},
                  **({} if name in ("identity", "relu") else
                     dict(tolerance=1e-6, why="a few roundings of f32, within 8 units in the last place")))
            for name, y in meanings.items()]
    rounded = meanings["gelu"].astype(np.float32).astype(bf16)
    made.append(whole("act_gelu_then_bf16", "the epilogue of a matmul: f32 activation, one rounding to bf16",
                      ["y[...] = gelu(x).astype(bf16)"], {"x": x}, {"y": rounded}, tolerance=BF16_ULP, why=BF16_WHY))
    return made


def cases():
    return exact() + transcendental() + two_arguments() + activations()
