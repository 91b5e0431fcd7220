#!/usr/bin/env python3
"""Mutation test of the emulator: every generated library kernel is changed in one place after the other (mutants.py),
built for the CPU, and run on the tests of its spec in several modes and policies (judge.py), until one of them finds
the change.

  tests/mutations/run.py --build DIR [--sample N] [--only TEXT]... [--kind KIND] [--jobs N] [--verbose]

Found is: it does not compile, the launcher refuses it, the emulator or a sanitizer reports it, it does not end, or the
numbers are wrong. A mutant that is not found must be in survivors.txt with the reason why it is as right as the
original; one that is there and is found is a failure too. `--sample N` runs N mutants, always the same. Results are
kept in DIR/mutations under the hash of all that goes into them. Prints a row for each kernel and ends with
`N passed, N failed, 0 skipped`.
"""
import argparse
import concurrent.futures
import fnmatch
import os
import re
import sys
from collections import Counter
from pathlib import Path

import mutants
from judge import FLAGS, HERE, ROOT, Kernel, Machine


def table():
    """(pattern of kernels, pattern of mutants) of survivors.txt. Only `*` is special among kernels, only `...` among
    mutants."""
    entries = []
    for line in (HERE / "survivors.txt").read_text().splitlines():
        if line.startswith("  "):
            kernels, mutant = line.strip().split(" | ", 1)
            pattern = ".*".join(re.escape(part) for part in mutant.split("..."))
            entries.append((line.strip(), kernels, re.compile(pattern)))
    return entries


def rows(chosen, verdicts):
    """A row for each kernel: mutants, found, survivors, seconds."""
    kernels = {}
    for (name, _, _), (_, how, seconds) in zip(chosen, verdicts):
        row = kernels.setdefault(name, [0, 0, 0])
        row[0] += 1
        row[1] += bool(how)
        row[2] += seconds
    print(f"{'kernel':40} {'mutants':>8} {'found':>6} {'survive':>8} {'seconds':>8}")
    for name, (count, found, seconds) in kernels.items():
        print(f"{name:40} {count:8} {found:6} {count - found:8} {seconds:8.1f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--only", action="append", default=[], help="text of KERNEL | LINE | CHANGE")
    parser.add_argument("--kind", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()

    machine = Machine(options.build.resolve())
    chosen = []
    for path in sorted((ROOT / "generated").rglob("*.cu")):
        name = str(path.relative_to(ROOT / "generated").with_suffix(""))
        chosen += [(name, path, m) for m in mutants.mutants_of(path.read_text())
                   if any(text in f"{name} | {m.name}" for text in options.only or [""]) and options.kind in m.kind]
    if options.sample:
        # One kind after the other, so that a small sample has all of them.
        order = {}
        for entry in sorted(chosen, key=lambda e: e[2].order):
            order.setdefault(entry[2].kind, []).append(entry)
        rounds = [entry for i in range(len(chosen)) for kind in sorted(order) for entry in order[kind][i:i + 1]]
        chosen = rounds[:options.sample]
    paths = {name: path for name, path, _ in chosen}
    for mode in FLAGS:
        machine.headers_of(mode)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        kernels = dict(zip(paths, pool.map(lambda name: Kernel(machine, paths[name]), paths)))

    originals = [(kernel, mutants.Mutant("", "", "", 1, kernel.text)) for kernel in kernels.values()]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (kernel, _), verdict in zip(originals, pool.map(lambda entry: entry[0].judge(entry[1]), originals)):
            if verdict[1]:
                sys.exit(f"{kernel.name}, unchanged, is found too: {' '.join(verdict[:2])}")

    entries = table()
    seen, wrong, found_by, verdicts = set(), [], Counter(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        judged = pool.map(lambda entry: kernels[entry[0]].judge(entry[2]), chosen)
        for i, ((name, _, mutant), verdict) in enumerate(zip(chosen, judged)):
            where, how, _ = verdict
            verdicts.append(verdict)
            text = f"{name} | {mutant.name}"
            listed = [line for line, names, pattern in entries
                      if fnmatch.fnmatchcase(name, names) and pattern.fullmatch(mutant.name)]
            found_by[how or "survives"] += 1
            found_by[f"by {where.split()[0]}" if where else "by none"] += 1
            if options.verbose:
                print(f"{mutant.kind:7} {where or '-':26} {how or 'SURVIVES':16} {text}", flush=True)
            elif sys.stderr.isatty():
                print(f"\r{i + 1} of {len(chosen)}", end="", file=sys.stderr)
            seen.update(listed)
            if how and listed:
                wrong.append(f"is found ({where}: {how}), and in tests/mutations/survivors.txt: {text}")
            elif not how and not listed:
                wrong.append(f"survives, and is not in tests/mutations/survivors.txt: {text}")
    whole = not (options.sample or options.only or options.kind)
    if whole:
        wrong += [f"is in tests/mutations/survivors.txt, and no mutant is called so: {line}"
                  for line, _, _ in entries if line not in seen]
    rows(chosen, verdicts)
    for line in wrong:
        print(line)
    survivors = found_by["survives"]
    share = 100 * (1 - survivors / max(1, len(chosen)))
    print(f"{len(chosen)} mutants, {survivors} survive: {share:.1f} % found "
          f"({', '.join(f'{how} {count}' for how, count in sorted(found_by.items()))})")
    if whole and share < 95:
        wrong.append("less than 95 % found")
        print(wrong[-1])
    print(f"{len(chosen) - len(wrong)} passed, {len(wrong)} failed, 0 skipped")
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
