"""Notes of bad specs on sizes of blocks and numbers of settings, "bn 192 works", and on the dot of a transpose: with
these the error or the warning is gone, and an error leaves a spec that plans."""
import json
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness import ROOT, TOOL

PAIRS = re.compile(r"(\w+ \d+)((?:, \w+ \d+)*)((?: and \w+ \d+)?) works")
SETTINGS = {"stages": "pipeline", "compute_warpgroups": "pipeline", "delay_release": "pipeline"}
# Specs whose shared memory or registers do not suffice, which only other sizes of blocks help, not settings.
BY_SIZES = ["registers-blocks", "shared-memory-norm-of-accumulator", "shared-memory-row-maximum"]


def said(path, changes=()):
    """Returns the exit code and the tool's messages on the spec."""
    words = [word for change in changes for word in ("-D", change)]
    done = subprocess.run([TOOL, "explain", path, *words, "--error-format", "json"], text=True, errors="replace",
                          capture_output=True, timeout=120)
    return done.returncode, json.loads(done.stderr) if done.stderr.lstrip().startswith("[") else []


def changes(note):
    """Returns the defines of a note that names numbers; none for other notes."""
    found = PAIRS.fullmatch(note)
    pairs = re.findall(r"(\w+) (\d+)", note) if found else []
    return [f"{SETTINGS[name]}.{name}={value}" if name in SETTINGS else f"{name}={value}" for name, value in pairs]


class Sizes(unittest.TestCase):
    def test_each_size_that_a_note_names_works(self):
        tried = 0
        for expected in sorted((ROOT / "tests/errors").glob("*.expected")):
            if not re.search(r"note: \w+ \d+.* works", expected.read_text()):
                continue
            spec = expected.with_suffix(".yaml")
            for each in said(spec)[1]:
                for note in each["notes"]:
                    change = changes(note["message"])
                    if not change:
                        continue
                    with self.subTest(spec=spec.name, change=change):
                        code, left = said(spec, change)
                        tried += 1
                        self.assertNotIn(each["message"], [other["message"] for other in left])
                        if each["severity"] == "error":
                            self.assertEqual((code, [other for other in left if other["severity"] == "error"]), (0, []))
        self.assertGreater(tried, 12)

    def test_the_dot_of_a_transpose_works_for_16_and_32_rows(self):
        spec = ROOT / "tests/errors/slow-path-dot-few-rows.yaml"
        for rows in (16, 32):
            with self.subTest(rows=rows), tempfile.TemporaryDirectory() as folder:
                warning = next(each for each in said(spec, [f"bm={rows}"])[1] if "tensor cores" in each["message"])
                dots = [found.group(1) for note in warning["notes"]
                        if (found := re.match(r"`(dot\(.*\))` of .* of which `\.T` is stored, works$", note["message"]))]
                self.assertEqual(len(dots), 1, warning)
                lines = spec.read_text().splitlines()
                at = warning["line"] - 1
                lines[at] = re.sub(r"dot\([^()]*\)", dots[0] + ".T", lines[at])
                changed = Path(folder) / "turned.yaml"
                changed.write_text("\n".join(lines) + "\n")
                self.assertEqual([each for each in said(changed, [f"bm={rows}"])[1] if "tensor cores" in each["message"]], [])

    def test_refusals_that_only_sizes_help_name_some(self):
        for name in BY_SIZES:
            with self.subTest(spec=name):
                notes = [note["message"] for each in said(ROOT / f"tests/errors/{name}.yaml")[1]
                         if each["severity"] == "error" for note in each["notes"]]
                self.assertTrue(any(changes(note) for note in notes), notes)


if __name__ == "__main__":
    unittest.main(verbosity=2)
