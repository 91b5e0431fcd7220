"""`pallasgen init`: the files that it writes pass their own tests, and nothing is overwritten."""
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
        self.assertIn("pallasgen_add_python_package(rows)", (folder / "CMakeLists.txt").read_text())
        for command in ("generate", "check"):
            done = run(command, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((folder / "generated/axpy.py").exists())
        (folder / "pallasgen.yaml").write_text("mine\n")
        done = self.init("project", "--name", "rows")
        self.assertEqual(done.returncode, 4)
        self.assertIn("'rows/pallasgen.yaml' is there already", done.stderr)
        self.assertEqual((folder / "pallasgen.yaml").read_text(), "mine\n")
        for name in ("9rows", "class", "torch"):
            self.assertEqual(self.init("project", "--name", name).returncode, 2)

    def test_a_spec_of_the_library(self):
        done = self.init("--from", "rows/rms_norm", "--name", "my_norm", "--out", "specs/my_norm.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "wrote specs/my_norm.yaml\nwrote specs/rms_norm_bwd.yaml\n"
                         "`pallasgen test specs/my_norm.yaml` tries it\n")
        text, original = (self.folder / "specs/my_norm.yaml").read_text(), (ROOT / "specs/rows/rms_norm.yaml").read_text()
        self.assertEqual(text, original.replace("kernel: rms_norm\n", "kernel: my_norm\n"))
        self.assertEqual(run("generate", self.folder / "specs", "--out", self.out).returncode, 0)
        done = self.init("--from", "rows/cross_entropy.yaml")
        self.assertIn("wrote cross_entropy.label.npy\n", done.stdout)
        done = run("test", "cross_entropy.yaml", "--policies", "late", "--work-dir", self.folder / "work", cwd=self.folder)
        self.assertRegex(done.stdout, r"(?m)^\d+ passed, 0 failed$")
        self.assertIn("wrote my_ops.cuh\n", self.init("--from", "extern/extern_elements").stdout)

    def test_every_spec_of_the_library_can_be_copied(self):
        for path in sorted((ROOT / "specs").rglob("*.yaml")):
            place = str(path.relative_to(ROOT / "specs"))[:-5]
            done = self.init("--from", place, "--out", f"copies/{place}/{path.name}")
            self.assertEqual(done.returncode, 0, done.stderr)
            copies = [copy for copy in (self.folder / "copies" / place).iterdir()]
            for copy in copies:
                self.assertEqual(copy.read_bytes(), (path.parent / copy.name).read_bytes())

    def test_what_of_the_library_is_refused(self):
        for words, said in ((("rows/rmsnorm",), "did you mean 'rows/rms_norm'?"), (("rms_norm",), "did you mean 'rows/rms_norm'?"),
                            (("../CMakeLists",), "the library has no spec"), (("rows/rms_norm", "--name", "int"), "reserve that name"),
                            (("rows/rms_norm", "--name", "9x"), "is no name of a kernel"),
                            (("rows/rms_norm", "--out", "folder"), "write --out folder/rms_norm.yaml"),
                            (("rows/softmax", "--out", "softmax_bwd.yaml"), "give the spec another name by --out"),
                            (("rows/softmax", "--out", "s.json"), "write --out s.yaml"),
                            (("rows/rms_norm", "matmul"), "init takes a form, 'matmul', or --from, not both")):
            done = self.init("--from", *words)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(said, done.stderr)
        self.assertIn("init wants a form: attention", self.init().stderr)
        self.assertEqual(self.init("--from", "rows/softmax", "--name", "one").returncode, 0)
        self.assertEqual(self.init("--from", "rows/softmax", "--name", "other").returncode, 0)  # with the same softmax_bwd.yaml
        (self.folder / "softmax_bwd.yaml").write_text("mine\n")
        done = self.init("--from", "rows/softmax")
        self.assertEqual(done.returncode, 4)
        self.assertIn("'softmax_bwd.yaml' is there already", done.stderr)
        self.assertFalse((self.folder / "softmax.yaml").exists())

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
