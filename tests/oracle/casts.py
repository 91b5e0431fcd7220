"""astype and bitcast. Witness: NumPy and ml_dtypes; exact rational rounding where those round twice."""

import fractions

import ml_dtypes
import numpy as np

from oracle_case import bf16, f8e4m3, f8e5m2, rng, whole


def nearest(value, mantissa_bits, least_exponent):
    """Returns the float with that many bits after the point nearest to a rational, ties to even, of any exponent."""
    value = fractions.Fraction(value)
    if value == 0:
        return 0.0
    exponent = 0
    while abs(value) >= fractions.Fraction(2) ** (exponent + 1):
        exponent += 1
    while abs(value) < fractions.Fraction(2) ** exponent:
        exponent -= 1
    unit = fractions.Fraction(2) ** (max(exponent, least_exponent) - mantissa_bits)
    return float(round(value / unit) * unit)  # round() of a Fraction takes ties to even


def to_integer(x, dtype):
    """Truncates and saturates; NaN gives 0."""
    info = np.iinfo(dtype)

    def one(v):
        if np.isnan(v):
            return 0
        if np.isinf(v):
            return info.max if v > 0 else info.min
        return min(max(int(v), info.min), info.max)  # int() truncates and is exact

    return np.array([one(float(v)) for v in x.ravel()], dtype).reshape(x.shape)


def cast(name, about, x, expected, dtype, **rest):
    return whole(name, about, [f"y[...] = x.astype({dtype})"], {"x": x}, {"y": expected}, **rest)


FLOATS = np.array([
    0.0, -0.0, 1.0, -1.0, 1.00390625, 1.01171875, 1.00390637, -1.01953125, 0.1, 3.14159274, 65504.0, 65519.99, 65520.0,
    -65520.0, 1e6, 3.3895314e38, 3.3961776e38, 3.4028235e38, -3.4028235e38, np.inf, -np.inf, np.nan, 5.96e-8, 2.98e-8,
    2.99e-8, 6.1e-5, 1e-40, 9.2e-41, 4.59e-41, -4.6e-41, 1e-45, 2049.0, 2051.0, 0.333333343], np.float32)


def to_floats():
    with np.errstate(over="ignore"):
        to_half = FLOATS.astype(np.float16)
        brain_to_half = FLOATS.astype(bf16).astype(np.float32).astype(np.float16)
    finite = FLOATS[np.isfinite(FLOATS)]
    for v in finite[np.abs(finite) < 3e38]:  # ml_dtypes is compared with exact rounding
        assert float(v.astype(bf16)) == nearest(float(v), 7, -126)
    halves = np.array([0.0, -0.0, 1.0, 0.1, 65504.0, 5.96e-8, -6.1e-5, np.inf, np.nan, 2049.0], np.float16)
    wide = np.array([1.0, 1e300, -1e300, 1e-300, 0.1, 16777217.0, 2**24 + 3.0, 1.0 + 2.0**-24, 1.0 + 3 * 2.0**-24,
                     1.0 + 2.0**-24 + 2.0**-50, 3.4028235677973366e38, np.inf, np.nan], np.float64)
    with np.errstate(over="ignore"):
        narrowed = wide.astype(np.float32)
    # 1 + 2^-8 + 2^-40 lies above a tie of bf16; through f32 it would be the tie itself, and round down to even.
    twice = np.array([1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-8, 1 + 3 * 2.0**-8 - 2.0**-40, -1 - 2.0**-8 - 2.0**-40])
    return [
        cast("astype_f32_bf16", "ties to even, overflow to inf, subnormals, NaN stays", FLOATS, FLOATS.astype(bf16),
             "bf16"),
        cast("astype_f32_f16", "ties to even, overflow to inf, subnormals", FLOATS, to_half, "f16"),
        cast("astype_f16_f32", "exact", halves, halves.astype(np.float32), "f32"),
        cast("astype_bf16_f16", "through no narrower format", FLOATS.astype(bf16), brain_to_half, "f16"),
        cast("astype_f64_f32", "ties to even, overflow, underflow", wide, narrowed, "f32"),
        cast("astype_f64_bf16", "one rounding, not two", twice,
             np.array([nearest(v, 7, -126) for v in twice], bf16), "bf16"),
    ]


def to_eight_bits():
    def saturated(dtype):
        limit = float(ml_dtypes.finfo(dtype).max)
        return np.where(np.isnan(x), x, np.clip(x, -limit, limit)).astype(np.float32).astype(dtype)

    x = np.array([0.0, -0.0, 1.0, 1.0625, 1.1875, 1.125, 448.0, 460.0, 464.0, 480.0, 1e9, -1e9, np.inf, -np.inf, np.nan,
                  2.0**-9, 2.0**-10, 3 * 2.0**-10, 2.0**-17, 57344.0, 61440.0, 240.0, -0.3], np.float32)
    return [
        cast("astype_f32_f8e4m3", "saturates to 448, NaN stays, ties to even, subnormals", x, saturated(f8e4m3),
             "f8e4m3"),
        cast("astype_f32_f8e5m2", "saturates to 57344 although inf exists, NaN stays", x, saturated(f8e5m2), "f8e5m2"),
    ]


def to_integers():
    x = np.array([0.0, -0.0, 0.9999999, -0.9999999, 1.5, -1.5, 2.5, -2.5, 127.0, 127.9, 128.0, -128.9, -129.0, 255.9,
                  256.0, 300.0, 2147483520.0, 2147483648.0, -2147483648.0, -2147484000.0, 4294967040.0, 4294967296.0,
                  9.223372e18, -9.223372e18, 1e30, -1e30, np.inf, -np.inf, np.nan, -1.0], np.float32)
    narrow = FLOATS[np.abs(np.nan_to_num(FLOATS)) < 1e5].astype(bf16)
    ints = np.array([0, 1, -1, 127, 128, -128, -129, 255, 256, 32767, 32768, -32769, 65535, 65536, 2**31 - 1, -2**31,
                     123456789, -123456789], np.int32)
    made = [cast(f"astype_f32_{kind}", "truncates, saturates, NaN gives 0", x, to_integer(x, dtype), kind)
            for kind, dtype in [("i8", np.int8), ("u8", np.uint8), ("i32", np.int32), ("u32", np.uint32),
                                ("i64", np.int64)]]
    made.append(cast("astype_bf16_i32", "truncates, NaN gives 0", narrow,
                     to_integer(narrow.astype(np.float32), np.int32), "i32"))
    made += [cast(f"astype_i32_{kind}", "wraps to the low bits", ints, ints.astype(dtype), kind)
             for kind, dtype in [("i8", np.int8), ("u8", np.uint8), ("i16", np.int16), ("u32", np.uint32)]]
    small = np.array([0, 1, -1, 127, -128], np.int8)
    made.append(cast("astype_i8_i64", "the sign is carried up", small, small.astype(np.int64), "i64"))
    return made


def from_integers():
    wide = np.array([0, 1, -1, 2**24, 2**24 + 1, 2**24 + 2, 2**24 + 3, -(2**24) - 1, 2**31 - 1, -2**31, 2**30 + 2**22,
                     2**30 + 2**22 + 1, 2**30 + 3 * 2**22 - 1, 257, 259, 65519, 65520], np.int32)
    long = np.array([0, -1, 2**53 + 1, 2**63 - 1, -2**63, 2**40 + 2**16, 2**40 + 2**16 + 1], np.int64)
    unsigned = np.array([0, 1, 2**32 - 1, 2**31, 2**24 + 1, 2**32 - 129], np.uint32)
    return [
        cast("astype_i32_f32", "nearest, ties to even", wide, wide.astype(np.float32), "f32"),
        cast("astype_i32_bf16", "one rounding, not two by way of f32", wide,
             np.array([nearest(int(v), 7, -126) for v in wide], bf16), "bf16"),
        cast("astype_i64_f32", "one rounding, not two by way of f64", long,
             np.array([nearest(int(v), 23, -126) for v in long], np.float32), "f32"),
        cast("astype_u32_f32", "unsigned values keep their sign", unsigned,
             np.array([nearest(int(v), 23, -126) for v in unsigned], np.float32), "f32"),
    ]


def booleans():
    x = np.array([0.0, -0.0, 1.0, -2.5, 1e-45, np.nan, np.inf], np.float32)
    n = np.array([0, 1, -1, 256, 2**31 - 1], np.int32)
    p = np.array([True, False, True])
    return [
        whole("astype_bool", "false for zeros only, NaN is true; true becomes 1",
              ["y[...] = x.astype(bool)", "m[...] = n.astype(bool)", "q[...] = p.astype(f32)", "r[...] = p.astype(i8)"],
              {"x": x, "n": n, "p": p},
              {"y": x != 0, "m": n != 0, "q": p.astype(np.float32), "r": p.astype(np.int8)}),
    ]


def bits():
    x = rng("bitcast").standard_normal(16).astype(np.float32)
    n = rng("bitcast_int").integers(-2**15, 2**15, 16).astype(np.int16)
    return [whole("bitcast_values", "the same bits under another dtype",
                  ["i[...] = bitcast(x, i32)", "y[...] = bitcast(bitcast(x, u32) ^ u32(0x80000000), f32)",
                   "h[...] = bitcast(n, f16)"],
                  {"x": x, "n": n}, {"i": x.view(np.int32), "y": -x, "h": n.view(np.float16)})]


def cases():
    return to_floats() + to_eight_bits() + to_integers() + from_integers() + booleans() + bits()
