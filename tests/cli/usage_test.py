"""The tool's interface to people and programs: wrong command lines, colours, progress, findings of `check` as JSON and
for GitHub, the list of operations."""
import json
import os
import pty
import re
import subprocess
import unittest

from harness import ADD, ROOT, TOOL, ToolTest, run


def on_terminal(*words, **environment):
    """Returns the tool's output when stdout and stderr are terminals, and its exit code."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([TOOL, *map(str, words)], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
                               env=dict({key: value for key, value in os.environ.items() if key != "NO_COLOR"}, TERM="xterm",
                                        **environment))
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        said += part
    os.close(ours)
    return process.wait(), said.decode("utf-8", "replace")


class CommandLines(ToolTest):
    def test_what_was_likely_meant(self):
        for words, said in ((["genrate", "specs", "--out", "g"], "'generate'"), (["lst"], "'list'"),
                            (["generate", self.spec, "--otu", "g"], "'--out'"), (["check", self.spec, "--out=g", "--rot=x"], "'--root'"),
                            (["test", self.spec, "--polices", "late"], "'--policies'"), (["--versoin"], "'--version'"),
                            (["--hlep"], "'--help'"), (["help"], "'--help'"), (["version"], "'--version'")):
            done = run(*words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"did you mean {said}?", done.stderr)
            self.assertIn("[command-line]", done.stderr)

    def test_what_else_is_wrong(self):
        for words, said in (([], "a command is wanted"), (["zzzzzz"], "the commands are init, generate"), (["--foo"], "'--foo' is not an option"),
                            (["generate", self.spec], "--out is required"), (["list"], "specs are required"),
                            (["interpret", self.spec, "--seed", "x"], "--seed")):
            done = run(*words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(said, done.stderr)

    def test_in_json_too(self):
        done = run("generate", self.spec, "--otu", "g", "--error-format", "json")
        self.assertEqual([each["rule"] for each in json.loads(done.stderr)], ["command-line"])


class Findings(ToolTest):
    def setUp(self):
        super().setUp()
        for name in ("edited", "gone", "kept", "lost"):
            (self.folder / f"specs/{name}.yaml").write_text(ADD.replace("kernel: add", f"kernel: {name}"))
        self.assertEqual(run("generate", self.folder / "specs", "--out", self.out).returncode, 0)
        self.spec.write_text(ADD.replace("x + y", "x - y"))
        (self.folder / "specs/gone.yaml").unlink()
        (self.out / "lost.h").unlink()
        (self.out / "edited.cu").write_text((self.out / "edited.cu").read_text() + "// mine\n")

    def test_as_json(self):
        done = run("check", self.folder / "specs", "--out", self.out, "--error-format", "json")
        self.assertEqual(done.returncode, 3, done.stderr)
        found = {f"{each['file'].split('/')[-1]} [{each['rule']}]": each for each in json.loads(done.stderr)}
        self.assertEqual(sorted(found), ["add.cu [output-stale]", "edited.cu [output-hand-edited]", "gone.cu [output-orphan]",
                                         "gone.h [output-orphan]", "lost.yaml [output-missing]"])
        # The location is the first line that differs.
        lines = (self.out / "edited.cu").read_text().splitlines()
        self.assertEqual(found["edited.cu [output-hand-edited]"]["line"], len(lines))
        self.assertIn("pallasgen generate", found["lost.yaml [output-missing]"]["notes"][0]["message"])

    def test_for_github(self):
        done = run("check", self.folder / "specs", "--out", self.out, "--error-format", "github")
        self.assertEqual(len(re.findall(r"^::error file=.*,title=output-[a-z-]+::", done.stderr, re.M)), 5, done.stderr)
        self.assertEqual(run("check", self.folder / "specs/kept.yaml", "--out", self.out, "--error-format", "github").stderr, "")


class Terminals(ToolTest):
    def test_colours_on_a_terminal_alone(self):
        self.generate()
        self.spec.write_text(ADD.replace("x + y", "x - y"))
        words = ("check", self.spec, "--out", self.out)
        code, said = on_terminal(*words)
        self.assertEqual(code, 3)
        self.assertIn("\x1b[1;31mstale\x1b[0m", said)
        self.assertRegex(said, r"\x1b\[32m\+.*x - y\x1b\[0m")
        self.assertNotIn("\x1b", on_terminal(*words, NO_COLOR="1")[1])
        self.assertNotIn("\x1b", run(*words).stdout)
        self.spec.write_text(ADD.replace("x + y", "x + w"))
        self.assertIn("\x1b[1;31merror:", on_terminal(*words)[1])
        self.assertNotIn("\x1b", on_terminal(*words, NO_COLOR="1")[1])

    def test_progress_on_a_terminal_alone(self):
        # A slow compiler whose program fails.
        compiler = self.folder / "compiler"
        compiler.write_text("#!/bin/sh\nsleep 0.7\nexit 1\n")
        compiler.chmod(0o755)
        self.spec.write_text(ADD + "tests: [{dims: {N: 8}}]\n")
        words = ("test", self.spec, "--work-dir", self.folder / "work")
        said = on_terminal(*words, PALLASGEN_HOST_CXX=str(compiler))[1]
        self.assertRegex(said, r"\r\x1b\[Kadd: ")
        done = run(*words, env=dict(os.environ, PALLASGEN_HOST_CXX=str(compiler)))
        self.assertNotIn("\r", done.stdout + done.stderr)


class Operations(unittest.TestCase):
    def test_the_language_page_has_what_the_list_has(self):
        done = run("list", "--ops")
        self.assertEqual(done.returncode, 0)
        names = re.findall(r"^  (\w+)(?:\(|\s)", done.stdout, re.M)
        self.assertGreater(len(names), 90)
        page = (ROOT / "docs/language.md").read_text()
        self.assertEqual([name for name in names if not re.search(rf"\b{name}\b", page)], [])
        self.assertRegex(done.stdout, r"\n  sum\(x, axis=, keepdims=\) +any dtype +the sum")


if __name__ == "__main__":
    unittest.main(verbosity=2)
