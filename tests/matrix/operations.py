#!/usr/bin/env python3
"""Every elementwise operation and cast on every dtype that has it, on pairs of values at the edges of the dtype, and on
index values: the generated source in the emulator against the interpreter.

  tests/matrix/operations.py [--tool PATH] [--work DIR] [DTYPE|index ...]

Ends with a line `N passed, N failed`.
"""
import argparse
import math
import re
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SIGNED = {"i4": 4, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
UNSIGNED = {"u4": 4, "u8": 8, "u16": 16, "u32": 32, "u64": 64}
FLOATS = ("f16", "bf16", "f32", "f64", "f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1")
DTYPES = ("bool", *SIGNED, *UNSIGNED, *FLOATS)

BINARY = ["x + y", "x - y", "x * y", "minimum(x, y)", "maximum(x, y)"]
COMPARE = ["x < y", "x <= y", "x > y", "x >= y", "x == y", "x != y"]
UNARY = ["abs(x)", "sign(x)", "clamp(x, y, x)", "where(x < y, x, y)"]
INTEGERS = ["x // y", "x % y", "cdiv(x, y)", "x & y", "x | y", "x ^ y", "~x", "x << y", "x >> y", "x << 1",
            "x >> 2", "x ** 3", "x ** 0"]
BITS = ["clz(x)", "popcount(x)"]  # for dtypes with a width, which index lacks
FUNCTIONS = ["sqrt(abs(x))", "rsqrt(abs(x))", "exp(x)", "exp2(x)", "expm1(x)", "log(abs(x))", "log2(abs(x))",
             "log1p(abs(x))", "sin(x)", "cos(x)", "tan(x)", "tanh(x)", "erf(x)", "logistic(x)", "ceil(x)", "trunc(x)",
             "atan2(x, y)", "pow(abs(x), y)", "relu(x)", "gelu(x)", "silu(x)", "softplus(x)"]


def values(dtype):
    if dtype == "bool":
        return [False, True]
    if dtype in SIGNED:
        top = 2 ** (SIGNED[dtype] - 1)
        return [-top, 1 - top, -3, -2, -1, 0, 1, 2, 3, 5, top - 2, top - 1]
    if dtype in UNSIGNED:
        top = 2 ** UNSIGNED[dtype]
        return [0, 1, 2, 3, 5, 6, 7, top // 2 - 1, top // 2, top - 2, top - 1]
    plain = [0.0, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.5, 6.0, 7.0]
    if dtype in ("f16", "bf16", "f32", "f64"):
        plain += [0.1, 17.0, 65504.0, 3e38, 1e-8, 1e-40]
    return [sign * v for v in [*plain, math.inf, math.nan] for sign in (1, -1)]


def save(path, carrier, listed):
    """Writes an array of one axis in NumPy's format (NEP 1)."""
    formats = {"bool": ("|b1", "?"), "i64": ("<i8", "q"), "u64": ("<u8", "Q"), "f32": ("<f4", "f"), "f64": ("<f8", "d")}
    code, letter = formats[carrier]
    header = f"{{'descr': '{code}', 'fortran_order': False, 'shape': ({len(listed)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack(f"<{len(listed)}{letter}", *listed))


def operations(dtype):
    """Returns (expression, result dtype) of every operation that the dtype has."""
    if dtype == "bool":
        return [(e, "bool") for e in ("x & y", "x | y", "x ^ y", "~x", "not x", "x and y", "x or y", "x == y", "x != y",
                                      "where(x, y, x)")]
    same = BINARY + UNARY
    if dtype in SIGNED or dtype in UNSIGNED:
        same = same + INTEGERS + BITS
    else:
        same = same + ["x / y", "floor(x)", "round(x)", "ceil(x)", "trunc(x)", "fma(x, y, x)"] + FUNCTIONS
    if dtype not in UNSIGNED and dtype != "f8e8m0":
        same.append("-x")
    found = [(e, dtype) for e in same] + [(e, "bool") for e in COMPARE]
    return found + ([("isnan(x)", "bool"), ("isfinite(x)", "bool")] if dtype in FLOATS else [])


def spec_text(dtype, results, carrier, count):
    """Returns a spec whose operands come in a carrier that .npy has; the body casts them to the dtype and back."""
    lines = ["pallasgen: 1", "kernel: operations", "inputs:"]
    lines += [f'  a: {{type: "{carrier}[{count}]"}}', f'  b: {{type: "{carrier}[{count}]"}}', "outputs:"]
    for i, (_, result) in enumerate(results):
        lines.append(f'  o{i}: {{type: "{result if result in NPY else carrier}[{count}]"}}')
    lines += ["body:", f'  - "x = a.astype({dtype})"', f'  - "y = b.astype({dtype})"']
    for i, (expression, result) in enumerate(results):
        cast = "" if result in NPY else f".astype({carrier})"
        lines.append(f'  - "o{i}[...] = ({expression}){cast}"')
    exact = "" if dtype in FLOATS else ", tolerance: 0"
    return "\n".join(lines + [f"tests: [{{inputs: {{a: a.npy, b: b.npy}}{exact}}}]"]) + "\n"


# Index values: axes, dims and expressions of them; y is never 0, nor negative where it shifts.
INDEX_PAIRS = [("i", "(j + 1)"), ("(i - 6)", "(2 * j - 7)"), ("(N - i * i)", "(N + j)"), ("(6 - i)", "(-1 - j)")]


def index_operations():
    for x, y in INDEX_PAIRS:
        for expression in [*BINARY, *COMPARE, *UNARY, *INTEGERS, "-x", "not (x < y)", "x < y and y < 3"]:
            if "y" in expression and ("<<" in expression or ">>" in expression) and x != "i":
                continue
            yield re.sub(r"\bx\b", x, re.sub(r"\by\b", y, expression))
    # Shifts by more bits than an int has, and than there are.
    yield from ("1 << 5 * i", "1 << (i + N)", "(6 - i) << 4 * j", "(i - 6) >> 4 * j", "1 << 9 * i", "(i - 6) >> 9 * i",
                "(6 - i) << 7 * j")


def index_spec(expressions):
    lines = ["pallasgen: 1", "kernel: operations", "dims: {N: {}}", "grid: [{axis: i, size: 13}, {axis: j, size: 13}]",
             "outputs:"]
    lines += [f'  o{n}: {{type: "i64[13, 13]", block: [1, 1], index_map: [i, j]}}' for n in range(len(expressions))]
    lines += ["body:"] + [f'  - "o{n}[...] = ({e}).astype(i64)"' for n, e in enumerate(expressions)]
    return "\n".join(lines + ["tests: [{dims: {N: 5}}, {dims: {N: 1}}]"]) + "\n"


NPY = ("bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64")
CARRIERS = {"bool": "bool", **{d: "i64" for d in SIGNED}, **{d: "u64" for d in UNSIGNED}, "f64": "f64"}


def run_one(tool, work, dtype):
    folder = work / dtype
    folder.mkdir(parents=True, exist_ok=True)
    if dtype == "index":
        expressions = list(index_operations())
        (folder / "spec.yaml").write_text(index_spec(expressions))
        return outcome(tool, work, folder, expressions)
    carrier = CARRIERS.get(dtype, "f32")
    pairs = [(x, y) for x in values(dtype) for y in values(dtype)]
    save(folder / "a.npy", carrier, [x for x, _ in pairs])
    save(folder / "b.npy", carrier, [y for _, y in pairs])
    results = operations(dtype)
    results += [(f"x.astype({to})", to) for to in DTYPES if to != dtype]
    (folder / "spec.yaml").write_text(spec_text(dtype, results, carrier, len(pairs)))
    return outcome(tool, work, folder, [expression for expression, _ in results])


def outcome(tool, work, folder, expressions):
    """Returns the tool's complaint about the folder's spec, outputs o0, o1, … by their expressions; empty if fine."""
    done = subprocess.run([tool, "test", folder / "spec.yaml", "--policies", "late", "--modes", "plain", "--work-dir",
                           work / "build"], text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    text = done.stdout
    for i, expression in reversed(list(enumerate(expressions))):
        text = text.replace(f"o{i}[", f"{{{expression}}}[")
    return "" if done.returncode == 0 else text or f"exit code {done.returncode}"


def main(run_one, work, dtypes):
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", default="build/pallasgen")
    parser.add_argument("--work", type=Path, default=Path(work))
    parser.add_argument("dtypes", nargs="*", default=dtypes)
    options = parser.parse_args()
    failed = 0
    with ThreadPoolExecutor(2) as pool:
        runs = pool.map(lambda dtype: run_one(options.tool, options.work, dtype), options.dtypes)
        for dtype, wrong in zip(options.dtypes, runs):
            failed += bool(wrong)
            if wrong:
                print(f"FAILED {dtype}\n{wrong}", flush=True)
    print(f"{len(options.dtypes) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(run_one, "build/operations", [*DTYPES, "index"]))
