#!/usr/bin/env python3
"""Measures the costs of the tool itself, in one run, and prints a table:

- generating one spec, process start included (CPU milliseconds, best of 10), for every spec of specs/
- diagnostics of bad specs (the same)
- generating 200 specs, and checking that 1,000 small ones are current (seconds on this machine's cores)
- nvcc on generated/matmul/matmul_gelu.cu against bench/baseline/hopper_matmul.cu (ratio)
- a kernel built for the CPU, per mode (CPU seconds, best of 3)
- the emulator on a 1024 x 1024 x 1024 bf16 matmul, plain and with race detection (CPU seconds, best of 5)

  bench/measure_tool.py [--build DIR]
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import nvcc_gate  # noqa: E402


def cpu_of(command, **options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, **{"check": True, "stdout": subprocess.DEVNULL, **options})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def generating(tool):
    for spec in sorted((ROOT / "specs").rglob("*.yaml")):
        with tempfile.TemporaryDirectory() as out:
            best = min(cpu_of([tool, "generate", spec, "--out", out, "--root", ROOT / "specs"]) for _ in range(10))
        print(f"generate {spec.relative_to(ROOT)!s:45} {best * 1e3:8.1f} ms CPU   (limit 10)")


def many(tool):
    with tempfile.TemporaryDirectory() as folder:
        specs = Path(folder) / "specs"
        specs.mkdir()
        text = (ROOT / "specs/matmul/matmul_gelu.yaml").read_text()
        for i in range(200):
            (specs / f"kernel{i}.yaml").write_text(text.replace("kernel: matmul_gelu", f"kernel: kernel{i}"))
        start = time.time()
        subprocess.run([tool, "generate", specs, "--out", f"{folder}/out"], check=True, stdout=subprocess.DEVNULL)
        print(f"generate {'200 specs':45} {time.time() - start:8.2f} s          (limit 1)")


def diagnosing(tool):
    for name in ("unknown-name", "shape-mismatch", "shared-memory"):
        spec = ROOT / f"tests/errors/{name}.yaml"
        best = min(cpu_of([tool, "explain", spec], check=False, stderr=subprocess.DEVNULL) for _ in range(10))
        print(f"diagnose {spec.relative_to(ROOT)!s:45} {best * 1e3:8.1f} ms CPU   (limit 10)")


def checking(tool):
    with tempfile.TemporaryDirectory() as folder:
        specs = Path(folder) / "specs"
        for i in range(1000):
            subprocess.run([tool, "init", "elementwise", "--out", specs / f"k{i}.yaml"], check=True, stdout=subprocess.DEVNULL)
        command = [specs, "--out", f"{folder}/out"]
        subprocess.run([tool, "generate", *command], check=True, stdout=subprocess.DEVNULL)
        start = time.time()
        subprocess.run([tool, "check", *command], check=True, stdout=subprocess.DEVNULL)
        print(f"check {'1,000 specs':48} {time.time() - start:8.2f} s          (limit 2)")


def compiling():
    nvcc = nvcc_gate.find_nvcc()
    if not nvcc:
        print("no nvcc on this machine: compile times not measured")
        return
    flags = [nvcc, "-std=c++20", *nvcc_gate.arch_flags("sm_90a"), "-I", ROOT / "runtime", "-o", os.devnull, "-c"]
    ours, theirs = ROOT / "generated/matmul/matmul_gelu.cu", ROOT / "bench/baseline/hopper_matmul.cu"
    times = {ours: [], theirs: []}
    for _ in range(5):
        for path in times:
            times[path].append(cpu_of([*flags, path]))
    best = {path: min(t) for path, t in times.items()}
    print(f"nvcc matmul_gelu.cu {best[ours]:.2f} s, hopper_matmul.cu {best[theirs]:.2f} s: "
          f"ratio {best[ours] / best[theirs]:.2f}   (limit 1.5)")


def emulating(tool):
    """Measures the kernel alone: subtracts the cost of a run on empty arrays, and of reading and writing the files."""
    spec = ROOT / "specs/matmul/matmul.yaml"
    with tempfile.TemporaryDirectory() as folder:
        # Twice: the first run also makes the headers, which all kernels share.
        for size in ("8", "1024"):
            dims = ",".join(f"{dim}={size}" for dim in "MNK")
            subprocess.run([tool, "test", spec, "--dims", dims, "--modes", "plain,tsan", "--policies", "late", "--keep",
                            f"{folder}/{size}"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for mode, limit in (("plain", 0.5), ("tsan", 2)):
            best = {}
            for size in ("8", "1024"):
                program = next(Path(folder, size).glob(f"matmul-{mode}-*/run"))
                command = [program, "matmul", next(program.parent.glob("job*/job"))]
                best[size] = min(cpu_of(command, stderr=subprocess.DEVNULL) for _ in range(5))
            print(f"emulator {mode:5} 1024 x 1024 x 1024 bf16 matmul {best['1024'] - best['8']:8.2f} s CPU   "
                  f"(limit {limit}), a tiny one {best['8']:.2f} s")


def compiling_for_host(tool):
    spec = ROOT / "specs/matmul/matmul.yaml"
    for mode in ("plain", "asan", "tsan"):
        times = []
        with tempfile.TemporaryDirectory() as folder:
            command = [tool, "test", spec, "--dims", "M=8,N=8,K=8", "--modes", mode, "--policies", "late", "--work-dir",
                       folder]
            for _ in range(4):
                for program in Path(folder).glob("matmul-*/run"):
                    program.unlink()
                times.append(cpu_of(command, stderr=subprocess.DEVNULL))
            run = min(cpu_of(command, stderr=subprocess.DEVNULL) for _ in range(3))
        print(f"host compiler, {mode:5} matmul.cu {min(times[1:]) - run:25.2f} s CPU   (limit 1), "
              f"the headers once {times[0] - min(times[1:]):.2f} s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    build = parser.parse_args().build.resolve()
    tool = build / "pallasgen"
    generating(tool)
    diagnosing(tool)
    many(tool)
    checking(tool)
    compiling()
    compiling_for_host(tool)
    emulating(tool)


if __name__ == "__main__":
    main()
