#!/usr/bin/env python3
"""Mutation test of the emulator: every generated library kernel, and every header of the runtime, is changed in one
place at a time (mutants.py), built for the CPU, and run on the tests of the kernel's spec, or of the specs of kernels
that use the changed part of the header, in several modes and policies (judge.py), until one of them finds the change. A
mutant of a header that no kernel finds goes to the unit tests of the runtime (units.py).

  tests/mutations/run.py --build DIR [--sample N] [--only TEXT]... [--kind KIND[,KIND]] [--files kernels|headers]
                         [--counts-one-in N] [--jobs N] [--verbose]

A mutant is found if the launcher refuses it, the emulator or a sanitizer reports it, it does not end, the numbers are
wrong, nvcc's gate refuses it, or a unit test fails. Mutants that do not compile, or that neither a kernel of the
library nor a unit test uses, are counted apart. One that is not found must be in survivors/*.txt with the reason why it
is as right as the original, or with the attempts to find it; one that is listed and found is a failure too.
`--sample N` runs N mutants, always the same. `--counts-one-in N` leaves out all mutants of the kind `count` except one
in N, chosen by the hash of each, so that a new mutant does not affect the others. Without options all mutants are
judged. Results are kept in DIR/mutations under the hash of all inputs. Prints a row for each kernel and header and ends
with `N passed, N failed, 0 skipped`.
"""
import argparse
import concurrent.futures
import fnmatch
import hashlib
import os
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import headers
import units
from editor import Mutant
from judge import DOES_NOT_COMPILE, FLAGS, HERE, ROOT, Kernel, Machine
from mutants import mutants_of

ASSERTED = "static assertion"  # one judge compiles it, another does not
NOT_USED = "nothing uses it"
APART = (DOES_NOT_COMPILE, NOT_USED)  # neither found nor a survivor


def table():
    """Returns (line, pattern of kernels, pattern of mutants) of survivors/*.txt. Only `*` is special among kernels,
    only `...` among mutants."""
    entries = []
    lines = [line for path in sorted((HERE / "survivors").glob("*.txt")) for line in path.read_text().splitlines()]
    for line in lines:
        if line.startswith("  "):
            kernels, mutant = line.strip().split(" | ", 1)
            pattern = ".*".join(re.escape(part) for part in mutant.split("..."))
            entries.append((line.strip(), kernels, re.compile(pattern)))
    return entries


def listed_in(entries, entry):
    """Returns the lines of the table that name this mutant."""
    return [line for line, files, pattern in entries
            if fnmatch.fnmatchcase(entry.name, files) and pattern.fullmatch(entry.mutant.name)]


def rows(chosen, verdicts):
    """Prints a row for each kernel or header: mutants, found, survivors, not compiled or not used, seconds."""
    files = {}
    for entry, (_, how, seconds) in zip(chosen, verdicts):
        row = files.setdefault(entry.name, [0, 0, 0, 0])
        row[0 if how and how not in APART else 1 if not how else 2] += 1
        row[3] += seconds
    print(f"{'file':40} {'mutants':>8} {'found':>6} {'survive':>8} {'apart':>6} {'seconds':>8}")
    for name, (found, survive, apart, seconds) in files.items():
        print(f"{name:40} {found + survive + apart:8} {found:6} {survive:8} {apart:6} {seconds:8.1f}")


@dataclass(frozen=True)
class Entry:
    name: str       # the kernel's, below generated/, or the header's, from the root on
    mutant: Mutant
    header: str     # empty for a kernel
    judges: tuple   # names of kernels, and of files of unit tests

    @property
    def text(self):
        return f"{self.name} | {self.mutant.name}"


def entries_of(paths, tests):
    """Returns the mutants of all kernels, and of all headers with the kernels and the unit tests that judge them."""
    texts = {name: path.read_text() for name, path in paths.items()}
    found = [Entry(name, mutant, "", (name,)) for name, text in texts.items() for mutant in mutants_of(text)]
    files = {path: path.read_text() for path in headers.headers_of(ROOT)}
    uses = [headers.Uses(list(files.values()), users) for users in (texts, tests)]
    for path, text in files.items():
        found += [Entry(f"runtime/pallasgen/{path.name}", mutant, path.name,
                        tuple(name for of in uses for name in of.judges(text, mutant.place, path.name)))
                  for mutant in mutants_of(text)]
    return found


def judged(judges, entry):
    """Returns the verdict of the first judge that finds the mutant."""
    seconds, verdict = 0, ["", "" if entry.judges else NOT_USED]
    for name in entry.judges:
        *verdict, took = judges[name].judge(entry.mutant, entry.header)
        seconds += took
        if verdict[1] == DOES_NOT_COMPILE and name != entry.judges[0]:
            verdict = [f"compiler {name}", ASSERTED]
        if verdict[1]:
            break
    return [*verdict, seconds]


def sampled(chosen, count):
    """Returns `count` of them, one of each kind in turn, so that a small sample has all kinds."""
    kinds = {}
    for entry in sorted(chosen, key=lambda e: e.mutant.order):
        kinds.setdefault(entry.mutant.kind, []).append(entry)
    rounds = [entry for i in range(len(chosen)) for kind in sorted(kinds) for entry in kinds[kind][i:i + 1]]
    return rounds[:count]


def thinned(chosen, step):
    """Returns all except those of the kind `count`, of which one in `step` stays. Whether a mutant stays depends only
    on its own name."""
    return [entry for entry in chosen if entry.mutant.kind != "count" or
            int(hashlib.sha256(entry.text.encode()).hexdigest(), 16) % step == 0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--only", action="append", default=[], help="text of KERNEL | LINE | CHANGE")
    parser.add_argument("--kind", default="", help="kinds of mutants, with commas")
    parser.add_argument("--files", choices=["kernels", "headers"], help="mutants of these alone")
    parser.add_argument("--counts-one-in", type=int, default=1, metavar="N", help="one in N of the mutants of counts")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()

    machine = Machine(options.build.resolve())
    paths = {str(path.relative_to(ROOT / "generated").with_suffix("")): path
             for path in sorted((ROOT / "generated").rglob("*.cu"))}
    kinds = options.kind.split(",") if options.kind else []
    tests = units.texts()
    made = entries_of(paths, tests)
    chosen = [entry for entry in thinned(made, options.counts_one_in) if any(text in entry.text for text in options.only or [""])
              and (not kinds or entry.mutant.kind in kinds)
              and options.files in (None, "headers" if entry.header else "kernels")]
    if options.sample:
        chosen = sampled(chosen, options.sample)
    names = sorted({name for entry in chosen for name in entry.judges})
    for mode in FLAGS:
        machine.headers_of(mode)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        judges = dict(zip(names, pool.map(lambda name: Kernel(machine, paths[name]) if name in paths else
                                          units.Unit(machine, name, tests[name]), names)))

    originals = [(judge, Mutant("", "", "", 1, judge.text)) for judge in judges.values()]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (judge, _), verdict in zip(originals, pool.map(lambda entry: entry[0].judge(entry[1]), originals)):
            if verdict[1]:
                sys.exit(f"{judge.name}, unchanged, is found too: {' '.join(verdict[:2])}")

    entries = table()
    wrong, found_by, verdicts = [], Counter(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for i, (entry, verdict) in enumerate(zip(chosen, pool.map(lambda entry: judged(judges, entry), chosen))):
            where, how, _ = verdict
            verdicts.append(verdict)
            listed = listed_in(entries, entry)
            found_by[how or "survives"] += 1
            if how not in APART:
                found_by[f"by {where.split()[0]}" if where else "by none"] += 1
            if options.verbose:
                print(f"{entry.mutant.kind:9} {where or '-':26} {how or ('survives' if listed else 'SURVIVES'):16} {entry.text}", flush=True)
            elif sys.stderr.isatty():
                print(f"\r{i + 1} of {len(chosen)}", end="", file=sys.stderr)
            if how and listed:
                wrong.append(f"is found ({where}: {how}), and in tests/mutations/survivors: {entry.text}")
            elif not how and not listed:
                wrong.append(f"survives, and is not in tests/mutations/survivors: {entry.text}")
    whole = not (options.sample or options.only or options.kind or options.files)
    if whole:
        seen = {line for entry in made for line in listed_in(entries, entry)}
        wrong += [f"is in tests/mutations/survivors, and no mutant is called so: {line}"
                  for line, _, _ in entries if line not in seen]
    rows(chosen, verdicts)
    for line in wrong:
        print(line)
    survivors, apart = found_by["survives"], sum(found_by[how] for how in APART)
    share = 100 * (1 - survivors / max(1, len(chosen) - apart))
    print(f"{len(chosen)} mutants, of which {found_by[DOES_NOT_COMPILE]} do not compile and {found_by[NOT_USED]} are not "
          f"used; of the others {survivors} survive: {share:.1f} % found "
          f"({', '.join(f'{how} {count}' for how, count in sorted(found_by.items()))})")
    if whole and share < 95:
        wrong.append("less than 95 % found")
        print(wrong[-1])
    print(f"{len(chosen) - len(wrong)} passed, {len(wrong)} failed, 0 skipped")
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
