#!/usr/bin/env python3
"""Kernels that keep rows in registers, of every size and dtype: elementwise ones, norms, sums and positions. nvcc must
give each its registers without spills: the plan's registers per thread, and its CTAs per SM, must fit. The plan may
refuse one in twenty.

  tests/matrix/row_blocks.py [--build DIR] [--jobs N] [WORD...]

WORDs select the kernels whose names have one of them. Ends with a line `N passed, N failed`.
"""
import argparse
import itertools
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import nvcc_gate  # noqa: E402

SPEC = """\
pallasgen: 1
kernel: {name}
dims: {{M: {{}}}}
consts: {{bm: {bm}, bn: {bn}}}
math: {{approx: true}}
grid:
  - {{axis: m, size: "cdiv(M, bm)"}}
inputs:
  x: {{type: "{dtype}[M, bn]", block: [bm, bn], index_map: [m, 0], fill: 0}}
{second}outputs:
  y: {{type: "{result}[M{columns}]", block: [bm{columns}], index_map: [m{zero}]}}
schedule: {{reduction: {strategy}}}
body:
  - v = x.astype(f32)
  - y[...] = ({value}).astype({result})
"""
SECOND = '  z: {{type: "{dtype}[M, bn]", block: [bm, bn], index_map: [m, 0], fill: 0}}\n'

# The value; the dtype of the number that a row is reduced to, None if it is not.
ELEMENTWISE = {"scale": ("v * 2", None), "exp": ("exp(v)", None), "one_hot": ("where(iota(i32, [bm, bn], 1) == m, v - 1, v)", None),
               "gate": ("v / (1 + exp(-z.astype(f32)))", None)}
REDUCED = {"softmax": ("softmax(v, axis=1)", None), "norm": ("v * rsqrt(mean(v * v, axis=1) + 0.01)[:, None]", None),
           "sum": ("sum(v, axis=1)", "f32"), "place": ("argmax(v, axis=1)", "i32"), "place_packed": ("argmax(x, axis=1)", "i32"),
           "gated_norm": ("v * rsqrt(mean(v * v, axis=1) + 0.01)[:, None] * z.astype(f32)", None)}
ROWS = [(1, 1024), (1, 4096), (1, 8192), (1, 16384), (1, 32768), (1, 65536), (4, 1000), (3, 520), (8, 256), (64, 40), (16, 2048)]
DTYPES = ["f32", "bf16", "i16", "f8e4m3", "u8"]


def kernels():
    """Returns {name: text}."""
    found = {}
    for (bm, bn), dtype in itertools.product(ROWS, DTYPES):
        for form, (value, result) in {**ELEMENTWISE, **REDUCED}.items():
            for strategy in ("auto", "halves") if form in ("sum", "place") and bn <= 4096 else ("auto",):
                name = "_".join([form, dtype, str(bm), str(bn)] + ([strategy] if strategy != "auto" else []))
                found[name] = SPEC.format(
                    name=name, bm=bm, bn=bn, dtype=dtype, value=value, result=result or dtype, strategy=strategy,
                    second=SECOND.format(dtype=dtype) if "z." in value else "", columns="" if result else ", bn",
                    zero="" if result else ", 0")
    return found


def run(command):
    return subprocess.run([str(c) for c in command], cwd=ROOT, text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


def check(tool, folder, name, text):
    """Returns whether the kernel is made, and what is wrong with it. One that lacks registers may be refused."""
    spec = folder / f"{name}.yaml"
    spec.write_text(text)
    made = run([tool, "generate", spec, "--out", folder / "out"])
    if made.returncode != 0:
        return False, "" if "[plan-registers]" in made.stdout or "[plan-shared-memory]" in made.stdout else made.stdout
    ok, _, detail = nvcc_gate.compile_one(nvcc_gate.find_nvcc(), ROOT, folder / "out" / f"{name}.cu")
    return True, "" if ok else detail


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    tool = options.build.resolve() / "pallasgen"
    chosen = {name: text for name, text in kernels().items() if not options.words or any(w in name for w in options.words)}
    failed = refused = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda name: check(tool, Path(folder), name, chosen[name]), chosen)
        for name, (is_made, wrong) in zip(chosen, results):
            failed += bool(wrong)
            refused += not is_made
            if wrong:
                print(f"FAILED {name}\n{wrong}".rstrip(), flush=True)
    failed += refused > len(chosen) // 20  # the few largest may be refused
    print(f"{refused} refused\n{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
