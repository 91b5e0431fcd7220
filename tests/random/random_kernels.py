#!/usr/bin/env python3
"""Random well-typed blocked specs through check, plan, generate, host build: the interpreter and the generated source in
the emulator must agree on each, and each must give the same bits under every setting that it is tried with.

  tests/random/random_kernels.py [--build DIR] [--count N] [--seed S] [--show]

A spec may be refused, but only by a rule of the planner or `not-yet`; the share of refused ones is printed and bounded.
--show prints the spec of one seed. Ends with `N passed, N failed`; what failed stays in BUILD/random/failed.
"""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import kernels

ROOT = Path(__file__).resolve().parent.parent.parent
# Of the specs, how many may be refused. To be lowered as the planner grows.
MAX_REFUSED = 0.15
# Of the emulator's policies one a chunk, so that all are tried.
POLICIES = ("late", "random", "early")
CHUNK = 32  # kernels in one host program


def run(*command, timeout=600):
    try:
        return subprocess.run([str(c) for c in command], text=True, errors="replace", stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=timeout)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(command, 124, str(late.stdout or "") + f"\nno end within {timeout} s")


def refusal_rules():
    """The names of the rules by which a legal spec may be refused: the planner's, and `not-yet`."""
    text = (ROOT / "generator/plan/include/plan/rules.h").read_text()
    return {*re.findall(r'Rule \w+\{\s*"([a-z0-9-]+)"', text), "not-yet"}


class Variant:
    """A spec with settings, in a file of its own."""

    def __init__(self, folder, seed, number, text, settings):
        self.seed, self.number = seed, number
        self.name = f"random{seed}" + (f"s{number}" if number else "")
        text = text.replace(f"kernel: random{seed}\n", f"kernel: {self.name}\n")
        self.text = text.replace("body:\n", kernels.settings_text(settings) + "body:\n", 1)
        self.path = folder / f"{self.name}.yaml"
        self.path.write_text(self.text)
        self.refused = None  # the first error's rule
        self.problem = ""


def errors_of(output):
    """By file, the rules of its errors."""
    found = collections.defaultdict(list)
    for path, rule in re.findall(r"^([^:\n]+):\d+:\d+: error: .*\[([a-z0-9-]+)\]$", output, re.M):
        found[Path(path).name].append(rule)
    return found


def plan(tool, variants, rules):
    """Which are refused, and by what; an error of another kind is a problem, and so is a crash."""
    done = run(tool, "explain", *[v.path for v in variants])
    if done.returncode not in (0, 1):
        if len(variants) == 1:
            variants[0].problem = f"explain: exit code {done.returncode}\n{done.stdout[-3000:]}"
            return
        half = len(variants) // 2
        plan(tool, variants[:half], rules)
        plan(tool, variants[half:], rules)
        return
    errors = errors_of(done.stdout)
    for v in variants:
        wrong = [rule for rule in errors[v.path.name] if rule not in rules]
        if wrong:
            v.problem = "\n".join(line for line in done.stdout.splitlines() if str(v.path) in line) or str(wrong)
        elif errors[v.path.name]:
            v.refused = errors[v.path.name][0]


def interpret(tool, v):
    """What is not generated is interpreted at least."""
    first = re.search(r"^  - \{seed.*$", v.text, re.M).group(0)
    dims = re.search(r"dims: \{([^}]*)\}", first)
    options = [word for size in (dims.group(1).split(", ") if dims else []) for word in ("--dim", size.replace(": ", "="))]
    scalars = re.search(r"scalars: \{([^}]*)\}", first)
    options += [word for pair in (scalars.group(1).split(", ") if scalars else [])
                for word in ("--in", pair.replace(": ", "="))]
    done = run(tool, "interpret", v.path, *options, "--order", "random", "--seed", v.seed, timeout=60)
    if done.returncode != 0 and "argument-missing" not in done.stdout:
        v.problem = f"interpret: exit code {done.returncode}\n{done.stdout[-3000:]}"


def emulate(tool, variants, folder, policy):
    """Builds the kernels into one program and runs their tests. Those that the compiler complains of are left out."""
    keep = folder / f"run-{variants[0].name}"
    done = run(tool, "test", *[v.path for v in variants], "--batch", "--policies", policy, "--keep", keep)
    if "[host-compile]" in done.stdout and len(variants) > 1:
        wrong = set(re.findall(r"/(\w+)\.cu:\d+:\d+: error:", done.stdout)) & {v.name for v in variants}
        good = [v for v in variants if v.name not in wrong]
        groups = ([[v] for v in variants if v.name in wrong] + [good]) if wrong else [variants[:len(variants) // 2],
                                                                                     variants[len(variants) // 2:]]
        for group in groups:
            if group:
                emulate(tool, group, folder, policy)
        return
    parts = re.split(r"^(\S+\.yaml)$", done.stdout, flags=re.M)
    texts = {Path(label).stem: text for label, text in zip(parts[1::2], parts[2::2])}
    for v in variants:
        text = texts.get(v.name, "")
        v.outputs = {}
        if "FAILED" in text or " emulator " not in text or done.returncode not in (0, 1):
            v.problem = text if "FAILED" in text or "error" in text else f"exit code {done.returncode}\n{done.stdout[-3000:]}"
            continue
        for path in sorted(keep.glob(f"*/job-{v.name}-*/*")):
            case, _, ref = path.name.rpartition(".")
            if ref in ("o", "p"):
                v.outputs[case, ref] = path.read_bytes()
    shutil.rmtree(keep, ignore_errors=True)


def compare_bits(group):
    """Every setting gives the bits of the first that was generated."""
    done = [v for v in group if v.refused is None and not v.problem]
    for v in done[1:]:
        for key, content in done[0].outputs.items():
            if v.outputs.get(key) != content:
                v.problem = f"other bits than {done[0].name}: {key[1]} of {key[0]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if options.show:
        print(kernels.make(options.seed)[0], end="")
        return 0
    tool, folder = options.build / "pallasgen", options.build / "random"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "failed").mkdir(parents=True)

    groups = []
    for seed in range(options.seed, options.seed + options.count):
        text, settings = kernels.make(seed)
        groups.append([Variant(folder, seed, n, text, chosen) for n, chosen in enumerate([{}, *settings])])
    everything = [v for group in groups for v in group]
    rules = refusal_rules()
    plan(tool, everything, rules)
    accepted = [v for v in everything if v.refused is None and not v.problem]
    chunks = [accepted[i:i + CHUNK] for i in range(0, len(accepted), CHUNK)]
    with ThreadPoolExecutor(min(os.cpu_count(), 8)) as pool:
        list(pool.map(lambda n: emulate(tool, chunks[n], folder, POLICIES[n % len(POLICIES)]), range(len(chunks))))
        list(pool.map(lambda g: interpret(tool, g[0]) if g[0].refused not in (None, "not-yet") else None, groups))
    for group in groups:
        compare_bits(group)

    failed = [v for v in everything if v.problem]
    for v in failed:
        shutil.copy(v.path, folder / "failed")
        print(f"FAILED {v.name} (tests/random/random_kernels.py --seed {v.seed} --count 1)\n{v.text}{v.problem}\n", flush=True)
    refused = collections.Counter(group[0].refused for group in groups if group[0].refused)
    share = sum(refused.values()) / len(groups)
    print(f"{len(groups)} random specs from seed {options.seed}: {len(groups) - sum(refused.values())} generated, "
          f"{sum(refused.values())} refused ({100 * share:.0f} %, at most {100 * MAX_REFUSED:.0f} %)")
    for rule, count in refused.most_common():
        print(f"  {count:4} {rule}")
    print(f"{len(accepted)} of {len(everything)} combinations with settings were run in the emulator")
    too_many = share > MAX_REFUSED
    if too_many:
        print("FAILED the share of refused specs")
    print(f"{len(everything) - len(failed)} passed, {len(failed) + too_many} failed")
    return 1 if failed or too_many else 0


if __name__ == "__main__":
    sys.exit(main())
