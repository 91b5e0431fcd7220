"""Shared by the tests of the command line: the tool, scratch folders, a spec to change."""
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TOOL = os.environ.get("PALLASGEN", str(ROOT / "build/pallasgen"))

ADD = """\
pallasgen: 1
kernel: add
dims: {N: {multiple_of: 4}}
consts: {bn: 512}
grid:
  - {axis: i, size: "cdiv(N, bn)"}
inputs:
  x: {type: "f32[N]", block: [bn], index_map: [i]}
  y: {type: "f32[N]", block: [bn], index_map: [i]}
outputs:
  z: {type: "f32[N]", block: [bn], index_map: [i]}
pipeline: {stages: 0}
body:
  - z[...] = x + y
"""


def run(*arguments, **options):
    """Runs the tool; the result has returncode, stdout and stderr as text."""
    return subprocess.run([TOOL, *map(str, arguments)], text=True, errors="replace", capture_output=True, timeout=120,
                          **options)


def pass_names():
    """The names of the passes over tile programs, and those of the steps behind them."""
    said = run("lower", "--to", "nothing", ROOT / "specs/matmul/matmul_gelu.yaml").stderr
    known = re.findall(r"'(\w+)'", said.split("not known;")[1])
    first = known.index("lowering")
    return known[1:first], known[first:-1]  # without 'ops' and 'cu'


class ToolTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = Path(self.scratch.name)
        (self.folder / "specs").mkdir()
        self.spec = self.folder / "specs/add.yaml"
        self.spec.write_text(ADD)
        self.out = self.folder / "out"

    def tearDown(self):
        self.scratch.cleanup()

    def generate(self, *more, **options):
        return run("generate", self.spec, "--out", self.out, *more, **options)

    def snapshot(self):
        """Returns every file below the output root with its bytes."""
        return {str(p.relative_to(self.out)): p.read_bytes() for p in sorted(self.out.rglob("*")) if p.is_file()}
