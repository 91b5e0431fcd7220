#!/usr/bin/env python3
"""Exports of kernels for frameworks (`generate --bindings ffi`), called on the CPU: builds a shared library of a few kernels
with the emulator in it, and calls it (calls.py) in a virtual environment with Apache TVM-FFI and NumPy, which pip makes.

  tests/bindings/run.py [--build DIR]

What is made is kept in DIR/bindings until what it is made of changes. Ends with a line `N passed, N failed`, or with
`skipped:` and the reason."""
import argparse
import hashlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import nvcc_gate  # noqa: E402

KERNELS = ("basics/add_vectors_blocked", "checks/gather_checked", "operands/every_other_row",
           "operands/scale_in_place")
PACKAGES = ("apache-tvm-ffi==0.1.15.post2", "numpy")


def call(*command):
    done = subprocess.run([*map(str, command)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}\n0 passed, 1 failed")
    return done.stdout


def environment(folder):
    """The Python of a virtual environment that has the packages."""
    python, stamp = folder / "venv/bin/python", folder / "venv/packages"
    if not stamp.exists() or stamp.read_text() != " ".join(PACKAGES):
        call(sys.executable, "-m", "venv", "--clear", folder / "venv")
        done = subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *PACKAGES], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode and re.search("NewConnectionError|Name or service|Network is unreachable|timed out", done.stdout):
            print("skipped: PyPI cannot be reached")
            sys.exit(0)
        if done.returncode:
            sys.exit(f"{done.stdout[-4000:]}\n0 passed, 1 failed")
        stamp.write_text(" ".join(PACKAGES))
    return python


class Objects:
    """Object files under the hash of their commands and of all sources that they may include."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        text = hashlib.sha256()
        for path in sorted((ROOT / "runtime").rglob("*")):
            text.update(path.read_bytes() if path.is_file() else b"")
        self.stamp = text.hexdigest()

    def make(self, command, source):
        words = " ".join(map(str, command)) + self.stamp + source.read_text()
        made = self.folder / f"{hashlib.sha256(words.encode()).hexdigest()[:24]}.o"
        if not made.exists():
            call(*command, "-c", source, "-o", f"{made}.new")
            Path(f"{made}.new").rename(made)
        return made


def library(build, folder, packages):
    """Builds the shared library: of each kernel the launcher as emulated code, under names that end in _cpu, and its
    exports."""
    generated, cuda = folder / "generated", Path(nvcc_gate.find_nvcc()).resolve().parent.parent / "include"
    call(build / "pallasgen", "generate", *(ROOT / f"specs/{kernel}.yaml" for kernel in KERNELS), "--out", generated,
         "--bindings", "ffi")
    common = ["-std=c++20", "-O1", "-fPIC", "-fvisibility=hidden", "-DPALLASGEN_FFI_CPU"]
    emulated = ["clang++-19", *common, "-w", "-ffp-contract=off", f"-I{ROOT}/runtime/emulator/include",
                f"-I{ROOT}/runtime", f"-I{ROOT}/runtime/emulator/src", "-isystem", cuda]
    exported = ["c++", *common, "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/runtime", "-isystem", cuda, "-isystem",
                packages / "tvm_ffi/include"]
    objects, jobs = Objects(folder / "objects"), []
    for source in sorted((ROOT / "runtime/emulator/src").glob("*.cpp")):
        jobs.append((emulated, source))
    jobs.append((exported, ROOT / "runtime/ffi/ffi.cpp"))
    for kernel in KERNELS:
        name = Path(kernel).name
        renamed = [f"-D{each}={each}_cpu" for each in (name, f"{name}_workspace_bytes", f"{name}_status",
                                                       "pallasgen_last_error")]
        jobs.append(([*emulated, *renamed, "-x", "c++"], generated / f"{kernel}.cu"))
        jobs.append((exported, generated / f"{kernel}.ffi.cpp"))
    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda job: objects.make(*job), jobs))
    lib = packages / "tvm_ffi/lib"
    call("clang++-19", "-shared", "-Wl,-Bsymbolic", *made, f"-L{lib}", "-ltvm_ffi", f"-Wl,-rpath,{lib}", "-lpthread", "-o",
         folder / "kernels.so")
    return folder / "kernels.so"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    build = parser.parse_args().build.resolve()
    if not nvcc_gate.find_nvcc():
        print("skipped: the headers of the CUDA Toolkit are not there")
        return 0
    folder = build / "bindings"
    folder.mkdir(exist_ok=True)
    python = environment(folder)
    packages = Path(call(python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])").strip())
    done = subprocess.run([python, ROOT / "tests/bindings/calls.py", library(build, folder, packages)], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(done.stdout, end="")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
