#!/usr/bin/env python3
"""`interpret --at PASS`: the tile program after each pass computes the kernel's result, whichever role runs first."""
import re
import tempfile
import unittest
from pathlib import Path

from harness import ROOT, run

SPEC = ROOT / "specs/matmul/matmul_gelu.yaml"  # a producer and a consumer


class Passes(unittest.TestCase):
    def bits(self, folder, *more):
        out = Path(folder) / "c.npy"
        done = run("interpret", SPEC, "--test", 1, "--out", f"c={out}", *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return out.read_bytes()

    def test_each_pass_computes_the_same_bits(self):
        told = run("lower", "--to", "nothing", SPEC).stderr
        passes = re.findall(r"'(\w+)'", told.split("not known;")[1])[1:]  # without 'ops'
        self.assertIn("schedule", passes)
        self.assertIn("protocol", passes)
        with tempfile.TemporaryDirectory() as folder:
            wanted = self.bits(folder)
            for at in passes:
                with self.subTest(at=at):
                    self.assertEqual(self.bits(folder, "--at", at), wanted)
            for seed in range(3):
                with self.subTest(seed=seed):
                    self.assertEqual(self.bits(folder, "--at", "protocol", "--roles", "random", "--seed", seed), wanted)
            self.assertEqual(self.bits(folder, "--at", "protocol", "--roles", "reversed"), wanted)

    def test_an_unknown_pass_is_refused(self):
        done = run("interpret", SPEC, "--test", 1, "--at", "nothing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nothing not in {canonicalise", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
