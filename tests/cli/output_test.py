"""generate and check: which files are written, when, and how differences are classified."""
import os
import re
import resource
import shutil
import signal
import subprocess
import unittest

from harness import ADD, ROOT, TOOL, ToolTest, run


class Generate(ToolTest):
    def test_writes_what_changed_and_nothing_else(self):
        first = self.generate()
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual(sorted(self.snapshot()), ["add.cu", "add.h", "pallasgen.lock"])
        # The lock has the hash of the spec's meaning, as the file itself.
        hashes = re.findall(r"  spec ([0-9a-f]{16})", (self.out / "pallasgen.lock").read_text())
        self.assertEqual(hashes, re.findall(r"  spec ([0-9a-f]{16})$", (self.out / "add.cu").read_text(), re.M) * 2)
        os.utime(self.out / "add.cu", (1, 1))
        again = self.generate()
        self.assertIn("nothing to do", again.stdout)
        self.assertEqual((self.out / "add.cu").stat().st_mtime, 1)

    def test_one_wrong_spec_writes_nothing(self):
        (self.folder / "specs/bad.yaml").write_text(ADD.replace("x + y", "x + w"))
        result = run("generate", self.folder / "specs", "--out", self.out)
        self.assertEqual(result.returncode, 1)
        self.assertIn("bad.yaml:14:", result.stderr)
        self.assertFalse(self.out.exists())

    def test_other_outputs_stay_in_the_lock(self):
        (self.folder / "specs/second.yaml").write_text(ADD.replace("kernel: add", "kernel: second"))
        run("generate", self.folder / "specs", "--out", self.out)
        before = (self.out / "pallasgen.lock").read_text()
        self.generate()
        self.assertEqual((self.out / "pallasgen.lock").read_text(), before)
        self.assertEqual(before.splitlines()[1:], sorted(before.splitlines()[1:]))

    def test_depfile(self):
        self.generate("--depfile", self.folder / "add.d")
        text = (self.folder / "add.d").read_text()
        self.assertIn(str(self.spec), text)
        self.assertIn("add.cu", text.split(":")[0])

    def test_depfile_names_templates_and_their_folders(self):
        (self.folder / "templates/file").mkdir(parents=True)
        (self.folder / "templates/file/other.in").write_text("")
        self.generate("--depfile", self.folder / "add.d", "--template-dir", self.folder / "templates")
        named = (self.folder / "add.d").read_text().split(":", 1)[1].replace("\\\n", "").split()
        for path in ("templates", "templates/file", "templates/file/other.in"):
            self.assertIn(str(self.folder / path), named)

    def test_prune_removes_orphans(self):
        run("generate", self.folder / "specs", "--out", self.out)
        self.spec.rename(self.folder / "specs/plus.yaml")
        result = run("generate", self.folder / "specs", "--out", self.out, "--prune")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(self.snapshot()), ["pallasgen.lock", "plus.cu", "plus.h"])

    def test_full_disk_leaves_what_was_there(self):
        self.generate()
        before = self.snapshot()
        self.spec.write_text(ADD.replace("x + y", "x - y"))

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        result = self.generate(preexec_fn=limit)
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("[output-write]", result.stderr)
        self.assertEqual(self.snapshot(), before)

    def test_outputs_stay_below_the_root(self):
        (self.folder / "specs/sub").mkdir()
        self.spec.rename(self.folder / "specs/sub/add.yaml")
        self.out.mkdir()
        (self.folder / "elsewhere").mkdir()
        (self.out / "sub").symlink_to(self.folder / "elsewhere")
        result = run("generate", self.folder / "specs", "--out", self.out)
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("[output-path]", result.stderr)
        self.assertEqual(list((self.folder / "elsewhere").iterdir()), [])

    def test_two_specs_of_one_output(self):
        for folder in ("x/s", "y/s"):
            (self.folder / folder).mkdir(parents=True)
            (self.folder / folder / "k.yaml").write_text(ADD.replace("kernel: add", f"kernel: add_{folder[0]}"))
        first, second = self.folder / "x/s/k.yaml", self.folder / "y/s/k.yaml"
        result = run("generate", first, second, "--out", self.out)
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn(f"'{first}' and '{second}' would both be written to 'k.cu' [output-path]", result.stderr)
        self.assertFalse(self.out.exists())
        self.assertEqual(run("generate", first, first, "--out", self.out).returncode, 0)

    def test_a_folder_in_the_way(self):
        (self.out / "add.cu").mkdir(parents=True)
        result = self.generate()
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertEqual(self.snapshot(), {})

    def test_a_folder_in_place_of_the_lock(self):
        (self.out / "pallasgen.lock").mkdir(parents=True)
        result = self.generate()
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("[file-folder]", result.stderr)
        self.assertEqual(self.snapshot(), {})

    def test_templates_that_cannot_be_rendered(self):
        shadow = self.folder / "templates/file/constants.cu.in"
        shadow.mkdir(parents=True)
        for text in (None, "${nothing}\n"):
            with self.subTest(text=text):
                if text:
                    shadow.rmdir()
                    shadow.write_text(text)
                result = self.generate("--template-dir", self.folder / "templates")
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn("[template]", result.stderr)
                self.assertFalse(self.out.exists())

    def test_folders_with_spaces_and_other_alphabets(self):
        folder = self.folder / "größe и 大/specs/a b"
        folder.mkdir(parents=True)
        (folder / "add.yaml").write_text(ADD)
        self.out = self.folder / "aus gabe"
        made = run("generate", folder, "--out", self.out, "--depfile", self.folder / "d e.d")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(sorted(self.snapshot()), ["a b/add.cu", "a b/add.h", "pallasgen.lock"])
        self.assertIn("specs/a b/add.yaml", (self.out / "a b/add.cu").read_text())
        self.assertIn("größe\\ и\\ 大/specs/a\\ b/add.yaml", (self.folder / "d e.d").read_text())
        self.assertEqual(run("check", folder, "--out", self.out).returncode, 0)

    def test_a_folder_that_takes_no_files(self):
        result = run("generate", self.spec, "--out", "/proc/pallasgen")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertRegex(result.stderr, r"/proc/pallasgen.*\[output-write\]")

    def test_a_read_only_folder(self):
        self.assertEqual(self.generate().returncode, 0)
        self.folder.chmod(0o755)
        self.out.chmod(0o555)
        # Permissions apply to all users except root.
        other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        tool = shutil.copy(TOOL, self.folder / "pallasgen")

        def generate():
            words = [*other, tool, "generate", self.spec, "--out", self.out]
            return subprocess.run([str(word) for word in words], text=True, capture_output=True)

        self.assertEqual(generate().returncode, 0)  # there is nothing to write
        before = self.snapshot()
        self.spec.write_text(ADD.replace("x + y", "x - y"))
        self.spec.chmod(0o644)
        result = generate()
        self.out.chmod(0o755)
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("[output-write]", result.stderr)
        self.assertEqual(self.snapshot(), before)

    def test_root_must_hold_the_spec(self):
        (self.folder / "other").mkdir()
        result = self.generate("--root", self.folder / "other")
        self.assertEqual(result.returncode, 2)
        self.assertIn("not below the spec root", result.stderr)


class Check(ToolTest):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.generate().returncode, 0)

    def check(self, spec=None):
        return run("check", spec or self.spec, "--out", self.out)

    def test_current(self):
        result = self.check()
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("all 2 outputs are current", result.stdout)

    def test_missing(self):
        (self.out / "add.h").unlink()
        result = self.check()
        self.assertEqual(result.returncode, 3)
        self.assertIn("add.h: missing", result.stdout)
        self.assertNotIn("add.cu:", result.stdout)

    def test_hand_edited(self):
        for byte in (0, 200, -2):
            with self.subTest(byte=byte):
                content = bytearray((self.out / "add.cu").read_bytes())
                content[byte] ^= 1
                (self.out / "add.cu").write_bytes(content)
                result = self.check()
                self.assertEqual(result.returncode, 3)
                self.assertIn("add.cu: hand-edited", result.stdout)
                self.assertIn("+++ add.cu (as generated)", result.stdout)
                self.generate()

    def test_hand_edited_without_a_lock(self):
        (self.out / "pallasgen.lock").unlink()
        text = (self.out / "add.cu").read_text()
        (self.out / "add.cu").write_text(text.replace("kThreads", "kThread"))
        self.assertIn("add.cu: hand-edited", self.check().stdout)

    def test_stale(self):
        self.spec.write_text(ADD.replace("x + y", "x - y"))
        result = self.check()
        self.assertEqual(result.returncode, 3)
        self.assertIn("add.cu: stale", result.stdout)
        (self.out / "pallasgen.lock").unlink()
        self.assertIn("add.cu: stale", self.check().stdout)

    def test_orphan(self):
        self.spec.rename(self.folder / "specs/plus.yaml")
        result = self.check(self.folder / "specs")
        self.assertEqual(result.returncode, 3)
        self.assertIn("add.cu: orphan", result.stdout)
        self.assertIn("plus.cu: missing", result.stdout)

    def test_comments_and_spacing_change_nothing(self):
        self.spec.write_text("# a word\n" + ADD.replace("x + y", "x   +   y   # sum").replace("[bn]", "[ bn ]"))
        self.assertEqual(self.check().returncode, 0, self.check().stdout)

    def test_broken_lock(self):
        with open(self.out / "pallasgen.lock", "a") as lock:
            lock.write("<<<<<<< HEAD\n")
        result = self.check()
        self.assertEqual(result.returncode, 4)
        self.assertIn("[lock-broken]", result.stderr)


class Determinism(ToolTest):
    SPECS = sorted(f"specs/{p.name}" for p in (ROOT / "specs").iterdir() if p.is_dir())

    def outputs(self, *arguments, **options):
        self.out = self.folder / f"out{len(list(self.folder.iterdir()))}"
        result = run("generate", *arguments, "--out", self.out, "--plan-json", **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.snapshot()

    def test_same_bytes_from_anywhere(self):
        here = self.outputs(*[ROOT / s for s in self.SPECS])
        self.assertGreater(len(here), 10)
        self.assertEqual(self.outputs(*[ROOT / s for s in reversed(self.SPECS)]), here)
        self.assertEqual(self.outputs(*[f"../{s}" for s in self.SPECS], cwd=ROOT / "tests"), here)
        self.assertEqual(self.outputs(".", cwd=ROOT / "specs"), here)

    def test_same_bytes_in_another_locale(self):
        here = self.outputs(ROOT / "specs")
        made = self.folder / "locale"
        made.mkdir()
        build = os.system(f"localedef -i de_DE -f UTF-8 {made}/de_DE.UTF-8 2>/dev/null")
        self.assertEqual(build, 0, "localedef failed")
        environment = dict(os.environ, LOCPATH=str(made), LC_ALL="de_DE.UTF-8")
        self.assertEqual(self.outputs(ROOT / "specs", env=environment), here)


if __name__ == "__main__":
    unittest.main(verbosity=2)
