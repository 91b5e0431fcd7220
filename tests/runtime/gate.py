#!/usr/bin/env python3
"""Compiles a .cu file for sm_90a and fails if ptxas reports a spill, a stack frame, a (C75..) message or 16 barriers.

Usage: gate.py FILE.cu [nvcc arguments]. Exit code 77 if there is no nvcc.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def find_nvcc():
    root = os.environ.get("CUDAToolkit_ROOT", "/usr/local/cuda")
    return shutil.which("nvcc") or shutil.which(os.path.join(root, "bin", "nvcc"))


def faults(log):
    """Returns the complaints in the output of ptxas, and the number of its kernels."""
    found = [line for line in log.splitlines() if re.search(r"\(C7\d+\)", line)]
    name, kernels = "?", 0
    for line in log.splitlines():
        entry = re.search(r"Compiling entry function '(\S+)'", line)
        if entry:
            name, kernels = entry.group(1), kernels + 1
        frame = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line)
        if frame and any(int(n) for n in frame.groups()):
            found.append(f"{name}: {line.strip()}")
        barriers = re.search(r"used (\d+) barriers", line)
        if barriers and int(barriers.group(1)) >= 16:
            found.append(f"{name}: {line.strip()}")
    return found, kernels


def main(arguments):
    nvcc = find_nvcc()
    if not nvcc:
        print("skipped: no nvcc")
        return 77
    runtime = pathlib.Path(__file__).resolve().parents[2] / "runtime"
    with tempfile.TemporaryDirectory() as folder:
        command = [nvcc, "-std=c++20", "-gencode", "arch=compute_90a,code=sm_90a", "-Xptxas", "-v", "-I", str(runtime),
                   "-c", *arguments, "-o", os.path.join(folder, "gate.o")]
        result = subprocess.run(command, capture_output=True, text=True)
    log = result.stdout + result.stderr
    if result.returncode != 0:
        print(log[:4000])
        return 1
    found, kernels = faults(log)
    if "warning" in log:
        found.append("nvcc warns: " + log[log.index("warning") - 100 :][:1000])
    print(*found, sep="\n")
    print(f"{kernels} kernels, {len(found)} faults")
    return 1 if found or kernels == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
