#!/usr/bin/env python3
"""nvcc's gate for the corners and for random specs: no spills, no stack frame except for the arguments of printf, and
only those messages of ptxas that a warning predicts. --estimates also checks the plan's register counts: a kernel with
SPARE registers more than its threads need compiles without spills.

  tests/matrix/registers.py [--build DIR] [--corners STEP] [--random COUNT] [--seed S] [--estimates] [SPEC...]

Takes one corner in STEP, COUNT random specs, and the SPECs. Entries of tests/matrix/registers.txt must fail as listed.
Ends with a line `N passed, N failed`.
"""
import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests/random")]
import kernels  # noqa: E402
import nvcc_gate  # noqa: E402

SPARE, UNIT = 8, 8     # registers are allocated by UNIT a thread
LEAST, MOST = 32, 255  # limits of the registers of a thread
SERIALISES = "serialises the instructions of tensor cores"
FORETOLD = "(C7510)"
EXCEPTIONS = ROOT / "tests/matrix/registers.txt"


class Made:
    """The file of a spec, or the reason why there is none."""

    def __init__(self, tool, spec, folder):
        done = subprocess.run([str(tool), "generate", str(spec), "--out", str(folder), "--plan-json"], cwd=ROOT, text=True,
                              errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.name, self.path = spec.stem, folder / f"{spec.stem}.cu"
        self.refused = "" if done.returncode == 0 else done.stdout
        self.serialises = SERIALISES in done.stdout

    def needed(self):
        """Returns the registers that a thread needs by the plan; None if warpgroups exchange them while they run."""
        roles = json.loads(self.path.with_suffix(".plan.json").read_text())["roles"]
        return None if any(role["setmaxnreg"] for role in roles) else max(role["registers_needed"] for role in roles)

    def bound(self):
        """Returns SPARE registers more than that, rounded to the unit of allocation."""
        return min(MOST, max(LEAST, (self.needed() + SPARE + UNIT - 1) // UNIT * UNIT))

    def capped(self, folder):
        """Writes the same file with this bound instead of the plan's."""
        folder.mkdir(exist_ok=True)
        path = folder / self.path.name
        text, found = re.subn(r"__launch_bounds__\([^)]*\)", f"__maxnreg__({self.bound()})", self.path.read_text())
        if not found:
            raise ValueError(f"{self.path} has no launch bounds")
        path.write_text(text)
        path.with_suffix(".h").write_text(self.path.with_suffix(".h").read_text())
        return path


def stored(path, cache, runtime):
    """Returns the file that keeps nvcc's messages on the source."""
    text = runtime + path.read_text() + path.with_suffix(".h").read_text()
    return cache / f"made-{hashlib.sha256(text.encode()).hexdigest()}.json"


def compiled(paths, build):
    """Returns by path nvcc's complaints and the registers of a thread; in groups, and alone where a group fails."""
    nvcc, cache, runtime = nvcc_gate.find_nvcc(), build / "nvcc-gate", nvcc_gate.runtime_hash(ROOT)
    cache.mkdir(parents=True, exist_ok=True)
    places = {path: stored(path, cache, runtime) for path in paths}

    def group(members):
        fine = nvcc_gate.compile_group(nvcc, ROOT, members)
        for path in members:
            wrong = []
            if path not in fine:
                _, fine[path], detail = nvcc_gate.compile_one(nvcc, ROOT, path)
                wrong = [each for each in detail.split("\n")[0].replace(str(path), path.name).split("; ") if each]
            places[path].write_text(json.dumps([wrong, fine[path]["registers"]]))

    new = [path for path in paths if not places[path].exists()]
    grouped = nvcc_gate.groups_of(new)
    alone = [[path] for path in new if not any(path in members for members in grouped)]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(group, grouped + alone))
    return {path: json.loads(place.read_text()) for path, place in places.items()}


def listed():
    """Returns {name: the beginning of what is wrong} and {name: why}, from the list of exceptions."""
    found = {}
    for line in EXCEPTIONS.read_text().splitlines():
        if line and not line.startswith("#"):
            name, wrong, why = (part.strip() for part in line.split("|"))
            found[name] = (wrong, why)
    return found


def random_specs(folder, count, seed):
    """Yields the specs of every tenth seed, `count` of them, each without settings."""
    for number in range(seed, seed + 10 * count, 10):
        name, text = kernels.make(number).text_with(0)
        path = folder / f"{name}.yaml"
        path.write_text(text)
        yield path


def judged(made, estimates, folder, build):
    """Returns {name: what is wrong} of the kernels, and, named `estimate of KERNEL`, under their own bounds."""
    found, bounds = {}, {}
    seen = compiled([each.path for each in made], build)
    for each in made:
        faults, registers = seen[each.path]
        if each.serialises:
            foretold = [fault for fault in faults if FORETOLD in fault]
            faults = [fault for fault in faults if fault not in foretold]
            faults += [] if foretold else ["a warning of serialised instructions, and ptxas says nothing of it"]
        found[each.name] = "; ".join(faults)
        if not estimates or each.needed() is None:
            continue
        found[f"estimate of {each.name}"] = ""
        if registers > each.bound():  # otherwise it fits
            bounds[each.capped(folder / "capped")] = each
    for path, (faults, _) in compiled(list(bounds), build).items():
        spills = [fault for fault in faults if "spill" in fault or "nvcc" in fault]
        if spills:
            found[f"estimate of {bounds[path].name}"] = f"under {bounds[path].bound()} registers: " + "; ".join(spills)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--corners", type=int, default=0)
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1, help="of the first random spec; the others are ten apart")
    parser.add_argument("--estimates", action="store_true")
    parser.add_argument("specs", nargs="*", type=Path)
    options = parser.parse_args()
    tool, exceptions = options.build / "pallasgen", listed()
    whole = options.corners == 1 and options.random > 0 and options.estimates
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        specs = [path.resolve() for path in options.specs]
        if options.corners:
            corners = sorted((ROOT / "tests/corners").glob("*.yaml"))
            specs += [path for path in corners[::options.corners] if "\nextern:" not in path.read_text()]
        drawn = list(random_specs(folder, options.random, options.seed))
        with ThreadPoolExecutor(2) as pool:
            made = list(pool.map(lambda spec: Made(tool, spec, folder / "out"), specs + drawn))
        for each in made[:len(specs)]:
            if each.refused:
                print(f"FAILED {each.name}\n{each.refused}")
                failed += 1
        found = judged([each for each in made if not each.refused], options.estimates, folder, options.build)
        for name in sorted(exceptions.keys() - found.keys() if whole else ()):
            print(f"FAILED {name} stands in {EXCEPTIONS.relative_to(ROOT)}, and no spec is called so")
            failed += 1
        for name, wrong in found.items():
            known = exceptions.get(name, ("", ""))[0]
            if known and not wrong:
                wrong = f"passes, and stands in {EXCEPTIONS.relative_to(ROOT)}"
            elif known and known in wrong:
                wrong = ""
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"FAILED {name} | {wrong}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
