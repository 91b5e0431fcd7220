"""Names of other languages: what is printed for them is an expression of this one."""
import re
import unittest

from harness import ADD, ToolTest, run

WRITTEN = ("atan bitwise_and bitwise_not bitwise_or bitwise_xor cast convert convert_element_type cosh erfc exp10 "
           "floor_divide fmod hypot isinf left_shift log10 mod reciprocal remainder right_shift shift_left "
           "shift_right_arithmetic sinh square").split()
CALLED = {"broadcasted_iota": "iota", "expit": "logistic", "reduce_max": "max", "reduce_min": "min", "reduce_prod": "prod",
          "reduce_sum": "sum", "rint": "round", "swapaxes": "transpose", "swish": "silu", "clip": "clamp", "select": "where"}
OTHERWISE = {"sort": "argmax", "topk": "argmax", "take": "an array of integers in an index",
             "gather": "an array of integers in an index", "tril": "a condition on places", "pad": "`fill`", "roll": "by an index"}


class ForeignNames(ToolTest):
    def said(self, expression, dtype="f32"):
        text = ADD.replace("f32", dtype).replace("x + y", expression)
        self.spec.write_text(text)
        return run("explain", self.spec)

    def test_an_operation_that_is_another_expression(self):
        for name in WRITTEN:
            with self.subTest(name):
                form = re.search(r"of x, write (.*)$", self.said(f"{name}(x, y)").stderr, re.M).group(1)
                for each in re.split(r", or | of floats", form):
                    if each:
                        typed = [self.said(f"({each}).astype({dtype})", dtype).returncode for dtype in ("f32", "i32")]
                        self.assertIn(0, typed, each)

    def test_an_operation_of_another_name(self):
        for name, ours in CALLED.items():
            with self.subTest(name):
                self.assertIn(f"did you mean '{ours}'?", self.said(f"{name}(x, y)").stderr)

    def test_what_is_done_otherwise(self):
        for name, how in OTHERWISE.items():
            with self.subTest(name):
                self.assertIn(how, self.said(f"{name}(x, 1)").stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
