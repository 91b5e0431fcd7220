#!/usr/bin/env python3
"""Makes the oracle cases from NumPy and JAX; see README.md in this folder.

usage: make_cases.py [--check] [--only NAME] [--list]
"""

import argparse
import pathlib
import sys

import arithmetic
import attention
import calculus
import casts
import control
import conversions
import documents
import dots
import dtypes
import edges
import functions
import grids
import in_place
import indexing
import matrix_forms
import memory
import oracle_case
import pipelines
import quantized
import randoms
import ranks
import reductions
import reported

MODULES = [documents, grids, edges, casts, conversions, arithmetic, functions, reductions, dots, dtypes, indexing, ranks,
           control, pipelines, matrix_forms, attention, memory, in_place, randoms, calculus, quantized, reported]
ROOT = pathlib.Path(__file__).resolve().parent / "cases"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with what is committed, write nothing; exit 3")
    parser.add_argument("--only", metavar="NAME", help="this case alone")
    parser.add_argument("--list", action="store_true", help="names and subjects")
    options = parser.parse_args()

    cases = [case for module in MODULES for case in module.cases()]
    names = [case.name for case in cases]
    assert len(names) == len(set(names)), "two cases share a name"
    if options.only:
        cases = [case for case in cases if case.name == options.only]
        if not cases:
            sys.exit(f"no case is called {options.only}")
    if options.list:
        for case in cases:
            print(f"{case.name:36} {case.about}")
        return 0
    if options.check:
        changed = [path for case in cases for path in oracle_case.differences(case, ROOT)]
        if not options.only:
            changed += sorted(p.name for p in ROOT.iterdir() if p.name not in names)
        for path in changed:
            print(f"differs: {path}")
        print(f"{len(cases)} cases, {len(changed)} files differ")
        return 3 if changed else 0
    for case in cases:
        oracle_case.write(case, ROOT)
    print(f"{len(cases)} cases written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
