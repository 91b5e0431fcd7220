#!/usr/bin/env python3
"""Runs the oracle's cases that the planner takes as generated source in the emulator, on the oracle's own inputs: a copy of
each spec gets the case as its test, so that emulator = interpreter; the interpreter itself is held to the oracle's
outputs by oracle_cases.

  tests/oracle/emulated_cases.py TOOL WORK_DIR [MODES]

A case that is not planned must be in not_generated.txt with nothing else there. Cases in unspecified.txt have outputs
made of elements past the end without fill, which the language leaves open and each evaluation fills as it likes: they
are generated and run, and must differ in nothing but that. Ends with `N passed, N failed`.
"""
import json
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent


def run(tool, *arguments):
    return subprocess.run([tool, *map(str, arguments)], text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=300)


def test_entry(case):
    inputs = {name: file["file"] if isinstance(file, dict) else file for name, file in case.get("inputs", {}).items()}
    scalars = dict(case.get("scalars", {}))
    # Arrays of scalars come from files, as inputs do.
    inputs |= {name: scalars.pop(name) for name in list(scalars) if str(scalars[name]).endswith(".npy")}
    entry = {"dims": case.get("dims", {}), "scalars": scalars, "inputs": inputs}
    return {key: value for key, value in entry.items() if value} or {"seed": 0}


def emulate(tool, folder, work, modes):
    """'not generated', '' when all agrees, or what went wrong."""
    if run(tool, "explain", folder / "spec.yaml").returncode != 0:
        return "not generated"
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / folder.name
        shutil.copytree(folder, copy)
        spec = (copy / "spec.yaml").read_text()
        case = json.loads((copy / "case.json").read_text())
        (copy / "spec.yaml").write_text(f"{spec}\ntests: [{json.dumps(test_entry(case))}]\n")
        done = run(tool, "test", copy / "spec.yaml", "--policies", "late", "--modes", modes, "--work-dir", work)
    return "" if done.returncode == 0 else done.stdout[-1500:]


def differs_where_open(text):
    """The run compared two outputs, and only what the interpreter marks as unspecified (NaN, the lowest integer) is wrong."""
    wrong = [line for line in text.splitlines() if "the interpreter gives" in line]
    return bool(wrong) and all(line.endswith(("the interpreter gives nan", "the interpreter gives -2147483648"))
                               for line in wrong)


def main():
    tool, work = sys.argv[1], sys.argv[2]
    modes = sys.argv[3] if len(sys.argv) > 3 else "plain"
    unspecified = set((HERE / "unspecified.txt").read_text().split())
    waived = set((HERE / "not_generated.txt").read_text().split())
    folders = sorted(p for p in (HERE / "cases").iterdir() if p.is_dir())
    passed = failed = 0
    with ThreadPoolExecutor(2) as pool:
        for folder, wrong in zip(folders, pool.map(lambda f: emulate(tool, f, work, modes), folders)):
            if wrong == "not generated":
                wrong = "" if folder.name in waived else "the planner refuses it, and it is not in not_generated.txt"
                passed -= folder.name in waived
            elif folder.name in unspecified:
                wrong = "" if differs_where_open(wrong) else wrong or "nothing of it is unspecified"
            elif not wrong and folder.name in waived:
                wrong = "it is generated now: take it out of not_generated.txt"
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"FAILED {folder.name}\n{wrong}", flush=True)
    print(f"{passed} passed, {failed} failed, {len(waived)} not generated yet")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
