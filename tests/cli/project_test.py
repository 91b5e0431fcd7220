"""pallasgen.yaml: the settings that commands take from it, and the signatures that it keeps."""
import subprocess
import unittest
from pathlib import Path

from harness import ADD, TOOL, ToolTest, run

PROJECT = """pallasgen: 1
specs: [specs]
out: generated
"""


class Project(ToolTest):
    def setUp(self):
        super().setUp()
        self.folder = self.spec.parent.parent
        self.file = self.folder / "pallasgen.yaml"
        self.spec.write_text(ADD)
        self.made = self.folder / "generated"

    def write(self, text=""):
        self.file.write_text(PROJECT + text)

    def run_here(self, *arguments, folder=None):
        return run(*arguments, cwd=folder or self.folder)

    def test_commands_without_arguments(self):
        self.write()
        self.assertEqual(self.run_here("generate").returncode, 0)
        self.assertTrue((self.made / "add.cu").exists())
        self.assertEqual(self.run_here("check").returncode, 0)
        self.assertIn("add for sm_90a", self.run_here("explain").stdout)
        self.assertIn("add", self.run_here("list").stdout)
        self.assertIn("passed", self.run_here("test", "--policies", "late").stdout)

    def test_defines_are_for_the_specs_that_have_the_const(self):
        (self.spec.parent / "other.yaml").write_text(ADD.replace("kernel: add", "kernel: other").replace("bn", "columns"))
        self.write("define: {bn: 256, pipeline.stages: 0}\n")
        done = self.run_here("generate")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("bn = 256", (self.made / "add.cu").read_text())
        self.assertIn("columns = 512", (self.made / "other.cu").read_text())
        self.write("define: {bm: 256}\n")
        done = self.run_here("check")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("`define` of pallasgen.yaml gives 'bm' a value, and no spec has such a const", done.stderr)
        self.assertIn("did you mean 'bn'?", done.stderr)

    def test_diff_has_the_defines_on_both_sides(self):
        for words in (("init", "-q"), ("add", "."), ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "begin")):
            self.write("define: {bn: 256}\n")
            subprocess.run(["git", *words], cwd=self.folder, check=True)
        done = self.run_here("diff")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.spec.write_text(ADD.replace("stages: 0", "stages: 0 ").replace("x + y", "x - y"))
        done = self.run_here("diff")
        self.assertEqual(done.returncode, 3)
        self.assertNotIn("512", done.stdout)

    def test_without_the_project_file(self):
        self.write("define: {bn: 256}\n")
        done = self.run_here("generate", "specs", "--out", "made", "--no-project")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("bn = 512", (self.folder / "made/add.cu").read_text())
        self.assertEqual(self.run_here("list", "--no-project", "--project", "pallasgen.yaml").returncode, 2)

    def test_vet_without_files(self):
        done = self.run_here("vet")
        self.assertEqual(done.returncode, 2)
        self.assertIn("vet wants kernel files [command-line]", done.stderr)
        self.write()
        self.assertIn("no kernel file was generated below 'generated'", self.run_here("vet").stderr)
        self.assertEqual(self.run_here("generate").returncode, 0)
        if (Path(TOOL).resolve().parent / "pallasgen-clang").exists():
            self.assertEqual(self.run_here("vet").returncode, 0)
            kernel = self.made / "add.cu"
            kernel.write_text(kernel.read_text() + "#error read\n")
            self.assertIn("add.cu", self.run_here("vet").stderr)

    def test_from_a_folder_below(self):
        self.write()
        done = self.run_here("generate", folder=self.spec.parent)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("wrote ../generated/add.cu", done.stdout)

    def test_settings(self):
        self.write("bindings: [python]\nplan_json: true\ndefine: {bn: 256}\ntarget: sm_89\n")
        done = self.run_here("generate")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(all((self.made / f"add{end}").exists() for end in (".py", ".ffi.cpp", ".plan.json")))
        text = (self.made / "add.cu").read_text()
        self.assertIn("256", text)
        self.assertIn("target sm_89", text)

    def test_arguments_go_over_it(self):
        self.write()
        self.assertEqual(self.run_here("generate", "--out", "other").returncode, 0)
        self.assertFalse(self.made.exists())
        self.assertTrue((self.folder / "other/add.cu").exists())

    def test_nothing_says_where(self):
        done = self.run_here("generate")
        self.assertEqual(done.returncode, 2)
        self.assertIn("specs are required: files, or folders of them [command-line]", done.stderr)
        self.assertIn("--out is required: the output root [command-line]", done.stderr)

    def test_what_is_wrong_in_it(self):
        for text, said in (("target: sm_1\n", "sm_1"), ("oot: x\n", "did you mean 'out'"), ("bindings: jax\n", "it is 'jax'"),
                           ("interface: hard\n", "'interface' takes frozen, free"), ("specs: {a: b}\n", "specs"),
                           ("plan_json: maybe\n", "true or false is wanted here"),
                           ("template_dir: nowhere\n", "'nowhere', the template_dir of pallasgen.yaml, is no folder"),
                           ("define: {bm: \"\"}\n", "'define' has an empty text"), ("extern_args: [\"\"]\n", "'extern_args' has an empty text"), ("- x\n", "pallasgen.yaml:4:")):
            with self.subTest(text):
                self.write(text)
                done = self.run_here("generate")
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(said, done.stderr)
                self.assertFalse(self.made.exists())

    def test_what_builds_ask_for(self):
        self.write("define: {bn: 256, pipeline.stages: 3}\nextern_args: [-Iinclude, -DFAST=1]\ntarget: sm_89\ninterface: frozen\n")
        self.assertEqual(self.run_here("project", "specs").stdout, "specs\n")
        self.assertEqual(self.run_here("project", "define").stdout, "bn=256\npipeline.stages=3\n")
        self.assertEqual(self.run_here("project", "template_dir").stdout, "")
        done = self.run_here("project")
        self.assertEqual(done.stdout, "file: pallasgen.yaml\nspecs: specs\nout: generated\ntarget: sm_89\n"
                         "define: bn=256 pipeline.stages=3\nbindings: \nplan_json: false\ntemplate_dir: \n"
                         "extern_args: -Iinclude -DFAST=1\ninterface: frozen\n")
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        # With an absolute path to it, paths are absolute; otherwise they are relative to the working folder.
        self.assertEqual(self.run_here("project", "out", "--project", str(self.file), folder=elsewhere).stdout, f"{self.made}\n")
        self.assertEqual(self.run_here("project", "out", "--project", "../pallasgen.yaml", folder=elsewhere).stdout, "../generated\n")
        self.assertEqual(self.run_here("project", "extern_args", "--project", str(self.file)).stdout,
                         f"-I{self.folder}/include\n-DFAST=1\n")

    def test_asked_where_none_is(self):
        done = self.run_here("project", "specs")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("there is no pallasgen.yaml in the working folder, nor in a folder above it [command-line]", done.stderr)
        done = self.run_here("project", "--project", "nowhere.yaml")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("nowhere.yaml", done.stderr)
        self.write()
        self.assertIn("spacs", self.run_here("project", "spacs").stderr)

    def test_the_project_file_is_no_spec(self):
        self.write()
        self.assertEqual(self.run_here("generate", ".", "--root", "specs").returncode, 0)

    def test_a_frozen_interface(self):
        self.write("interface: frozen\n")
        self.assertEqual(self.run_here("generate").returncode, 0)
        recorded = self.made / "pallasgen.interface"
        self.assertRegex(recorded.read_text(), r"^add add\(x: in f32\[")
        before, text = recorded.read_text(), (self.made / "add.cu").read_text()
        self.spec.write_text(ADD.replace("f32", "f16"))
        for command in ("check", "generate"):
            done = self.run_here(command)
            self.assertEqual(done.returncode, 3)
            self.assertIn("[interface-frozen]", done.stderr)
            self.assertIn("recorded is add(x: in f32[", done.stderr)
        self.assertEqual((recorded.read_text(), (self.made / "add.cu").read_text()), (before, text))
        self.assertEqual(self.run_here("generate", "--accept-interface").returncode, 0)
        self.assertIn("f16[", recorded.read_text())
        self.assertEqual(self.run_here("check").returncode, 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
