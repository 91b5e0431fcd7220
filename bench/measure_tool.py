#!/usr/bin/env python3
"""Measures what the tool itself costs, in one run, and prints a table:

- generating one spec, process start included (CPU milliseconds, best of 10), for every spec of specs/
- generating 200 specs (seconds on this machine's cores)
- nvcc on generated/matmul/matmul_gelu.cu against bench/baseline/hopper_matmul.cu (ratio)
- the emulator on a 512 x 512 x 512 bf16 matmul (seconds, arrays made by the interpreter's inputs left out)

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
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)
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


def emulating(tool, build):
    spec = ROOT / "specs/matmul/matmul.yaml"
    for size in (512, 1024):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([tool, "test", spec, "--dims", f"M={size},N={size},K={size}", "--policies", "late", "--keep",
                            folder], check=True, stdout=subprocess.DEVNULL)
            program = next(Path(folder).rglob("run"))
            job = next(Path(folder).rglob("job"))
            empty = Path(folder) / "empty"
            empty.write_text("")
            best = min(cpu_of([program, job]) for _ in range(3))
            print(f"emulator {size} x {size} x {size} bf16 matmul, files included {best:8.2f} s CPU")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    build = parser.parse_args().build.resolve()
    tool = build / "pallasgen"
    generating(tool)
    many(tool)
    compiling()
    emulating(tool, build)


if __name__ == "__main__":
    main()
