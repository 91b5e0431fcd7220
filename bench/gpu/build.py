"""Builds the package's programs with nvcc. A driver of many kernels is built in parts, at least one for each core; a
part that does not compile is halved, down to the failing kernel, so that no other one loses its row."""
import hashlib
import json
import os
import re
import shutil
import subprocess
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from package import ROOT

FLAGS = ["-std=c++20", "-O3", "-gencode", "arch=compute_90a,code=sm_90a", "-lineinfo", f"-I{ROOT}/runtime",
         *(f"-I{folder}" for folder in sorted({path.parent for path in (ROOT / "specs").rglob("*.cuh")}))]
SECONDS = 240  # for one compilation
MOST_KERNELS = 8  # in one part of a driver
TIMING = [ROOT / "bench/gpu/timing.cpp", ROOT / "bench/gpu/noise.cu"]


def find_nvcc():
    return shutil.which("nvcc") or next((p for p in ["/usr/local/cuda/bin/nvcc"] if os.path.exists(p)), None)


def kernels_of(driver):
    """Returns the kernels of a driver's text, by the names of their entries."""
    return re.findall(r'^    \{"(\w+)", \[\]', driver, re.M)


def part_of(driver, names):
    """Returns the driver's text with only the kernels of these names."""
    for name in kernels_of(driver):
        if name not in names:
            driver = re.sub(rf"^namespace host_{name} \{{\n.*\n\}}\n", "", driver, count=1, flags=re.M)
            driver = re.sub(rf'^    \{{"{name}", \[\].*\n.*\n.*\}},\n', "", driver, count=1, flags=re.M)
    return driver


class Builder:
    def __init__(self, work, dry=False):
        self.work, self.nvcc, self.dry = work, find_nvcc(), dry
        work.mkdir(parents=True, exist_ok=True)

    def compile(self, program, *words):
        """Returns the compiler's message; empty if the program is built."""
        if self.dry:
            return ""
        if not self.nvcc:
            return "no nvcc on this machine"
        command = [self.nvcc, *FLAGS, *words, "-o", program]
        try:
            done = subprocess.run([str(w) for w in command], text=True, errors="replace", stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return f"nvcc took more than {SECONDS} s"
        return "" if done.returncode == 0 else done.stdout[-3000:] or f"nvcc: exit code {done.returncode}"

    def part(self, folder, driver, names, label, extra):
        """Returns [(names, program, the compiler's message)] of a part, or of the parts that it is split into."""
        stem = self.work / label
        stem.mkdir(exist_ok=True)
        source = stem / "driver.cu"
        source.write_text(part_of(driver, names))
        program = stem / "run"
        said = self.compile(program, f"-I{folder}", source, *extra)
        if not said or len(names) == 1 or not self.nvcc:
            return [(names, program, said)]
        half = len(names) // 2
        return [entry for i, few in enumerate((names[:half], names[half:]))
                for entry in self.part(folder, driver, few, f"{label}_{i}", extra)]

    def library(self, folder, pool, label="library", only=None, extra=(ROOT / "runtime/runner/runner.cpp",), change=str):
        """Returns futures of the parts of a driver; `change` edits its text."""
        driver = change((folder / "driver.cpp").read_text())
        names = [name for name in kernels_of(driver) if only is None or name in only]
        count = max(min(os.cpu_count(), len(names)), -(-len(names) // MOST_KERNELS))
        parts = [names[i::count] for i in range(count)]
        return [pool.submit(self.part, folder, driver, part, f"{label}{i}", extra) for i, part in enumerate(parts)]

    def variant(self, folder, label, extra=(ROOT / "runtime/runner/runner.cpp",), change=str):
        """Builds a driver of one kernel; returns the compiler's message."""
        source = self.work / label / "driver.cu"
        source.parent.mkdir(exist_ok=True)
        source.write_text(change((folder / "driver.cpp").read_text()))
        return self.compile(source.parent / "run", f"-I{folder}", source, *folder.glob("*.cu"), *extra)


def timing_driver(text):
    """Turns the driver of jobs into one that measures."""
    return text.replace("#include <runner/runner.h>", f'#include "{ROOT}/bench/gpu/timing.h"').replace(
        "pallasgen::run_job(", "pallasgen::time_job(")


@dataclass
class Programs:
    """Every program of a package, by the name of its kernel, test or variant. A future's result is {name: (program, the
    compiler's message; empty if it is built)}."""
    library: list
    micro: list
    variants: list
    times: list

    def said(self):
        """Waits for all builds; returns {phase: {name: (program, the compiler's message)}}."""
        return {phase: collected(getattr(self, phase)) for phase in ("library", "micro", "variants", "times")}


def collected(futures):
    return {name: entry for future in futures for name, entry in future.result().items()}


def entries(names, program, said):
    return {name: (program, said) for name in names}


def build(builder, package, pool):
    """Starts to build the programs of the package."""
    def library(label, only=None, **how):
        return [pool.submit(lambda future: {k: v for part in future.result() for k, v in entries(*part).items()}, future)
                for future in builder.library(package / "library", pool, label, only, **how)]

    def variant(folder, label, **how):
        return entries([folder.name], builder.work / label / "run", builder.variant(folder, label, **how))

    def micro(source):
        program = builder.work / f"micro_{source.stem}"
        return entries([source.stem], program, builder.compile(program, f"-I{source.parent}", source))

    variants = sorted((package / "variants").iterdir()) if (package / "variants").exists() else []
    timed = {path.name.split("_", 1)[1] for path in (package / "times").iterdir()} if (package / "times").exists() else set()
    measuring = {"extra": TIMING, "change": timing_driver}
    # In the order in which they are run; the micro-tests come early because some of them take nvcc longest.
    parts = library("library")
    tests = [pool.submit(micro, source) for source in sorted((ROOT / "tests/emulator/micro").glob("*.cu"))]
    return Programs(parts, tests, [pool.submit(variant, folder, f"variant_{folder.name}") for folder in variants],
                    library("times", timed, **measuring)
                    + [pool.submit(variant, folder, f"times_{folder.name}", **measuring)
                       for folder in variants if folder.name in timed])


def digest(package):
    """Hashes the sources of all programs of a package."""
    digest = hashlib.sha256(" ".join(FLAGS[:-1]).encode())
    folders = [(ROOT, "runtime"), (ROOT, "bench/gpu"), (ROOT, "tests/emulator/micro"), (package, "library"),
               (package, "variants"), (package, "times")]
    for root, folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in (".cpp", ".cu", ".cuh", ".h") or folder == "times":
                digest.update(f"{path.relative_to(root)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def store(package, said):
    """Records what `--build-only` made, so that a machine with a GPU need not compile it again."""
    shorter = {phase: {name: (os.path.relpath(program, package), text) for name, (program, text) in entries.items()}
               for phase, entries in said.items()}
    (package / "programs/made.json").write_text(json.dumps({"digest": digest(package), "programs": shorter}, indent=1))


def stored(package):
    """Returns the programs that the package brings; none if they have other sources, or do not run here."""
    try:
        made = json.loads((package / "programs/made.json").read_text())
    except (OSError, ValueError):
        return None
    phases = {phase: {name: (package / program, text) for name, (program, text) in entries.items()}
              for phase, entries in made["programs"].items()}
    programs = [program for entries in phases.values() for program, text in entries.values() if not text]
    if made["digest"] != digest(package) or not all(program.exists() for program in programs) or not runs(programs[:1]):
        return None
    return Programs(**{phase: [finished(entries)] for phase, entries in phases.items()})


def runs(programs):
    """True if this machine's libraries suffice: a driver without arguments returns 2."""
    try:
        return all(subprocess.run([program], capture_output=True, timeout=20).returncode == 2 for program in programs)
    except (OSError, subprocess.TimeoutExpired):
        return False


def finished(value):
    future = Future()
    future.set_result(value)
    return future


def new_pool():
    return ThreadPoolExecutor(os.cpu_count() + 2)
