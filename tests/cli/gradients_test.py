#!/usr/bin/env python3
"""Verdicts of `pallasgen test` on gradient kernels: those of attention's alternative pass as the library's do, with the
same bits, and a kernel with a wrong sign, scale, mask or sum, or with half of a gradient, fails for each wrong
gradient."""
import json
import random
import re
import shutil
import struct
import tempfile
import unittest
from pathlib import Path

from harness import ROOT, run

DIMS = {"B": 1, "H": 3, "G": 2, "S": 28, "T": 20}
SCALE = 0.125

# The kernel, the change of its text, and the inputs of the forward kernel whose gradients are then wrong.
BROKEN = [
    ("attention_bwd", "dk[...] = (dk_acc * scale)", "dk[...] = (dk_acc * -scale)", "k"),
    ("attention_bwd", "dk[...] = (dk_acc * scale)", "dk[...] = dk_acc[...]", "k"),
    ("attention_bwd", "when: causal and e * bq", "when: false and e * bq", "qkv"),
    ("attention_bwd", "dv[...] = dv_acc[...]", "dv[...] = where(iota(i32, [bkv, d], 1) < 64, dv_acc[...], 0)", "v"),
    ("attention_bwd", "dv[...] = dv_acc[...]", "dv[...] = (0 * dv_acc[...])", "v"),
    ("attention_cast", "(sums * scale)", "(sums * 1.0)", "q"),
    ("attention_delta", "sum(o.astype(f32)", "0.9 * sum(o.astype(f32)", "qk"),
]

BITS = """\
pallasgen: 1
kernel: signs
dims: {N: {multiple_of: 4}}
inputs: {x: {type: "f32[N]", block: [64], index_map: [i]}}
outputs: {y: {type: "f32[N]", block: [64], index_map: [i]}}
grid: [{axis: i, size: "cdiv(N, 64)"}]
body: ["y[...] = bitcast(bitcast(x, u32) ^ u32(0x80000000), f32)"]
vjp: signs_grad
tests: [{dims: {N: 8}}]
"""
BITS_GRADIENT = """\
pallasgen: 1
kernel: signs_grad
dims: {N: {multiple_of: 4}}
inputs: {dy: {type: "f32[N]", block: [64], index_map: [i]}}
outputs: {dx: {type: "f32[N]", block: [64], index_map: [i]}}
grid: [{axis: i, size: "cdiv(N, 64)"}]
body: ["dx[...] = -dy"]
"""


def rows_of(done):
    """Returns the rows of gradients: {input: whether its row passed}."""
    rows = re.findall(r"^  (ok|FAILED) .* gradient \w+ of (\w+)", done.stdout, re.M)
    return {name: said == "ok" for said, name in rows}


class Gradients(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = Path(self.scratch.name)
        for spec in (ROOT / "specs/attention").glob("attention_*.yaml"):
            shutil.copy(spec, self.folder)
        # Arrays of tests that are not run.
        for array in (ROOT / "specs/attention").glob("*.npy"):
            shutil.copy(array, self.folder)

    def change(self, name, old, new):
        path = self.folder / f"{name}.yaml"
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))

    def attention(self):
        sizes = ",".join(f"{name}={size}" for name, size in DIMS.items())
        return run("test", self.folder / "attention_fwd.yaml", "--policies", "late", "--dims", sizes)

    def test_wrong_kernels_fail(self):
        for name, old, new, wrong in BROKEN:
            with self.subTest(kernel=name, new=new):
                kept = (self.folder / f"{name}.yaml").read_text()
                self.change(name, old, new)
                done = self.attention()
                (self.folder / f"{name}.yaml").write_text(kept)
                self.assertEqual(rows_of(done), {one: one not in wrong for one in "qkv"}, done.stdout + done.stderr)
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stdout, r"at \w\[\d+, \d+, \d+, \d+\] differences give \S+, the gradient is \S+")

    def test_the_kernels_without_atomics(self):
        text = (self.folder / "attention_fwd.yaml").read_text()
        begin, end = text.index("\nvjp:") + 1, text.index("# 0.02 allows")
        self.change("attention_fwd", text[begin:end], "vjp: [attention_delta, attention_dkv, attention_dq]\n")
        done = self.attention()
        self.assertEqual((done.returncode, rows_of(done)), (0, {"q": True, "k": True, "v": True}), done.stdout + done.stderr)

    def kernel(self, name, dims, inputs, outputs):
        """Runs a kernel, with inputs and outputs in files of their names; returns the bytes of the outputs."""
        words = [f"--dim={dim}={DIMS[dim]}" for dim in dims]
        words += [f"--in={one}={SCALE if one == 'scale' else self.folder / one}" for one in inputs]
        words += [f"--out={one}={self.folder / one}" for one in outputs]
        done = run("interpret", self.folder / f"{name}.yaml", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [(self.folder / one).read_bytes() for one in outputs]

    def save(self, name, shape):
        draw = random.Random(name)
        numbers = [draw.gauss(0, 1) for _ in range(DIMS["B"] * DIMS[shape[1]] * DIMS[shape[2]] * 128)]
        bits = [struct.unpack("<I", struct.pack("<f", x))[0] >> 16 for x in numbers]
        head = f"{{'descr': '<u2', 'fortran_order': False, 'shape': {tuple(DIMS.get(n, n) for n in shape)}, }}"
        head += " " * (-(len(head) + 11) % 64) + "\n"
        (self.folder / name).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() +
                                         struct.pack(f"<{len(bits)}H", *bits))

    def test_dk_and_dv_are_the_same_bits_by_both(self):
        for name, shape in {"q": "BSHd", "k": "BTGd", "v": "BTGd", "do_": "BSHd"}.items():
            self.save(name, [128 if n == "d" else n for n in shape])
        self.kernel("attention_fwd", DIMS, ["q", "k", "v", "scale"], ["o", "lse"])
        self.kernel("attention_delta", "BSH", ["o", "do_"], ["delta"])
        given = ["k", "v", "q", "do_", "lse", "delta", "scale"]
        together = self.kernel("attention_bwd", DIMS, given, ["dq", "dk", "dv"])
        alone = self.kernel("attention_dkv", DIMS, given, ["dk", "dv"])
        self.assertEqual(together[1:], alone)


class Refusals(unittest.TestCase):
    def test_bits_of_floats_need_a_reference(self):
        with tempfile.TemporaryDirectory() as folder:
            spec = Path(folder) / "signs.yaml"
            (Path(folder) / "signs_grad.yaml").write_text(BITS_GRADIENT)
            spec.write_text(BITS)
            done = run("test", spec, "--policies", "late")
            self.assertEqual(done.returncode, 1)
            self.assertIn("[run-float-bits]", done.stdout)
            spec.write_text(BITS + "reference: {y: -x}\n")
            done = run("test", spec, "--policies", "late")
            self.assertEqual((done.returncode, rows_of(done)), (0, {"x": True}), done.stdout + done.stderr)

    def test_some_test_must_have_sizes_that_the_kernels_take(self):
        with tempfile.TemporaryDirectory() as folder:
            spec = Path(folder) / "signs.yaml"
            (Path(folder) / "signs_grad.yaml").write_text(BITS_GRADIENT.replace("multiple_of: 4", "multiple_of: 16"))
            spec.write_text(BITS + "reference: {y: -x}\n")
            done = run("test", spec, "--policies", "late")
            self.assertEqual(done.returncode, 1)
            self.assertIn("no test has sizes that the kernels of `vjp` take", done.stdout)


class Links(unittest.TestCase):
    def test_consts_of_the_command_line_reach_the_kernels(self):
        for define in ("d=64", "causal=false", "bq=64"):
            done = run("list", ROOT / "specs/attention/attention_fwd.yaml", "-D", define)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_tree_keeps_the_links(self):
        done = run("lower", "--to", "ops", ROOT / "specs/attention/attention_fwd.yaml")
        links = json.loads(done.stdout)["vjp"]
        self.assertEqual(links[:2], ["attention_delta", "attention_bwd"])
        self.assertEqual(links[2]["kernel"], "attention_cast")

    def test_outputs_depend_on_the_linked_specs(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("generate", ROOT / "specs/attention/attention_fwd.yaml", "--out", folder, "--depfile", f"{folder}/d")
            self.assertEqual(done.returncode, 0, done.stderr)
            depends = Path(f"{folder}/d").read_text()
            for name in ("attention_fwd", "attention_delta", "attention_bwd", "attention_cast"):
                self.assertIn(f"specs/attention/{name}.yaml", depends)
            header = Path(f"{folder}/attention/attention_fwd.h").read_text()
            self.assertIn("//   attention_cast(sums = dq, N = B * S * H * d, scale) -> dq: bf16[N]", header)
            self.assertNotIn("attention_cast", Path(f"{folder}/attention/attention_fwd.cu").read_text())


if __name__ == "__main__":
    unittest.main(verbosity=2)
