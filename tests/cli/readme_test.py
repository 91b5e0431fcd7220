"""The commands of the README, in the state that `make demo` leaves: only with the programs that its build makes."""
import os
import re
import shlex
import shutil
import subprocess
import unittest
from pathlib import Path

from harness import ROOT, TOOL, ToolTest

BUILD = Path(TOOL).resolve().parent
LONG = (" test ", " --html ")  # other parts of `make test` run these on all specs


def commands():
    lines = re.findall(r"^    (build/pallasgen [^#\n]*)", (ROOT / "README.md").read_text(), re.M)
    return [line.strip() for line in lines if os.environ.get("PALLASGEN_ALL") or not any(word in line for word in LONG)]


def made_by_demo():
    """Returns the programs at the top of the build folder that the target of scripts/demo makes."""
    target = re.search(r'cmake --build "\$build" --target (\S+)', (ROOT / "scripts/demo").read_text()).group(1)
    made = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", target], text=True, capture_output=True, check=True).stdout
    return [BUILD / name for name in re.findall(r" -o (pallasgen[a-z-]*) ", made)]


@unittest.skipUnless((BUILD / "pallasgen-clang").exists(), "pallasgen-clang was not built")
class Readme(ToolTest):
    def test_each_command_succeeds(self):
        self.assertGreater(len(commands()), 3)
        tree = self.folder / "tree"
        for folder in ("specs", "generated"):
            shutil.copytree(ROOT / folder, tree / folder)
        (tree / "build").mkdir()
        for program in made_by_demo():
            shutil.copy2(program, tree / "build" / program.name)
        for command in commands():
            with self.subTest(command):
                done = subprocess.run(shlex.split(command), cwd=tree, text=True, capture_output=True, timeout=600)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
