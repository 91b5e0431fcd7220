"""diff: changes of the plan, then of the text; of specs since a revision, of settings, of generated files."""
import os
import subprocess
import unittest

from harness import ADD, ROOT, TOOL, ToolTest, run

MATMUL = ROOT / "specs/matmul/matmul_gelu.yaml"


class Diff(ToolTest):
    def git(self, *arguments, **options):
        environment = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@b",
                           GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="a@b")
        return subprocess.run(["git", "-C", self.folder, *arguments], text=True, capture_output=True, check=True,
                              env=environment, **options)

    def commit(self):
        self.git("init", "-q")
        self.git("add", "specs")
        self.git("commit", "-qm", "specs")


class Settings(Diff):
    def test_a_setting_changes_the_plan_then_the_text(self):
        done = run("diff", MATMUL, "-D", "pipeline.stages=3")
        self.assertEqual(done.returncode, 3, done.stderr)
        for line in ("matmul_gelu (specs/matmul/matmul_gelu.yaml)", "  stages of a, b: 4 of 49,152 bytes -> 3 of 49,152 bytes",
                     "  shared memory: 230,400 of 232,448 bytes -> 181,248 of 232,448 bytes", "  barriers full: 4 -> 3",
                     "  bytes under way at once in an SM: 196,608 -> 147,456", "  the header is the same",
                     "-constexpr int kStages = 4;", "+constexpr int kStages = 3;"):
            self.assertIn(line + "\n", done.stdout)
        self.assertLess(done.stdout.index("barriers full"), done.stdout.index("--- a/matmul/matmul_gelu.cu"))

    def test_the_cost_model_says_better_or_worse(self):
        done = run("diff", MATMUL, "-D", "bn=32")
        self.assertRegex(done.stdout, r"  cost model \(H100 SXM; M = 4,096, N = 4,096, K = 4,096\): \d+\.\d+ us -> \d+\.\d+ us, "
                         r"worse by \d+\.\d %\n")
        self.assertIn("  tile: 128 x 256 x 64 -> 128 x 32 x 64\n", done.stdout)

    def test_nothing_changes(self):
        done = run("diff", MATMUL, "-D", "pipeline.stages=4")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_a_setting_that_does_not_plan(self):
        done = run("diff", MATMUL, "-D", "pipeline.stages=9")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("[shared-memory]", done.stderr)


class Revisions(Diff):
    def test_specs_since_a_revision(self):
        (self.folder / "specs/same.yaml").write_text(ADD.replace("kernel: add", "kernel: same"))
        (self.folder / "specs/gone.yaml").write_text(ADD.replace("kernel: add", "kernel: gone"))
        self.commit()
        (self.folder / "specs/gone.yaml").unlink()
        (self.folder / "specs/fresh.yaml").write_text(ADD.replace("kernel: add", "kernel: fresh"))
        self.spec.write_text(ADD.replace("bn: 512", "bn: 1024"))
        done = run("diff", self.folder / "specs")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("add (specs/add.yaml)\n  tile: 512 -> 1024\n", done.stdout)
        self.assertIn("fresh (specs/fresh.yaml)\n  a new kernel\n--- /dev/null\n+++ b/fresh.cu\n@@ -0,0 +1,", done.stdout)
        self.assertIn("gone (specs/gone.yaml)\n  its spec is gone\n", done.stdout)
        self.assertNotIn("same (specs", done.stdout)
        self.git("commit", "-qam", "more")
        self.assertIn("tile: 512 -> 1024", run("diff", self.spec, "--against", "HEAD~1").stdout)
        self.assertEqual(run("diff", self.spec).stdout, "")
        # With a setting and a revision: compares with the old spec without the setting.
        self.assertIn("tile: 512 -> 256", run("diff", self.spec, "--against", "HEAD~1", "-D", "bn=256").stdout)

    def test_specs_of_two_roots_and_of_two_repositories(self):
        other = self.folder / "more/specs/second.yaml"
        other.parent.mkdir(parents=True)
        other.write_text(ADD.replace("kernel: add", "kernel: second"))
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", "specs")
        other.write_text(other.read_text().replace("bn: 512", "bn: 1024"))
        done = run("diff", self.spec, other)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertTrue(done.stdout.startswith("second (specs/second.yaml)\n  tile: 512 -> 1024\n"), done.stdout)
        subprocess.run(["git", "init", "-q", self.folder / "more"], check=True)
        done = run("diff", other, self.spec)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("[command-line]", done.stderr)

    def test_a_comment_changes_nothing(self):
        self.commit()
        self.spec.write_text("# A comment.\n" + ADD)
        done = run("diff", self.spec)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_the_header_changes_with_the_interface_alone(self):
        self.commit()
        self.spec.write_text(ADD.replace("x + y", "x - y"))
        self.assertIn("  the header is the same\n", run("diff", self.spec).stdout)
        self.spec.write_text(ADD.replace("multiple_of: 4", "multiple_of: 8"))
        done = run("diff", self.spec)
        self.assertIn("  the header changes: what includes it is compiled again\n", done.stdout)
        self.assertIn("+//   N  size, 0 to 2^31 - 1, a multiple of 8\n", done.stdout)

    def test_what_cannot_be_compared(self):
        for arguments, words in ((["diff", self.spec], "is in no git repository"),
                                 (["diff", self.spec, "--against", "nowhere"], "'nowhere' is no revision")):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(words, done.stderr)
            self.assertIn("[command-line]", done.stderr)
            self.commit() if not (self.folder / ".git").exists() else None
        done = run("diff", self.spec, env=dict(os.environ, PATH="/nowhere"))
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("git, which knows what a spec was, is not in PATH", done.stderr)

    def test_a_spec_at_the_top_of_its_repository(self):
        top = self.folder / "top.yaml"
        top.write_text(ADD)
        self.git("init", "-q")
        self.git("add", "top.yaml")
        self.git("commit", "-qm", "top")
        done = run("diff", top)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        top.write_text(ADD.replace("512", "1024"))
        done = run("diff", top)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(f"add ({self.folder.name}/top.yaml)\n", done.stdout)
        self.assertIn("  tile: 512 -> 1024\n", done.stdout)
        self.assertNotIn("its spec is gone", done.stdout)

    def test_a_spec_that_was_refused(self):
        self.spec.write_text(ADD.replace("x + y", "x + w"))
        self.commit()
        self.spec.write_text(ADD)
        done = run("diff", self.spec)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("w", done.stderr)


class Files(Diff):
    def setUp(self):
        super().setUp()
        self.generate()
        self.old = self.folder / "old.cu"
        (self.out / "add.cu").rename(self.old)
        self.generate("-D", "bn=1024")

    def test_two_generated_files(self):
        done = run("diff", self.old, self.out / "add.cu")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("  tile: 512 of z per CTA; i, one CTA each -> 1024 of z per CTA; i, one CTA each\n", done.stdout)
        self.assertIn("  bn: 512 -> 1024\n", done.stdout)
        self.assertLess(done.stdout.index("bn: 512 ->"), done.stdout.index("@@"))
        self.assertEqual(run("diff", self.old, self.old).returncode, 0)

    def test_as_an_external_driver_of_git(self):
        self.git("init", "-q")
        (self.folder / ".gitattributes").write_text("*.cu diff=pallasgen\n")
        (self.folder / "add.cu").write_text(self.old.read_text())
        self.git("add", "-A")
        self.git("commit", "-qm", "generated")
        self.git("config", "diff.pallasgen.command", f"{TOOL} diff --git")
        (self.folder / "add.cu").write_text((self.out / "add.cu").read_text())
        text = self.git("diff").stdout
        self.assertTrue(text.startswith("add.cu\n  tile: 512 of z per CTA"), text)
        self.assertIn("--- a/add.cu\n+++ b/add.cu\n", text)
        (self.folder / "add.cu").unlink()
        self.assertIn("+++ /dev/null\n", self.git("diff").stdout)

    def test_files_that_pallasgen_did_not_write(self):
        other = self.folder / "other.cu"
        other.write_text("__global__ void f() {}\n")
        done = run("diff", other, self.old)
        self.assertEqual(done.returncode, 3)
        self.assertTrue(done.stdout.startswith("--- a/"), done.stdout[:200])

    def test_usage(self):
        for arguments, words in (([self.old, self.old, "--against", "HEAD"], "--against is for specs"), ([self.old], "in pairs"),
                                 ([self.old, self.spec], "in pairs"),
                                 (["--git", "a", "b"], "7 or 9 arguments")):
            done = run("diff", *arguments)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(words, done.stderr)
        done = run("diff", self.folder / "absent.cu", self.old)
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertIn("[file-missing]", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
