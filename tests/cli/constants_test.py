#!/usr/bin/env python3
"""The constants of generated files are those of their specs, digit by digit, and a change of the fourth digit of any is
found this way: in an output of bf16, and below the error of a sum, numbers alone do not show it."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from harness import ROOT, TOOL

sys.path.insert(0, str(ROOT / "tests/mutations"))
import constants  # noqa: E402
from mutants import mutants_of  # noqa: E402

SPEC = """\
pallasgen: 1
kernel: k
consts: {eps: 1e-5, half: 0.5, with_bias: false}   # 0.25
body:
  - y[...] = gelu(x) * (3.5 * half - 7.25) + eps if not with_bias else x * 0.125
  - "z[...] = where(x < 6.5, mean(x), uniform(1, 2, [4]))"
tests: [{dims: {N: 77.5}}]
"""


def library():
    for path in sorted((ROOT / "generated").rglob("*.cu")):
        spec = ROOT / "specs" / path.relative_to(ROOT / "generated").with_suffix(".yaml")
        yield path.relative_to(ROOT / "generated"), spec.read_text(), path.read_text()


class Constants(unittest.TestCase):
    def test_of_the_library(self):
        said = 0
        for name, spec, generated in library():
            self.assertEqual(constants.mismatches(spec, generated), [], name)
            said += len(constants.of_spec(spec)[0])
        self.assertGreater(said, 4)

    def test_a_change_of_the_fourth_digit_of_each(self):
        changed = 0
        for name, spec, generated in library():
            for mutant in mutants_of(generated):
                if mutant.kind == "float":
                    changed += 1
                    self.assertNotEqual(constants.mismatches(spec, mutant.text), [], f"{name}: {mutant.name}")
        self.assertGreater(changed, 60)

    def test_of_the_corners(self):
        with tempfile.TemporaryDirectory() as folder:
            specs = [path for path in sorted((ROOT / "tests/corners").glob("*.yaml")) if "\nextern:" not in path.read_text()]
            made = subprocess.run([TOOL, "generate", *specs, "--out", folder], text=True, capture_output=True)
            self.assertEqual(made.returncode, 0, made.stderr)
            generated = {path.stem: path.read_text() for path in Path(folder).rglob("*.cu")}
            for spec in specs:
                self.assertEqual(constants.mismatches(spec.read_text(), generated[spec.stem]), [], spec.stem)

    def test_what_is_read_of_a_spec(self):
        floats, numbers = constants.of_spec(SPEC)
        self.assertEqual(floats, {-5.5, 1e-5, 6.5})
        self.assertIn(2 ** -0.5, numbers)
        self.assertIn(2.0 ** -24, numbers)
        self.assertNotIn(0.25, numbers)
        self.assertNotIn(77.5, numbers)

    def test_what_is_found(self):
        spec = "pallasgen: 1\nkernel: k\nbody:\n  - y[...] = x * 0.1 + 3\n"
        right = "namespace {\nvoid f() { y = x * 0.1f + 3.0f; }  // 0.2\n}\n"
        self.assertEqual(constants.mismatches(spec, right), [])
        for wrong in ("0.10000001f", "0.1001f", "(0.1f + 0.0001f)"):
            self.assertNotEqual(constants.mismatches(spec, right.replace("0.1f", wrong)), [], wrong)
        self.assertIn("0.1 of the spec is not in the file", constants.mismatches(spec, right.replace("0.1f", "3.0f")))


if __name__ == "__main__":
    unittest.main()
