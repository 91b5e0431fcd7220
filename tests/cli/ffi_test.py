"""`generate --bindings ffi`: the exports, and the sources of sizes. tests/bindings calls such exports."""
import re
import unittest

from harness import ROOT, ToolTest, run


class Ffi(ToolTest):
    def exports(self, spec):
        result = run("generate", ROOT / f"specs/{spec}.yaml", "--out", self.out, "--bindings", "ffi")
        self.assertEqual(result.returncode, 0, result.stderr)
        text = next(self.out.rglob("*.ffi.cpp")).read_text()
        return text, re.findall(r"TVM_FFI_DLL_EXPORT_TYPED_FUNC\((\w+), \w+\)", text)

    def test_results_given_and_allocated(self):
        text, exports = self.exports("matmul/matmul_gelu")
        self.assertEqual(exports, ["matmul_gelu", "matmul_gelu_new"])
        self.assertIn("void matmul_gelu_ffi(TensorView a, TensorView b, TensorView c) {", text)
        self.assertIn('const int64_t N = call.size("b", b, 2, 0);', text)
        self.assertIn('call.multiple_of("N", N, 8);', text)
        self.assertIn("Tensor c = call.result<__nv_bfloat16>({M, N});", text)

    def test_workspace_and_checks(self):
        _, exports = self.exports("checks/gather_checked")
        self.assertEqual(exports, ["gather_checked", "gather_checked_new", "gather_checked_with",
                                   "gather_checked_workspace_bytes", "gather_checked_status"])

    def test_strides_come_from_tensors(self):
        text, _ = self.exports("operands/add_strided")
        self.assertIn('const int64_t X = call.stride("x", x, 2, 0, N);', text)
        self.assertIn("Tensor add_strided_new_ffi(TensorView x, TensorView bias) {", text)

    def test_scalars_and_sizes_that_no_array_has(self):
        text, _ = self.exports("attention/attention_varlen")
        self.assertRegex(text, r"void attention_varlen_ffi\((TensorView \w+,\s+)+int64_t L, double scale\) \{")
        self.assertIn('const int64_t B = call.size("starts_q", starts_q, 1, 0) - 1;', text)  # its extent is B + 1
        self.assertIn("TensorView v,", text)  # its name, which the kernel's file uses for something else

    def test_an_array_that_is_written_in_place_is_one_argument(self):
        text, exports = self.exports("operands/scale_in_place")
        self.assertIn("void scale_in_place_ffi(TensorView x, TensorView y, double alpha) {", text)
        self.assertIn('call.array<float>("x", x, ', text)
        self.assertIn('call.array<const float>("y", y, ', text)
        self.assertIn("void scale_in_place_aliased_ffi(TensorView x, TensorView y, TensorView x_written, double alpha) {", text)
        self.assertEqual(exports, ["scale_in_place", "scale_in_place_aliased"])

    def test_without_it_nothing_is_written(self):
        self.generate()
        self.assertEqual(list(self.out.rglob("*.ffi.cpp")), [])
        other = run("generate", self.spec, "--out", self.out, "--bindings", "jax")
        self.assertEqual(other.returncode, 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
