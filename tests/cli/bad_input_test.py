"""Bad input at the command line: each gets a diagnostic or exit code 4, none crashes, and nothing is written."""
import json
import os
import subprocess
import time
import unittest

from harness import ADD, ROOT, TOOL, ToolTest, run


class BadInput(ToolTest):
    def refused(self, content, *words, code=1, name="bad.yaml"):
        path = self.folder / "specs" / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        start = time.time()
        result = run("generate", path, "--out", self.out)
        self.assertLess(time.time() - start, 2.0)
        self.assertEqual(result.returncode, code, result.stderr[-2000:])
        self.assertFalse(self.out.exists())
        for word in words:
            self.assertIn(word, result.stderr)
        return result.stderr

    def test_brackets(self):
        self.refused("pallasgen: 1\nkernel: " + "[" * 1_000_000, "bad.yaml:")
        self.refused("[" * 1_000_000, "bad.json:", name="bad.json")
        self.refused("{\"a\":" * 200_000, "bad.json:", name="bad.json")
        self.refused(ADD.replace("x + y", "(" * 500_000), "bad.yaml:14:")

    def test_yaml_says_what_is_likely_missing(self):
        for wrong, right, said in (("bn: 512}", "bn: 512", "not closed"), ("[bn], index_map: [i]}", "[bn}, index_map: [i]}", "closed by"),
                                   ("kernel: add", "kernel:add", "a space behind it"), ("body:", "body", "a space behind it"),
                                   ("kernel: add", 'kernel: "add', "not closed"), ("  y:", "   y:", "in one column")):
            with self.subTest(right=right):
                self.spec.write_text(ADD.replace(wrong, right, 1))
                done = self.generate()
                self.assertEqual(done.returncode, 1)
                self.assertIn("[yaml-syntax]", done.stderr)
                self.assertIn(said, done.stderr)

    def test_bytes(self):
        self.refused(ADD.encode().replace(b"x + y", b"x + \xff\xfe"), "bad.yaml:14:", "UTF-8")
        self.refused(ADD.encode().replace(b"x + y", b"x + \0 y"), "bad.yaml:14:", "NUL")
        self.refused(b"", "empty")
        self.refused(b"\n\n# nothing\n", "empty")
        self.refused(b"\xff\xfe" + ADD.encode("utf-16-le"), "UTF-8")

    def test_second_document(self):
        self.refused(ADD + "---\n" + ADD, "document")

    def test_a_mark_at_the_start_and_windows_lines_are_fine(self):
        self.spec.write_bytes(b"\xef\xbb\xbf" + ADD.replace("\n", "\r\n").encode())
        self.assertEqual(self.generate().returncode, 0, self.generate().stderr)

    def test_missing_folder_unreadable(self):
        missing = run("generate", self.folder / "specs/none.yaml", "--out", self.out)
        self.assertIn("[file-missing]", missing.stderr)
        self.assertEqual(missing.returncode, 1)
        (self.folder / "specs/empty").mkdir()
        empty = run("generate", self.folder / "specs/empty", "--out", self.out)
        self.assertEqual(empty.returncode, 2)
        (self.folder / "specs/dir.yaml").mkdir()
        folder = run("interpret", self.folder / "specs/dir.yaml")
        self.assertNotEqual(folder.returncode, 0)
        given = run("interpret", self.spec, "--in", f"x={self.folder}")
        self.assertEqual(given.returncode, 4, given.stderr)

    @unittest.skipUnless(os.getuid() == 0, "not running as root")
    def test_unreadable(self):
        os.chmod(self.folder, 0o755)
        self.spec.chmod(0)
        result = subprocess.run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", TOOL, "generate",
                                 str(self.spec), "--out", str(self.out)], text=True, capture_output=True)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("[file-unreadable]", result.stderr)

    def test_json_and_github_formats(self):
        self.spec.write_text(ADD.replace("x + y", "x + w"))
        as_json = self.generate("--error-format", "json")
        self.assertTrue(as_json.stderr.lstrip().startswith("["), as_json.stderr)
        as_github = self.generate("--error-format", "github")
        self.assertTrue(as_github.stderr.startswith("::error file="), as_github.stderr)

    def test_json_is_one_array(self):
        """Also for commands that print in several steps, or nothing."""
        self.spec.write_text(ADD.replace("x + y", "x + w"))
        (self.folder / "specs/other.yaml").write_text(ADD.replace("x + y", "x + v"))
        (self.folder / "specs/third.yaml").write_text(ADD)
        both = run("explain", self.folder / "specs", "--error-format", "json")
        self.assertEqual([entry["rule"] for entry in json.loads(both.stderr)], ["unknown-name"] * 2)
        self.assertEqual(json.loads(run("explain", self.folder / "specs/third.yaml", "--error-format", "json").stderr), [])
        usage = run("interpret", self.folder / "specs/third.yaml", "--dim", "N", "--error-format", "json")
        self.assertEqual([entry["rule"] for entry in json.loads(usage.stderr)], ["command-line"])
        tested = run("test", self.spec, "--modes", "fast", "--error-format", "json")
        self.assertEqual([entry["rule"] for entry in json.loads(tested.stderr)], ["command-line"])

    def test_counts_say_what_they_take(self):
        for option in ("--test", "--sms"):
            for value in ("0", "-1", "x", "99999999999999999999"):
                with self.subTest(option=option, value=value):
                    result = run("interpret", self.spec, option, value)
                    self.assertEqual(result.returncode, 2, result.stderr)
                    self.assertIn("at least 1", result.stderr)
                    self.assertLess(len(result.stderr), 200)

    def test_usage(self):
        for arguments in ([], ["generate"], ["generate", self.spec], ["nothing"], ["check", self.spec, "--out"],
                          ["generate", self.spec, "--out", self.out, "-D", "bn"],
                          ["explain", self.spec, "--program", "1,,2"], ["explain", self.spec, "--program", "x"],
                          ["interpret", self.spec, "--dim", "N"], ["interpret", self.spec, "--dim", "N=-4"],
                          ["test", self.spec, "--modes", "fast"], ["test", self.spec, "--policies", "soon"],
                          ["test", self.spec, "--policies", "late,erly"], ["test", self.spec, "--seeds", "0"]):
            with self.subTest(arguments=arguments):
                result = run(*arguments)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertTrue(result.stderr or result.stdout)

    def test_empty_values(self):
        for arguments in (["generate", "", "--out", self.out], ["generate", self.spec, "--out", ""],
                          ["generate", self.spec, "--out="], ["check", self.spec, "--out", ""],
                          ["explain", self.spec, "--html", "--to", ""], ["runtime", "--out", ""], ["vet", ""],
                          ["generate", self.spec, "--out", self.out, "--root", ""],
                          ["generate", self.spec, "--out", self.out, "--depfile", ""],
                          ["list", ""], ["init", "matmul", "--out", ""], ["interpret", self.spec, "--in", ""]):
            with self.subTest(arguments=arguments):
                result = run(*arguments, cwd=self.folder)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("[command-line]", result.stderr)
                self.assertEqual([path.name for path in self.folder.iterdir()], ["specs"])

    def test_options_in_place_of_values(self):
        for arguments in (["generate", self.spec, "--out", "--prune"], ["generate", self.spec, "--out", "-q"],
                          ["check", self.spec, "--out=-q"], ["explain", self.spec, "--svg", "--to", "--html"],
                          ["generate", self.spec, "--out", self.out, "--depfile", "--prune"], ["runtime", "--out", "-v"]):
            with self.subTest(arguments=arguments):
                result = run(*arguments, cwd=self.folder)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("begins with '-'", result.stderr)
                self.assertEqual([path.name for path in self.folder.iterdir()], ["specs"])
        self.assertEqual(self.generate("--extern-arg", "-Ifolder").returncode, 0)

    def test_unknown_define(self):
        result = self.generate("-D", "bm=64")
        self.assertEqual(result.returncode, 1)
        self.assertIn("bm", result.stderr)
        self.assertFalse(self.out.exists())

    def test_a_definition_without_a_name_or_a_value(self):
        for text, form in (("bn", "write -D bn=VALUE"), ("bn=", "write -D bn=VALUE"), ("=3", "write -D NAME=3")):
            with self.subTest(text):
                done = run("list", self.spec, "-D", text)
                self.assertEqual(done.returncode, 2)
                self.assertIn(form, done.stderr)

    def test_usage_by_diagnostic(self):
        for arguments in (["explain", self.spec, "-D", "bn"], ["interpret", self.spec, "--dim", "N"],
                          ["interpret", self.spec, "--test", "1"], ["explain", self.spec, "--dim", "N=8"],
                          ["explain", self.spec, "--program", "0", "--dim", "N=8", "--dim", "Q=8"],
                          ["explain", self.spec, "--svg", "--to", self.out, "--dim", "Q=8"]):
            with self.subTest(arguments=arguments):
                result = run(*arguments)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("[command-line]", result.stderr)

    def test_runs_of_tests_that_fail(self):
        sizes = "tests: [{dims: {N: 8}}]\n"
        empty = self.folder / "empty"
        empty.mkdir()

        def tested(words, **environment):
            result = run("test", self.spec, "--work-dir", self.folder / "work", env={**os.environ, **environment})
            self.assertEqual(result.returncode, 1, result.stderr + result.stdout)
            self.assertIn(words, result.stderr + result.stdout)

        self.spec.write_text(ADD + "reference: {z: x + y}\n" + sizes)
        tested("[host-toolkit]", CUDAToolkit_ROOT=str(empty))
        (empty / "include").mkdir()
        for name in ("cuda.h", "cuda_runtime.h"):
            (empty / "include" / name).touch()
        tested("[host-compiler]", CUDAToolkit_ROOT=str(empty), PATH=str(empty))
        tested("[host-compile]", CUDAToolkit_ROOT=str(empty), PALLASGEN_HOST_CXX="/bin/false")

    def test_unknown_target_and_program(self):
        result = run("explain", self.spec, "--target", "sm_42")
        self.assertEqual(result.returncode, 1)
        self.assertIn("[plan-target]", result.stderr)
        for program, dims in (("9", ["N=512"]), ("0,0", ["N=512"]), ("0", [])):
            words = [word for dim in dims for word in ("--dim", dim)]
            result = run("explain", self.spec, "--program", program, *words)
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertIn("[program-point]", result.stderr)

    def test_both_forms_plan_alike(self):
        ops = run("lower", self.spec, "--to", "ops")
        self.assertEqual(ops.returncode, 0, ops.stderr)
        (self.folder / "json").mkdir()
        (self.folder / "json/add.json").write_text(ops.stdout)
        one, other = run("explain", self.spec), run("explain", self.folder / "json/add.json")
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertEqual(other.stdout, one.stdout, other.stderr)

    def test_what_does_not_fit_is_counted(self):
        done = run("lower", ROOT / "specs/matmul/matmul_gelu.yaml", "--to", "size", "-D", "pipeline.stages=5")
        self.assertEqual(done.returncode, 1, done.stdout)
        for part in ("[shared-memory]", "of 232,448 bytes", "81,920 for 5 slots of 'a'",
                     "163,840 for 5 slots of 'b'", "4,096 for 1 slot of 'c'", "4 stages fit"):
            self.assertIn(part, done.stderr)

        done = run("lower", ROOT / "tests/errors/registers-blocks.yaml", "--to", "size")
        self.assertEqual(done.returncode, 1, done.stdout)
        for part in ("[registers]", "in each thread of 'consumer'", "128 for 'acc'", "22 for addresses"):
            self.assertIn(part, done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
