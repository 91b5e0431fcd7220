#!/usr/bin/env python3
"""Renames every name of library specs to words that generated code or its headers use, and compiles.

The words are keywords, every identifier of the runtime's headers and of the templates, the names and macros of the
toolkit's headers, and every identifier in the spec's own generated file. All names of a spec are renamed at once, each
to another word; the result must be generated within a second and compile for the emulator. Some are run too.

  tests/names/rename.py --build DIR [--all] [--run N] [SPEC…]
"""
import argparse
import json
import os
import random
import re
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import make_reserved_words  # noqa: E402
import words  # noqa: E402

SPECS = ["basics/print_sums", "checks/shared_top", "elementwise/rotate", "indexing/first_come", "indexing/histogram",
         "indexing/gather_grid", "matmul/matmul_gelu", "matmul/matmul_loop", "matmul/pair_products", "operands/group_sums",
         "pipeline/add_two_rings", "pipeline/running_sums", "pipeline/weighted_row_sums", "reductions/cumsum_long",
         "reductions/sum_by_ticket", "rows/greedy_tokens", "rows/layer_norm"]
DOC = "first line\nint second = 1;\n\n  \x01 // C:\\\n#error third\n*/ /* ??/\r\nends in \\"
TABLES = ("dims", "consts", "let", "inputs", "outputs", "scratch", "workspace", "scalars")
SECONDS = 1.0  # limit of a process that generates one spec


def run(command, **options):
    return subprocess.run([str(c) for c in command], text=True, errors="replace", capture_output=True, timeout=120, **options)


def names_of(spec):
    """Returns the names that a spec declares, in order."""
    names = [name for table in TABLES for name in spec.get(table, {})]
    names += [axis["axis"] for axis in spec.get("grid", [])]
    for signature in spec.get("functions", {}):
        names += re.findall(r"\w+", signature)

    def walk(node):
        if isinstance(node, list):
            for entry in node:
                walk(entry)
        elif isinstance(node, dict):
            if node.get("op") == "assign":
                names.extend(node["names"])
            if "for" in node:
                names.append(node["for"])
            if "scope" in node:
                names.extend(node["scope"])
            for entry in node.values():
                walk(entry)

    walk(spec.get("body", []))
    return list(dict.fromkeys(names))


def alone(spec):
    """Returns the spec without its tests, and without the kernels of its gradient, which keep their names."""
    return {**{key: value for key, value in spec.items() if key != "vjp"}, "tests": []}


def renamed(node, table, key=None):
    """Returns the spec as JSON with its names replaced by those of the table."""
    def of(name):
        return table.get(name, name)

    if isinstance(node, list):
        return [renamed(entry, table, key) for entry in node]
    if not isinstance(node, dict):
        return node
    if node.get("op") == "name":
        return {**node, "name": of(node["name"])}
    if node.get("op") == "assign":
        return {**node, "names": [of(name) for name in node["names"]], "value": renamed(node["value"], table)}
    if "op" in node:
        return {name: renamed(value, table) for name, value in node.items()}
    if key in (*TABLES, "scope", "reference", "cluster"):
        return {of(name): renamed(value, table) for name, value in node.items()}
    if key == "aliases":
        return {of(name): of(value) for name, value in node.items()}
    if key == "functions":
        return {re.sub(r"\w+", lambda word: of(word.group()), name): renamed(value, table) for name, value in node.items()}
    out = {name: renamed(value, table, name) for name, value in node.items()}
    for name in ("axis", "for"):
        if isinstance(node.get(name), str):
            out[name] = of(node[name])
    return out


class Renamer:
    def __init__(self, tool, work):
        self.tool, self.work = tool, work
        self.passed, self.failed, self.slowest = 0, 0, 0.0
        work.mkdir(parents=True, exist_ok=True)
        toolkit = make_reserved_words.TOOLKIT / "include"
        self.compile = ["clang++-19", "-std=c++20", "-w", "-x", "c++", f"-I{ROOT}/runtime/emulator/include", f"-I{ROOT}/runtime",
                        "-isystem", str(toolkit)]
        if not (work / "all.h").exists() or (work / "all.h").read_text() != make_reserved_words.includes():
            (work / "all.h").write_text(make_reserved_words.includes())
        made = run([*self.compile, "-Xclang", "-emit-pch", "-x", "c++-header", work / "all.h", "-o", work / "all.pch"])
        if made.returncode:
            sys.exit(made.stderr)

    def spec(self, path):
        lowered = run([self.tool, "lower", path, "--to", "ops"])
        if lowered.returncode:
            sys.exit(lowered.stderr)
        return json.loads(lowered.stdout)

    def case(self, name, ok, detail=""):
        self.passed += bool(ok)
        self.failed += not ok
        if not ok:
            print(f"FAILED {name}\n{detail}".rstrip(), flush=True)

    def generate(self, folder, stem, spec):
        """Writes and generates one spec; returns whether that succeeded within the time limit."""
        (folder / f"{stem}.json").write_text(json.dumps(spec))
        command = [self.tool, "generate", folder / f"{stem}.json", "--out", folder / f"out_{stem}"]
        limit = 20 * int(SECONDS)
        with subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))) as process:
            said = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.slowest = max(self.slowest, usage.ru_utime)
        if process.returncode or usage.ru_utime > SECONDS:
            self.case(f"generate {folder}/{stem}.json", False, f"{usage.ru_utime:.2f} s\n{said[-3000:]}")
            return False
        return True

    def try_names(self, name, stem, spec, table):
        folder = self.work / name.replace("/", "_")
        folder.mkdir(exist_ok=True)
        new = renamed(alone(spec), table)
        if not self.generate(folder, stem, new):
            return
        out = folder / f"out_{stem}"
        done = run([*self.compile, "-fsyntax-only", "-include-pch", self.work / "all.pch", f"-I{out}", out / f"{stem}.cu"])
        told = {old: new for old, new in table.items() if new in done.stderr}
        self.case(f"compile {out}/{stem}.cu", done.returncode == 0, f"{told}\n{done.stderr[:3000]}")

    def documented(self, spec, name):
        """Checks comments with texts of several lines, control characters and backslashes at ends of lines."""
        new = json.loads(json.dumps({**spec, "doc": DOC}))
        for table in ("dims", "inputs", "outputs", "scratch", "workspace"):
            for key, entry in new.get(table, {}).items():
                new[table][key] = {**(entry or {}), "doc": DOC}
        if not name.startswith("matmul/"):  # their bodies have one form
            new["body"] = [{"print": "one\ntwo \\"}, *new["body"]]
        self.try_names(name, "documented", {**new, "kernel": "documented"}, {})

    def tables(self, spec, others, count, seed):
        """Returns tables from the names of the spec to others, in turn; `count` of them, or enough to use all words."""
        names = names_of(spec)
        others = list(others)
        random.Random(seed).shuffle(others)
        others += others[:-len(others) % len(names)]
        tables = [dict(zip(names, others[at:at + len(names)])) for at in range(0, len(others), len(names))]
        return tables if count is None else tables[:count]

    def run_some(self, spec, name, table):
        """Runs the tests of the spec that need no files, with other names."""
        tests = [test for test in spec.get("tests", []) if "inputs" not in test][:1]
        if not tests:
            return
        folder = self.work / f"run_{name.replace('/', '_')}"
        folder.mkdir(exist_ok=True)
        new = renamed(alone(spec), table)
        new["tests"] = [{key: {table.get(n, n): v for n, v in value.items()} if key in ("dims", "scalars") else value
                         for key, value in test.items()} for test in tests]
        (folder / "spec.json").write_text(json.dumps(new))
        done = run([self.tool, "test", folder / "spec.json", "--work-dir", self.work / "chain", "--policies", "late"])
        self.case(f"run {folder}/spec.json", done.returncode == 0, f"{table}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--all", action="store_true", help="every word in every spec; else a sample")
    parser.add_argument("--run", type=int, default=2, help="how many specs are run too")
    parser.add_argument("specs", nargs="*", default=SPECS)
    options = parser.parse_args()
    renamer = Renamer((options.build / "pallasgen").resolve(), (options.build / "names").resolve())
    everyone = words.free(renamer.tool, renamer.work, words.of_everyone())
    for number, name in enumerate(options.specs):
        spec = renamer.spec(ROOT / f"specs/{name}.yaml")
        of_file = words.of_file(ROOT / f"generated/{name}.cu") - {spec["kernel"]}
        own = words.free(renamer.tool, renamer.work, of_file)
        tables = renamer.tables(spec, own, None if options.all else 2, number)
        tables += renamer.tables(spec, everyone, None if options.all else 2, number)
        jobs = [(name, f"t{i}", {**spec, "kernel": f"kernel_{i}"}, table) for i, table in enumerate(tables)]
        with ThreadPoolExecutor(os.cpu_count() if options.all else 1) as pool:
            list(pool.map(lambda job: renamer.try_names(*job), jobs))
        renamer.documented(spec, name)
        if number < options.run:
            renamer.run_some({**spec, "kernel": "renamed"}, name, tables[0])
    print(f"the slowest to generate took {renamer.slowest:.2f} s of CPU time")
    print(f"{renamer.passed} passed, {renamer.failed} failed")
    return 1 if renamer.failed else 0


if __name__ == "__main__":
    sys.exit(main())
