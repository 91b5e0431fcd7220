"""A random spec that fails in several modes gets a report for each."""
import subprocess
import sys
import types
import unittest
from pathlib import Path
from unittest import mock

from harness import ROOT

sys.path.insert(0, str(ROOT / "tests/random"))
import random_kernels  # noqa: E402


class Failures(unittest.TestCase):
    def test_all_modes_that_fail_are_named(self):
        spec = types.SimpleNamespace(name="spec", path=Path("spec.yaml"), problems=[], faulty=False, stored=[], outputs={})

        def fails_but_in_asan(*command):
            mode = command[command.index("--modes") + 1]
            row = "ok" if mode == "asan" else "FAILED"
            return subprocess.CompletedProcess(command, 1, f"spec.yaml\n  {row}  M=1  emulator {mode} late\n")

        with mock.patch.object(random_kernels, "run", fails_but_in_asan):
            for mode in ("plain", "asan", "tsan"):
                random_kernels.emulate("pallasgen", [spec], Path("nowhere"), "late", mode)
        self.assertEqual([said.split(":")[0] for said in spec.problems], ["plain, late", "tsan, late"])


if __name__ == "__main__":
    unittest.main()
