#!/usr/bin/env python3
"""Runs random well-typed blocked specs through check, plan, generate, host build: the interpreter and the generated
source in the emulator must agree on each, and each must give the same bits under all its settings.

  tests/random/random_kernels.py [--build DIR] [--count N] [--seed S] [--families F] [--races N] [--modes M] [--policies P]
                                  [--coverage] [--shrink] [--show]

A spec may be refused, but only by a rule of the planner or `not-yet`; the share of refused ones is printed and bounded,
and so is that of settings. Ends with `N passed, N failed`; failing specs are kept in BUILD/random/failed.
"""
import argparse
import array
import collections
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import coverage
import kernels
import npy
import renaming
import shrink

ROOT = Path(__file__).resolve().parent.parent.parent
# Shares of the specs, and of the settings tried with them, that may be refused. To be lowered as the planner grows.
MAX_REFUSED, MAX_REFUSED_SETTINGS = 0.04, 0.2
# The chunks use the emulator's policies in turn.
POLICIES = ("late", "random", "early")
CHUNK = 32     # kernels in one host program
RACED = 10     # one in so many is also run with race detection
SECONDS = {"plain": 60, "asan": 180, "tsan": 180}  # limit of one run
COVERED = 500  # with so many specs or more, each construct in the table of coverage must occur
# For a float dtype: the letter of an array of its bits, its first NaN, its sign.
NANS = {"f64": ("Q", 0x7ff0000000000001, 1 << 63), "f32": ("I", 0x7f800001, 1 << 31), "f16": ("H", 0x7c01, 1 << 15),
        "bf16": ("H", 0x7f81, 1 << 15), "f8e4m3": ("B", 0x7f, 1 << 7), "f8e5m2": ("B", 0x7d, 1 << 7)}


def run(*command, timeout=600):
    try:
        return subprocess.run([str(c) for c in command], text=True, errors="replace", stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=timeout)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(command, 124, str(late.stdout or "") + f"\nno end within {timeout} s")


# The rule on blocks that a dot contracts past an array's end, which operands drawn as expressions may break.
OF_DRAWING = "dot-partial-contraction"


def refusal_rules():
    """Returns the names of the rules that may refuse a legal spec: the planner's, `not-yet`, and OF_DRAWING."""
    text = (ROOT / "generator/plan/include/plan/rules.h").read_text()
    return {*re.findall(r'Rule \w+\{\s*"([a-z0-9-]+)"', text), "not-yet", OF_DRAWING}


class Variant:
    """A spec with settings, in a file of its own."""

    def __init__(self, folder, seed, number, spec):
        self.seed, self.number = seed, number
        self.name, self.plain = spec.text_with(number)
        self.text = renaming.renamed(self.plain, spec.names)
        self.stored = spec.outputs
        self.path = folder / f"{self.name}.yaml"
        self.path.write_text(self.text)
        for name, (dtype, values) in spec.files.items():
            npy.save(folder / name, dtype, values)
        self.files = list(spec.files)
        self.refused = None  # the first error's rule
        self.problems = []  # messages of the runs that failed
        self.explained = ""
        self.outputs = {}
        self.faulty = False  # a run-time check finds a fault, as does the interpreter: outputs are unfinished


def errors_of(output):
    """Returns {file: the rules of its errors}."""
    found = collections.defaultdict(list)
    for path, rule in re.findall(r"^([^:\n]+):\d+:\d+: error: .*\[([a-z0-9-]+)\]$", output, re.M):
        found[Path(path).name].append(rule)
    return found


def plan(tool, variants, rules):
    """Plans the variants and records refusals with their rules; an error of another kind, or a crash, is a problem."""
    done = run(tool, "explain", *[v.path for v in variants])
    if done.returncode not in (0, 1):
        if len(variants) == 1:
            variants[0].problems.append(f"explain: exit code {done.returncode}\n{done.stdout[-3000:]}")
            return
        half = len(variants) // 2
        plan(tool, variants[:half], rules)
        plan(tool, variants[half:], rules)
        return
    errors = errors_of(done.stdout)
    for v in variants:
        wrong = [rule for rule in errors[v.path.name] if rule not in rules]
        if wrong:
            v.problems.append("\n".join(line for line in done.stdout.splitlines() if str(v.path) in line) or str(wrong))
        elif errors[v.path.name]:
            v.refused = errors[v.path.name][0]
    if done.returncode == 0:
        parts = re.split(r"^(\w+) for sm_\w+$", done.stdout, flags=re.M)
        plans = dict(zip(parts[1::2], parts[2::2]))
        for v in variants:
            v.explained = plans.get(v.name, "")
    elif good := [v for v in variants if v.refused is None and not v.problems]:
        plan(tool, good, rules)


def interpret(tool, v):
    """Interprets a spec that is not generated."""
    done = run(tool, "interpret", v.path, "--test", "1", "--order", "random", "--seed", v.seed, timeout=60)
    if done.returncode != 0 and "checks:" not in v.text and v.refused != OF_DRAWING:
        v.problems.append(f"interpret: exit code {done.returncode}\n{done.stdout[-3000:]}")


def emulate(tool, variants, folder, policy, mode="plain"):
    """Builds the kernels into one program and runs their tests. Kernels that do not compile are left out."""
    keep = folder / f"run-{mode}-{variants[0].name}"
    done = run(tool, "test", *[v.path for v in variants], "--batch", "--modes", mode, "--policies", policy, "--keep", keep,
               "--seconds", SECONDS[mode])
    if ("[host-compile]" in done.stdout or done.returncode not in (0, 1)) and len(variants) > 1:
        wrong = set(re.findall(r"/(\w+)\.cu:\d+:\d+: error:", done.stdout)) & {v.name for v in variants}
        good = [v for v in variants if v.name not in wrong]
        groups = ([[v] for v in variants if v.name in wrong] + [good]) if wrong else [variants[:len(variants) // 2],
                                                                                     variants[len(variants) // 2:]]
        for group in groups:
            if group:
                emulate(tool, group, folder, policy, mode)
        return
    parts = re.split(r"^(\S+\.yaml)$", done.stdout, flags=re.M)
    texts = {Path(label).stem: text for label, text in zip(parts[1::2], parts[2::2])}
    for v in variants:
        text = texts.get(v.name, "")
        # Specs in which the interpreter finds a fault are not run with race detection.
        ran = " emulator " in text or (mode != "plain" and "interpreter finds" in text)
        if "FAILED" in text or not ran or done.returncode not in (0, 1):
            said = text if "FAILED" in text or "error" in text else f"exit code {done.returncode}\n{done.stdout[-3000:]}"
            v.problems.append(f"{mode}, {policy}:\n{said}")
            continue
        v.faulty = v.faulty or "interpreter finds" in text
        for path in sorted(keep.glob(f"*/job-{v.name}-*/*")) if mode == "plain" else []:
            case, _, ref = path.name.rpartition(".")
            if ref in v.stored:
                v.outputs[case, ref] = path.read_bytes()
    shutil.rmtree(keep, ignore_errors=True)


def smaller(tool, folder, v):
    """Shrinks the spec of a failure; returns it unchanged if it does not fail alone, as when bits differ."""
    path = folder / "failed" / f"{v.name}.small.yaml"

    def symptom(text):
        path.write_text(text)
        done = run(tool, "test", path, "--policies", "late,random", timeout=120)
        first = re.search(r"exit code \d+|no end within|gives|finds|\[[a-z-]+\]$", done.stdout, re.M)
        return first.group(0) if done.returncode != 0 and first else ""

    whole = symptom(v.text)
    path.write_text(shrink.shrunk(v.text, lambda text: symptom(text) == whole) if whole else v.text)
    return path.read_text()


def chunks_of(groups):
    """Splits kernels into host programs. All settings of a spec run with one policy, which determines the initial
    content of memory: gaps of an output with strides are among the bits that are compared."""
    chunks = []
    for group in groups:
        members = [v for v in group if v.refused is None and not v.problems]
        if not chunks or len(chunks[-1]) + len(members) > CHUNK:
            chunks.append([])
        chunks[-1] += members
    return [chunk for chunk in chunks if chunk]


def settled(dtype, content, zeros):
    """Returns an output's bytes with equal bits in every NaN, and with `zeros` one sign of zero, as these are free."""
    if dtype not in NANS:
        return content
    letter, beyond, sign = NANS[dtype]
    words = array.array(letter, content)
    return array.array(letter, [beyond if (word & ~sign) >= beyond else 0 if zeros and word == sign else word
                                for word in words]).tobytes()


def compare_bits(group):
    """Compares the bits of every setting with the first that has the same tensor-core dots, except for NaN."""
    alike = {}
    for v in group:
        if v.refused is None and not v.problems and not v.faulty:
            alike.setdefault(tuple(re.findall(r"^  dot (\w+): (?:wgmma|mma)", v.explained, re.M)), []).append(v)
    for variants in alike.values():
        compare_equal(variants)


def compare_equal(done):
    # A maximum of zeros of both signs is either one.
    zeros = any(re.search(r"\b(max|min|maximum|minimum|clamp|argmax|argmin|relu)\w*\(|cummax|cummin", v.text) for v in done)
    for v in done[1:]:
        for key, content in done[0].outputs.items():
            dtype = re.search(rf'^  {key[1]}: {{type: "(\w+)', v.text, re.M).group(1)
            if settled(dtype, v.outputs.get(key, b""), zeros) != settled(dtype, content, zeros):
                v.problems.append(f"other bits than {done[0].name}: {key[1]} of {key[0]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count(), 8))
    parser.add_argument("--show", action="store_true", help="the spec of one seed under each of its settings")
    parser.add_argument("--races", type=int, default=RACED, help="one in so many is run with race detection too; 0: none")
    parser.add_argument("--modes", default="plain", help="of the emulator, for each spec and setting: plain,asan,tsan")
    parser.add_argument("--policies", help="in place of one a program: late,early,random")
    parser.add_argument("--families", default="", help="specs of these alone: epilogue,attention")
    parser.add_argument("--shrink", action="store_true", help="makes what failed smaller")
    parser.add_argument("--coverage", action="store_true", help="how many specs have each construct")
    options = parser.parse_args()
    tool, folder = options.build / "pallasgen", options.build / "random"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "failed").mkdir(parents=True)
    odd, only = renaming.odd_words(tool, folder), [name for name in options.families.split(",") if name]
    if options.show:
        spec = kernels.make(options.seed, odd, only)
        for number in range(len(spec.settings)):
            print(renaming.renamed(spec.text_with(number)[1], spec.names))
        return 0

    groups = []
    for seed in range(options.seed, options.seed + options.count):
        spec = kernels.make(seed, odd, only)
        groups.append([Variant(folder, seed, n, spec) for n in range(len(spec.settings))])
    everything = [v for group in groups for v in group]
    rules = refusal_rules()
    for start in range(0, len(everything), 200):
        plan(tool, everything[start:start + 200], rules)
    covered = coverage.Coverage()
    for group in groups:
        covered.add([v.text.split("\n")[0] + "\n" + v.plain for v in group], [v.explained for v in group])

    accepted = [v for v in everything if v.refused is None and not v.problems]
    jobs = [(chunk, options.policies or POLICIES[i % len(POLICIES)], mode) for i, chunk in enumerate(chunks_of(groups))
            for mode in options.modes.split(",")]
    raced = accepted[options.seed % options.races::options.races] if options.races else []
    jobs += [(raced[i:i + CHUNK], "random", "tsan") for i in range(0, len(raced), CHUNK)]
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda job: emulate(tool, job[0], folder, *job[1:]), jobs))
        list(pool.map(lambda g: interpret(tool, g[0]) if g[0].refused not in (None, "not-yet") else None, groups))
    for group in groups:
        compare_bits(group)

    failed = [v for v in everything if v.problems]
    for v in failed:
        for path in (v.path, *[folder / name for name in v.files]):
            shutil.copy(path, folder / "failed")
        text = smaller(tool, folder, v) if options.shrink else v.text
        print(f"FAILED {v.name} (tests/random/random_kernels.py --seed {v.seed} --count 1)\n{text}" + "\n".join(v.problems) + "\n", flush=True)
    refused = collections.Counter(group[0].refused for group in groups if group[0].refused)
    settings = collections.Counter(v.refused for group in groups for v in group[1:] if v.refused)
    share = sum(refused.values()) / len(groups)
    print(f"{len(groups)} random specs from seed {options.seed}: {len(groups) - sum(refused.values())} generated, "
          f"{sum(refused.values())} refused ({100 * share:.0f} %, at most {100 * MAX_REFUSED:.0f} %)")
    for what, counts, of in (("specs", refused, len(groups)), ("settings", settings, len(everything) - len(groups))):
        print(f"of {of} {what} refused: " + (", ".join(f"{n} {rule}" for rule, n in counts.most_common()) or "none"))
    print(f"{len(accepted)} of {len(everything)} combinations with settings were run in the emulator, {len(raced)} of them "
          "with race detection too")
    if options.coverage:
        print("how many specs have\n" + covered.table())
    wrong = ["the share of refused specs"] if share > MAX_REFUSED else []
    if sum(settings.values()) > MAX_REFUSED_SETTINGS * (len(everything) - len(groups)):
        wrong.append("the share of refused settings")
    if options.count >= COVERED:
        wrong += [f"never made: {name}" for name in covered.missing()]
    for what in wrong:
        print(f"FAILED {what}")
    print(f"{len(everything) - len(failed)} passed, {len(failed) + len(wrong)} failed")
    return 1 if failed or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
