"""`allow`: known warnings are not printed, and a stale entry is a warning itself."""
import json
import re
import unittest

from harness import ADD, ROOT, ToolTest, run

SLOW = ADD.replace("{multiple_of: 4}", "{}")  # rows of any length: 4 bytes at a time
ALLOW = "allow: [{warning: slow-path, reason: rows of any length}]\n"


class Allow(ToolTest):
    def warnings(self, text):
        self.spec.write_text(text)
        done = run("generate", self.spec, "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        return re.findall(r"warning: .*\[([\w-]+)\]$", done.stderr, re.M)

    def test_a_known_warning_is_not_printed(self):
        self.assertEqual(set(self.warnings(SLOW)), {"slow-path"})
        self.assertEqual(self.warnings(SLOW + ALLOW), [])

    def test_it_holds_for_every_command(self):
        self.spec.write_text(ADD.replace("body:\n", "body:\n  - w = x + 1\n"))
        for command in ("list", "interpret", "explain", "test"):
            with self.subTest(command):
                words = [command, self.spec, *(["--test", "1"] if command == "interpret" else [])]
                self.assertIn("[unread-value]", run(*words).stderr)
                text = self.spec.read_text()
                self.spec.write_text(text + ALLOW.replace("slow-path", "unread-value"))
                self.assertNotIn("[unread-value]", run(*words).stderr)
                self.spec.write_text(text)

    def test_one_that_is_gone_is_reported(self):
        self.assertEqual(self.warnings(ADD + ALLOW), ["allows-nothing"])

    def test_others_stay(self):
        unread = SLOW.replace("body:\n", "body:\n  - w = x + 1\n")
        self.assertEqual(self.warnings(unread + ALLOW), ["unread-value"])

    def test_it_changes_no_output(self):
        self.warnings(SLOW)
        before = self.snapshot()
        self.warnings(SLOW + ALLOW)
        self.assertEqual(self.snapshot(), before)

    def test_the_library_has_no_other_warning(self):
        done = run("check", ROOT / "specs", "--out", ROOT / "generated")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_every_warning_can_be_allowed(self):
        sources = [path.read_text() for path in (ROOT / "generator").rglob("*") if path.suffix in (".cpp", ".h")]
        names = dict(re.findall(r"Rule (k\w+)\{\s*\"([\w-]+)\"", "\n".join(sources)))
        given = {names[rule] for rule in re.findall(r"(?:\.|->)warning\(\s*(k\w+)", "\n".join(sources))} - {"allows-nothing"}
        schema = json.loads(run("schema").stdout)
        self.assertEqual(given, set(schema["$defs"]["allowed_warning"]["properties"]["warning"]["enum"]))


if __name__ == "__main__":
    unittest.main(verbosity=2)
