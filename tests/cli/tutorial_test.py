"""docs/tutorial.md: each of its commands is run, in order, and prints what the page shows. A line of `…` matches any
lines, `…` within a line any text. The project at its end is docs/example, which package_test.py builds."""
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness import ROOT, TOOL

PAGE = (ROOT / "docs/tutorial.md").read_text()


def sessions(page=PAGE):
    """Returns (command, lines shown) of a page."""
    out = []
    for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", re.sub(r"```.*?```", "", page, flags=re.S), re.M):
        for line in block.splitlines():
            if line.startswith("    $ "):
                out.append((line[6:], []))
            elif line.strip():
                out[-1][1].append(line[4:])
    return out


def pattern_of(lines):
    text = "".join(r"(?:.*\n)*" if line.strip() == "…" else re.escape(line).replace("…", ".*") + r"\n" for line in lines)
    return re.compile(text)


class Tutorial(unittest.TestCase):
    def test_every_command_says_what_the_page_shows(self):
        self.assertGreater(len(sessions()), 12)
        with tempfile.TemporaryDirectory() as folder:
            tools = Path(folder) / "bin"
            tools.mkdir()
            (tools / "pallasgen").symlink_to(Path(TOOL).resolve())
            work = Path(folder) / "work"
            work.mkdir()
            environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}", TMPDIR=folder)
            for command, shown in sessions():
                done = subprocess.run(["bash", "-c", command], cwd=work, env=environment, text=True, timeout=300,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                # `check` is shown with findings.
                self.assertEqual(done.returncode != 0, command.startswith("pallasgen check"), f"{command}\n{done.stdout}")
                self.assertRegex(done.stdout, re.compile(r"\A" + pattern_of(shown).pattern + r"\Z"), command)

    def test_its_project_is_the_example(self):
        shown = re.search(r"```cmake\n(.*?)```", PAGE, re.S).group(1)
        project = (ROOT / "docs/example/CMakeLists.txt").read_text()
        self.assertEqual(shown, "".join(line for line in project.splitlines(True) if not line.startswith("#")))


if __name__ == "__main__":
    unittest.main(verbosity=2)
