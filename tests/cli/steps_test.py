#!/usr/bin/env python3
"""What each step behind the lowering does: tests/steps/STEP.diff has a spec and the lines that the step changes in what
`lower --to` prints of it. PALLASGEN_UPDATE=1 writes these files anew."""
import difflib
import os
import re
import unittest

from harness import ROOT, pass_names, run

FOLDER = ROOT / "tests/steps"
# Steps that decide, refuse or explain, and change no statement or field.
SILENT = {"lowering", "reduction_strategy", "accesses", "programs_of_cta", "least_ctas", "cost"}


class Steps(unittest.TestCase):
    maxDiff = None

    def test_each_step_does_what_its_file_says(self):
        _, names = pass_names()
        self.assertEqual({file.stem for file in FOLDER.glob("*.diff")}, set(names) - SILENT)
        for before, name in zip(names, names[1:]):
            if name in SILENT:
                continue
            with self.subTest(step=name):
                file = FOLDER / f"{name}.diff"
                spec = file.read_text().splitlines()[0]
                texts = [run("lower", ROOT / spec, "--to", step) for step in (before, name)]
                self.assertEqual([text.returncode for text in texts], [0, 0], texts[-1].stderr)
                lines = difflib.unified_diff(*(text.stdout.splitlines() for text in texts), lineterm="", n=2)
                changed = [re.sub("^@@.*", "@@", line) for line in list(lines)[2:]]
                self.assertTrue(changed, "the step changes nothing of this spec")
                made = "\n".join([spec, *changed]) + "\n"
                if os.environ.get("PALLASGEN_UPDATE"):
                    file.write_text(made)
                self.assertEqual(made, file.read_text())

    def test_silent_steps_change_nothing(self):
        _, names = pass_names()
        for spec in ("specs/matmul/matmul_gelu.yaml", "specs/rows/rms_norm_wide.yaml", "specs/indexing/histogram.yaml"):
            texts = [run("lower", ROOT / spec, "--to", name).stdout for name in names]
            changed = {name for name, text, before in zip(names[1:], texts[1:], texts) if text != before}
            self.assertTrue(all(texts) and changed.isdisjoint(SILENT), (spec, changed))


if __name__ == "__main__":
    unittest.main()
