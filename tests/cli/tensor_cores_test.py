"""The dots of these corners use tensor cores, and no warning claims otherwise."""
import subprocess
import unittest

from harness import ROOT, TOOL

CORNERS = ["attention_across_warpgroups", "attention_of_f8", "attention_of_tf32", "block_added_to_wide_sum",
           "bytes_along_columns", "bytes_computed_along_columns", "few_rows_turned", "integers_along_rows",
           "products_of_bf16_halves", "slices_of_an_accumulator", "tf32_computed_along_columns"]


class OnTensorCores(unittest.TestCase):
    def test_dots_of_corners_are_instructions_of_tensor_cores(self):
        for corner in CORNERS:
            with self.subTest(corner=corner):
                done = subprocess.run([TOOL, "explain", ROOT / f"tests/corners/{corner}.yaml"], text=True,
                                      errors="replace", capture_output=True, timeout=60)
                self.assertEqual(done.returncode, 0)
                self.assertNotRegex(done.stderr, "tensor cores do not")
                self.assertRegex(done.stdout, r"\n  dot \w+: wgmma\.")
                self.assertNotRegex(done.stdout, r"\n  dot \w+: (fma|loops)")


if __name__ == "__main__":
    unittest.main(verbosity=2)
