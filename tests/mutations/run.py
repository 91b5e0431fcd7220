#!/usr/bin/env python3
"""Mutation test of the emulator: every generated library kernel is changed in one place after the other (mutants.py),
built for the CPU, and run on the tests of its spec in the modes and policies below, until one of them finds the change.

  tests/mutations/run.py --build DIR [--sample N] [--only TEXT] [--kind KIND] [--jobs N] [--verbose]

Found is: it does not compile, the launcher refuses it, the emulator or a sanitizer reports it, it does not end, or the
numbers are wrong. A mutant that is not found must be in survivors.txt with the reason why it is as right as the
original; one that is there and is found is a failure too. `--sample N` runs N mutants, always the same. Results are
kept in DIR/mutations under the hash of all that goes into them. Ends with `N passed, N failed, 0 skipped`.
"""
import argparse
import concurrent.futures
import fnmatch
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import mutants

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RUNS = [("plain", "policy=late"), ("plain", "policy=early"), ("plain", "copies=early,mma=late"),
        ("plain", "policy=random,seed=1"), ("tsan", "policy=late"), ("tsan", "policy=random,seed=1"),
        ("asan", "policy=late")]
SETTINGS = "sms=3,seconds=10,polls=20000"
TIMEOUT = 120
FLAGS = {"plain": ["-O1"], "asan": ["-O1", "-g", "-gdwarf-4", "-fsanitize=address"],
         "tsan": ["-O1", "-g", "-gdwarf-4", "-fsanitize=thread", "-mllvm", "-tsan-instrument-func-entry-exit=0"]}
EXITS = {81: "rule", 82: "deadlock", 83: "not modelled", 84: "no progress", 85: "crash", 87: "address", 88: "race"}
COMMON = "#include <pallasgen/device.cuh>\n#include <pallasgen/launch.h>\n"
# How the bytes of an output become numbers, and the width of an element.
FLOATS = {"float": ("f", 4), "double": ("d", 8), "f16": ("e", 2), "bf16": (None, 2)}


def call(command, seconds=600, **options):
    return subprocess.run([str(c) for c in command], text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=seconds, **options)


def digest(*texts):
    return hashlib.sha256("\0".join(map(str, texts)).encode()).hexdigest()[:24]


def numbers(kind, data):
    if kind == "bf16":
        return [struct.unpack("<f", b"\0\0" + data[i:i + 2])[0] for i in range(0, len(data), 2)]
    return struct.unpack(f"<{len(data) // FLOATS[kind][1]}{FLOATS[kind][0]}", data)


def same(kind, got, want, tolerance):
    """Whether two outputs agree as `pallasgen test` compares them."""
    if got == want:
        return True
    if kind not in FLOATS or len(got) != len(want):
        return False
    return all(a == b or (a != a and b != b) or abs(a - b) <= tolerance * max(1, abs(b))
               for a, b in zip(numbers(kind, got), numbers(kind, want)))


class Machine:
    """The compiler, what it needs, and the hash of both."""

    def __init__(self, build):
        self.build, self.tool = build, build / "pallasgen"
        roots = [os.environ.get(n) for n in ("CUDAToolkit_ROOT", "CUDA_HOME")] + ["/usr/local/cuda"]
        nvcc = shutil.which("nvcc")
        if nvcc:
            roots.insert(0, Path(nvcc).resolve().parent.parent)
        self.cuda = next(Path(r) / "include" for r in roots if r and (Path(r) / "include/cuda_runtime.h").exists())
        self.work = build / "mutations"
        self.work.mkdir(exist_ok=True)
        stamp = hashlib.sha256(Path(__file__).read_bytes())
        headers = [p for p in sorted((ROOT / "runtime").rglob("*")) if p.suffix in (".h", ".cuh")]
        archives = [build / "runtime/emulator/libpallasgen_emulator.a", next(build.rglob("libpallasgen_runner.a"))]
        for path in headers + archives:
            stamp.update(path.read_bytes())
        self.stamp = stamp.hexdigest()
        # A copy, so that nothing changes while the mutants are built.
        self.runtime = self.work / self.stamp[:24]
        if not self.runtime.exists():
            with tempfile.TemporaryDirectory(dir=self.work) as fresh:
                shutil.copytree(ROOT / "runtime", f"{fresh}/runtime", ignore=shutil.ignore_patterns("*.cpp"))
                for path in archives:
                    shutil.copy2(path, f"{fresh}/runtime")
                os.replace(f"{fresh}/runtime", self.runtime)
        self.archives = [self.runtime / path.name for path in reversed(archives)]

    def command(self, mode):
        return ["clang++-19", "-std=c++20", "-w", "-ffp-contract=off", "-ftrivial-auto-var-init=pattern", *FLAGS[mode],
                f"-I{self.runtime}/emulator/include", f"-I{self.runtime}", "-isystem", self.cuda]

    def headers_of(self, mode):
        """The runtime's headers, compiled once."""
        made = self.work / f"{digest(self.stamp, mode)}.pch"
        if not made.exists():
            source = made.with_suffix(".h")
            source.write_text(COMMON)
            done = call([*self.command(mode), "-x", "c++-header", source, "-o", f"{made}.new"])
            if done.returncode:
                sys.exit(done.stdout)
            os.replace(f"{made}.new", made)
        return made


class Kernel:
    """A generated file with the inputs and outputs of its spec's tests, and a driver for each mode."""

    def __init__(self, machine, path):
        self.machine, self.path = machine, path
        self.name = str(path.relative_to(ROOT / "generated").with_suffix(""))
        self.text = path.read_text()
        self.spec = re.search(r"generated by pallasgen from (\S+?)\. DO", self.text).group(1)
        self.folder = machine.work / digest(machine.stamp, self.name, self.text, (ROOT / self.spec).read_text())
        if not (self.folder / "complete").exists():
            self.prepare()
        self.tolerances = [float(t) for t in (self.folder / "complete").read_text().split()]
        self.job = next(self.folder.glob("*/job*/job")).read_text()
        driver = next(self.folder.glob("*/driver.cpp")).read_text()
        self.launcher = re.search(r'^    \{"([^"]+)", \[', driver, re.M).group(1)
        signature = re.search(r"^cudaError_t \w+\(([^)]*)\)", self.text, re.M).group(1)
        self.types = {p.split()[-1]: re.sub(r"const |\*.*", "", p).strip() for p in signature.split(",") if "*" in p}

    def prepare(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        done = call([self.machine.tool, "test", ROOT / self.spec, "--modes", "plain", "--policies", "late", "--keep",
                     self.folder, "--work-dir", self.folder], cwd=ROOT)
        rows = re.findall(r"emulator plain late\s+(?:max error \S+ of (\S+)|)", done.stdout)
        if done.returncode or not rows:
            sys.exit(f"{self.spec}: not tested as it is\n{done.stdout}")
        driver = next(self.folder.glob("*/driver.cpp"))
        for mode in FLAGS:
            made = call([*self.machine.command(mode), f"-I{driver.parent}", "-c", driver,
                         "-o", self.folder / f"{mode}.o"])
            if made.returncode:
                sys.exit(made.stdout)
        (self.folder / "complete").write_text(" ".join(t or "0" for t in rows))

    def build(self, mutant, mode, folder):
        """The program of a mutant; empty when it does not compile."""
        stem = self.path.stem
        (folder / f"{stem}.cu").write_text(mutant.text)
        program = folder / mode
        done = call([*self.machine.command(mode), "-include-pch", self.machine.headers_of(mode),
                     f"-I{self.path.parent}", "-x", "c++", folder / f"{stem}.cu", "-x", "none",
                     self.folder / f"{mode}.o", *self.machine.archives, "-o", program])
        if done.returncode and mutant.text == self.text:
            sys.exit(f"{self.name}, unchanged, does not compile\n{done.stdout}")
        return program if done.returncode == 0 else None

    def run(self, program, mode, policy, folder):
        """Why the program is wrong; empty when it is not."""
        source = str(next(self.folder.glob("*/job*")))
        job = re.sub(rf"^((?:out \d+|back) ){re.escape(source)}/", rf"\g<1>{folder}/", self.job, flags=re.M)
        (folder / "job").write_text(job)
        words = [program, self.launcher, folder / "job"] + (["flanks"] if mode == "plain" else [])
        try:
            done = call(words, TIMEOUT, env=dict(os.environ, PALLASGEN_EMULATOR=f"{policy},{SETTINGS}"))
        except subprocess.TimeoutExpired:
            return "no end"
        if done.returncode in EXITS:
            return EXITS[done.returncode]
        if done.returncode < 0:
            return "signal"
        if done.returncode == 1 and re.search(r"^failed ", done.stdout, re.M):
            return "refused"
        if done.returncode != 0:
            raise RuntimeError(f"{self.name}: exit code {done.returncode}\n{done.stdout}")
        cases = re.split(r"^case .*\n", self.job, flags=re.M)[1:]
        for case, tolerance in zip(cases, self.tolerances):
            kind = ""
            for word, path in re.findall(r"^(in|out|back) (?:\d+ )?(\S+)$", case, re.M):
                # An input may be written in place: `back` follows it, and names the output.
                kind = kind if word == "back" else self.types.get(Path(path).suffix[1:], "")
                if word != "in" and "expect" not in case and not same(
                        kind, (folder / Path(path).name).read_bytes(), Path(path).read_bytes(), tolerance):
                    return "wrong numbers"
        return ""

    def judge(self, mutant):
        """(mode and policy, how it was found); empty strings when it was not."""
        kept = self.machine.work / "results" / digest(self.folder.name, self.job, mutant.text)
        if kept.exists():
            return json.loads(kept.read_text())
        with tempfile.TemporaryDirectory(dir=self.machine.work) as name:
            folder, programs, verdict = Path(name), {}, ["", ""]
            for mode, policy in RUNS:
                if mode not in programs:
                    programs[mode] = self.build(mutant, mode, folder)
                    if programs[mode] is None:
                        verdict = ["compiler", "does not compile"]
                        break
                wrong = self.run(programs[mode], mode, policy, folder)
                if wrong:
                    verdict = [f"{mode} {policy}", wrong]
                    break
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps(verdict))
        return verdict


def table():
    """Pattern of kernels, mutant -> reason."""
    entries, reason = {}, ""
    for line in (HERE / "survivors.txt").read_text().splitlines():
        if line.startswith("= "):
            reason = line[2:]
        elif line.startswith("  "):
            kernels, mutant = line.strip().split(" | ", 1)
            entries[kernels, mutant] = reason
    return entries


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--kind", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()

    machine = Machine(options.build.resolve())
    chosen = []
    for path in sorted((ROOT / "generated").rglob("*.cu")):
        name = str(path.relative_to(ROOT / "generated").with_suffix(""))
        chosen += [(name, path, m) for m in mutants.mutants_of(path.read_text())
                   if options.only in f"{name} | {m.name}" and options.kind in m.kind]
    if options.sample:
        # One kind after the other, so that a small sample has all of them.
        order = {}
        for entry in sorted(chosen, key=lambda e: e[2].order):
            order.setdefault(entry[2].kind, []).append(entry)
        rounds = [entry for i in range(len(chosen)) for kind in sorted(order) for entry in order[kind][i:i + 1]]
        chosen = rounds[:options.sample]
    paths = {name: path for name, path, _ in chosen}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        kernels = dict(zip(paths, pool.map(lambda name: Kernel(machine, paths[name]), paths)))
    for mode in FLAGS:
        machine.headers_of(mode)

    originals = [(kernel, mutants.Mutant("", "", "", 1, kernel.text)) for kernel in kernels.values()]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (kernel, _), verdict in zip(originals, pool.map(lambda entry: entry[0].judge(entry[1]), originals)):
            if verdict[1]:
                sys.exit(f"{kernel.name}, unchanged, is found too: {' '.join(verdict)}")

    entries = table()
    seen, wrong, found_by, survivors = set(), [], Counter(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        verdicts = pool.map(lambda entry: kernels[entry[0]].judge(entry[2]), chosen)
        for i, ((name, _, mutant), (where, how)) in enumerate(zip(chosen, verdicts)):
            text = f"{name} | {mutant.name}"
            listed = [key for key in entries if fnmatch.fnmatchcase(name, key[0]) and key[1] == mutant.name]
            found_by[how or "survives"] += 1
            found_by[f"by {where.split()[0]}" if where else "by none"] += 1
            if options.verbose:
                print(f"{mutant.kind:7} {where or '-':26} {how or 'SURVIVES':16} {text}", flush=True)
            elif sys.stderr.isatty():
                print(f"\r{i + 1} of {len(chosen)}", end="", file=sys.stderr)
            if not how:
                survivors.append(text)
                seen.update(listed)
                if not listed:
                    wrong.append(f"survives, and is not in tests/mutations/survivors.txt: {text}")
    whole = not (options.sample or options.only or options.kind)
    if whole:
        wrong += [f"is in tests/mutations/survivors.txt and does not survive any more: {' | '.join(key)}"
                  for key in entries if key not in seen]
    for line in wrong:
        print(line)
    share = 100 * (1 - len(survivors) / max(1, len(chosen)))
    print(f"{len(chosen)} mutants, {len(survivors)} survive: {share:.1f} % found "
          f"({', '.join(f'{how} {count}' for how, count in sorted(found_by.items()))})")
    if whole and share < 95:
        wrong.append("less than 95 % found")
        print(wrong[-1])
    print(f"{len(chosen) - len(wrong)} passed, {len(wrong)} failed, 0 skipped")
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
