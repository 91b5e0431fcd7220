"""`generate --bindings python`: modules that Python can parse, and their content. tests/bindings calls them."""
import ast
import re
import unittest

from harness import ADD, ROOT, ToolTest, run

NAMES = """pallasgen: 1
kernel: names
target: sm_90a
doc: 'Says "x" and a \\ backslash.'
dims: {stride: {multiple_of: 4}, sizes: {}}
grid: [{axis: i, size: "sizes"}]
scalars: {nonlocal: f32, Tensor: i32}
inputs:
  yield: {type: "f32[sizes, stride]", block: [1, 4], index_map: [i, 0]}
outputs:
  def: {type: "f32[sizes, stride]", block: [1, 4], index_map: [i, 0]}
body: ["def[...] = yield * nonlocal + Tensor.astype(f32)"]
"""


class Python(ToolTest):
    def module(self, spec):
        result = run("generate", spec, "--out", self.out, "--bindings", "python")
        self.assertEqual(result.returncode, 0, result.stderr)
        return next(path for path in self.out.rglob("*.py")).read_text()

    def test_every_module_of_the_library_is_python(self):
        result = run("generate", ROOT / "specs", "--out", self.out, "--bindings", "python", f"--extern-arg=-I{ROOT}/specs/extern")
        self.assertEqual(result.returncode, 0, result.stderr[-2000:])
        modules = sorted(self.out.rglob("*.py"))
        self.assertEqual(len(modules), len(list((ROOT / "specs").rglob("*.yaml"))))
        for path in modules:
            with self.subTest(path.name):
                text = path.read_text()
                tree = ast.parse(text)
                function = tree.body[-1]
                self.assertIsInstance(function, ast.FunctionDef)
                self.assertIn("Args:", ast.get_docstring(function))
                imported = {name.name for node in tree.body if isinstance(node, ast.ImportFrom) for name in node.names}
                used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
                self.assertEqual(imported - {"annotations"} - used, set())
                self.assertEqual({"cdiv", "stride", "kernels"} & used - imported, set())
                self.assertLessEqual(max(map(len, text.splitlines())), 120)

    def test_what_a_module_says(self):
        text = self.module(ROOT / "specs/attention/attention_fwd.yaml")
        self.assertIn('"q": Tensor("bfloat16", ("B", "S", "H", "128")),', text)
        self.assertIn("def _gradients(sizes, q, k, v, scale, o, lse, do_, _lse):", text)
        self.assertIn("sums=dq.reshape((B * S * H * 128,))", text)
        self.assertIn('saved=("q", "k", "v", "o", "lse"),', text)

    def test_sizes_that_results_alone_have(self):
        text = self.module(ROOT / "specs/shapes/expand.yaml")
        self.assertIn("Number(int, of_results=True)", text)

    def test_results_that_are_always_given_tell_their_sizes(self):
        text = self.module(ROOT / "specs/basics/show_program_ids.yaml")
        self.assertRegex(text, r"def show_program_ids\(\w+: Array\) -> Array:")
        self.assertNotIn("_sizes", text)

    def test_names_and_texts_of_python(self):
        self.spec.write_text(NAMES)
        text = self.module(self.spec)
        tree = ast.parse(text)
        function = tree.body[-1]
        names = [argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)]
        self.assertEqual(names, ["yield_", "nonlocal_", "Tensor_", "def_"])
        self.assertIn('Says "x" and a \\ backslash.', ast.get_docstring(function))

    def test_a_file_that_cannot_be_imported(self):
        spec = self.spec.with_name("add-vectors.yaml")
        spec.write_text(ADD)
        result = run("generate", spec, "--out", self.out, "--bindings", "python")
        self.assertEqual(result.returncode, 1)
        self.assertIn("'add-vectors.py' is no module that Python can import [python-module]", result.stderr)
        self.assertIn("rename the spec's file", result.stderr)
        self.assertFalse(re.search("wrote", result.stdout))


if __name__ == "__main__":
    unittest.main(verbosity=2)
