"""Every dtype to every other one. Witness: exact rationals, rounded by the rules of the language; ml_dtypes for the bits."""

import fractions
import math

import ml_dtypes
import numpy as np

from casts import nearest
from oracle_case import bf16, dtype_name, f8e4m3, f8e5m2, whole

i4, u4 = ml_dtypes.int4, ml_dtypes.uint4
f8e8m0, f4e2m1 = ml_dtypes.float8_e8m0fnu, ml_dtypes.float4_e2m1fn

# bits after the point, least exponent, largest value, whether larger ones saturate
FLOATS = {"f64": (52, -1022, float(np.finfo(np.float64).max), False), "f32": (23, -126, (2 - 2.0**-23) * 2.0**127, False),
          "f16": (10, -14, 65504.0, False), "bf16": (7, -126, (2 - 2.0**-7) * 2.0**127, False),
          "f8e4m3": (3, -6, 448.0, True), "f8e5m2": (2, -14, 57344.0, True), "f4e2m1": (1, 0, 6.0, True)}
INTEGERS = {f"{sign}{bits}": (bits, sign == "i") for sign in "iu" for bits in (4, 8, 16, 32, 64)}
NUMPY = {"bool": np.bool_, "i4": i4, "u4": u4, "i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16,
         "i32": np.int32, "u32": np.uint32, "i64": np.int64, "u64": np.uint64, "f16": np.float16, "bf16": bf16,
         "f32": np.float32, "f64": np.float64, "f8e4m3": f8e4m3, "f8e5m2": f8e5m2, "f8e8m0": f8e8m0, "f4e2m1": f4e2m1}


def range_of(kind):
    bits, signed = INTEGERS[kind]
    return (-2**(bits - 1), 2**(bits - 1) - 1) if signed else (0, 2**bits - 1)


def to_power(value):
    """Rounds to f8e8m0: the nearest power of two, the larger in a tie; no sign, no zero."""
    if math.isnan(value) or value < 0:
        return math.nan
    if value <= 2.0**-127 or value >= 2.0**127:
        return 2.0**-127 if value <= 1 else 2.0**127
    mantissa, exponent = math.frexp(float(value))
    return 2.0**(exponent if mantissa >= 0.75 else exponent - 1)


def to_float(value, kind):
    """Returns the value of the dtype nearest to an exact number, infinity or NaN, as a Python float."""
    if kind == "f8e8m0":
        return to_power(value)
    digits, least, largest, saturates = FLOATS[kind]
    if isinstance(value, float) and math.isnan(value):
        return largest if kind == "f4e2m1" else math.nan  # the one float dtype without NaN
    over = largest if saturates else math.inf
    if isinstance(value, float) and math.isinf(value):
        return math.copysign(over, value)
    if value == 0:
        return math.copysign(0.0, value)
    exact = fractions.Fraction(value)
    unit = fractions.Fraction(2) ** (math.frexp(largest)[1] - 1 - digits)
    if abs(exact) >= largest + unit:  # far past the end
        return math.copysign(over, value)
    if kind == "f64" and isinstance(value, float):
        return value
    rounded = nearest(exact, digits, least)
    if abs(rounded) > largest:
        return math.copysign(over, value)
    return math.copysign(rounded, value)


def to_integer(value, kind, wraps):
    low, high = range_of(kind)
    if wraps:
        return (int(value) - low) % (high - low + 1) + low
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return high if value > 0 else low
    return min(max(int(value), low), high)  # int() truncates and is exact


def converted(values, source, target):
    """Returns the array of target's values that astype gives by the language's rules."""
    if target == "bool":
        return np.array([v != 0 for v in values])  # NaN is true
    if target in INTEGERS:
        whole_numbers = [to_integer(v, target, source in INTEGERS or source == "bool") for v in values]
        wide = np.array(whole_numbers, np.uint64 if target == "u64" else np.int64)
        return wide.astype(np.int8).astype(NUMPY[target]) if target in ("i4", "u4") else wide.astype(NUMPY[target])
    return np.array([to_float(v, target) for v in values], np.float64).astype(NUMPY[target])


def integer_values(kind):
    low, high = range_of(kind)
    marks = [0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 100, 127, 128, 129, 255, 256, 257, 259, 448, 464, 465, 480, 2049, 2051,
             32767, 32768, 65503, 65519, 65520, 65535, 65536, 2**24 + 1, 2**24 + 3, 2**31 - 1, 2**31, 2**32 - 1, 2**32,
             2**40 + 2**16 + 1, 2**53 + 1, 2**63 - 1, 2**64 - 1, low, high, high - 1, low + 1]
    return sorted({v for m in marks for v in (m, -m) if low <= v <= high})


def float_values(kind):
    digits, least, largest, _ = FLOATS[kind]
    marks = [0.0, 0.25, 0.3, 0.5, 0.75, 0.9999, 1.0, 1.0625, 1.125, 1.1875, 1.25, 1.5, 1.75, 2.5, 3.0, 3.5, 5.0, 6.0, 7.0,
             7.5, 8.5, 15.5, 17.0, 100.5, 127.5, 128.5, 200.0, 255.5, 256.0, 448.0, 464.0, 480.0, 2049.0, 2051.0, 32768.0,
             57344.0, 61440.0, 65504.0, 65519.9, 65520.0, 65536.0, 2.0**31, 2.0**32, 2.0**63, 2.0**64, 3e38, 1e39, 1e300,
             2.0**-6, 2.0**-9, 2.0**-10, 3 * 2.0**-10, 2.0**-14, 2.0**-16, 2.0**-17, 2.0**-24, 2.0**-25, 3 * 2.0**-25,
             2.0**-126, 2.0**-133, 2.0**-149, 1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-11 + 2.0**-40, 1 + 2.0**-24 + 2.0**-50,
             1 + 3 * 2.0**-24, largest]
    held = {v for v in (to_float(m, kind) for m in marks) if math.isfinite(v)}
    listed = sorted(held) + [-v for v in sorted(held, reverse=True)]
    return listed + ([] if kind == "f4e2m1" else [math.nan] + ([] if kind == "f8e4m3" else [math.inf, -math.inf]))


def values_of(kind):
    if kind == "bool":
        return [False, True]
    if kind == "f8e8m0":
        return [2.0**e for e in (-127, -126, -10, -1, 0, 1, 2, 3, 4, 6, 7, 8, 15, 16, 31, 63, 126, 127)] + [math.nan] * 2
    return integer_values(kind) if kind in INTEGERS else float_values(kind)


def power_inputs(values):
    """Returns inputs for f8e8m0 within its range, where ml_dtypes agrees; the tool's own tests cover the language's
    rules beyond (0, overflow)."""
    return [v for v in values if isinstance(v, bool) or v != v or 2.0**-126 <= v <= 1.4 * 2.0**127]


def cases():
    made = []
    for source in NUMPY:
        values = values_of(source)
        if source in ("i4", "u4", "f4e2m1"):
            values = values[:len(values) // 2 * 2]  # two share a byte
        x = np.array([float(v) if source in FLOATS or source == "f8e8m0" else v for v in values])
        x = x.astype(np.int8).astype(NUMPY[source]) if source in ("i4", "u4") else np.array(
            values, NUMPY[source]) if source in ("u64", "i64") else x.astype(NUMPY[source])
        assert dtype_name(x) == source
        targets = [t for t in NUMPY if t not in (source, "f8e8m0")]
        body = [f"to_{t}[...] = x.astype({t})" for t in targets]
        outputs = {f"to_{t}": converted(values, source, t) for t in targets}
        made.append(whole(f"cast_from_{source}", f"{source} to every other dtype, at the edges of each", body, {"x": x},
                          outputs))
    singles = np.array(power_inputs([v for v in float_values("f32") if v > 0 or v != v]), np.float32)
    powers = np.array([to_power(float(v)) for v in singles]).astype(f8e8m0)
    np.testing.assert_array_equal(powers.astype(np.float32), singles.astype(f8e8m0).astype(np.float32))
    every = np.arange(256, dtype=np.uint8)
    made.append(whole("cast_f32_f8e8m0", "the nearest power of two, of two as near the larger; NaN stays",
                      ["y[...] = x.astype(f8e8m0)"], {"x": singles}, {"y": powers}))
    with np.errstate(invalid="ignore"):
        made.append(whole("cast_every_f8", "every 8-bit pattern as f32",
                          ["a[...] = bitcast(x, f8e4m3).astype(f32)", "b[...] = bitcast(x, f8e5m2).astype(f32)",
                           "c[...] = bitcast(x, f8e8m0).astype(f32)"], {"x": every},
                          {"a": every.view(f8e4m3).astype(np.float32), "b": every.view(f8e5m2).astype(np.float32),
                           "c": every.view(f8e8m0).astype(np.float32)}))
    made.append(whole("cast_calls", "a dtype called as a function is a cast",
                      ["a[...] = f32(n)", "b[...] = i32(x)", "c[...] = bf16(x) * bf16(0.5)", "d[...] = u8(n > 0)"],
                      {"n": np.array([3, -4, 0, 7], np.int32), "x": np.array([1.5, -2.5, 1e10, 0.25], np.float32)},
                      {"a": np.array([3, -4, 0, 7], np.float32), "b": np.array([1, -2, 2**31 - 1, 0], np.int32),
                       "c": (np.array([1.5, -2.5, 1e10, 0.25], np.float32).astype(bf16) * bf16(0.5)),
                       "d": np.array([1, 0, 0, 1], np.uint8)}))
    halves = np.array([1.5, -0.0, np.inf, 6.1e-5], np.float16)
    made.append(whole("bitcast_widths", "the same bits, of each width",
                      ["a[...] = bitcast(h, u16)", "b[...] = bitcast(bitcast(h, u16), bf16)", "c[...] = bitcast(d, i64)",
                       "e[...] = bitcast(bitcast(d, u64), f64)", "f[...] = bitcast(q, u8)"],
                      {"h": halves, "d": np.array([1.5, -0.0, 1e300], np.float64), "q": every[:128].view(f8e4m3)},
                      {"a": halves.view(np.uint16), "b": halves.view(np.uint16).view(bf16),
                       "c": np.array([1.5, -0.0, 1e300], np.float64).view(np.int64),
                       "e": np.array([1.5, -0.0, 1e300], np.float64), "f": every[:128]}))
    return made
