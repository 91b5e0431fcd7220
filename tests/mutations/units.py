"""The unit tests of the runtime as judges of the mutants of its headers: a file of tests/runtime is built against the
mutated header as the project builds it for the CPU, and run; a test that fails finds the mutant."""
import json
import re
import shlex
import subprocess
import tempfile
import time
from pathlib import Path

from judge import DOES_NOT_COMPILE, EXITS, ROOT, TIMEOUT, call, digest

FOLDER = ROOT / "tests/runtime"
MAIN = ROOT / "tests/main.cpp"


def headers_in(path):
    """Returns the headers of this folder that a file includes."""
    names = re.findall(r'^#include "([^"]+)"', path.read_text(), re.M)
    return {FOLDER / name for name in names if (FOLDER / name).exists()}


def sources_beside(path):
    """Returns the files without tests that share a header of this folder with a file of tests, to be linked with it."""
    return [other for other in sorted(FOLDER.glob("*.cpp"))
            if not other.stem.endswith("_test") and headers_in(other) & headers_in(path)]


def texts():
    """Returns the content of each file of tests, with its headers and linked sources, by its name from the root on."""
    found = {}
    for path in sorted(FOLDER.glob("*_test.cpp")):
        parts, todo = {}, [path, *sources_beside(path)]
        while todo:
            file = todo.pop()
            parts[file] = file.read_text()
            todo += [other for other in sorted(headers_in(file)) if other not in parts]
        found[str(path.relative_to(ROOT))] = "\n".join(parts.values())
    return found


class Unit:
    """One file of unit tests; a judge like a Kernel."""

    def __init__(self, machine, name, text):
        self.machine, self.name, self.text = machine, name, text
        commands = [entry for entry in json.loads((machine.build / "compile_commands.json").read_text())
                    if "/test_runtime.dir/" in entry["command"]]
        # If several files are built as one, all have the options of the first.
        mine = [entry for entry in commands if Path(entry["file"]) == ROOT / name] or commands[:1]
        words = shlex.split(mine[0]["command"])
        self.command = words[:words.index("-o")]
        self.key = digest(machine.stamp, Path(__file__).read_text(), MAIN.read_text(), name, text, *self.command)

    def main(self):
        """Returns the object file of the tests' main function, compiled once."""
        made = self.machine.work / f"{digest(self.machine.stamp, MAIN.read_text(), *self.command)}.o"
        if not made.exists():
            with tempfile.TemporaryDirectory(dir=self.machine.work) as folder:
                done = call([*self.command, "-o", f"{folder}/main.o", "-c", MAIN])
                if done.returncode:
                    raise RuntimeError(done.stdout)
                Path(f"{folder}/main.o").rename(made)
        return made

    def build(self, mutant, header, folder):
        """Builds the program of the tests; returns None if it does not compile."""
        program = folder / "tests"
        command = list(self.command)
        if header:
            changed = folder / "pallasgen" / header
            changed.parent.mkdir()
            changed.write_text(mutant.text)
            command.insert(1, f"-I{folder}")
        objects = []
        for source in (ROOT / self.name, *sources_beside(ROOT / self.name)):
            objects.append(folder / f"{source.stem}.o")
            done = call([*command, "-w", "-o", objects[-1], "-c", source])
            if done.returncode:
                return None
        done = call([command[0], *objects, self.main(), self.machine.archives[-1], "-lpthread", "-o", program])
        if done.returncode:
            raise RuntimeError(f"{self.name}: not linked\n{done.stdout}")
        return program

    def judge(self, mutant, header=""):
        """Returns (the file, how it was found, seconds); empty strings if it was not."""
        kept = self.machine.work / "results" / digest(self.key, header, mutant.text if header else "")
        if kept.exists():
            return json.loads(kept.read_text())
        start = time.time()
        with tempfile.TemporaryDirectory(dir=self.machine.work) as name:
            program, verdict = self.build(mutant, header, Path(name)), ["", ""]
            if program is None:
                verdict = ["compiler", DOES_NOT_COMPILE]
            else:
                try:
                    done = call([program, "--no-colors"], TIMEOUT, cwd=name)
                    found = EXITS.get(done.returncode, "signal" if done.returncode < 0 else "failed test")
                    verdict = [f"unit {self.name}", found] if done.returncode else verdict
                except subprocess.TimeoutExpired:
                    verdict = [f"unit {self.name}", "no end"]
        verdict.append(time.time() - start)
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps(verdict))
        return verdict
