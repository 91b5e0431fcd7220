#!/usr/bin/env python3
"""Sums along either axis of a block have the same bits under every pipeline (docs/language.md, "schedule")."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

TOOL = os.environ["PALLASGEN"]
PIPELINES = {
    "plain": "",
    "staged": "pipeline: {stages: 2}\n",
    "one": "pipeline: {stages: 2, warp_specialized: true, compute_warpgroups: 1}\n",
    "two": "pipeline: {stages: 2, warp_specialized: true, compute_warpgroups: 2}\n",
    "three": "pipeline: {stages: 2, warp_specialized: true, compute_warpgroups: 3}\n",
}
BLOCKS = [(8, 4), (8, 32), (12, 32), (16, 64), (64, 32), (100, 16), (128, 8)]
SPEC = """pallasgen: 1
kernel: {name}
dims: {{K: {{}}}}
grid:
  - {{axis: k, size: "cdiv(K, {rows})", semantics: sequential}}
inputs:
  x: {{type: "f32[K, {columns}]", block: [{rows}, {columns}], index_map: [k, 0], fill: 0}}
outputs:
  o: {{type: "f32[{results}]"}}
scratch:
  acc: {{type: "f32[{results}]", space: reg}}
{pipeline}body:
  - when: k == 0
    do: ["acc[...] = 0"]
  - acc[...] += sum(x * 1.5, axis={axis}) * 2
  - when: k == num_programs(k) - 1
    do: ["o[...] = acc"]
tests:
  - dims: {{K: {size}}}
"""


class Bits(unittest.TestCase):
    def check(self, axis):
        with tempfile.TemporaryDirectory() as folder:
            paths, groups = [], []
            for rows, columns in BLOCKS:
                groups.append([f"sums_{rows}x{columns}_{name}" for name in PIPELINES])
                for name, pipeline in zip(groups[-1], PIPELINES.values()):
                    paths.append(Path(folder) / f"{name}.yaml")
                    paths[-1].write_text(SPEC.format(name=name, rows=rows, columns=columns, pipeline=pipeline, axis=axis,
                                                     results=rows if axis else columns, size=3 * rows - 1))
            done = subprocess.run([TOOL, "test", *paths, "--batch", "--modes", "plain", "--policies", "late", "--schedules",
                                   "1", "--keep", f"{folder}/kept"], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout[-3000:])
            for names in groups:
                outputs = [next(Path(folder).glob(f"kept/*/job-{name}-*/test0*.o")).read_bytes() for name in names]
                self.assertTrue(any(outputs[0]))
                for name, output in zip(names, outputs):
                    self.assertEqual(output, outputs[0], f"{name} has other bits than {names[0]}")

    def test_columns(self):
        self.check(0)

    def test_rows(self):
        self.check(1)


if __name__ == "__main__":
    unittest.main()
