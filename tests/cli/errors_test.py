"""Every bad spec of tests/errors makes the tool print the text of its .expected; PALLASGEN_UPDATE=1 rewrites.

Comments at the top of a bad spec are its command line: `# -D name=value`, `# --dim M=3`, `# --in n=200` for a scalar
and `# --in x=f32[4, 6]` for an array of zeros. Rules of the interpreter are broken by `interpret`, on the spec's first
test if it has one, those of the planner by `explain`, which bad specs of earlier stages do not reach. Every value that
a refusal of the planner calls working must work."""
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from harness import ROOT, TOOL

sys.path.insert(0, str(ROOT / "scripts"))
import make_error_docs  # noqa: E402

SETTINGS = {"stages": "pipeline.stages", "compute_warpgroups": "pipeline.compute_warpgroups",
            "delay_release": "pipeline.delay_release", "prefetch": "pipeline.prefetch",
            "programs_per_cta": "schedule.programs_per_cta"}
NPY_TYPES = {"f32": ("<f4", 4), "f16": ("<f2", 2), "i32": ("<i4", 4), "u16": ("<u2", 2)}


def write_zeros(path, dtype, shape):
    extents = [int(extent) for extent in shape.split(",")]
    name, size = NPY_TYPES[dtype]
    head = f"{{'descr': '{name}', 'fortran_order': False, 'shape': ({', '.join(map(str, extents))},), }}\n".encode()
    for extent in extents:
        size *= extent
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + bytes(size))


def command_of(path, stage, folder):
    """Returns the arguments of the tool for a bad spec; arrays are written to `folder`."""
    head = re.match(r"(?:#.*\n)*", path.read_bytes().decode("utf-8", "replace")).group(0)
    words = [word for define in re.findall(r"^# -D (\S+)", head, re.M) for word in ("-D", define)]
    for option, name, value in re.findall(r" (--dim|--in) (\w+)=(\w+\[[^\]]*\]|\S+)", head):
        array = re.match(r"(\w+)\[(.*)\]", value)
        if array:
            write_zeros(folder / f"{name}.npy", *array.groups())
            value = folder / f"{name}.npy"
        words += [option, f"{name}={value}"]
    if stage == "interpret" and re.search(r"^tests:", path.read_text(), re.M):
        words += ["--test", "1"]
    return ["interpret" if stage == "interpret" else "explain", path.relative_to(ROOT), *words]


def run_bad(path, stage, more=()):
    with tempfile.TemporaryDirectory() as folder:
        command = [TOOL, *command_of(path, stage, Path(folder)), *more]
        return subprocess.run(list(map(str, command)), cwd=ROOT, text=True, errors="replace", capture_output=True)


def bad_specs():
    """Yields (rule, stage, path) of every bad spec. Those with `extern` need the program that reads headers."""
    reads_headers = (Path(TOOL).resolve().parent / "pallasgen-clang").exists()
    for rule, stage in make_error_docs.stages(ROOT).items():
        for path in make_error_docs.cases(ROOT, rule):
            if reads_headers or "extern" not in path.stem:
                yield rule, stage, path


def linked(path):
    """Returns the kernels that the `vjp` of a bad spec names, if each is on one line."""
    text = path.read_bytes().decode("utf-8", "replace")
    return re.findall(r"\w+_grad\b", text[text.find("\nvjp:"):]) if "\nvjp:" in text else []


class BadSpecs(unittest.TestCase):
    def test_every_bad_spec_says_what_is_expected(self):
        for rule, stage, path in bad_specs():
            with self.subTest(spec=path.name):
                done = run_bad(path, stage)
                expected = path.with_suffix(".expected")
                if os.environ.get("PALLASGEN_UPDATE"):
                    expected.write_text(done.stderr)
                self.assertEqual(done.stderr, expected.read_text() if expected.exists() else "no .expected")
                self.assertIn(f"[{rule}]", done.stderr)
                failed = ": error:" in done.stderr
                self.assertIn(done.returncode, (1, 2, 4) if failed else (0,))

    def test_the_table_of_a_stage_has_all_of_its_rules(self):
        for header in sorted((ROOT / "generator").glob("*/include/*/rules.h")):
            text = header.read_text()
            table = re.search(r"Rules\[\] = \{(.*?)\}", text, re.S)
            if table:
                self.assertEqual(sorted(re.findall(r"\bRule (k\w+)\{", text)), sorted(re.findall(r"&(k\w+)", table.group(1))), header)

    def test_no_file_is_without_a_rule(self):
        owned = {path for rule in make_error_docs.stages(ROOT) for path in make_error_docs.cases(ROOT, rule)}
        owned |= {path.with_name(f"{name}.yaml") for path in set(owned) for name in linked(path)}
        left = [path.name for path in (ROOT / "tests/errors").iterdir()
                if (path.suffix in (".yaml", ".json") and path not in owned) or
                (path.suffix == ".expected" and not any(path.with_suffix(end) in owned for end in (".yaml", ".json")))]
        self.assertEqual(left, [])

    def test_values_that_refusals_name_work(self):
        tried = 0
        for rule, stage, path in bad_specs():
            if stage != "plan":
                continue
            told = run_bad(path, stage).stderr
            for stages in re.findall(r"note: (\d+) stages? fits?, and", told):
                with self.subTest(spec=path.name, stages=stages):
                    done = run_bad(path, stage, ("-D", f"pipeline.stages={stages}"))
                    self.assertEqual(done.returncode, 0, done.stderr)
            for offer in re.findall(r"note: (\w+ \w+(?: and \w+ \w+)*) works$", told, re.M):
                values = re.findall(r"(\w+) (\d+|true|false)(?: and|$)", offer)
                if not values:
                    continue
                with self.subTest(spec=path.name, offer=offer):
                    defines = [word for name, value in values for word in ("-D", f"{SETTINGS.get(name, name)}={value}")]
                    done = run_bad(path, stage, defines)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    if "without tensor cores" in told:
                        self.assertNotIn("without tensor cores", done.stderr)
                    tried += 1
            for size, name in re.findall(r"note: a block of (\d+) over (\w+) with `fill: 0` works$", told, re.M):
                with self.subTest(spec=path.name, block=size), tempfile.TemporaryDirectory() as folder:
                    padded = Path(folder) / path.name
                    padded.write_text(re.sub(rf"(block: \[[^\]]*)\b{name}\b([^}}]*)}}", rf"\g<1>{size}\2, fill: 0}}",
                                             path.read_text()))
                    done = subprocess.run([TOOL, "explain", padded], text=True, capture_output=True, timeout=60)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertNotIn("without tensor cores", done.stderr)
        self.assertGreater(tried, 10)


if __name__ == "__main__":
    unittest.main(verbosity=2)
