#!/usr/bin/env python3
"""The gate of every generated file: nvcc compiles it for its target with 0 spills, no stack frame except for the
arguments of printf, no ptxas message (C75..), fewer than 16 barriers, and its registers, barriers and bytes are those
recorded in bench/resources.json.

Files are compiled in groups, each in a namespace of its own: nvcc spends most of its time on the headers that all
share. If a group does not compile, or a file's resources differ from the table, the file is compiled alone, and that
result counts; `--update` compiles each alone.

  scripts/nvcc_gate.py [--update] [--build DIR]     all of generated/
"""
import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

GROUP = 12  # files per compilation


def find_nvcc():
    found = shutil.which("nvcc")
    if not found and Path("/usr/local/cuda/bin/nvcc").exists():
        found = "/usr/local/cuda/bin/nvcc"
    return found


def arch_flags(target):
    return ["-gencode", f"arch=compute_{target[3:]},code={target}"]


def target_of(source):
    found = re.search(r"\btarget (sm_\w+)", source)
    return found.group(1) if found else "sm_90a"


def header_folders(root):
    """Returns the include paths of generated files: the folders of the headers that specs name under `extern`."""
    return [word for folder in sorted({path.parent for path in (root / "specs").rglob("*.cuh")}) for word in ("-I", str(folder))]


def resources(output):
    """Returns registers, barriers and stack of the kernels in ptxas' -v output, as their maxima."""
    def most(pattern):
        return max([int(n) for n in re.findall(pattern, output)], default=0)
    return {
        "registers": most(r"Used (\d+) registers"),
        "barriers": most(r"used (\d+) barriers"),
        "stack": most(r"(\d+) bytes stack frame"),
        "spill_stores": most(r"(\d+) bytes spill stores"),
        "spill_loads": most(r"(\d+) bytes spill loads"),
        "messages": sorted(set(re.findall(r"\(C75\d+\)", output))),
    }


def printed_bytes(source):
    """Returns the most bytes that the arguments of a printf of the source take; they use the stack, 8 bytes each."""
    formats = re.findall(r'printf\("((?:[^"\\]|\\.)*)"', source)
    return max((8 * len(re.findall(r"%[a-z0-9.]+", text.replace("%%", ""))) for text in formats), default=0)


def faults(found, allowed_stack):
    allowed = {"stack": allowed_stack, "spill_stores": 0, "spill_loads": 0}
    wrong = [f"{found[k]} bytes of {k.replace('_', ' ')}" for k, most in allowed.items() if found[k] > most]
    wrong += [f"ptxas message {m}" for m in found["messages"]]
    if found["barriers"] >= 16:
        wrong.append(f"{found['barriers']} barriers")
    return wrong


def compile_flags(nvcc, root, target):
    return [nvcc, "-std=c++20", *arch_flags(target), "-Xptxas", "-v", "-I", str(root / "runtime"), *header_folders(root)]


def compile_one(nvcc, root, path, keep=None):
    """Compiles one file; returns (ok, resources, output). The object is deleted unless `keep` names it."""
    source = Path(path).read_text()
    with tempfile.TemporaryDirectory() as folder:
        command = [*compile_flags(nvcc, root, target_of(source)), "-I", str(Path(path).parent), "-c", str(path), "-o",
                   keep or f"{folder}/out.o"]
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    found = resources(done.stdout)
    wrong = faults(found, printed_bytes(Path(path).read_text())) if done.returncode == 0 else ["nvcc failed"]
    warnings = [line for line in done.stdout.splitlines() if "warning" in line.lower()]
    wrong += warnings[:3]
    return not wrong, found, ("; ".join(wrong) + "\n" + done.stdout[-3000:]) if wrong else ""


def includes_of(path):
    """Returns the includes of others' headers in a file and its header, and whether any of those is a user's."""
    lines = re.findall(r"^#include .*$", path.read_text() + path.with_suffix(".h").read_text(), re.M)
    own = f'#include "{path.stem}.h"'
    return [line for line in lines if "<" in line], any("<" not in line and line != own for line in lines)


def compile_group(nvcc, root, paths):
    """Returns the resources of the files in which nvcc finds no fault, compiled together; all files have one target."""
    includes = sorted({line for path in paths for line in includes_of(path)[0]})
    parts = [f"namespace gate_{i}_ {{\n#include \"{path.resolve()}\"\n}}\n" for i, path in enumerate(paths)]
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "group.cu"
        whole.write_text("\n".join(includes + parts))
        done = subprocess.run([*compile_flags(nvcc, root, target_of(paths[0].read_text())), "-c", str(whole), "-o",
                               f"{folder}/out.o"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode or "warning" in done.stdout.lower() or re.search(r"\(C75\d+\)", done.stdout):
        return {}
    said = {}
    for block in done.stdout.split("Compiling entry function '")[1:]:
        name = block.partition("'")[0]
        for i, path in enumerate(paths):
            if f"gate_{i}_" in name:
                said[path] = said.get(path, "") + block
    found = {path: resources(text) for path, text in said.items()}
    return {path: each for path, each in found.items() if not faults(each, printed_bytes(path.read_text()))}


def runtime_hash(root):
    digest = hashlib.sha256()
    for path in [*sorted((root / "runtime/pallasgen").rglob("*")), *sorted((root / "specs").rglob("*.cuh"))]:
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()


def recorded(path, found):
    """Returns the entry of a file in bench/resources.json."""
    bytes_stated = re.search(r"= ([\d,]+) of [\d,]+ bytes", path.read_text())
    return {"registers": found["registers"], "barriers": found["barriers"],
            "shared_bytes": int(bytes_stated.group(1).replace(",", "")) if bytes_stated else 0}


def groups_of(files):
    """Groups files of one target that include only the runtime and the toolkit, GROUP at a time."""
    by_target = {}
    for path in files:
        if not includes_of(path)[1]:
            by_target.setdefault(target_of(path.read_text()), []).append(path)
    return [paths[i:i + GROUP] for paths in by_target.values() for i in range(0, len(paths), GROUP)]


def check_generated(root, build, tally, update=False):
    nvcc = find_nvcc()
    files = sorted((root / "generated").rglob("*.cu"))
    if not nvcc:
        for path in files:
            tally.skip(f"nvcc {path.relative_to(root)}", "no nvcc on this machine")
        return
    table_path = root / "bench/resources.json"
    table = json.loads(table_path.read_text()) if table_path.exists() else {}
    cache = Path(build) / "nvcc-gate"
    cache.mkdir(parents=True, exist_ok=True)
    runtime = runtime_hash(root)

    def stored(path):
        key = hashlib.sha256((runtime + path.read_text() + path.with_suffix(".h").read_text()).encode()).hexdigest()
        return cache / f"{key}.json"

    def keep(path, found):
        stored(path).write_text(json.dumps({"ok": True, "found": found, "detail": ""}))

    def group(paths):
        for path, found in compile_group(nvcc, root, paths).items():
            if table.get(name_of(path)) == recorded(path, found):
                keep(path, found)

    def gate(path):
        if stored(path).exists():
            return json.loads(stored(path).read_text())
        ok, found, detail = compile_one(nvcc, root, path)
        if ok:
            keep(path, found)
        return {"ok": ok, "found": found, "detail": detail}

    def name_of(path):
        return str(path.relative_to(root / "generated"))

    fresh = {}
    with ThreadPoolExecutor(2) as pool:
        changed = [path for path in files if not stored(path).exists()]
        if not update:
            list(pool.map(group, groups_of(changed)))
        for path, result in zip(files, pool.map(gate, files)):
            name = name_of(path)
            tally.case(f"nvcc {name}", result["ok"], result["detail"])
            fresh[name] = recorded(path, result["found"])
            if not update:
                tally.case(f"resources {name}", table.get(name) == fresh[name],
                           f"bench/resources.json has {table.get(name)}, nvcc says {fresh[name]}; after review: "
                           "scripts/nvcc_gate.py --update")
    if update:
        table_path.write_text(json.dumps(fresh, indent=2, sort_keys=True) + "\n")


class PrintingTally:
    failed = 0

    def case(self, name, ok, detail=""):
        print(f"{'ok    ' if ok else 'FAILED'} {name} {'' if ok else detail}")
        self.failed += not ok

    def skip(self, name, reason):
        print(f"skipped {name}: {reason}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--build", type=Path, default=Path("build"))
    options = parser.parse_args()
    printing = PrintingTally()
    check_generated(Path(__file__).resolve().parent.parent, options.build, printing, options.update)
    sys.exit(1 if printing.failed else 0)
