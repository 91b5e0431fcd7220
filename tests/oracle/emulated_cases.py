#!/usr/bin/env python3
"""Runs the oracle's cases that the planner takes as generated source in the emulator, on the oracle's own inputs: a
copy of each spec gets the case as its test, so that emulator = interpreter; oracle_cases compares the interpreter
itself with the oracle's outputs.

  tests/oracle/emulated_cases.py TOOL WORK_DIR [MODES [STEP]]

STEP: only each STEP-th case.

Exactly the cases that are not planned must be in not_generated.txt. Cases in unspecified.txt have outputs made of
elements past the end without fill, which the language leaves open and each evaluation fills as it likes: they are
generated and run, and may differ only in those. Ends with `N passed, N failed`.
"""
import json
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent


BATCH = 40  # cases per program


def run(tool, *arguments):
    return subprocess.run([tool, *map(str, arguments)], text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=900)


def test_entry(case):
    inputs = {name: file["file"] if isinstance(file, dict) else file for name, file in case.get("inputs", {}).items()}
    scalars = dict(case.get("scalars", {}))
    # Arrays of scalars come from files, as inputs do.
    inputs |= {name: scalars.pop(name) for name in list(scalars) if str(scalars[name]).endswith(".npy")}
    entry = {"dims": case.get("dims", {}), "scalars": scalars, "inputs": inputs}
    return {key: value for key, value in entry.items() if value} or {"seed": 0}


def emulate(tool, folders, work, modes):
    """Returns the output of a run of the cases, in one program."""
    with tempfile.TemporaryDirectory() as scratch:
        specs = []
        for folder in folders:
            copy = Path(scratch) / folder.name
            shutil.copytree(folder, copy)
            case = json.loads((copy / "case.json").read_text())
            specs.append((copy / "spec.yaml").rename(copy / f"{folder.name}.yaml"))  # each is a source of its own
            specs[-1].write_text(f"{specs[-1].read_text()}\ntests: [{json.dumps(test_entry(case))}]\n")
        return run(tool, "test", *specs, "--batch", "--policies", "late", "--modes", modes, "--work-dir", work).stdout


def rows_of(text, name):
    """Returns the rows of a case's table in a run's output."""
    lines = text.splitlines()
    heads = [i for i, line in enumerate(lines) if line.endswith(f"{name}/{name}.yaml")]
    rows = []
    for line in lines[heads[-1] + 1:] if heads else []:
        if line.endswith(".yaml"):
            break
        rows.append(line)
    return rows


def judge(tool, folders, work, modes):
    """Returns for each case 'not generated', '' if all agrees, or what went wrong."""
    outcomes = {f.name: "" if run(tool, "explain", f / "spec.yaml").returncode == 0 else "not generated" for f in folders}
    planned = [f for f in folders if not outcomes[f.name]]
    text = emulate(tool, planned, work, modes) if planned else ""
    for folder in planned:
        rows = rows_of(text, folder.name)
        agrees = [row.startswith("  ok ") for row in rows if row.startswith(("  ok ", "  FAILED "))]
        if len(agrees) < len(modes.split(",")) or not all(agrees):  # alone: another case may have made the program fail
            alone = emulate(tool, [folder], work, modes)
            outcomes[folder.name] = "" if ", 0 failed" in alone else alone[-1500:] or "the tool ended without a word"
    return outcomes


def differs_where_open(text):
    """True if outputs differ only in values that the interpreter leaves unspecified (NaN, the lowest integer)."""
    wrong = [line for line in text.splitlines() if "the interpreter gives" in line]
    return bool(wrong) and all(line.endswith(("the interpreter gives nan", "the interpreter gives -2147483648"))
                               for line in wrong)


def main():
    tool, work = sys.argv[1], sys.argv[2]
    modes = sys.argv[3] if len(sys.argv) > 3 else "plain"
    unspecified = set((HERE / "unspecified.txt").read_text().split())
    waived = set((HERE / "not_generated.txt").read_text().split())
    step = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    folders = sorted(p for p in (HERE / "cases").iterdir() if p.is_dir())[::step]
    batches = [folders[i:i + BATCH] for i in range(0, len(folders), BATCH)]
    passed = failed = 0
    with ThreadPoolExecutor(2) as pool:
        for outcomes in pool.map(lambda batch: judge(tool, batch, work, modes), batches):
            for name, wrong in outcomes.items():
                if wrong == "not generated":
                    wrong = "" if name in waived else "the planner refuses it, and it is not in not_generated.txt"
                    passed -= name in waived
                elif name in unspecified:
                    wrong = "" if differs_where_open(wrong) else wrong or "nothing of it is unspecified"
                elif not wrong and name in waived:
                    wrong = "it is generated now: take it out of not_generated.txt"
                passed, failed = passed + (not wrong), failed + bool(wrong)
                if wrong:
                    print(f"FAILED {name}\n{wrong}", flush=True)
    print(f"{passed} passed, {failed} failed, {len(waived)} not generated yet")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
