"""Names of other languages: the expression that is printed for them is one of this language."""
import re
import unittest

from harness import ADD, ToolTest, run

WRITTEN = ("acos acosh add arccos arcsin arctan asin asinh atan atanh bitwise_and bitwise_not bitwise_or bitwise_xor cast cbrt convert "
           "convert_element_type copysign cosh deg2rad degrees div divide elu equal erfc exp10 fdiv floor_div floor_divide fmod greater "
           "greater_equal hard_swish hardswish heaviside hypot isclose isinf leaky_relu left_shift lerp less less_equal log10 log_sigmoid "
           "logaddexp logit logsigmoid mish mod mul multiply nan_to_num not_equal pow2 quick_gelu rad2deg radians rcp reciprocal relu6 "
           "remainder right_shift shift_left shift_right_arithmetic sinc sinh square sub subtract true_divide truediv").split()
CALLED = {"broadcasted_iota": "iota", "expit": "logistic", "reduce_max": "max", "reduce_min": "min", "reduce_prod": "prod",
          "reduce_sum": "sum", "rint": "round", "swapaxes": "transpose", "swish": "silu", "clip": "clamp", "select": "where",
          "arctan2": "atan2", "bmm": "dot", "mm": "dot", "ceildiv": "cdiv", "trans": "transpose", "atomicCAS": "atomic_cas",
          "sgn": "sign", "popc": "popcount", "hstack": "concatenate", "bitcast_convert_type": "bitcast"}
OTHERWISE = {"sort": "argmax", "topk": "argmax", "top_k": "argmax", "take": "an array of integers in an index",
             "gather": "an array of integers in an index", "tril": "a condition on places", "pad": "`fill`", "roll": "by an index",
             "split": "parts are slices", "dynamic_slice": "ds(start, n)", "scatter_add": "atomic_add", "fori_loop": "{for: i,",
             "cond": "{when: ", "printf": "{print: ", "logical_and": "x and y", "repeat": "by an index", "empty": "full(",
             "quantile": "argmax", "inv": "`extern`", "rms_norm": "rsqrt(mean(x * x, axis=…, keepdims=true)"}
# no operation is near these: names with a meaning elsewhere but none here, and similar letters
UNRELATED = ["sort", "top_k", "asin", "acos", "atanh", "sinc", "inv", "add", "sub", "div", "map", "elu", "quantile", "logaddexp",
             "logcumsumexp", "norm", "frobnicate"]


class ForeignNames(ToolTest):
    def said(self, expression, dtype="f32"):
        text = ADD.replace("f32", dtype).replace("x + y", expression)
        self.spec.write_text(text)
        return run("explain", self.spec)

    def test_an_operation_that_is_another_expression(self):
        for name in WRITTEN:
            with self.subTest(name):
                form = re.search(r"of x(?: and y)?, write (.*)$", self.said(f"{name}(x, y)").stderr, re.M).group(1)
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

    def test_modules_and_methods(self):
        for call, how in (("jnp.sort(x)", "argmax"), ("lax.top_k(x, 2)", "argmax"), ("x.sort()", "argmax"), ("np.cbrt(x)", "pow("),
                          ("torch.frobnicate(x)", "list --ops"), ("x.frobnicate()", "behind a dot stand")):
            with self.subTest(call):
                self.assertIn(how, self.said(call).stderr)

    def test_nothing_unrelated_is_suggested(self):
        for name in UNRELATED:
            with self.subTest(name):
                self.assertNotIn("did you mean", self.said(f"{name}(x, y)").stderr)

    def test_what_is_called_is_a_function(self):
        """A call suggests neither a const nor a word of the grammar, and a name that is not called no operation."""
        for expression in ("bmn(x)", "andd(x)", "xx(y)", "x + summ", "x + ann"):
            with self.subTest(expression):
                self.assertNotRegex(self.said(expression).stderr, "did you mean '(bm|bn|and|any|x|y|z|sum)'")
        self.assertIn("did you mean 'x'?", self.said("xx + y").stderr)
        self.assertIn("did you mean 'sum'?", self.said("summ(x)").stderr)
        self.spec.write_text(ADD)
        done = run("list", self.spec, "-D", "pipeline.stages=abc")
        self.assertIn("'abc' is not defined", done.stderr)
        self.assertNotIn("did you mean", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
