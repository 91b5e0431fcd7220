#!/usr/bin/env python3
"""Checks every elementwise function of floats against the error bounds in docs/language.md: on every exponent with both
signs and several fractions, at the thresholds of the functions, on subnormal and special values, and on all values of
8-bit and 16-bit floats. The results of the generated source in the emulator and of the interpreter are compared with a
witness in long double (bounds_witness.cpp), not with each other.

  tests/matrix/bounds.py [--tool PATH] [--work DIR] [DTYPE|approximate ...]

Ends with a line `N passed, N failed`.
"""
import argparse
import math
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(Path(__file__).resolve().parent))
from operations import save  # noqa: E402

# Expressions of a spec for functions that are no plain call on x.
EXPRESSIONS = {**{f"{op}": f"x {op} y" for op in "+-*/"}, "neg": "-x", "fma": "fma(x, y, x)", "clamp": "clamp(x, y, 2.5)",
               "where": "where(x < y, x, y)", **{name: f"{name}(x, y)" for name in ("atan2", "pow", "minimum", "maximum")}}
# Rows of the tables that other tests check: casts (tests/oracle), reductions (tests/matrix/reductions.py).
ELSEWHERE = {"casts", "max", "min", "argmax", "argmin", "any", "all", "cummax", "sums"}
# Functions whose bounds count from the correctly rounded result.
OF_CUDA = {"exp", "exp2", "expm1", "log", "log2", "log1p", "tanh", "erf", "atan2", "pow"}
# Functions that are composed of others.
MADE = {"gelu": "erf", "silu": "logistic", "softplus": "log1p", "gelu_tanh": "tanh"}
# Significant bits, exponents of the smallest and the largest normal number, and the letter of struct.
FORMATS = {"f8e4m3": (4, -6, 8, ""), "f8e5m2": (3, -14, 15, ""), "f16": (11, -14, 15, "e"), "bf16": (8, -126, 127, ""), "f32": (24, -126, 127, "f"), "f64": (53, -1022, 1023, "d")}
EIGHT_BITS = ("f8e4m3", "f8e5m2")  # no operation makes an infinity in these
# Arguments where functions change their form, overflow, underflow or reach their limit.
THRESHOLDS = {
    "f32": [88.72284, 87.33655, 103.27893, 103.97208, 126, 127, 128, 149, 150, 16.63553, 17.32868, 9.010913, 3.919, 4.24, 12.5,
            18.71497, 65504, 65536, 1, 0.5, 2, 10.0, 5.6, 14.5, 0.0078125, 709.7827, 745.1332],
    "f64": [709.782712893384, 708.3964185322641, 744.4400719213812, 745.1332191019412, 1022, 1023, 1024, 1074, 1075, 36.7368,
            37.42994775023705, 19.06154746539849, 5.921587195794507, 1048576, 1, 0.5, 2, 26.5, 38.5, 8.3],
}


def bounds():
    """Returns the tables' {function: (bound of f32, of f64)}, and {function: (mode, base, slope)} of approximations."""
    text = (ROOT / "docs/language.md").read_text()
    section = text[text.index("### Error bounds"):text.index("### Parts of refs and values")]
    exact, approximate = {}, {}
    for names, single, double in re.findall(r"^\| (.+?) \| ([\d.]+) \| ([\d.]+) \|$", section, re.M):
        for name in re.sub(r"`|, sums of integers| and casts", " ", names).replace(",", " ").split():
            exact[name] = (float(single), float(double))
    fast = section[section.index("`math: {approx: true}` lets"):]
    for name, bound in re.findall(r"^\| `(x / y|\w+(?:\(x\))?)` \| (.*2\^-.*) \|$", fast, re.M):
        numbers = [2.0 ** -int(n) for n in re.findall(r"2\^-(\d+)", bound)]
        slope = numbers[1] if "abs(x) 2^-" in bound else 0
        mode = "absolute" if "absolute" in bound else "negative" if "where x < 0" in bound else "relative"
        approximate[name.replace("(x)", "").replace("x / y", "/")] = (mode, numbers[0], slope)
    units = re.search(r"^\| `gelu silu softplus gelu_tanh` \|.* and (\d) units more", section, re.M)
    return exact, approximate, int(units.group(1))


def number(dtype, sign, exponent, fraction):
    """Returns a float by the fields of its bits."""
    bits, least, most, _ = FORMATS[dtype]
    if exponent == most - least + 2:
        return math.nan if fraction else -math.inf if sign else math.inf
    size = math.ldexp(fraction + ((1 << (bits - 1)) if exponent else 0), max(exponent, 1) - 1 + least - (bits - 1))
    return -size if sign else size


def eight_bits(dtype):
    """Returns {value: bits} of an 8-bit float, with one NaN; -0.0, which equals 0.0, is left out."""
    bits, least, most, _ = FORMATS[dtype]
    found = {math.nan: 0x7f}
    for code in range(256):
        exponent, fraction = code >> (bits - 1) & (1 << (8 - bits)) - 1, code & (1 << (bits - 1)) - 1
        is_special = exponent + least - 1 > most if dtype == "f8e5m2" else code & 0x7f == 0x7f
        if not is_special and code != 0x80:
            found[number(dtype, code >> 7, exponent, fraction)] = code
    return found


def neighbours(dtype, value, count):
    code = "I" if dtype == "f32" else "Q"
    letter = FORMATS[dtype][3]
    at = struct.unpack("<" + code, struct.pack("<" + letter, value))[0]
    return [struct.unpack("<" + letter, struct.pack("<" + code, at + by))[0] for by in range(-count, count + 1)]


def arguments(dtype):
    """Returns the values on which every function is checked."""
    bits, least, most, _ = FORMATS[dtype]
    whole = 1 << (bits - 1)
    if dtype in EIGHT_BITS:
        return [*eight_bits(dtype), -0.0]
    if dtype in ("f16", "bf16"):
        return [number(dtype, s, e, f) for s in (0, 1) for e in range(most - least + 3) for f in range(whole)
                if e < most - least + 2 or f < 2]
    found = []
    for exponent in range(most - least + 3):
        # The ends of the binade, its middle, the root of 2, and two that no other binade has.
        fractions = [0, 1, whole - 1, whole // 2, int((math.sqrt(2) - 1) * whole)]
        fractions += [(exponent * step + 12345) * 0x9E3779B97F4A7C15 % whole for step in (7, 11)]
        if dtype == "f64":
            fractions = [fractions[i] for i in (0, 2, 5)]
        found += [number(dtype, s, exponent, f) for f in fractions for s in (0, 1)]
    for threshold in [*THRESHOLDS[dtype], *(k * math.pi / 2 for k in (1, 2, 3, 4, 11, 1000))]:
        found += [s * v for v in neighbours(dtype, threshold, 5) for s in (1, -1)]
    return found


def pairs(dtype):
    """Returns pairs of each argument with others: of any size, moderate, and near it; in 8 bits, with a quarter."""
    xs, found = arguments(dtype), []
    if dtype in EIGHT_BITS:
        return [(x, y) for i, x in enumerate(xs) for y in xs[i % 4::4]]
    moderate = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 3.0, 7.5, -7.5, 31.0, 100.25, 1e-3, math.inf, -math.inf, math.nan]
    if dtype in ("f16", "bf16"):
        return [(x, xs[i * 7919 % len(xs)]) for i, x in enumerate(xs)]
    for i, x in enumerate(xs):
        found += [(x, xs[(i * 7919 + 1) % len(xs)]), (x, moderate[i % len(moderate)]), (x, xs[(i + 8) % len(xs)])]
        if 0.5 <= abs(x) <= 2:  # powers of numbers near 1
            found += [(x, y) for y in (60.5, -88.25, 1e4, -1e5, 1e7)]
    return found


def spec_text(dtype, expressions, approximate):
    carrier = "f32" if dtype in ("bf16", *EIGHT_BITS) else dtype
    lines = ["pallasgen: 1", "kernel: bounds", "dims: {N: {multiple_of: 4}}", 'grid: [{axis: i, size: "cdiv(N, 256)"}]', "inputs:"]
    lines += [f'  {name}: {{type: "{carrier}[N]", block: [256], index_map: [i]}}' for name in ("a", "b")] + ["outputs:"]
    lines += [f'  o{i}: {{type: "{dtype}[N]", block: [256], index_map: [i]}}' for i in range(len(expressions))]
    lines += ["math: {approx: true}"] if approximate else []
    lines += ["body:", f'  - "x = a.astype({dtype})"', f'  - "y = b.astype({dtype})"']
    lines += [f'  - "o{i}[...] = {expression}"' for i, expression in enumerate(expressions)]
    return "\n".join([*lines, "tests: [{inputs: {a: a.npy, b: b.npy}}]"]) + "\n"


def save_as(path, dtype, listed):
    if dtype == "f16":
        save_halves(path, listed)
    else:
        save(path, "f64" if dtype == "f64" else "f32", listed)


def save_halves(path, listed):
    header = f"{{'descr': '<f2', 'fortran_order': False, 'shape': ({len(listed)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack(f"<{len(listed)}e", *listed))


def raw(dtype, listed):
    if dtype in EIGHT_BITS:
        codes = eight_bits(dtype)
        return bytes(0x7f if x != x else codes[x] if x or math.copysign(1, x) > 0 else 0x80 for x in listed)
    if dtype == "bf16":
        return b"".join(struct.pack("<f", x)[2:] for x in listed)
    return struct.pack(f"<{len(listed)}{FORMATS[dtype][3]}", *listed)


def requests(dtype, approximate):
    """Returns (function, mode, base, slope) of every function that is checked against a bound."""
    exact, fast, more = bounds()
    if approximate:
        return [(name, *how) for name, how in fast.items()]
    column = 1 if dtype == "f64" else 0
    found = []
    for name, row in exact.items():
        if name in ELSEWHERE:
            continue
        bound = row[column] + (0.5 if name in OF_CUDA and row[column] else 0)
        # Narrower floats round once more, from an f32 that is off by the bound.
        found.append((name, "units", 0.5 if dtype not in ("f32", "f64") and bound else bound, bound))
    if dtype in ("f32", "f64"):
        found += [(name, "size", exact[part][column] + more, 0) for name, part in MADE.items()]
    return found


def judge(tool, work, name):
    """Returns (how many functions and evaluations are within their bounds, which are not)."""
    approximate = name == "approximate"
    dtype = "f32" if approximate else name
    folder = work / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    chosen = pairs(dtype)
    chosen += [(1.0, 1.0)] * (-len(chosen) % 4)
    for file, column in (("a", 0), ("b", 1)):
        listed = [pair[column] for pair in chosen]
        save_as(folder / f"{file}.npy", dtype, listed)
        (folder / file).write_bytes(raw(dtype, listed))
    asked = requests(dtype, approximate)
    expressions = [EXPRESSIONS.get(function, f"{function}(x)") for function, *_ in asked]
    (folder / "bounds.yaml").write_text(spec_text(dtype, expressions, approximate))
    ran = subprocess.run([tool, "test", folder / "bounds.yaml", "--policies", "late", "--modes", "plain", "--work-dir",
                          work / "build", "--keep", folder / "kept"], text=True, errors="replace", stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT)
    results = next((folder / "kept").rglob("test0seed0.o0"), None) if (folder / "kept").exists() else None
    if not results:
        return 0, [ran.stdout[-2000:] or f"exit code {ran.returncode}"]
    passed, wrong = 0, []
    for evaluation, suffix in (("emulator", ""), ("interpreter", ".want")):
        if approximate and suffix:
            continue  # the interpreter has no approximations
        lines = [" ".join(map(str, (*row, results.with_name(f"test0seed0.o{i}{suffix}")))) for i, row in enumerate(asked)]
        done = subprocess.run([work / "witness", dtype, folder / "a", folder / "b"], input="\n".join(lines) + "\n", text=True,
                              stdout=subprocess.PIPE)
        said = done.stdout.splitlines()
        if done.returncode or len(said) != len(asked):
            return passed, [f"the witness of {evaluation} ended: {done.stdout}"]
        for line in said:
            if line.split()[1] == "0":
                passed += 1
            else:
                wrong.append(f"{evaluation}, {dtype}: {line}")
    return passed, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", default="build/pallasgen")
    parser.add_argument("--work", type=Path, default=Path("build/bounds"))
    parser.add_argument("kinds", nargs="*", default=[*FORMATS, "approximate"])
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    compiler = shutil.which("clang++-19") or "c++"
    subprocess.run([compiler, "-std=c++20", "-O1", Path(__file__).with_name("bounds_witness.cpp"), "-o",
                    options.work / "witness"], check=True)
    passed, failed = 0, 0
    for kind in options.kinds:
        right, wrong = judge(options.tool, options.work, kind)
        passed, failed = passed + right, failed + len(wrong)
        for each in wrong:
            print(f"FAILED {kind}: {each}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
