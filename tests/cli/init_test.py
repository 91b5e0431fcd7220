"""`pallasgen init`: what it writes passes its own tests, and nothing is written over."""
import unittest

from harness import ROOT, ToolTest, run

FORMS = sorted(path.name.split(".")[0] for path in (ROOT / "templates/init").iterdir())


class Init(ToolTest):
    def init(self, *words):
        return run("init", *words, cwd=self.folder)

    def test_what_it_writes_generates_checks_and_passes_its_tests(self):
        self.assertEqual(FORMS, ["attention", "elementwise", "matmul", "reduction"])
        for form in FORMS:
            done = self.init(form, "--out", f"begun/{form}.yaml")
            self.assertEqual(done.returncode, 0, done.stderr)
            text = (self.folder / f"begun/{form}.yaml").read_text()
            self.assertIn(f"kernel: {form} ", text)
            self.assertGreater(text.count("#"), 8)
        begun = self.folder / "begun"
        done = run("generate", begun, "--out", self.out)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(run("check", begun, "--out", self.out).returncode, 0)
        # The tutorial runs the tests of the other two.
        done = run("test", begun / "attention.yaml", begun / "reduction.yaml", "--batch", "--policies", "late", "--work-dir",
                   self.folder / "work")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^\d\d+ passed, 0 failed$")

    def test_a_project(self):
        done = self.init("project", "--name", "rows")
        self.assertEqual(done.returncode, 0, done.stderr)
        folder = self.folder / "rows"
        self.assertEqual(sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()),
                         ["CMakeLists.txt", "pallasgen.yaml", "pyproject.toml", "specs/axpy.yaml", "tests/test_kernels.py"])
        self.assertIn("pallasgen_add_python_package(rows GENERATED generated)", (folder / "CMakeLists.txt").read_text())
        for command in ("generate", "check"):
            done = run(command, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((folder / "generated/axpy.py").exists())
        (folder / "pallasgen.yaml").write_text("mine\n")
        done = self.init("project", "--name", "rows")
        self.assertEqual(done.returncode, 4)
        self.assertIn("'rows/pallasgen.yaml' is there already", done.stderr)
        self.assertEqual((folder / "pallasgen.yaml").read_text(), "mine\n")
        self.assertEqual(self.init("project", "--name", "9rows").returncode, 2)

    def test_nothing_is_written_over(self):
        place = self.folder / "rows.yaml"
        self.assertEqual(self.init("reduction", "--name", "rows").returncode, 0)
        before = place.read_bytes()
        self.assertIn(b"kernel: rows ", before)
        place.write_bytes(before + b"# mine\n")
        done = self.init("reduction", "--name", "rows")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("[file-exists]", done.stderr)
        self.assertIn("--force", done.stderr)
        self.assertEqual(place.read_bytes(), before + b"# mine\n")
        self.assertEqual(self.init("reduction", "--name", "rows", "--force").returncode, 0)
        self.assertEqual(place.read_bytes(), before)

    def test_names_and_forms_that_are_none(self):
        for words, said in ((("matmul", "--name", "float"), "[reserved-kernel-name]"), (("matmul", "--name", "1x"), "'1x' is no name"),
                            (("matmul", "--out", "a-b.yaml"), "--name gives"), (("matmul", "--out", "my"), "write --out my.yaml"),
                            (("matmul", "--out", "specs", "--force"), "is a folder"),
                            (("matmull",), "did you mean 'matmul'?"), (("mesh",), "warp_specialized: true")):
            done = self.init(*words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(said, done.stderr)
        self.assertEqual(list(self.folder.glob("*.yaml")), [])
        done = self.init("matmul", "--out", "specs/add.yaml/x.yaml")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("[output-write]", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
