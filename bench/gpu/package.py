"""The package for the machine with the GPU: a folder of plain files, which prepare.py makes and main.py reads.

  library/          one driver of all kernels, with their sources
  variants/NAME/    a driver of one kernel
  jobs/NAME/        job, expected, inputs, `.want` of the interpreter, `.emulated` where the
                    emulator has other bits, `.contracted` where it has when a*b+c is one fma
  rings/NAME/       the same at sizes that stay in the L2 cache
  times/NAME        a timed kernel: a job without files
  operators/        the Python package of some kernels, with cases of theirs (operators.py)

  programs/         the programs that `--build-only` made, with made.json

A job names its files without folders, which are given when it runs. `PACKAGE.tar.xz`, in the same folder, is sent.
"""
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass
class Output:
    dtype: str
    tolerance: float
    file: str


@dataclass
class Case:
    name: str
    outputs: list = field(default_factory=list)
    printed: list = field(default_factory=list)
    faults: list = field(default_factory=list)  # (kind, operand): the kernel reports one of them
    refused: bool = False

    @property
    def special(self):
        """True if its inputs have infinities, NaN or values that overflow."""
        return self.name.startswith(("special", "finite"))


def expected_cases(folder):
    """Returns the cases of a job folder and their expected outcomes."""
    cases = []
    for line in (folder / "expected").read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "case":
            cases.append(Case(rest))
        elif word == "out":
            dtype, tolerance, file = rest.split(" ", 2)
            cases[-1].outputs.append(Output(dtype, float(tolerance), file))
        elif word == "printed":
            cases[-1].printed.append(rest)
        elif word == "fault":
            cases[-1].faults.append(tuple(rest.split(" ", 1)))
        elif word == "refused":
            cases[-1].refused = True
    return cases


def with_folders(job, inputs, outputs):
    """Returns the job's text with the folders of the files that it reads and of those that it writes."""
    text = re.sub(r"^(in \d+|first) (\S+)$", rf"\1 {inputs}/\2", job, flags=re.M)
    return re.sub(r"^(out \d+|back) (\S+)$", rf"\1 {outputs}/\2", text, flags=re.M)


def without_folders(job, folder):
    return re.sub(rf"^((?:in \d+|first|out \d+|back)) {re.escape(str(folder))}/", r"\1 ", job, flags=re.M)


def rings():
    """Returns {kernel: (its dims, or "-", words for the runner)} from rings.txt."""
    lines = [line.split() for line in (ROOT / "bench/gpu/rings.txt").read_text().splitlines()]
    return {line[0]: (line[1], line[2:]) for line in lines if line and line[0] != "#"}


def pack(package):
    """Writes the archive of a package, which takes a minute, and returns its path."""
    archive = package.with_name(package.name + ".tar.xz")
    subprocess.run(["tar", "-C", package.parent, "-c", "-I", "xz -T0 -6 --lzma2=dict=64MiB", "-f", archive, package.name],
                   check=True)
    return archive


def unpack(package):
    """Extracts the package from its archive if only the archive exists."""
    archive = package.with_name(package.name + ".tar.xz")
    if not package.exists() and archive.exists():
        subprocess.run(["tar", "-C", package.parent, "-x", "-I", "xz -T0", "-f", archive], check=True)
