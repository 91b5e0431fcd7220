"""quantize, dequantize, and the dtypes of 8 and 4 bits. Witness: NumPy and ml_dtypes."""

import ml_dtypes
import numpy as np

from oracle_case import bf16, f8e4m3, f8e5m2, rng, whole

i4, u4, f4 = ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.float4_e2m1fn
f8e8m0 = ml_dtypes.float8_e8m0fnu


def cases():
    x = np.concatenate([rng("quantize").standard_normal(60) * 3, [0.5, 1.5, -2.5, 400.0, -400.0]]).astype(np.float32)
    x = x[:64].reshape(4, 16)
    scale = np.array([0.5, 0.25, 2.0, 1.0], np.float32)[:, None]
    q = np.clip(np.round(x / scale), -128, 127).astype(np.int8)
    n = np.clip(np.round(x / scale), -8, 7).astype(np.int8).astype(i4)
    u = np.clip(np.round(x / scale), 0, 15).astype(np.uint8).astype(u4)
    small = np.clip(x, -448, 448).astype(f8e4m3)
    values = np.array([0.0, 0.25, 0.5, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 7.0, -0.6, -1.3, -100.0, 6.0, 0.2, -0.0],
                      np.float32)
    fours = np.clip(values, -6, 6).astype(f4)
    powers = np.array([1.0, 2.0, 0.5, 1024.0], np.float32)
    nibbles = np.arange(-8, 8).astype(np.int8).astype(i4)
    return [
        whole("quantize_i8", "the nearest integer, ties to even, saturated; a scale for each row",
              ["q[...] = quantize(x, i8, s)", "y[...] = dequantize(q, s)"], {"x": x, "s": scale},
              {"q": q, "y": q.astype(np.float32) * scale}),
        whole("quantize_4_bits", "signed and unsigned", ["q[...] = quantize(x, i4, s)", "u[...] = quantize(x, u4, s)"],
              {"x": x, "s": scale}, {"q": n, "u": u}),
        whole("quantize_more", "to unsigned bytes, to f8e5m2 and to f4e2m1; a quotient rounds once more",
              ["a[...] = quantize(x, u8, s)", "b[...] = quantize(x, f8e5m2, s)", "c[...] = quantize(x, f4e2m1, s)"],
              {"x": x, "s": scale}, {"a": np.clip(np.round(x / scale), 0, 255).astype(np.uint8),
                                     "b": np.clip(x / scale, -57344, 57344).astype(f8e5m2),
                                     "c": np.clip(x / scale, -6, 6).astype(f4)}),
        whole("dequantize_dtypes", "in the scale's dtype, in a dtype that is named, in f32 for a literal",
              ["a[...] = dequantize(q, s)", "b[...] = dequantize(q, s, dtype=f64)", "c[...] = dequantize(n, 0.5)",
               "d[...] = dequantize(f, s.astype(bf16))"], {"q": q, "n": n, "f": small, "s": scale},
              {"a": q.astype(np.float32) * scale, "b": q.astype(np.float64) * scale.astype(np.float64),
               "c": n.astype(np.float32) * np.float32(0.5), "d": small.astype(bf16) * scale.astype(bf16)}),
        whole("quantize_f8", "a float dtype: rounds once, saturates", ["q[...] = quantize(x, f8e4m3, 1.0)"], {"x": x},
              {"q": small}),
        whole("astype_f32_f4", "ties to even, saturates", ["y[...] = x.astype(f4e2m1)", "z[...] = y.astype(f32)"],
              {"x": values}, {"y": fours, "z": fours.astype(np.float32)}),
        whole("astype_f8e8m0", "powers of two", ["y[...] = x.astype(f8e8m0)", "z[...] = y.astype(f32)"], {"x": powers},
              {"y": powers.astype(f8e8m0), "z": powers}),
        whole("astype_4_bits", "4-bit integers to wider ones and back; narrowing wraps",
              ["y[...] = x.astype(i32) * 3", "z[...] = (x.astype(i32) * 3).astype(i4)", "u[...] = x.astype(u4)"],
              {"x": nibbles}, {"y": nibbles.astype(np.int32) * 3,
                               "z": (((nibbles.astype(np.int32) * 3 + 8) % 16) - 8).astype(np.int8).astype(i4),
                               "u": (nibbles.astype(np.int32) % 16).astype(np.uint8).astype(u4)}),
    ]
