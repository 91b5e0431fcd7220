#!/usr/bin/env python3
"""Makes the package that bench/run_gpu.sh runs on a machine with a GPU: every kernel with the jobs of its tests and
their outputs by the interpreter and the emulator, the ring kernels at larger sizes, variants of the matmuls.

  bench/gpu/prepare.py [--build DIR] [--package DIR] [--jobs N] [--limit MB] [--python VERSION] [SPEC...]

SPEC: only these, with their timed variants, and without operators of frameworks, which are built for the Python of
VERSION, 3.12 by default. DIR is build/gpu. With the tree it stays under `--limit` (150 MB, packed about 35): the
largest cases are left out, with a message. Needs the tool; takes minutes.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from package import ROOT, expected_cases, rings, without_folders

sys.path.insert(0, str(ROOT / "tests/bindings"))
import run as bindings  # noqa: E402

HERE = Path(__file__).resolve().parent
VARIANTS = [
    ("matmul", {"bm": 64, "bn": 128, "pipeline.compute_warpgroups": 1}), ("matmul", {"bn": 128, "bk": 32, "pipeline.stages": 6}),
    ("matmul", {"bn": 128, "bk": 128, "pipeline.stages": "auto"}), ("matmul", {"bn": 128, "pipeline.stages": 1}),
    ("matmul", {"T": "f16", "bn": 192, "pipeline.stages": "auto"}), ("matmul", {"trans_a": "true", "bn": 128}),
    ("matmul", {"trans_b": "true", "bn": 96, "bk": 32}), ("matmul", {"schedule.persistent": "false", "bn": 128}),
    ("matmul", {"schedule.persistent": "dynamic", "bm": 64, "bn": 64, "pipeline.compute_warpgroups": 1}),
    ("matmul_gelu", {"bm": 256, "bn": 128, "pipeline.stages": "auto"}),
    ("matmul_gelu", {"bm": 192, "bn": 96, "pipeline.compute_warpgroups": 3, "pipeline.stages": "auto"}),
    ("matmul_gelu", {"bm": 64, "bn": 256, "pipeline.compute_warpgroups": 1, "pipeline.stages": "auto"}),
    ("matmul_gelu", {"activation": "silu", "with_bias": "true"}), ("matmul_gelu", {"activation": "relu"}),
]
VARIANT_DIMS = ["M=200,N=136,K=104", "M=257,N=264,K=520"]


# Replaces the compiler: a*b+c is one fma wherever it can be, as nvcc makes it. The tool forbids it.
CONTRACTING = """#!/usr/bin/env bash
exec g++ "${@/-ffp-contract=off/-ffp-contract=fast}" -O2 $(g++ -mfma -E -x c /dev/null > /dev/null 2>&1 && echo -mfma)
"""


def run_tool(tool, specs, keep, *words, compiler=None):
    """Tests the specs and keeps all that is made; returns the tool's message if it failed."""
    command = [tool, "test", *specs, "--modes", "plain", "--policies", "late", "--keep", keep, *words]
    environment = dict(os.environ, PALLASGEN_HOST_CXX=str(compiler)) if compiler else None
    done = subprocess.run([str(w) for w in command], cwd=ROOT, text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=environment)
    return "" if done.returncode == 0 else "\n".join(
        line for line in done.stdout.splitlines() if not line.startswith("  ok"))[-3000:]


def contracted(tool, specs, keep, *words):
    """Returns {name: folder} of the same tests' jobs, whose programs contract a*b+c. Special values may fail."""
    keep.mkdir(parents=True)
    compiler = keep / "contracting"
    compiler.write_text(CONTRACTING)
    compiler.chmod(0o755)
    said = run_tool(tool, specs, keep, *words, compiler=compiler)
    jobs = {name_of_job(folder): folder for folder in keep.glob("*/job-*-late")}
    return jobs if jobs else sys.exit(f"contracted programs do not compile\n{said}")


def name_of_job(folder):
    return folder.name[len("job-"):-len("-late")]


def take_job(folder, to, other=None):
    """Copies a job's folder. The emulator's output is kept if its bits differ from the interpreter's; for special
    values, so is the output of the contracted program of `other`."""
    to.mkdir(parents=True)
    # Gaps between rows keep the interpreter's initial bytes, which are the runner's own default.
    job = re.sub(r"^fill \d+\n", "", (folder / "job").read_text(), flags=re.M)
    (to / "job").write_text(without_folders(job, folder))
    shutil.copy2(folder / "expected", to / "expected")
    for name in re.findall(r"^(?:in \d+|first) (\S+)$", (to / "job").read_text(), re.M):
        shutil.copy2(folder / name, to / name)
    for case in expected_cases(to):
        for output in case.outputs:
            want = (folder / f"{output.file}.want").read_bytes()
            (to / f"{output.file}.want").write_bytes(want)
            emulated = folder / output.file
            if emulated.exists() and emulated.read_bytes() != want:
                shutil.copy2(emulated, to / f"{output.file}.emulated")
            fused = other / output.file if other and case.special else None
            if fused and fused.exists() and fused.read_bytes() != want:
                shutil.copy2(fused, to / f"{output.file}.contracted")


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
    others = contracted(tool, specs, work.with_name("contracted"), "--batch")
    for job in sorted(folder.glob("job-*-late")):
        take_job(job, package / "jobs" / name_of_job(job), others.get(name_of_job(job)))


def take_ring(tool, spec, dims, package, work):
    if dims == "-":
        shutil.copytree(package / "jobs" / spec.stem, package / "rings" / spec.stem)
        return
    said = run_tool(tool, [spec], work / spec.stem, "--dims", dims)
    if said:
        sys.exit(f"{spec.stem} with {dims} fails here already\n{said}")
    take_job(next((work / spec.stem).glob("*/job-*-late")), package / "rings" / spec.stem)


def label_of(kernel, defines):
    """Returns a name for a kernel with some consts of its own."""
    return "_".join([kernel] + [re.sub(r"\W", "", f"{key.split('.')[-1]}{value}") for key, value in defines.items()])


def check_variants(tool, by_name, variants):
    """Exits if a variant has no plan, before any long step."""
    said = []
    for label, (spec, defines, _) in variants.items():
        words = [word for name, value in defines.items() for word in ("-D", f"{name}={value}")]
        done = subprocess.run([tool, "explain", by_name[spec], *words], cwd=ROOT, text=True, capture_output=True)
        said += [f"{label}: {done.stderr}"] if done.returncode else []
    if said:
        sys.exit("variants without a plan\n" + "\n".join(said))


def take_variant(tool, spec, defines, dims, package, work):
    """Makes a variant. `dims`: the sizes it is tested at; empty: those of its spec."""
    words = [word for name, value in defines.items() for word in ("-D", f"{name}={value}")]
    name = label_of(spec.stem, defines)
    dims = [word for one in dims for word in ("--dims", one)]
    said = run_tool(tool, [spec], work / name, *words, *dims)
    if said:
        sys.exit(f"{name} fails here already\n{said}")
    job = next((work / name).glob("*/job-*-late"))
    take_program(job.parent, package / "variants" / name)
    others = contracted(tool, [spec], work / f"{name}-contracted", *words, *dims) if any(
        case.special for case in expected_cases(job)) else {}
    take_job(job, package / "jobs" / name, others.get(name_of_job(job)))


def take_operators(build, package, version):
    """Makes the Python package of some kernels for the GPU, with the arrays of a case of each, and collects the Python
    packages that it needs from PyPI."""
    to, folder = package / "operators", build / "bindings"
    folder.mkdir(exist_ok=True)
    python, kernels = bindings.environment(folder), bindings.kernels_of(8)
    made = bindings.package(build, folder, python, kernels, "CUDA")
    for kernel in kernels:
        bindings.export_case(build / "pallasgen", kernel, folder)
        shutil.copytree(folder / "cases" / Path(kernel).name, to / "cases" / Path(kernel).name)
    shutil.copytree(made / "library_kernels", to / "library_kernels", ignore=shutil.ignore_patterns("__pycache__"))
    (to / "tests").mkdir()
    for name in ("cases.py", "calling.py"):
        shutil.copy(ROOT / "tests/bindings" / name, to / "tests")
    platforms = [word for glibc in (28, 27, 17, 24, 12) for word in ("--platform", f"manylinux_2_{glibc}_x86_64")]
    names = [*(name for name in bindings.PACKAGES if name.startswith("apache-tvm-ffi")), "ml_dtypes", "typing_extensions"]
    bindings.call(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--no-compile", "--target",
                  to / "site", "--only-binary=:all:", "--python-version", version, "--implementation", "cp", *platforms, *names)


def value_of(product, dims):
    """Returns the value of a product of dims and numbers."""
    value = 1
    for factor in product.split("*"):
        value *= dims[factor] if factor in dims else int(factor)
    return value


WIDTH = {"f64": 8, "f32": 4, "i32": 4, "bf16": 2, "f16": 2, "f8e4m3": 1, "f8e5m2": 1, "i8": 1, "i4": 0.5, "bool": 1}


@dataclass
class Timed:
    """A row of timed.txt."""
    kernel: str
    defines: dict
    dims: dict
    scalars: dict
    arrays: list  # "in DTYPE SIZE" and "out DTYPE SIZE"
    operations: str
    beside: str

    @property
    def label(self):
        return label_of(self.kernel, self.defines)

    def text(self):
        """Returns the row in the words that timing.cpp reads."""
        lines = [f"label {self.label}", f"kernel {self.kernel}", f"operations {value_of(self.operations, self.dims)}",
                 f"beside {self.beside}"]
        for array in self.arrays:
            role, dtype, size = array.split()
            lines.append(f"{role} {dtype} {int(value_of(size, self.dims) * WIDTH[dtype])}")
        lines += [f"dim {name} {value}" for name, value in self.dims.items()]
        lines += [f"scalar {name} {value}" for name, value in self.scalars.items()]
        lines += [f"define {name} {value}" for name, value in self.defines.items()]
        return "\n".join(lines) + "\n"


def timed_rows(kernels):
    """Returns the rows of timed.txt whose kernel exists."""
    rows = []
    for line in (HERE / "timed.txt").read_text().splitlines():
        if line.startswith("#") or line.split(" ")[0] not in kernels:
            continue
        what, numbers, arrays, operations, beside = (part.strip() for part in line.split("|"))
        kernel, *defines = what.split()
        numbers = dict(pair.split("=") for pair in numbers.split())
        rows.append(Timed(kernel, dict(pair.split("=") for pair in defines),
                          {name: int(value) for name, value in numbers.items() if "." not in value},
                          {name: float(value) for name, value in numbers.items() if "." in value},
                          arrays.split(", "), operations, beside))
    return rows


def write_times(package, rows):
    """Writes a file for each row, in the order of timed.txt."""
    for i, row in enumerate(rows):
        to = package / "times" / f"{i:02}_{row.label}"
        to.parent.mkdir(exist_ok=True)
        to.write_text(row.text())


def size_of(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def tree_size():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, text=True, capture_output=True).stdout.split("\0")
    return sum((ROOT / name).stat().st_size for name in listed if name and (ROOT / name).is_file())


def leave_out(package, limit):
    """Drops the largest cases of the library's jobs until the package is within the limit, except those whose arrays
    other cases read."""
    cases = []
    for job in (package / "jobs").iterdir():
        text = (job / "job").read_text()
        for case in expected_cases(job):
            own = re.search(rf"^case {case.name}\n(?:.*\n)*?end\n", text, re.M).group(0)
            if text.count(f" {case.name}.") == own.count(f" {case.name}."):
                cases.append((sum(p.stat().st_size for p in job.glob(f"{case.name}.*")), job, case.name))
    size, left_out = size_of(package), []
    for bytes_of_case, job, name in sorted(cases, key=lambda entry: -entry[0]):
        if size <= limit:
            break
        left_out.append(f"{job.name} {name}, {bytes_of_case / 1e6:.1f} MB")
        for path in job.glob(f"{name}.*"):
            path.unlink()
        for file in ("job", "expected"):
            text = (job / file).read_text()
            (job / file).write_text(re.sub(rf"^case {name}\n(?:.*\n)*?end\n", "", text, count=1, flags=re.M))
        size -= bytes_of_case
    if left_out:
        print(f"left out are {len(left_out)} of {len(cases)} cases, the largest ones:", *left_out[:8], sep="\n  ")
    if size > limit:
        largest = max((package / "jobs").iterdir(), key=size_of)
        print(f"the rest is beyond the limit: other cases read the arrays of {largest.name}, {size_of(largest) / 1e6:.0f} MB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--package", type=Path, default=ROOT / "build/gpu")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=150)
    parser.add_argument("--python", default="3.12", help="of the machine with the GPU")
    parser.add_argument("specs", nargs="*", type=Path)
    options = parser.parse_args()
    tool, package = (options.build / "pallasgen").resolve(), options.package.resolve()
    specs = [spec.resolve() for spec in options.specs] or sorted((ROOT / "specs").rglob("*.yaml"))
    shutil.rmtree(package, ignore_errors=True)
    rows = timed_rows({spec.stem for spec in specs})
    by_name = {spec.stem: spec for spec in specs}
    variants = {} if options.specs else {label_of(spec, defines): (spec, defines, VARIANT_DIMS) for spec, defines in VARIANTS}
    variants |= {row.label: (row.kernel, row.defines, []) for row in rows if row.defines}
    check_variants(tool, by_name, variants)
    with tempfile.TemporaryDirectory(prefix="pallasgen-gpu-") as name, ThreadPoolExecutor(options.jobs) as pool:
        work = Path(name)
        take_library(tool, specs, package, work / "library")
        futures = [pool.submit(take_ring, tool, by_name[kernel], dims, package, work / "rings")
                   for kernel, (dims, _) in rings().items() if kernel in by_name]
        futures += [pool.submit(take_variant, tool, by_name[spec], defines, dims, package, work / "variants")
                    for spec, defines, dims in variants.values()]
        for future in futures:
            future.result()
    write_times(package, rows)
    if not options.specs:
        take_operators(options.build.resolve(), package, options.python)
    tree = tree_size()
    leave_out(package, int(options.limit * 1e6) - tree)
    print(f"{package}: {size_of(package) / 1e6:.1f} MB, beside {tree / 1e6:.1f} MB of the tree")


if __name__ == "__main__":
    main()
