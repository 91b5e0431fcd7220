#!/usr/bin/env python3
"""Writes docs/errors.md: every rule with its summary, a spec that breaks it and the diagnostic, from the rules' tables
in generator/*/include/*/rules.h and the specs of tests/errors."""
import functools
import re
import sys
from pathlib import Path

# Rules about files, the command line, runs of the tests and texts of tile programs: tests/cli and tests/tile break
# them, as no spec can.
WITHOUT_SPEC = {"command-line", "output-path", "output-write", "file-missing", "file-folder", "file-unreadable", "lock-broken",
                "output-missing", "output-stale", "output-hand-edited", "output-orphan", "no-tests", "file-exists",
                "file-size", "plan-target", "program-point", "template", "host-toolkit", "host-compiler", "host-compile",
                "device-compiler", "device-compile", "device-disassembler", "vet-program",
                "extern-program", "compile-commands", "run-extern", "python-module", "interface-frozen",
                "tile-text", "run-entry", "run-order", "run-float-bits"}


@functools.cache
def rows(root):
    """Returns (name, stage, summary) of every rule constant, in the order of the stages."""
    return list(read_rows(root))


def read_rows(root):
    for stage in ["spec", "expression", "check", "tile", "schedule", "plan", "interpret", "emit", "output", "verify", "externs",
                  "cli"]:
        folder = root / f"generator/{stage}"
        for path in [*sorted(folder.glob("include/*/*.h")), *sorted(folder.glob("*.h"))]:
            for name, summary in re.findall(r'\bRule k\w+\{\s*"([^"]+)",\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\}', path.read_text()):
                yield name, stage, "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', summary)).replace('\\"', '"')


def rules(root):
    """Returns {name: summary}, in the order of the stages."""
    return {name: summary for name, _, summary in rows(root)}


def stages(root):
    """Returns {name: the folder of generator/ that has the rule}."""
    return {name: stage for name, stage, _ in rows(root)}


@functools.cache
def bad_specs(root):
    return [p for p in sorted((root / "tests/errors").iterdir()) if p.suffix in (".yaml", ".json")]


def cases(root, name):
    """Returns the bad specs of a rule: <name>.yaml and <name>-<variant>.yaml, except those of a longer rule name."""
    others = [rule for rule in rules(root) if rule.startswith(name + "-")]
    specs = [p for p in bad_specs(root) if p.stem == name or p.stem.startswith(name + "-")]
    return [p for p in specs if not any(p.stem == o or p.stem.startswith(o + "-") for o in others)]


def page(root):
    text = ["# Diagnostics", "",
            "Every refusal names the place, the operand, the limit and a value that works. The rule stands in brackets at",
            "its end; this page has one section per rule, with a spec that breaks it and what the tool says.",
            "Made by `scripts/make_error_docs.py` from the rules' tables and `tests/errors`.", ""]
    for name, summary in rules(root).items():
        text += [f"## {name}", "", summary, ""]
        for case in cases(root, name)[:1]:
            expected = case.with_suffix(".expected")
            content = case.read_bytes()
            shown = content[:1500].decode("utf-8", "replace").replace("\0", "\\0").splitlines()
            if len(content) < 3000:
                text += ["```yaml", *shown, "```", ""]
            if expected.exists():
                text += ["```text", *[line[:160] for line in expected.read_text().splitlines()[:16]], "```", ""]
    return "\n".join(text).rstrip("\n") + "\n"


if __name__ == "__main__":
    top = Path(__file__).resolve().parent.parent
    (top / "docs").mkdir(exist_ok=True)
    (top / "docs/errors.md").write_text(page(top))
    sys.exit(0)
