"""`pallasgen vet` on the library, on wrong edits of it (tests/vet/edits), and on harmless ones (tests/vet/harmless).

A file is one edit (edits.py). A wrong one ends with what vet must find: text of the `line`, and the `rule`."""
import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from edits import Edit
from harness import ROOT, TOOL

HERE = ROOT / "tests/vet"
CLANG = Path(TOOL).resolve().parent / "pallasgen-clang"


def vet(files, *more):
    """Returns the findings of each file by name, and the exit code; files of one call share the compiled headers."""
    words = [TOOL, "vet", "--error-format", "json", *more, *map(str, files)]
    result = subprocess.run(words, text=True, capture_output=True, timeout=300)
    findings = [json.loads(line) for line in result.stderr.splitlines() if line.startswith("{")]
    return findings, result


def write(edits, folder):
    """Writes the edited files, each with a copy of its header in its folder."""
    files = {}
    for edit in edits:
        place = Path(folder) / edit.name
        place.mkdir()
        kernel = ROOT / "generated" / edit.kernel
        header = kernel.with_suffix(".h")
        (place / header.name).write_text(header.read_text())
        files[edit.name] = place / kernel.name
        files[edit.name].write_text(edit.apply())
    return files


@unittest.skipUnless(CLANG.exists(), "pallasgen-clang was not built")
class Vet(unittest.TestCase):
    def test_wrong_edits_are_found_where_they_are(self):
        edits = [Edit(path) for path in sorted((HERE / "edits").glob("*.edit"))]
        self.assertGreaterEqual(len(edits), 40)
        with tempfile.TemporaryDirectory() as folder:
            files = write(edits, folder)
            findings, result = vet(files.values())
            for edit in edits:
                with self.subTest(edit.name):
                    mine = [each for each in findings if each["file"] == str(files[edit.name])]
                    lines = files[edit.name].read_text().splitlines()
                    said = [(each["rule"], lines[each["line"] - 1].strip()) for each in mine]
                    self.assertTrue(any(rule == edit.rule and edit.line in line for rule, line in said),
                                    f"wanted {edit.rule} at '{edit.line}', got {said}\n{mine}")
            self.assertEqual(result.returncode, 1)

    def test_harmless_edits_are_left_alone(self):
        edits = [Edit(path) for path in sorted((HERE / "harmless").glob("*.edit"))]
        self.assertGreaterEqual(len(edits), 20)
        with tempfile.TemporaryDirectory() as folder:
            findings, result = vet(write(edits, folder).values())
            self.assertEqual(findings, [], result.stderr)
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_the_library_has_no_findings(self):
        findings, result = vet(sorted((ROOT / "generated").rglob("*.cu")))
        self.assertEqual(findings, [])
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_other_kernels_have_no_findings(self):
        """Warps that keep to their own places; slots that a copy does not fill; a queue of tiles, whose barriers have
        names like those of rings."""
        made = {"tests/corners/halves_of_columns.yaml": [], "tests/corners/skip_of_steps.yaml": [],
                "tests/corners/dynamic_copied.yaml": [], "tests/corners/inputs_called_as_barriers.yaml": [],
                "specs/matmul/matmul.yaml": ["-D", "schedule.persistent=dynamic"]}
        with tempfile.TemporaryDirectory() as folder:
            for spec, words in made.items():
                done = subprocess.run([TOOL, "generate", ROOT / spec, *words, "--out", folder], text=True, capture_output=True)
                self.assertEqual(done.returncode, 0, done.stderr)
            files = sorted(Path(folder).rglob("*.cu"))
            self.assertEqual(len(files), len(made))
            findings, result = vet(files)
            self.assertEqual(findings, [], result.stderr)

    def test_a_queue_of_tiles(self):
        """Slots of a queue that count too few arrivals, that too few fill, that nothing opens, and that are skipped."""
        taken = 'init({}kConsumers, "tile_queue.empty")'
        wrong = {"count_of_takers": (taken.format("4 * "), taken.format(""), "arrivals"),
                 "count_of_the_giver": ('init(1, "tile_queue.full")', 'init(2, "tile_queue.full")', "arrivals"),
                 "not_opened": ("barrier.init(1, \"tile_queue.full\")", "", "deadlock"),
                 "passed_by": ("tile.next()) {\n    for (int k", "tile.next(), tile.next()) {\n    for (int k", "deadlock")}
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([TOOL, "generate", ROOT / "specs/matmul/matmul.yaml", "-D", "schedule.persistent=dynamic", "--out",
                            folder], check=True, capture_output=True)
            kernel = next(Path(folder).rglob("*.cu"))
            files = {}
            for name, (before, after, _) in wrong.items():
                (kernel.parent / name).mkdir()
                files[name] = kernel.parent / name / kernel.name
                (kernel.parent / name / "matmul.h").write_text(kernel.with_suffix(".h").read_text())
                self.assertIn(before, kernel.read_text(), name)
                files[name].write_text(kernel.read_text().replace(before, after, 1))
            findings, _ = vet(files.values())
            for name, (*_, rule) in wrong.items():
                with self.subTest(name):
                    self.assertEqual([each["rule"] for each in findings if each["file"] == str(files[name])], [rule])

    def test_the_page_shows_what_is_printed(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "matmul_gelu.cu"
            kernel = ROOT / "generated/matmul/matmul_gelu.cu"
            (Path(folder) / "matmul_gelu.h").write_text(kernel.with_suffix(".h").read_text())
            file.write_text(kernel.read_text().replace("4 stages of", "5 stages of"))
            result = subprocess.run([TOOL, "vet", file.name], text=True, capture_output=True, cwd=folder)
            self.assertEqual(result.returncode, 1)
            page = (ROOT / "docs/vet.md").read_text()
            self.assertIn("".join(f"    {line}\n" for line in result.stderr.splitlines()), page)

    def test_what_is_no_kernel_of_pallasgen_is_refused(self):
        head = "// Code generated by pallasgen from x. DO NOT EDIT.\n"
        cases = {
            "other.cu": ("__global__ void k() {}\n", "pallasgen did not write this file", 1),
            "broken.cu": (head + "int f( {\n", "not checked", 1),
            "empty.cu": ("", "pallasgen did not write this file", 1),
            "unknown.cu": (head + "__device__ void f() { asm(\"\" ::\"C\"(\"x\")); }\n", "not checked", 1),
            "no_launch.cu": (head + "int f() { return 1; }\n", "launches no kernel", 1),
        }
        with tempfile.TemporaryDirectory() as folder:
            for name, (text, said, code) in cases.items():
                with self.subTest(name):
                    path = Path(folder) / name
                    path.write_text(text)
                    result = subprocess.run([TOOL, "vet", path], text=True, capture_output=True)
                    self.assertIn(said, result.stderr)
                    self.assertEqual(result.returncode, code)
            result = subprocess.run([TOOL, "vet", Path(folder) / "missing.cu"], text=True, capture_output=True)
            self.assertIn("no such file", result.stderr)
            self.assertEqual(result.returncode, 4)
            result = subprocess.run([TOOL, "vet", folder], text=True, capture_output=True)
            self.assertIn("is a folder", result.stderr)
            self.assertEqual(result.returncode, 4)


if __name__ == "__main__":
    unittest.main()
