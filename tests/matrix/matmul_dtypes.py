#!/usr/bin/env python3
"""A matmul with a producer, for every dtype that matrix instructions have, with b stored both ways and every dtype of
the output: each uses the instructions of its dtypes, passes nvcc's gate, and agrees in the emulator on ragged and tiny
shapes.

  tests/matrix/matmul_dtypes.py [--build DIR] [--few] [--no-nvcc] [--modes plain,asan,tsan]

Ends with a line `N passed, N failed`; --few takes a sixth of the kernels.
"""
import argparse
import re
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
dims: {{M: {{}}, N: {{multiple_of: 16}}, K: {{multiple_of: 16}}}}
consts: {{bm: 128, bn: {bn}, bk: {bk}}}
grid:
  - {{axis: m, size: "cdiv(M, bm)"}}
  - {{axis: n, size: "cdiv(N, bn)"}}
  - {{axis: k, size: "cdiv(K, bk)", semantics: sequential}}
inputs:
  a: {{type: "{a}[M, K]", block: [bm, bk], index_map: [m, k], fill: 0}}
  b: {{type: "{b}[{rows_of_b}]", block: [{block_of_b}], index_map: [{map_of_b}], fill: 0}}
outputs:
  c: {{type: "{c}[M, N]", block: [bm, bn], index_map: [m, n]}}
scratch:
  acc: {{type: "{sums}[bm, bn]", space: acc}}
pipeline: {{stages: 2, warp_specialized: true, compute_warpgroups: {groups}}}
schedule: {{persistent: true}}
math: {{approx: {approximate}}}
body:
  - when: k == 0
    do:
      - acc[...] = 0
  - acc[...] += {dot}
  - when: k == num_programs(k) - 1
    do:
      - c[...] = {stored}
reference:
  c: {whole}
tests:
{tests}
"""
# Ragged on every axis, a single step, fewer steps than stages, and extents of 0 and 1.
SHAPES = [(200, 144, 208), (1, 16, 16), (0, 64, 64), (64, 0, 64), (72, 80, 0), (129, 112, 512)]

# Operands, sums, keyword arguments of dot, the row of the table.
FLOATS = ("f32", "bf16", "f16", "f8e4m3", "f8e5m2", "f64")
KINDS = [("bf16", "bf16", "f32", "", "wgmma.k16.f32.bf16", FLOATS),
         ("f16", "f16", "f32", "", "wgmma.k16.f32.f16", FLOATS),
         ("f16", "f16", "f16", ", dtype=f16", "wgmma.k16.f16.f16", FLOATS),
         ("f32", "f32", "f32", ", precision=tf32", "wgmma.k8.f32.tf32", FLOATS),
         ("f8e4m3", "f8e4m3", "f32", "", "wgmma.k32.f32.e4m3", FLOATS),
         ("f8e4m3", "f8e5m2", "f32", "", "wgmma.k32.f32.e4m3.e5m2", FLOATS),
         ("f8e5m2", "f8e4m3", "f32", "", "wgmma.k32.f32.e5m2.e4m3", FLOATS),
         ("f8e5m2", "f8e5m2", "f32", "", "wgmma.k32.f32.e5m2", FLOATS),
         ("i8", "i8", "i32", "", "wgmma.k32.s32.s8", ("i32", "bf16", "f32", "i8", "i16", "i64")),
         ("u8", "u8", "i32", "", "wgmma.k32.s32.u8", ("i32", "f16", "f32", "u8", "u16", "i64"))]
DEPTH_OF = {"bf16": 64, "f16": 64, "f32": 32}  # elements in 128 bytes; for dtypes of a byte, 128


class Kernel:
    def __init__(self, kind, trans_b, c, **settings):
        a, b, sums, arguments, self.row, _ = kind
        self.approximate = settings.get("approximate", False)
        words = [a, b, sums, "t" if trans_b else "n", c] + [f"{k}{v}" for k, v in settings.items()]
        self.name = "matmul_" + "_".join(word.replace(".", "").lower() for word in words)
        dot = f"dot(a, b, trans_b={str(trans_b).lower()}{arguments})"
        cast = "" if c == sums else f".astype({c})"
        self.text = SPEC.format(
            name=self.name, a=a, b=b, c=c, sums=sums, dot=dot, stored=f"acc[...]{cast}", whole=f"{dot}{cast}",
            rows_of_b="N, K" if trans_b else "K, N", block_of_b="bn, bk" if trans_b else "bk, bn",
            map_of_b="n, k" if trans_b else "k, n", approximate=str(self.approximate).lower(),
            bn=settings.get("bn", 128), bk=settings.get("bk", DEPTH_OF.get(a, 128)), groups=settings.get("groups", 2),
            tests="\n".join(f"  - {{dims: {{M: {m}, N: {n}, K: {k}}}}}" for m, n, k in SHAPES))


def kernels():
    """Yields the kernels in a fixed order."""
    for kind in KINDS:
        for c in kind[-1]:
            yield Kernel(kind, True, c)
        yield Kernel(kind, False, kind[-1][1])
        # Two row tiles for a warpgroup; narrow and odd numbers of columns; swizzles of 64 and 32 bytes.
        bytes_of = 128 // DEPTH_OF.get(kind[0], 128)
        yield Kernel(kind, True, kind[-1][0], groups=1, bn=64)
        yield Kernel(kind, True, kind[-1][1], bn=48 if bytes_of == 1 else 40, bk=64 // bytes_of)
        yield Kernel(kind, True, kind[-1][3], bn=16, bk=32 // bytes_of)
        if kind[0].startswith("f8"):
            yield Kernel(kind, True, "f32", approximate=True, bn=256)


def run(command):
    return subprocess.run([str(c) for c in command], cwd=ROOT, text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


def check_plan(tool, folder, kernel, with_nvcc):
    """Returns an empty string, or what is wrong with the kernel's plan or with nvcc's result."""
    spec = folder / f"{kernel.name}.yaml"
    told = run([tool, "explain", spec]).stdout
    found = re.search(r"dot acc(?:_part)?: (\S+)", told)
    if not found or found[1] != kernel.row or "without tensor cores" in told:
        return f"it does not go by {kernel.row}:\n{told[-3000:]}"
    made = run([tool, "generate", spec, "--out", folder / "out"])
    if made.returncode != 0:
        return made.stdout
    if not with_nvcc:
        return ""
    path = next((folder / "out").rglob(f"{kernel.name}.cu"))
    ok, _, detail = nvcc_gate.compile_one(nvcc_gate.find_nvcc(), ROOT, path)
    return "" if ok else detail


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--no-nvcc", action="store_true")
    parser.add_argument("--modes", default="plain")
    options = parser.parse_args()
    tool = options.build.resolve() / "pallasgen"
    chosen = list(kernels())[:: 6 if options.few else 1]
    with_nvcc = bool(nvcc_gate.find_nvcc()) and not options.no_nvcc
    failed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        folder = Path(folder)
        for kernel in chosen:
            (folder / f"{kernel.name}.yaml").write_text(kernel.text)
        for kernel, wrong in zip(chosen, pool.map(lambda k: check_plan(tool, folder, k, with_nvcc), chosen)):
            failed += bool(wrong)
            print(f"{'FAILED' if wrong else 'ok    '} {kernel.name}\n{wrong}".rstrip(), flush=True)
        specs = [folder / f"{kernel.name}.yaml" for kernel in chosen]
        tested = run([tool, "test", *specs, "--batch", "--policies", "late,random", "--modes", options.modes,
                      "--work-dir", options.build.resolve() / "matrix"])
        lines = tested.stdout.splitlines()
        rows = [line for line in lines if line.startswith(("  ok ", "  FAILED "))]
        wrong = [i for i, line in enumerate(lines) if line.startswith("  FAILED ")]
        if wrong or tested.returncode != 0 or not rows:
            failed += max(1, len(wrong))
            for i in wrong or [len(lines)]:
                print("\n".join(lines[max(0, i - 2):i + 6]))
    print(f"{len(chosen)} kernels, {len(rows)} runs")
    print(f"{len(chosen) + len(rows) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
