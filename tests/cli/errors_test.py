"""Every bad spec of the planner's rules says through the tool what its .expected says; PALLASGEN_UPDATE=1 rewrites.

Lines `# -D name=value` at the top of a bad spec are its command line. Every value that a refusal names as working does."""
import os
import re
import subprocess
import sys
import unittest

from harness import ROOT, TOOL

sys.path.insert(0, str(ROOT / "scripts"))
import make_error_docs  # noqa: E402

SETTINGS = {"stages": "pipeline.stages", "compute_warpgroups": "pipeline.compute_warpgroups",
            "delay_release": "pipeline.delay_release"}


def planner_rules():
    text = (ROOT / "generator/plan/include/plan/rules.h").read_text()
    return [name for name in re.findall(r'Rule k\w+\{\s*"([^"]+)"', text) if name not in make_error_docs.WITHOUT_SPEC]


def explain(path, defines=()):
    given = re.findall(r"^# -D (\S+)", path.read_text(), re.M)
    flags = [word for define in [*given, *defines] for word in ("-D", define)]
    return subprocess.run([TOOL, "explain", str(path.relative_to(ROOT)), *flags], cwd=ROOT, text=True, capture_output=True)


class PlannerErrors(unittest.TestCase):
    def test_every_bad_spec_says_what_is_expected(self):
        for rule in planner_rules():
            for path in make_error_docs.cases(ROOT, rule):
                with self.subTest(spec=path.name):
                    done = explain(path)
                    expected = path.with_suffix(".expected")
                    if os.environ.get("PALLASGEN_UPDATE"):
                        expected.write_text(done.stderr)
                    self.assertEqual(done.stderr, expected.read_text())
                    self.assertIn(f"[{rule}]", done.stderr)
                    self.assertEqual(done.returncode, 0 if ": error:" not in done.stderr else 1)

    def test_values_that_refusals_name_work(self):
        tried = 0
        for rule in planner_rules():
            for path in make_error_docs.cases(ROOT, rule):
                for offer in re.findall(r"note: (\w+ \w+(?: and \w+ \w+)*) works$", explain(path).stderr, re.M):
                    values = re.findall(r"(\w+) (\d+|true|false)(?: and|$)", offer)
                    if not values:
                        continue
                    with self.subTest(spec=path.name, offer=offer):
                        done = explain(path, [f"{SETTINGS.get(name, name)}={value}" for name, value in values])
                        self.assertEqual(done.returncode, 0, done.stderr)
                        tried += 1
        self.assertGreater(tried, 10)


if __name__ == "__main__":
    unittest.main(verbosity=2)
