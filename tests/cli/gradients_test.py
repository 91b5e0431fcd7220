#!/usr/bin/env python3
"""The backward kernels of attention against finite differences of the forward kernel: what moves an input along its gradient
moves the sum of o * do by as much as the gradient says."""
import math
import random
import struct
import tempfile
import unittest
from pathlib import Path

from harness import ROOT, run

DIMS = {"B": 1, "H": 2, "G": 1, "S": 24, "T": 40}
D, SCALE = 128, 0.125
SHAPES = {"q": ("B", "S", "H", D), "k": ("B", "T", "G", D), "v": ("B", "T", "G", D), "do_": ("B", "S", "H", D)}
REACH = 2.0  # how far an input is moved, as a norm: about a fortieth of its own


def bits_of(x):
    """Those of the nearest number of bf16."""
    bits, = struct.unpack("<I", struct.pack("<f", x))
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16


def number(bits):
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


def bf16(x):
    return number(bits_of(x))


def save(path, shape, numbers):
    header = f"{{'descr': '<u2', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack(f"<{len(numbers)}H", *map(bits_of, numbers)))


def load(path):
    """Of f32, or of bf16, which is stored as its bits."""
    data = path.read_bytes()
    size, = struct.unpack("<H", data[8:10])
    rest = data[10 + size:]
    if b"u2" in data[:10 + size]:
        return [number(bits) for bits in struct.unpack(f"<{len(rest) // 2}H", rest)]
    return list(struct.unpack(f"<{len(rest) // 4}f", rest))


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b))


class Gradients(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        draw = random.Random(3)
        self.inputs = {name: [bf16(draw.gauss(0, 1)) for _ in range(math.prod(DIMS.get(n, n) for n in shape))]
                       for name, shape in SHAPES.items()}
        for name in SHAPES:
            self.save(name, self.inputs[name])

    def file(self, name):
        return Path(self.folder.name) / f"{name}.npy"

    def save(self, name, numbers):
        save(self.file(name), [DIMS.get(n, n) for n in SHAPES[name]], numbers)

    def kernel(self, name, dims, inputs, outputs, **others):
        """Runs one, with inputs and outputs in files of their names, or of others."""
        words = [f"--dim={dim}={DIMS[dim]}" for dim in dims]
        words += [f"--in={one}={others.get(one, self.file(one))}" for one in inputs]
        words += [f"--out={one}={self.file(one)}" for one in outputs]
        done = run("interpret", ROOT / f"specs/attention/{name}.yaml", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [load(self.file(one)) for one in outputs]

    def forward(self, **moved):
        return self.kernel("attention_fwd", DIMS, ["q", "k", "v", "scale"], ["o", "lse"], scale=SCALE, **moved)

    def gradients(self):
        self.forward()
        self.kernel("attention_delta", "BSH", ["o", "do_"], ["delta"])
        given = ["k", "v", "q", "do_", "lse", "delta", "scale"]
        dq, dk, dv = self.kernel("attention_bwd", DIMS, given, ["dq", "dk", "dv"], scale=SCALE)
        dk_alone, dv_alone = self.kernel("attention_dkv", DIMS, given, ["dk", "dv"], scale=SCALE)
        dq_alone, = self.kernel("attention_dq", DIMS, given, ["dq"], scale=SCALE)
        self.assertEqual((dk, dv), (dk_alone, dv_alone))
        self.assertEqual([bf16(x * SCALE) for x in dq], dq_alone)
        return {"q": dq_alone, "k": dk, "v": dv}

    def test_the_gradients_are_those_of_the_forward_kernel(self):
        for name, gradient in self.gradients().items():
            step = REACH / math.sqrt(dot(gradient, gradient))
            ends, sums = [], []
            for sign in (1, -1):
                ends.append([bf16(x + sign * step * g) for x, g in zip(self.inputs[name], gradient)])
                self.save(name, ends[-1])
                o, _ = self.forward()
                sums.append(dot(o, self.inputs["do_"]))
            self.save(name, self.inputs[name])
            told = dot(gradient, [a - b for a, b in zip(*ends)])
            with self.subTest(input=name, told=told, found=sums[0] - sums[1]):
                self.assertGreater(told, 1)
                self.assertLess(abs(sums[0] - sums[1] - told), 0.03 * told)


if __name__ == "__main__":
    unittest.main(verbosity=2)
