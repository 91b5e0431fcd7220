"""Text that users of NumPy, JAX, Pallas and Triton would write: the message gives the right text, in terms of theirs,
and the spec with that text checks."""
import json
import re
import unittest

from harness import ROOT, ToolTest, run

SPEC = """\
pallasgen: 1
kernel: habits
dims: {{M: {{}}, N: {{}}}}
consts: {{bm: 16, bn: 32}}
grid: {grid}
inputs:
  x: {{type: "f32[M, N]", block: [bm, bn], index_map: {map}}}
  y: {{type: "f32[M, N]", block: [bm, bn], index_map: [m, n]}}
outputs:
  z: {{type: "f32[M, N]", block: [bm, bn], index_map: [m, n]}}
body:
  - z[...] = x + y
  - {body}
"""
GRID = '[{axis: m, size: "cdiv(M, bm)"}, {axis: n, size: "cdiv(N, bn)"}]'
WRITE, MEANT = r"write (.*)$", r"did you mean '(.*)'\?"
# body, its wrong part, the place of the remedy in a note
EXPRESSIONS = [
    ("z[...] = x - x.sum(axis=1, keepdims=true)", "x.sum(axis=1, keepdims=true)", WRITE),
    ("z[...] = x - x.max(axis=0)[None, :]", "x.max(axis=0)", WRITE),
    ("z[...] = jnp.exp(x) + y", "jnp.exp(x)", WRITE),
    ("z[...] = np.where(x > 0, x, 0)", "np.where(x > 0, x, 0)", WRITE),
    ("z[...] = x + pl.program_id(0)", "pl.program_id(0)", r"write (\w+)$"),
    ("z[...] = x + tl.num_programs(1)", "tl.num_programs(1)", WRITE),
    ("z[...] = tl.load(x)", "tl.load(x)", WRITE),
    ("pl.store(z, x * 2)", "pl.store(z, x * 2)", WRITE),
    ("z[...] = x^2", "x^2", r"for a power, write (.*)$"),
    ("z[...] = (x + 1) ^ 3", "(x + 1) ^ 3", r"for a power, write (.*)$"),
    ("z[...] = x * x.shape[0]", "x.shape[0]", r"the shape of the block of 'x' is \[(\w+), "),
    ("z[...] = y.astype(x.dtype)", "x.dtype", WRITE),
    ("z[...] = x.astype(jnp.f32)", "jnp.f32", WRITE),
    ("z[...] = x.astype(float32)", "float32", MEANT),
    ("z[...] = x.astype(torch.float16).astype(f32)", "torch.float16", WRITE),
    ("z[...] = jax.nn.relu(x)", "jax.nn.relu(x)", WRITE),
    ("z[...] = minimum(x, np.inf)", "np.inf", WRITE),
    ("z[...] = jnp.clip(x, 0, 1)", "jnp.clip(x, 0, 1)", WRITE),
    ("z[...] = x.clip(0, 1)", "x.clip(0, 1)", WRITE),
    ("z[...] = sigmoid(x)", "sigmoid", MEANT),
    ("z[...] = x.astype(bfloat16).astype(f32)", "bfloat16", MEANT),
    ("z[...] = x * (y > 0)", "(y > 0)", r"cast it: (.*)$"),
    ("z[...] = where(True, x, y)", "True", MEANT),
    ("z[...] = x if m == 0 && n == 0 else y", "&&", r"write '(.*)'"),
    ("z[...] = x - x.sum(axis=-1, keepdims=True)", "x.sum(axis=-1, keepdims=True)", WRITE),
    ("z[...] = x.reshape(32, 16).T", "x.reshape(32, 16)", WRITE),
    ("z[...] = x.reshape((32, 16)).T", "x.reshape((32, 16))", WRITE),
    ("z[...] = x.transpose(1, 0).T", "x.transpose(1, 0)", WRITE),
    ("z[...] = jnp.transpose(x, (1, 0)).T", "jnp.transpose(x, (1, 0))", WRITE),
    ("z[...] = x.to(torch.float16).astype(f32)", "x.to(torch.float16)", WRITE),
    ("z[...] = x.astype(\"f16\").astype(f32)", "\"f16\"", WRITE),
    ("z.store(x)", "z.store(x)", WRITE),
    ("z[...] = x_ref[...]", "x_ref", MEANT),
    ("z[...] = x + jnp.arange(32).astype(f32)", "jnp.arange(32)", WRITE),
    ("z[...] = x + tl.arange(0, 32)[None, :].astype(f32)", "tl.arange(0, 32)", WRITE),
    ("z[...] = x + np.arange(8, 40).astype(f32)", "np.arange(8, 40)", WRITE),
    ("z[...] = x if y > 0 else 0", "x if y > 0 else 0", WRITE),
    ("z[...] = max(x, 0)", "max(x, 0)", WRITE),
    ("z[...] = min(x, y, 1)", "min(x, y, 1)", WRITE),
    ("z[...] = fmaxf(x, y)", "fmaxf", MEANT),
    ("z[...] = expf(x)", "expf", MEANT),
    ("z[...] = x // 2", "x // 2", WRITE),
    ("z[...] = (x + y) // (x - y)", "(x + y) // (x - y)", WRITE),
    ("z[...] = x % 2", "x % 2", r"for floats, write (.*)$"),
    ("z[...] = where(yes, x, y)", "yes", MEANT),
    ("z[...] += x.astype(f64)", "x.astype(f64)", WRITE),
    ("z[...] = x \N{MINUS SIGN} y", "\N{MINUS SIGN}", r"write '(.*)'"),
    ("z[...] = where(x \N{LESS-THAN OR EQUAL TO} y, x, y)", "\N{LESS-THAN OR EQUAL TO}", r"write '(.*)'"),
    ("z[\N{HORIZONTAL ELLIPSIS}] = x", "\N{HORIZONTAL ELLIPSIS}", r"write '(.*)'"),
]
# an entry of the body, as YAML and as a text; the form that the message names, its statements filled in
STATEMENTS = [
    ("for i in range(4):", "{for: i, range: 4, do: […]}"),
    ("for i in range(0, bm, 2):", '{for: i, range: "0, bm, 2", do: […]}'),
    ("while z[0, 0] < 3:", '{while: "z[0, 0] < 3", do: […]}'),
    ("if m == 0:", "{when: m == 0, do: […]}"),
    ("if min(m, n) == 0:", '{when: "min(m, n) == 0", do: […]}'),
]


class Habits(ToolTest):
    def check(self, body="z[...] = x", grid=GRID, index_map="[m, n]", more=""):
        """Returns the diagnostics of a spec with this content."""
        self.spec.write_text(SPEC.format(grid=grid, map=index_map, body=body) + more)
        done = run("list", self.spec, "--error-format", "json")
        said = json.loads(done.stderr)
        self.assertEqual(done.returncode != 0, any(each["severity"] == "error" for each in said))
        return [each for each in said if each["severity"] == "error"]

    def remedy(self, said, form):
        """Returns the text that the notes say to write."""
        texts = [text for each in said for text in (each["message"], *(note["message"] for note in each["notes"]))]
        found = [match.group(1) for match in (re.search(form, text) for text in texts) if match]
        self.assertTrue(found, said)
        return found[0]

    def test_expressions(self):
        for body, wrong, form in EXPRESSIONS:
            with self.subTest(body):
                quoted = json.dumps(body)
                remedy = self.remedy(self.check(quoted), form)
                self.assertIn(wrong, body)
                self.assertEqual(self.check(json.dumps(body.replace(wrong, remedy))), [], remedy)

    def test_statements(self):
        for text, wanted in STATEMENTS:
            for body in (json.dumps(text), f"{text}\n      - z[...] = x"):
                with self.subTest(body):
                    remedy = self.remedy(self.check(body), r"write (\{.*?\})(?:,|;|$)")
                    self.assertEqual(remedy, wanted)
                    self.assertEqual(self.check(remedy.replace("[…]", '["z[...] += 1"]')), [], remedy)

    def test_statements_of_one_line(self):
        for text, wanted in (("assert m < 4", '{assert: m < 4, message: "…"}'), ("print(m + 1)", '{print: "{}", args: [m + 1]}'),
                             ("print(min(m, n))", '{print: "{}", args: ["min(m, n)"]}')):
            with self.subTest(text):
                remedy = self.remedy(self.check(json.dumps(text)), r"write (\{.*\})$")
                self.assertEqual(remedy, wanted)
                self.assertEqual(self.check(remedy), [])

    def test_values_of_another_kind(self):
        for key, wrong in (("scalars", "alpha"), ("aliases", "x"), ("functions", "[]"), ("schedule", "{cluster: 2}"), ("tests", "{M: 8}"),
                           ("reference", "x + y")):
            with self.subTest(key):
                self.assertRegex(json.dumps(self.check("z[...] = x", more=f"{key}: {wrong}\n"), ensure_ascii=False), "; such as [a-z]+: [{[]")

    def test_casts_of_references(self):
        tests = "tests: [{dims: {M: 8, N: 8}}]\n"
        said = self.check("z[...] = x", more=tests + 'reference: {z: "x.astype(f64) + y.astype(f64)"}\n')
        remedy = self.remedy(said, WRITE)
        self.assertEqual(self.check("z[...] = x", more=tests + f"reference: {{z: {json.dumps(remedy)}}}\n"), [], remedy)

    def test_the_other_case(self):
        for body in ('"else:"', "else:\n      - z[...] = x"):
            remedy = self.remedy(self.check(body), r"(\{when: .*\})$")
            remedy = remedy.replace("when: …", "when: m == 0").replace("[…]", '["z[...] = x"]')
            self.assertEqual(self.check(remedy), [])

    def test_functions(self):
        remedy = self.remedy(self.check('"def twice(v): return v * 2"'), WRITE)
        self.assertEqual(self.check("z[...] = twice(x)", more=f"functions: {{{remedy}}}\n"), [])

    def test_index_maps(self):
        for text in ("lambda m, n: (m, n)", "lambda i, j: m, n", "lambda m, n: (m, n,)", "lambda m, n: (m // 2, max(n, 0))"):
            with self.subTest(text):
                remedy = self.remedy(self.check(index_map=json.dumps(text)), r"entries alone: write (.*)$")
                self.assertEqual(self.check(index_map=remedy), [], remedy)

    def test_grids(self):
        for grid, axes in (("(4, 4)", 2), ("[4, 4]", 2), ("4", 1), ('"(cdiv(M, bm), cdiv(N, bn))"', 2), ("(4,)", 1)):
            with self.subTest(grid):
                remedy = self.remedy(self.check(grid=grid), WRITE)
                self.assertEqual(remedy.count("axis:"), axes)
                # The spec's axes have other names, which are then its only errors.
                missing = {each["message"] for each in self.check(grid=remedy.replace("axis: i", "axis: m").replace("axis: j", "axis: n"))}
                self.assertEqual(missing, set() if axes == 2 else {"'n' is not defined"})


    def test_keys_by_their_parts(self):
        wrong = SPEC.format(grid=GRID, map="[m, n]", body="z[...] = x")
        for key, other, said in (("block:", "block_shape:", "block"), ("index_map:", "map:", "index_map"),
                                 ("pipeline: {stages: 0}\n", "pipeline: {num_stages: 0}\n", "stages"),
                                 ("tests: [{dims: {M: 8, N: 8}, tolerance: 0.1}]\n",
                                  "tests: [{dims: {M: 8, N: 8}, tol: 0.1}]\n", "tolerance"),
                                 ("aliases: {z: x}\n", "input_output_aliases: {z: x}\n", "aliases")):
            with self.subTest(other):
                good = wrong if key in wrong else wrong + key
                self.spec.write_text(good.replace(key, other))
                self.assertIn(f"did you mean '{said}'?", run("list", self.spec).stderr)
                self.spec.write_text(good)
                self.assertEqual(run("list", self.spec).returncode, 0)

    def test_unknown_sizes_and_axes(self):
        said = self.check(index_map="[i, j]")
        self.assertEqual([note["message"] for each in said for note in each["notes"]], ["the axes of the grid are m, n"] * 2)
        self.spec.write_text(SPEC.format(grid=GRID, map="[m, n]", body="z[...] = x").replace("N: {}", "K: {}"))
        notes = {note["message"] for each in json.loads(run("list", self.spec, "--error-format", "json").stderr)
                 for note in each["notes"]}
        self.assertEqual(notes, {"a size that the launch gives is declared: dims: {N: {}}"})


DOUBTS = """\
pallasgen: 1
kernel: doubts
dims: {M: {}, K: {}}
grid: [{axis: m, size: "cdiv(M, 16)"}, {axis: k, size: "cdiv(K, 32)", semantics: sequential}]
inputs:
  x: {type: "f32[M, K]", block: [16, 32], index_map: [m, k], fill: 0}
outputs:
  y: {type: "f32[M]", block: [16], index_map: [m]}
body:
  - when: k == 0
    do: ["y[...] = 0"]
  - for: i
    range: 4
    do: ["y[...] += sum(x[:, ds(i * 8, 8)], axis=1)"]
"""
WRITTEN = "  - when: k == 0\n    do: [\"y[...] = 0\"]\n"
# a rule; replacements that make the spec break it; its notes, and replacements that follow them
REMEDIES = [
    ("axis-dim", {'m, size: "cdiv(M': 'm, size: "cdiv(K'}, "size the axis by M, or write K in both places",
     [{'m, size: "cdiv(K': 'm, size: "cdiv(M'}, {"[M, K]": "[K, K]", '"f32[M]"': '"f32[K]"'}]),
    ("element-index", {"[m, k]": "[m * 16, k]"}, "write m, or begin the block at an element, by element(16) in `block`",
     [{"[m * 16, k]": "[m, k]"}, {"block: [16, 32]": "block: [element(16), 32]"}]),
    ("element-index", {"[m, k]": "[m, 32 * k]"}, "write k, or begin the block at an element, by element(32) in `block`",
     [{"[m, 32 * k]": "[m, k]"}, {"block: [16, 32]": "block: [16, element(32)]"}]),
    ("unreached-block", {'"cdiv(K, 32)"': "K // 32"}, "size the axis by cdiv(K, 32), or declare K: {multiple_of: 32}",
     [{"K // 32": '"cdiv(K, 32)"'}, {"K: {}": "K: {multiple_of: 32}"}]),
    ("unreached-block", {'"cdiv(M, 16)"': "M // 16"}, "size the axis by cdiv(M, 16), or declare M: {multiple_of: 16}",
     [{"M // 16": '"cdiv(M, 16)"'}, {"M: {}": "M: {multiple_of: 16}"}]),
    ("unreached-block", {"index_map: [m]}": "index_map: [2 * m]}"}, "or the output gets `init`",
     [{"index_map: [2 * m]}": "index_map: [m]}"}, {"index_map: [2 * m]}": "index_map: [2 * m], init: 0}"}]),
    ("guarded-output", {"body:\n": "  z: {type: \"f32[M]\", block: [16], index_map: [m]}\nbody:\n  - when: m > 0\n    do: [\"z[...] = 1\"]\n"},
     "write 'z' under `else:` too, or in front of the guard; or give the output `init`",
     [{"do: [\"z[...] = 1\"]\n": "do: [\"z[...] = 1\"]\n    else: [\"z[...] = 2\"]\n"},
      {"  - when: m > 0": "  - z[...] = 2\n  - when: m > 0"}, {"z: {type: \"f32[M]\",": "z: {type: \"f32[M]\", init: 0,"}]),
    ("unguarded-output", {"do: [\"y[...] += sum(x[:, ds(i * 8, 8)], axis=1)\"]": "do: [\"y[...] = sum(x[:, ds(i * 8, 8)], axis=1)\"]",
                          WRITTEN: ""},
     "y[...] = 0 under {when: k == 0, do: […]}, and then y[...] += … in every step",
     [{"do: [\"y[...] = sum": "do: [\"y[...] += sum", "body:\n": "body:\n" + WRITTEN},
      {"  - for: i\n    range: 4\n    do: [\"y[...] = sum(x[:, ds(i * 8, 8)], axis=1)\"]\n":
       "  - w = sum(x, axis=1)\n  - when: k == num_programs(k) - 1\n    do: [\"y[...] = w\"]\n"}]),
    ("idle-unroll", {"range: 4\n": "range: 4\n    unroll: 1\n"},
     "leave it out, or write how many turns are to stand in a row, as in `unroll: 4`",
     [{"    unroll: 1\n": ""}, {"unroll: 1": "unroll: 4"}]),
]


class Doubts(ToolTest):
    def rules(self, text):
        self.spec.write_text(text)
        done = run("list", self.spec, "--error-format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stderr)

    def replaced(self, text, changes):
        for old, new in changes.items():
            self.assertIn(old, text)
            text = text.replace(old, new)
        return text

    def test_remedies(self):
        self.assertEqual(self.rules(DOUBTS), [])
        for rule, wrong, note, remedies in REMEDIES:
            text = self.replaced(DOUBTS, wrong)
            with self.subTest(rule, wrong=wrong):
                said = self.rules(text)
                self.assertEqual({each["rule"] for each in said}, {rule})
                self.assertIn(note, " ".join(each["message"] for one in said for each in one["notes"]))
            for remedy in remedies:
                with self.subTest(rule, remedy=remedy):
                    self.assertEqual(self.rules(self.replaced(text, remedy)), [])

    def test_no_spec_of_the_library_is_warned_of_what_it_means(self):
        done = run("list", ROOT / "specs", "--error-format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        rules = {each["rule"] for each in json.loads(done.stderr)}
        self.assertEqual(rules & {"axis-dim", "element-index", "unreached-block", "guarded-output", "unguarded-output",
                                  "idle-unroll", "random-counter"}, set())


if __name__ == "__main__":
    unittest.main(verbosity=2)
