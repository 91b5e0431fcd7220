#!/usr/bin/env python3
"""Every reduction, scan and shape operation, and dot, on every dtype that has it, along each axis: the generated source in
the emulator against the interpreter.

  tests/matrix/reductions.py [--tool PATH] [--work DIR] [DTYPE | DTYPE:STRATEGY ...]

DTYPE:STRATEGY combines results across threads by that `schedule.reduction`.

Ends with a line `N passed, N failed`.
"""
import sys

import operations as matrix
from operations import CARRIERS, DTYPES, FLOATS

SHAPES = ["x.T", "reshape(x, [7, 6])", "concatenate([x, x], axis=1)", "squeeze(x[:, None, :], axis=1)",
          "broadcast_to(x[0:1, :], [6, 7])", "x[1:5, 2:7]", "expand(x, 1)[:, 0, :]"]
EVERYWHERE = ["max({})", "min({})", "argmax({})", "argmin({})", "cummax({})"]
MULTIPLIED = ("i4", "u4", "i8", "u8", "f16", "bf16", "f32", "f64", "f8e4m3", "f8e5m2", "f4e2m1")
SUMS = ["sum({})", "prod({})", "cumsum({})"]
# With 90 and 540 terms; products would depend on the order where numbers overflow and underflow.
MANY = ["max({})", "min({})", "argmax({})", "argmin({})", "sum({})"]
SCANS = ["cumsum({})", "cummax({})"]
STRATEGIES = ["f32:halves", "f64:neighbours", "bf16:neighbours", "i32:halves", "bool:halves"]
MANY_OF_BOOL = ["any({})", "all({})", "sum({})"]


def along(form):
    """Returns calls along both axes, and over all elements if the form allows it; scans and positions take an axis."""
    calls = [form.format("x, axis=0"), form.format("x, axis=1")]
    if not form.startswith(("cum", "arg", "softmax")):
        calls += [form.format("x"), form.format("x, axis=1, keepdims=true")]
    return calls


def of_many(form):
    """Returns calls with so many terms to a result that warps share them."""
    calls = [form.format("z, axis=1"), form.format("z.T, axis=0, keepdims=true")]
    return calls if form.startswith("arg") else calls + [form.format("z")]


def of_long_lines(form):
    """Returns scans whose lines warps walk: with and without a last iteration in which some lanes have no element, and
    along another axis."""
    return [form.format("z, axis=1"), form.format("z[:, 0:64], axis=1"), form.format("z.T, axis=0")]


def expressions(dtype):
    return short_expressions(dtype) + [e for f in MANY_OF_BOOL if dtype == "bool" for e in of_many(f)] + [
        e for f in MANY + (["mean({})"] if dtype in FLOATS else []) if dtype != "bool" for e in of_many(f)] + [
        e for f in SCANS if dtype != "bool" for e in of_long_lines(f)]


def short_expressions(dtype):
    if dtype == "bool":
        return SHAPES + [e for f in ("any({})", "all({})", "sum({})") for e in along(f)]
    forms = EVERYWHERE + SUMS
    if dtype in FLOATS:
        forms = forms + ["mean({})", "softmax({})", "logsumexp({})"]
    found = SHAPES + [e for f in forms for e in along(f)]
    if dtype in MULTIPLIED:
        found += ["dot(x, y)", "dot(x, x, trans_b=true)", "dot(x.T, y, trans_a=true)"]
    return found


def spec_text(dtype, strategy):
    carrier = CARRIERS.get(dtype, "f32") if dtype != "bool" else "i32"
    lines = ["pallasgen: 1", "kernel: reductions", "inputs:", f'  a: {{type: "{carrier}[6, 7]"}}',
             f'  b: {{type: "{carrier}[7, 5]"}}', f'  c: {{type: "{carrier}[6, 90]"}}', "outputs:"]
    found = expressions(dtype)
    lines += [f'  o{i}: {{type: "{carrier}[{shape_of(e)}]"}}' for i, e in enumerate(found)]
    lines += ["body:", f'  - "x = {cast("a", dtype)}"', f'  - "y = {cast("b", dtype)}"',
              f'  - "z = {cast("c", dtype)}"']
    lines += [f'  - "o{i}[...] = ({e}).astype({carrier})"' for i, e in enumerate(found)]
    lines += [f"schedule: {{reduction: {strategy}}}"] if strategy else []
    return "\n".join(lines + ["tests: [{}, {seed: 5}]"]) + "\n", found


def cast(name, dtype):
    return f"{name} > 0" if dtype == "bool" else f"{name}.astype({dtype})"


def shape_of(expression):
    for start, shape in (("x.T", "7, 6"), ("reshape", "7, 6"), ("concatenate", "6, 14"), ("x[1:5", "4, 5"),
                         ("dot(x, x", "6, 6"), ("dot", "6, 5")):
        if expression.startswith(start):
            return shape
    if expression.startswith("cum") and "z" in expression:
        return "90, 6" if "z.T" in expression else "6, 64" if "0:64" in expression else "6, 90"
    if expression.startswith(("squeeze", "broadcast", "expand", "cum", "softmax")):
        return "6, 7"
    if "keepdims" in expression:
        return "1, 6" if "z.T" in expression else "6, 1"
    return {"axis=0": "7", "axis=1": "6"}.get(expression[-7:-1], "")


def run_one(tool, work, which):
    folder = work / which.replace(":", "_")
    folder.mkdir(parents=True, exist_ok=True)
    text, found = spec_text(*(which.split(":") + [""])[:2])
    (folder / "spec.yaml").write_text(text)
    return matrix.outcome(tool, work, folder, found)


if __name__ == "__main__":
    sys.exit(matrix.main(run_one, "build/reductions", [*DTYPES, *STRATEGIES]))
