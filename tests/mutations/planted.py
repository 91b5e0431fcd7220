#!/usr/bin/env python3
"""Faults that library kernels never had, planted by name (planted/*.edit, in the form of tests/cli/edits.py): each is
what one of the checks around a kernel's tests is for, such as a second launch on one workspace, devices of 1 and of
1,000 SMs, NaN around an array's elements, the coordinates of a report. `found MODE SETTINGS: VERDICT` is the first of
RUNS that finds the fault, and how; earlier runs must not find it.

  tests/mutations/planted.py --build DIR [--only TEXT] [--jobs N]

Ends with `N passed, N failed, 0 skipped`.
"""
import argparse
import concurrent.futures
import os
import sys
from pathlib import Path

from editor import Mutant
from judge import HERE, ROOT, RUNS, Kernel, Machine

sys.path.insert(0, str(ROOT / "tests/cli"))
from edits import Edit  # noqa: E402

PLANTED_RUNS = (("plain", "policy=late"), ("plain", "policy=late,sms=1"), ("plain", "policy=late,sms=1000"), *RUNS[1:])


def wrong(edit, kernels):
    """Returns the difference from the edit's claim; empty if there is none."""
    wanted, _, how = edit.found.rpartition(": ")
    runs = tuple(run for run in PLANTED_RUNS[:1 + PLANTED_RUNS.index(tuple(wanted.split(" ", 1)))])
    judge = kernels[edit.kernel]
    # The kind is no mutant's, so that the digits of constants are not compared: runs alone must find the fault.
    where, said, _ = judge.judge(Mutant("", "", "", 1, edit.apply()), runs=runs)
    return "" if (where, said) == (wanted, how) else f"wanted {edit.found}, got {where or 'nothing'}: {said}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--only", default="", help="text of the fault's name")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    edits = [Edit(path) for path in sorted((HERE / "planted").glob("*.edit")) if options.only in path.stem]
    machine = Machine(options.build.resolve())
    for mode in sorted({edit.found.split()[0] for edit in edits} | {"plain"}):
        machine.headers_of(mode)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        names = sorted({edit.kernel for edit in edits})
        kernels = dict(zip(names, pool.map(lambda name: Kernel(machine, ROOT / "generated" / name), names)))
        failures = {edit.name: said for edit, said in zip(edits, pool.map(lambda edit: wrong(edit, kernels), edits)) if said}
    for name, said in failures.items():
        print(f"FAILED {name}: {said}")
    print(f"{len(edits) - len(failures)} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures or not edits else 0


if __name__ == "__main__":
    sys.exit(main())
