"""Problems that users of other systems have reported, and kernels of serving engines, rewritten in this language.

`reported/<name>.yaml` is the spec, `reported/<name>.py` its witness in NumPy: `runs(np, bf16)` returns a list of dicts
with `dims`, `scalars`, `inputs`, `expect` (the outputs), `tol` (a tolerance as in case.json) and `D`, the settings
`key=value` of consts and of keys of sections that the run replaces. For each combination of settings the largest run
whose arrays fit a case becomes one, as do the runs with an empty dim.
"""

import importlib.util
import pathlib
import re

import numpy as np
import yaml

from oracle_case import MAX_BYTES, Case, bf16

FOLDER = pathlib.Path(__file__).resolve().parent / "reported"
WHY = "the order of sums, and the last bits of functions, are free"


def cases():
    return [case for spec in sorted(FOLDER.glob("*.yaml")) for case in cases_of(spec)]


def cases_of(spec):
    text = spec.read_text()
    about = re.search(r"^doc: (?:>-\n)?((?:.+)(?:\n  .+)*)\n", text, re.M)
    about = " ".join(about[1].split())
    body = re.sub(r"\A(?:pallasgen:.*\n|kernel:.*\n|doc:.*\n(?:  .*\n)*)+", "", text)
    made, number = [], {}
    for run in chosen(witness(spec.with_suffix(".py"))(np, bf16)):
        settings = tuple(run.get("D", ()))
        name = "_".join(["reported", spec.stem, *(re.sub(r"\W", "_", value.split(".")[-1]) for value in settings)])
        number[name] = number.get(name, 0) + 1
        if number[name] > 1:
            name += f"_{number[name]}"
        arrays = run.get("inputs", {})
        of_scalars = set(yaml.safe_load(body).get("scalars", {})) & set(arrays)
        scalars = run.get("scalars", {}) | {ref: arrays[ref] for ref in of_scalars}
        inputs = {ref: array for ref, array in arrays.items() if ref not in of_scalars}
        exact = all(np.asarray(a).dtype.kind in "iub" for a in run["expect"].values())
        tolerance = 0 if exact else run.get("tol", 1e-5)
        made.append(Case(name, about, with_settings(body, settings), run["expect"], inputs,
                         dict(run.get("dims", {})), scalars, tolerance, WHY if tolerance else ""))
    return made


def witness(file):
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.runs


def chosen(runs):
    """Returns, per combination of settings, the largest run that fits, and those with an empty dim, in their order."""
    kept = {}
    for place, run in enumerate(runs):
        sizes = [np.asarray(array).nbytes for array in (run.get("inputs", {}) | run["expect"]).values()]
        if max(sizes) < MAX_BYTES - 256 and run.get("emu", True):
            settings = tuple(run.get("D", ()))
            empty = 0 in run.get("dims", {}).values()
            key = (settings, place) if empty else settings
            if key not in kept or sum(sizes) > kept[key][0]:
                kept[key] = (sum(sizes), place, run)
    assert kept, "no run fits a case"
    return [run for _, place, run in sorted(kept.values(), key=lambda entry: entry[1])]


def with_settings(text, settings):
    """Returns the spec with `key=value` of consts, and `section.key=value`, replacing its own values."""
    for setting in settings:
        path, value = setting.split("=")
        section, key = path.split(".") if "." in path else ("consts", path)
        line = re.search(rf"^{section}: \{{(.*)\}}$", text, re.M)
        entry = f"{key}: {value}"
        if line is None:
            text = text.replace("\nbody:\n", f"\n{section}: {{{entry}}}\nbody:\n", 1)
            assert f"{section}: {{{entry}}}" in text, setting
            continue
        held, found = re.subn(rf"(?<!\w){key}: [^,}}]+", entry, line[1])
        assert found == 1 or section != "consts", f"{setting} is not one const of the spec"
        held = held if found else ", ".join(filter(None, [held, entry]))
        text = text[: line.start(1)] + held + text[line.end(1) :]
    return text
