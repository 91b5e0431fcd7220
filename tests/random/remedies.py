#!/usr/bin/env python3
"""Remedies of refusals and of slow paths: random specs under settings that many of them cannot have. A change that a
refusal calls working is made, and the spec must plan with it; for the warning of a slow path, it must also plan without
that warning.

  tests/random/remedies.py [--build DIR] [--count N] [--seed S]

A note with a claim of unknown form is a failure, too. Ends with `N passed, N failed`.
"""
import argparse
import json
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import kernels
import renaming

ROOT = Path(__file__).resolve().parent.parent.parent
# Settings to try: some for each spec, most of which it can have, since a plan reports one fault at a time.
TRIED = {"pipeline.stages": ("0", "1", "2", "5", "24", "64", "auto"), "pipeline.warp_specialized": ("true", "false"),
         "pipeline.compute_warpgroups": ("1", "2", "3", "7"), "pipeline.delay_release": ("0", "1", "3"),
         "pipeline.prefetch": ("1", "8"), "schedule.persistent": ("true", "false", "dynamic"), "schedule.num_ctas": ("3",),
         "schedule.programs_per_cta": ("2", "8", "64"), "schedule.tile_order": ("row", "column"),
         "schedule.reduction": ("neighbours", "halves"), "schedule.split": ("columns",), "schedule.consumers": ("separate",)}
PIPELINE = ("pipeline.stages", "pipeline.warp_specialized")  # every other time these together
SECTIONS = {name.split(".")[1]: name.split(".")[0] for name in TRIED}
FIGURES = re.compile(r"'[^']*'|[\d,]+\d|\d")
CLAIMS = re.compile(r"\bworks?\b|\bthe kernel plans\b|\bfits?, and\b|\bthe plan chooses\b")
MOST_TRIALS = 3  # per form of a remedy and rule


def explain(tool, path, settings):
    """Returns the errors of a spec under settings, as the tool's JSON has them, and its warnings of slow paths."""
    words = [word for name, value in settings.items() for word in ("-D", f"{name}={value}")]
    # A plan takes a hundredth of a second or two: minutes mean that it repeats a computation.
    done = subprocess.run([tool, "explain", path, *words, "--error-format", "json"], text=True, capture_output=True,
                          timeout=120)
    found = json.loads(done.stderr) if done.stderr.lstrip().startswith("[") else []
    errors = [each for each in found if each["severity"] == "error"]
    if done.returncode not in (0, 1) or (done.returncode != 0 and not errors):
        errors = [{"rule": f"exit code {done.returncode}", "message": done.stderr[-2000:], "notes": []}]
    return errors, [each for each in found if each["rule"] == "slow-path"]


def in_section(name):
    """Returns a setting with its section; a const by its name."""
    return f"{SECTIONS[name]}.{name}" if name in SECTIONS else name


def offers(note, error, settings):
    """Returns the settings that a note says work: a list of changes, each a table in which None removes a setting.
    None: the note makes no claim."""
    if not CLAIMS.search(note):
        return None
    if stages := re.match(r"(\d+) stages? fits?, and", note):
        return [{"pipeline.stages": stages.group(1)}]
    given = [name for name in settings if re.search(rf"\b{name.split('.')[1]}\b", error["message"])]
    if re.search(r"^without it the (kernel plans|plan chooses)|; without it the", note) and given:
        return [{given[0]: None}]
    if named := re.search(r"without `(\w+)` the kernel plans", note):
        return [{f"{SECTIONS.get(named.group(1), 'schedule')}.{named.group(1)}": None}]
    if whole := re.search(r"`(pipeline|schedule): \{([^}]*)\}`( beside it)? works", note):
        change = {} if whole.group(3) else {name: None for name in settings if name.startswith(whole.group(1))}
        return [change | {f"{whole.group(1)}.{key}": value for key, value in re.findall(r"(\w+): (\w+)", whole.group(2))}]
    if facts := re.findall(r"`(\w+): \{multiple_of: (\d+)\}`", note):
        return [{f"dims.{name}.multiple_of": value for name, value in facts}]
    if re.match(r"`when: ", note):
        return None  # another body: tests/slow has one
    if re.fullmatch(r"\w+ \d+((,| and) \w+ \d+)* works", note):  # all of them at once
        return [{in_section(name): value for name, value in re.findall(r"(\w+) (\d+)", note)}]
    return [{in_section(name): value} for name, value in re.findall(r"`(\w+): (\w+)`", note)]


class Attempts:
    def __init__(self, tool):
        self.tool, self.passed, self.failures, self.tried = tool, 0, [], {}

    def try_settings(self, path, settings):
        errors, slow = explain(self.tool, path, settings)
        for warning in slow:
            self.of_slow_path(path, settings, warning)
        if not errors or any(error["rule"].startswith("exit") for error in errors):
            self.passed += not errors
            self.failures += [f"{path} {settings}: {errors[0]}"] if errors else []
            return
        for error in errors:
            for note, change in self.claims(path, error, settings):
                if len(errors) == 1:
                    self.apply(path, settings, error, note, change)

    def claims(self, path, said, settings):
        """Yields notes of an error or a warning with the changes that they say work, a few of each form."""
        self.check_names(path, said)
        for note in (note["message"] for note in said["notes"] if "tried without help" not in note["message"]):
            changes = offers(note, said, settings)
            if changes == []:
                self.failures.append(f"{path}: a remedy of no known form: {note}")
            form = said["rule"], FIGURES.sub("…", said["message"] + note)
            for change in changes or []:
                self.tried[form] = self.tried.get(form, 0) + 1
                if self.tried[form] <= MOST_TRIALS:
                    yield note, change

    def of_slow_path(self, path, settings, warning):
        """Checks that with each remedy the spec plans, without such a warning at its place, whatever its figures."""
        cause = FIGURES.sub("…", warning["message"])
        for note, change in self.claims(path, warning, settings):
            errors, slow = self.with_facts(path, settings, change)
            left = errors + [each for each in slow if FIGURES.sub("…", each["message"]) == cause and
                             each["line"] == warning["line"]]
            self.passed += not left
            if left:
                self.failures.append(f"{path} under {settings}: {warning['message']}\n  note: {note}\n"
                                     f"  with {change}: {left[0]['message']}")

    def with_facts(self, path, settings, change):
        """Plans with the change; facts of dims, which the command line cannot change, are edited into the spec."""
        facts = {name.split(".")[1]: value for name, value in change.items() if name.startswith("dims.")}
        changed = path
        if facts:
            changed = path.with_suffix(".facts.yaml")
            lines = path.read_text().splitlines()
            for at in range(lines.index("dims:") + 1, len(lines)):
                name = lines[at].strip().split(":")[0].strip('"')
                if not lines[at].startswith("  "):
                    break
                if name in facts:
                    left = re.sub(r"multiple_of: \d+(, )?", "", lines[at].split(":", 1)[1].strip()).strip("{}")
                    lines[at] = f"  {name}: {{multiple_of: {facts[name]}{', ' if left else ''}{left}}}"
            # Tests have sizes of their own.
            changed.write_text("\n".join(lines).partition("\ntests:")[0] + "\n")
        plain = {name: value for name, value in change.items() if not name.startswith("dims.")}
        return explain(self.tool, changed, {name: value for name, value in (settings | plain).items() if value is not None})

    def check_names(self, path, error):
        """Checks that messages quote the spec's names, not the file's substitutes for taken words (`e_`)."""
        known = set(re.findall(r"\w+", path.read_text()))
        for text in (error["message"], *(note["message"] for note in error["notes"])):
            self.failures += [f"{path}: '{name}' is no name of the spec: {text}" for name in re.findall(r"'(\w+_)'", text)
                              if name not in known]

    def apply(self, path, settings, error, note, change):
        """Checks that the spec plans with the change; or without the other settings, in which a plan may only now find
        a fault."""
        def with_change(others):
            return {name: value for name, value in (others | change).items() if value is not None}

        left, _ = explain(self.tool, path, with_change(settings))
        if left and left[0]["message"] != error["message"]:
            named = {name: value for name, value in settings.items()
                     if re.search(rf"\b{name.split('.')[1]}\b", error["message"] + note)}
            left, _ = explain(self.tool, path, with_change(named))
        if not left:
            self.passed += 1
            return
        self.failures.append(f"{path} under {settings}: {error['message']}\n  note: {note}\n"
                             f"  with {change}: {left[0]['message']}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tool, folder = options.build / "pallasgen", options.build / "remedies"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    odd = renaming.odd_words(tool, folder)
    attempts = Attempts(tool)
    for seed in range(options.seed, options.seed + options.count):
        spec, rng = kernels.make(seed, odd), random.Random(seed)
        name, plain = spec.text_with(0)
        path = folder / f"{name}.yaml"
        path.write_text(renaming.renamed(plain, spec.names))
        for _ in range(4):
            names = rng.choice((PIPELINE, rng.sample(sorted(TRIED), rng.choice((1, 1, 2)))))
            attempts.try_settings(path, {name: rng.choice(TRIED[name]) for name in names})
    for failure in attempts.failures:
        print(f"FAILED {failure}")
    print(f"{len(attempts.tried)} forms of remedies")
    print(f"{attempts.passed} passed, {len(attempts.failures)} failed")
    return 1 if attempts.failures else 0


if __name__ == "__main__":
    sys.exit(main())
