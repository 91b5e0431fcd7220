#!/usr/bin/env python3
"""Makes the package that bench/run_gpu.sh runs on a machine with a GPU: every kernel with the jobs of its tests and what
the interpreter and the emulator make of them, the ring kernels at larger sizes, variants of the matmuls.

  bench/gpu/prepare.py [--build DIR] [--package DIR] [--jobs N] [--limit MB] [SPEC...]

SPEC: these alone, without variants. DIR is build/gpu: name it among what is carried there. With the tree it stays under
`--limit` (60 MB): the largest cases are left out, and said. Needs the tool; takes minutes.
"""
import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from package import ROOT, expected_cases, rings, without_folders

HERE = Path(__file__).resolve().parent
VARIANTS = [
    ("matmul", {"bm": 64, "bn": 128, "pipeline.compute_warpgroups": 1}), ("matmul", {"bn": 128, "bk": 32, "pipeline.stages": 6}),
    ("matmul", {"bn": 128, "bk": 128, "pipeline.stages": "auto"}), ("matmul", {"bn": 128, "pipeline.stages": 1}),
    ("matmul", {"T": "f16", "bn": 192, "pipeline.stages": "auto"}), ("matmul", {"trans_a": "true", "bn": 128}),
    ("matmul", {"trans_b": "true", "bn": 96, "bk": 32}), ("matmul", {"schedule.persistent": "false", "bn": 128}),
    ("matmul_gelu", {"bm": 256, "bn": 128, "pipeline.stages": "auto"}),
    ("matmul_gelu", {"bm": 192, "bn": 96, "pipeline.compute_warpgroups": 3, "pipeline.stages": "auto"}),
    ("matmul_gelu", {"bm": 64, "bn": 256, "pipeline.compute_warpgroups": 1, "pipeline.stages": "auto"}),
    ("matmul_gelu", {"activation": "silu", "with_bias": "true"}), ("matmul_gelu", {"activation": "relu"}),
]
VARIANT_DIMS = ["M=200,N=136,K=104", "M=257,N=264,K=520"]


def run_tool(tool, specs, keep, *words):
    """Tests the specs and keeps all that is made; what the tool said where it failed."""
    command = [tool, "test", *specs, "--modes", "plain", "--policies", "late", "--keep", keep, *words]
    done = subprocess.run([str(w) for w in command], cwd=ROOT, text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return "" if done.returncode == 0 else "\n".join(
        line for line in done.stdout.splitlines() if not line.startswith("  ok"))[-3000:]


def take_job(folder, to):
    """Copies a job's folder: what its program wrote in the emulator stays where its bits are not the interpreter's."""
    to.mkdir(parents=True)
    (to / "job").write_text(without_folders((folder / "job").read_text(), folder))
    shutil.copy2(folder / "expected", to / "expected")
    for size, name in re.findall(r"^in (\d+) (\S+)$", (to / "job").read_text(), re.M):
        shutil.copy2(folder / name, to / name)
    for case in expected_cases(to):
        for output in case.outputs:
            want = (folder / f"{output.file}.want").read_bytes()
            (to / f"{output.file}.want").write_bytes(want)
            emulated = folder / output.file
            if emulated.exists() and emulated.read_bytes() != want:
                shutil.copy2(emulated, to / f"{output.file}.emulated")


def take_program(folder, to):
    to.mkdir(parents=True)
    for path in folder.iterdir():
        if path.suffix in (".cpp", ".cu", ".h"):
            shutil.copy2(path, to / path.name)


def take_library(tool, specs, package, work):
    said = run_tool(tool, specs, work, "--batch")
    if said:
        sys.exit(f"the tests fail here already\n{said}")
    folder = next(path.parent for path in work.glob("*/driver.cpp"))
    take_program(folder, package / "library")
    for job in sorted(folder.glob("job-*-late")):
        take_job(job, package / "jobs" / job.name[len("job-"):-len("-late")])


def take_ring(tool, spec, dims, package, work):
    if dims == "-":
        shutil.copytree(package / "jobs" / spec.stem, package / "rings" / spec.stem)
        return
    said = run_tool(tool, [spec], work / spec.stem, "--dims", dims)
    if said:
        sys.exit(f"{spec.stem} with {dims} fails here already\n{said}")
    take_job(next((work / spec.stem).glob("*/job-*-late")), package / "rings" / spec.stem)


def take_variant(tool, spec, defines, package, work):
    words = [word for name, value in defines.items() for word in ("-D", f"{name}={value}")]
    name = "_".join([spec.stem] + [re.sub(r"\W", "", f"{key.split('.')[-1]}{value}") for key, value in defines.items()])
    dims = [word for one in VARIANT_DIMS for word in ("--dims", one)]
    said = run_tool(tool, [spec], work / name, *words, *dims)
    if said:
        sys.exit(f"{name} fails here already\n{said}")
    job = next((work / name).glob("*/job-*-late"))
    take_program(job.parent, package / "variants" / name)
    take_job(job, package / "jobs" / name)


def value_of(product, dims):
    """The value of a product of dims and numbers."""
    value = 1
    for factor in product.split("*"):
        value *= dims[factor] if factor in dims else int(factor)
    return value


WIDTH = {"bf16": 2, "f16": 2, "f32": 4}


def write_times(package, kernels):
    """A file for each row of timed.txt whose kernel there is, in words that timing.cpp reads."""
    for i, line in enumerate((HERE / "timed.txt").read_text().splitlines()):
        if line.startswith("#") or line.split(" ")[0] not in kernels:
            continue
        kernel, dims, arrays, operations, beside = (part.strip() for part in line.split("|"))
        dims = {name: int(value) for name, value in (pair.split("=") for pair in dims.split())}
        text = f"kernel {kernel}\noperations {value_of(operations, dims)}\nbeside {beside}\n"
        for array in arrays.split(", "):
            role, dtype, size = array.split()
            text += f"{role} {dtype} {value_of(size, dims) * WIDTH[dtype]}\n"
        text += "".join(f"dim {name} {value}\n" for name, value in dims.items())
        to = package / "times" / f"{i:02}_{kernel}"
        to.parent.mkdir(exist_ok=True)
        to.write_text(text)


def size_of(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def tree_size():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, text=True, capture_output=True).stdout.split("\0")
    return sum((ROOT / name).stat().st_size for name in listed if name and (ROOT / name).is_file())


def leave_out(package, limit):
    """Drops the largest cases of the library's jobs until the package is within the limit."""
    cases = []
    for job in (package / "jobs").iterdir():
        for case in expected_cases(job):
            cases.append((sum(p.stat().st_size for p in job.glob(f"{case.name}.*")), job, case.name))
    size = size_of(package)
    for bytes_of_case, job, name in sorted(cases, key=lambda entry: -entry[0]):
        if size <= limit:
            return
        print(f"left out: {job.name} {name}, {bytes_of_case / 1e6:.1f} MB")
        for path in job.glob(f"{name}.*"):
            path.unlink()
        for file in ("job", "expected"):
            text = (job / file).read_text()
            (job / file).write_text(re.sub(rf"^case {name}\n(?:.*\n)*?end\n", "", text, count=1, flags=re.M))
        size -= bytes_of_case


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--package", type=Path, default=ROOT / "build/gpu")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("specs", nargs="*", type=Path)
    options = parser.parse_args()
    tool, package = (options.build / "pallasgen").resolve(), options.package.resolve()
    specs = [spec.resolve() for spec in options.specs] or sorted((ROOT / "specs").rglob("*.yaml"))
    shutil.rmtree(package, ignore_errors=True)
    by_name = {spec.stem: spec for spec in specs}
    with tempfile.TemporaryDirectory(prefix="pallasgen-gpu-") as name, ThreadPoolExecutor(options.jobs) as pool:
        work = Path(name)
        take_library(tool, specs, package, work / "library")
        futures = [pool.submit(take_ring, tool, by_name[kernel], dims, package, work / "rings")
                   for kernel, (dims, _) in rings().items() if kernel in by_name]
        if not options.specs:
            futures += [pool.submit(take_variant, tool, by_name[spec], defines, package, work / "variants")
                        for spec, defines in VARIANTS]
        for future in futures:
            future.result()
    write_times(package, set(by_name))
    tree = tree_size()
    leave_out(package, int(options.limit * 1e6) - tree)
    print(f"{package}: {size_of(package) / 1e6:.1f} MB, beside {tree / 1e6:.1f} MB of the tree")


if __name__ == "__main__":
    main()
