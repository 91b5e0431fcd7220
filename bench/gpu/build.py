"""Builds the package's programs with nvcc. A driver of many kernels is built in parts, one for each core or more; a part that does
not compile is halved, down to the kernel that does not, so that it costs no other one its row."""
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from package import ROOT

FLAGS = ["-std=c++20", "-O3", "-gencode", "arch=compute_90a,code=sm_90a", "-lineinfo", f"-I{ROOT}/runtime"]
SECONDS = 240  # for one compilation
MOST_KERNELS = 8  # in one part of a driver


def find_nvcc():
    return shutil.which("nvcc") or next((p for p in ["/usr/local/cuda/bin/nvcc"] if os.path.exists(p)), None)


def kernels_of(driver):
    """The kernels of a driver's text, by the names of their entries."""
    return re.findall(r'^    \{"(\w+)", \[\]', driver, re.M)


def part_of(driver, names):
    """The driver with the kernels of these names alone."""
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
        """What the compiler says; empty when the program is built."""
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
        """[(names, program, what the compiler says)] of a part and of the parts that it falls into."""
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
        """Futures of the parts of a driver; `change` edits its text."""
        driver = change((folder / "driver.cpp").read_text())
        names = [name for name in kernels_of(driver) if only is None or name in only]
        count = max(min(os.cpu_count(), len(names)), -(-len(names) // MOST_KERNELS))
        parts = [names[i::count] for i in range(count)]
        return [pool.submit(self.part, folder, driver, part, f"{label}{i}", extra) for i, part in enumerate(parts)]

    def variant(self, folder, program):
        return self.compile(program, f"-I{folder}", "-x", "cu", folder / "driver.cpp", *folder.glob("*.cu"),
                            ROOT / "runtime/runner/runner.cpp")

    def micro_tests(self, pool):
        sources = sorted((ROOT / "tests/emulator/micro").glob("*.cu"))
        return [(source.stem, self.work / f"micro_{source.stem}",
                 pool.submit(self.compile, self.work / f"micro_{source.stem}", f"-I{source.parent}", source))
                for source in sources]


def new_pool():
    return ThreadPoolExecutor(os.cpu_count() + 2)


def collected(futures):
    """(program by kernel, what the compiler says by kernel that has none)."""
    programs, refused = {}, {}
    for future in futures:
        for names, program, said in future.result():
            for name in names:
                (refused if said else programs)[name] = said or program
    return programs, refused
