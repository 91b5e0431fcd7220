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
BLOCKS = [(8, 4), (8, 32), (12, 32), (16, 64), (64, 32), (100, 16), (128, 8), (1, 300), (2, 520), (1, 4096), (1, 8192)]
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
# Sums of an accumulator whose rows or columns the warpgroups share: two warpgroups cannot share 64 rows.
TILES = [(64, 96), (128, 48), (64, 32)]
ACCUMULATOR = """pallasgen: 1
kernel: {name}
target: sm_90a
dims: {{M: {{multiple_of: 8}}, K: {{multiple_of: 8}}}}
grid:
  - {{axis: i, size: "cdiv(M, {rows})"}}
  - {{axis: k, size: "cdiv(K, 32)", semantics: sequential}}
inputs:
  a: {{type: "bf16[M, K]", block: "{rows}, 32", index_map: "i, k", fill: 0}}
  b: {{type: "bf16[K, {columns}]", block: "32, {columns}", index_map: "k, 0", fill: 0}}
outputs:
  o: {{type: "f32[M, {columns}]", block: "{rows}, {columns}", index_map: "i, 0"}}
scratch:
  acc: {{type: "f32[{rows}, {columns}]", space: acc}}
  upto: {{type: "f32[{rows}]", space: reg}}
{pipeline}body:
  - when: k == 0
    do: ["acc[...] = 0", "upto[...] = 0"]
  - acc[...] += dot(a, b)
  - upto[...] = upto * 0.5 + sum(acc[...], axis=1)
  - when: k == num_programs(k) - 1
    do:
      - rows = sum(acc[...] * 0.5, axis=1) + mean(abs(acc[...]), axis=1) + upto
      - o[...] = cumsum(acc[...], axis=1) + rows[:, None] + sum(acc[...], axis=0)[None, :]
tests:
  - dims: {{M: {size}, K: 72}}
"""


def by_pipeline(name, template, left_out=(), **values):
    """Returns the kernel's name and text with each pipeline except some."""
    return {f"{name}_{key}": template.format(name=f"{name}_{key}", pipeline=pipeline, **values)
            for key, pipeline in PIPELINES.items() if key not in left_out}


def sums(axis):
    """Returns kernels by block. One warpgroup and three are left out if 256 threads share a row."""
    return [by_pipeline(f"sums_{rows}x{columns}", SPEC, ["one", "three"] if columns > 4096 else [], rows=rows, columns=columns,
                        axis=axis, results=rows if axis else columns, size=3 * rows - 1) for rows, columns in BLOCKS]


def whole_sums():
    """The same for a row of elements of 16 bits, as a sum over both axes."""
    wide = SPEC.replace('"f32[K', '"bf16[K').replace("sum(x", "sum(tanh(x.astype(f32))")
    return [by_pipeline(f"whole_{columns}", wide, rows=1, columns=columns, results=1, axis="[0, 1]", size=5)
            for columns in (16, 256, 2048)]


def accumulators():
    """The same for dots by tensor cores; none for a pipeline whose warpgroups would not get whole columns."""
    return [by_pipeline(f"tile_{rows}x{columns}", ACCUMULATOR, [] if columns % 24 == 0 else ["three"], rows=rows,
                        columns=columns, size=2 * rows - 8) for rows, columns in TILES]


class Bits(unittest.TestCase):
    def check(self, groups):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, text in (pair for group in groups for pair in group.items()):
                paths.append(Path(folder) / f"{name}.yaml")
                paths[-1].write_text(text)
            done = subprocess.run([TOOL, "test", *paths, "--batch", "--modes", "plain", "--policies", "late", "--schedules",
                                   "1", "--keep", f"{folder}/kept"], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout[-3000:])
            for names in map(list, groups):
                outputs = [next(Path(folder).glob(f"kept/*/job-{name}-*/test0*.o")).read_bytes() for name in names]
                self.assertTrue(any(outputs[0]))
                for name, output in zip(names, outputs):
                    self.assertEqual(output, outputs[0], f"{name} has other bits than {names[0]}")

    def test_columns(self):
        self.check(sums(0))

    def test_rows(self):
        self.check(sums(1))

    def test_whole_rows(self):
        self.check(whole_sums())

    def test_accumulators(self):
        self.check(accumulators())


if __name__ == "__main__":
    unittest.main()
