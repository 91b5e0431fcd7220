#!/usr/bin/env python3
"""Indices that data decide: one kernel for each combination of an index's source, what it selects and the form of the
body around it. Each is planned and run: the generated source in the emulator against the interpreter. A kernel may be
refused, but only by a rule of the planner, with a diagnostic.

  tests/matrix/indices.py [--tool PATH] [--work DIR] [--all] [--show] [PATTERN]

Every source is combined with every use, in one form or with --all in each. Ends with a line `N passed, N failed`.
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/random"))
from random_kernels import errors_of, refusal_rules  # noqa: E402

BATCH = 100  # kernels in one program

# name: (the input k, its scalars, statements before, the index, which is in 0 to 7)
SOURCES = {
    "input": ("i32[]", "", [], "clamp(k, 0, 7)"),
    "wrapped": ("i32[]", "", [], "abs(k) % 8"),
    "bare": ("u8[]", "", [], "k"),
    "wide": ("i64[]", "", [], "clamp(k + 1, 0, 7)"),
    "named": ("i32[]", "", ["idx = clamp(k, 0, 7)"], "idx"),
    "sum": ("i32[16]", "", ["idx = abs(sum(k)) % 8"], "idx"),
    "argmax": ("f32[8]", "", [], "argmax(k, axis=0)"),
    "element": ("i32[4, 4]", "", [], "abs(k[1, 2]) % 8"),
    "row": ("i32[8]", "", [], "abs(k[i]) % 8"),
    "element_of_element": ("i32[8]", "", [], "abs(k[abs(k[i]) % 8]) % 8"),
    "with_axis": ("i32[]", "", [], "clamp(k + i, 0, 7)"),
    "scalar": (None, "n: i32", [], "clamp(n, 0, 7)"),
    "scalar_array": (None, 'list: "i32[4]"', [], "clamp(list[i], 0, 7)"),
    "branch": ("i32[]", "", [], "(k if k > 0 and k < 8 else 0)"),
    "where": ("i32[]", "", [], "where(k < 0, 0, minimum(k, 7))"),
    "beyond_list": (None, 'list: "i32[4]"', [], "clamp(list[i + 3], 0, 7)"),
    "random": (None, "", [], "random_bits(1, i, [1])[0] % 8"),
}
# Sources with an index out of range in one of the programs, which a check must find.
OUTSIDE = ("beyond_list",)
# name: (the access to x, which is [8, 16], and its shape)
USES = {
    "row": ("x[{}, :]", [16]),
    "rows": ("x[ds({} // 2, 4), :]", [4, 16]),
    "row_kept": ("x[ds({}, 1), :]", [1, 16]),
    "element": ("x[{}, {}]", []),
    "column": ("x[:, {}]", [8]),
    "columns": ("x[:, ds({}, 8)]", [8, 8]),
    "rows_of_column": ("x[ds({} // 2, 4), {}]", [4]),
    "columns_of_row": ("x[{}, ds({}, 8)]", [8]),
    "load": ("load(x, [{}, iota(i32, [16], 0)], mask=iota(i32, [16], 0) > 2, other=0.0)", [16]),
    "view": ("x.at[{}, :][...]", [16]),
    "new_axis": ("x[{}, None, :]", [1, 16]),
    "beside_array": ("x[{}, iota(i32, [4], 0)]", [4]),
    "of_value": ("(x + 1.0)[{}, :]", [16]),
    "transposed": ("x[ds({} // 2, 4), :].T", [16, 4]),
}
STEPS = ", {axis: j, size: 3, semantics: sequential}"
MOVING = "block: [8, 16], index_map: [j, 0]"


class Form:
    """The body around an index: `of` makes its statements from the value read, or from the target if `stores`."""

    def __init__(self, of, grid="", x="", rest="", stores=False, keeps_steps=False, rank=0):
        self.of, self.grid, self.x, self.rest = of, grid, x, rest
        self.stores, self.keeps_steps, self.rank = stores, keeps_steps, rank


def accumulated(read):
    return ["{when: j == 0, do: ['o[...] = 0']}", f"o[...] += {read} * 2.0"]


FORMS = {
    "plain": Form(lambda read: [f"o[...] = {read} * 2.0"]),
    "reduced": Form(lambda read: [f"v = {read}", "o[...] = v - max(v, axis=0, keepdims=true)"], rank=1),
    "view": Form(lambda read: [f"o[...] = {read} * 2.0"], x="space: gmem"),
    "stored": Form(lambda target: ["o[...] = x", f"{target} = 1.0"], stores=True),
    "added": Form(lambda target: ["o[...] = x", f"{target} += 1.0"], stores=True),
    "steps": Form(lambda read: [f"o[...] = {read} * 2.0"], grid=STEPS, x=MOVING, keeps_steps=True),
    "sums": Form(accumulated, grid=STEPS, x=MOVING),
    "producer": Form(accumulated, grid=STEPS, x=MOVING, rest="pipeline: {warp_specialized: true, stages: 2}"),
    "ahead": Form(accumulated, grid=STEPS, x=MOVING, rest="pipeline: {stages: 2}"),
    "loop": Form(lambda read: ["total = zeros(f32, [])", "{for: t, range: 3, do: ['total = total + sum(" + read + ")']}",
                               "o[...] = full(f32, [], 0.0) + total"]),
    "guarded": Form(lambda read: ["o[...] = 0", f"{{when: i > 0, do: ['o[...] = {read}']}}"]),
    "checked": Form(lambda read: [f"o[...] = {read} * 2.0"], rest="checks: [oob]"),
    "checked_ahead": Form(accumulated, grid=STEPS, x=MOVING, rest="checks: [oob]\npipeline: {stages: 2}"),
    "checked_producer": Form(accumulated, grid=STEPS, x=MOVING,
                             rest="checks: [oob]\npipeline: {warp_specialized: true, stages: 2}"),
}


def entry(name, dtype, shape, more=""):
    return f'  {name}: {{type: "{dtype}[{", ".join(map(str, shape))}]"{", " + more if more else ""}}}'


def spec_text(source, use, form):
    """Returns the spec of a combination; None if the form cannot have such an index."""
    k, scalars, before, index = SOURCES[source]
    read, shape = USES[use]
    form_name, form = form, FORMS[form]
    if source in OUTSIDE and "checks" not in form.rest:
        return None
    if len(shape) < form.rank or (form.stores and not re.match(r"x\[[^N]*\]$", read)):
        return None
    read = read.replace("{}", index)
    if form.stores:
        read, shape = read.replace("x[", "o[", 1), [8, 16]
    if form_name == "loop":
        shape = []
    lead = [2] + ([3] if form.keeps_steps else [])
    block = ", ".join(["squeezed"] * len(lead) + [str(size) for size in shape])
    places = ", ".join(["i", "j"][:len(lead)] + ["0"] * len(shape))
    lines = ["pallasgen: 1", f"kernel: {source}_{use}_{form_name}", f"grid: [{{axis: i, size: 2}}{form.grid}]"]
    lines += [f"scalars: {{{scalars}}}"] if scalars else []
    lines += ["inputs:", entry("x", "f32", [24 if form.grid else 8, 16], form.x)]
    lines += [f'  k: {{type: "{k}"}}'] if k else []
    lines += ["outputs:", entry("o", "f32", lead + shape, f"block: [{block}], index_map: [{places}]")]
    lines += [form.rest] if form.rest else []
    lines += ["body:"] + [f"  - {s}" for s in before + form.of(read)]
    values = "scalars: {n: %d}" if scalars.startswith("n") else "seed: %d"
    return "\n".join(lines + [f"tests: [{{{values % 3}}}, {{{values % 5}}}]"]) + "\n"


def combinations(every):
    """Yields (source, use, form) of all kernels; unless `every`, one form for each pair, all of them in turn."""
    turn = 0
    for source in SOURCES:
        for use in USES:
            forms = [form for form in FORMS if spec_text(source, use, form)]
            yield from ((source, use, form) for form in (forms if every else [forms[turn % len(forms)]]))
            turn += 5  # the number of forms and 5 have no common divisor, so that all are used


def run(tool, *arguments):
    return subprocess.run([str(a) for a in (tool, *arguments)], text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


def planned(tool, paths, failed):
    """Returns the specs that the planner takes. A refusal by a rule of another stage, or a crash, is a failure."""
    done = run(tool, "explain", *paths)
    errors, rules = errors_of(done.stdout), refusal_rules()
    if done.returncode not in (0, 1):
        if len(paths) > 1:
            return [p for path in paths for p in planned(tool, [path], failed)]
        failed.append((paths[0], done.stdout[-1000:]))
        return []
    failed += [(p, str(errors[p.name])) for p in paths if any(rule not in rules for rule in errors[p.name])]
    for rule in sorted({errors[p.name][0] for p in paths if errors[p.name]}):
        print(f"{rule}: " + ", ".join(p.stem for p in paths if errors[p.name] and errors[p.name][0] == rule))
    return [p for p in paths if not errors[p.name]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", default=ROOT / "build/pallasgen")
    parser.add_argument("--work", type=Path, default=ROOT / "build/indices")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("pattern", nargs="?", default="")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    paths = []
    for source, use, form in combinations(options.all):
        path = options.work / f"{source}_{use}_{form}.yaml"
        if not re.search(options.pattern, path.stem):
            continue
        path.write_text(spec_text(source, use, form))
        paths.append(path)
        if options.show:
            print(path.read_text())
    failed = []
    taken = planned(options.tool, paths, failed)
    for start in range(0, len(taken), BATCH):
        batch = taken[start:start + BATCH]
        done = run(options.tool, "test", *batch, "--batch", "--modes", "plain", "--policies", "late", "--work-dir",
                   options.work / "build")
        parts = re.split(r"^(\S+\.yaml)$", done.stdout, flags=re.M)
        texts = {Path(label).stem: text for label, text in zip(parts[1::2], parts[2::2])}
        for path in batch:
            text = texts.get(path.stem, "")
            if "FAILED" in text or " emulator " not in text or done.returncode not in (0, 1):
                failed.append((path, text or done.stdout[-2000:]))
    for path, text in failed:
        print(f"FAILED {path}\n{text}")
    print(f"{len(taken)} of {len(paths)} planned")
    print(f"{len(paths) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
