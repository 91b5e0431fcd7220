"""Numbers that kernels of the library draw in different blocks are independent: no block repeats another, shifted."""
import re
import struct
import tempfile
import unittest
from pathlib import Path

from harness import ROOT, run

BLOCK, BLOCKS = 1024, 12
SHIFTS = range(-40, 41)
# Bits that agree by chance are binomial; 7 standard deviations leave 3e-12 for each of the 11,000 comparisons.
DEVIATIONS = 7


def save(path, values):
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(values)},), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() +
                     struct.pack(f"<{len(values)}f", *values))


def load(path):
    data = path.read_bytes()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    return struct.unpack(f"<{(len(data) - start) // 4}f", data[start:])


def kept(spec, seed):
    """Returns which elements of ones the spec of a dropout keeps, by the interpreter."""
    count = BLOCK * BLOCKS
    with tempfile.TemporaryDirectory() as folder:
        ones, out = Path(folder) / "x.npy", Path(folder) / "y.npy"
        save(ones, [1.0] * count)
        done = run("interpret", spec, "--dim", f"N={count}", "--in", f"x={ones}", "--in", f"seed={seed}", "--in", "keep=0.5",
                   "--out", f"y={out}")
        assert done.returncode == 0, done.stdout + done.stderr
        return [value != 0 for value in load(out)]


def repeated(bits):
    """Returns pairs of blocks, with the shift, that agree more or less often than independent ones."""
    rows = [int("".join("01"[b] for b in bits[i * BLOCK:(i + 1) * BLOCK]), 2) for i in range(BLOCKS)]
    found = []
    for a in range(BLOCKS):
        for b in range(a):
            for shift in SHIFTS:
                count = BLOCK - abs(shift)
                one, other = (rows[a] >> shift, rows[b]) if shift >= 0 else (rows[a], rows[b] >> -shift)
                differ = ((one ^ other) & ((1 << count) - 1)).bit_count()
                if abs(2 * differ - count) > DEVIATIONS * count ** 0.5:
                    found.append((a, b, shift))
    return found


class Dropout(unittest.TestCase):
    spec = ROOT / "specs/elementwise/dropout.yaml"

    def test_blocks_are_independent(self):
        for seed in (7, 8, 12345):
            bits = kept(self.spec, seed)
            self.assertEqual(repeated(bits), [])
            for block in range(BLOCKS):
                ones = sum(bits[block * BLOCK:(block + 1) * BLOCK])
                self.assertLess(abs(2 * ones - BLOCK), DEVIATIONS * BLOCK ** 0.5)

    def test_a_bare_axis_as_counter_is_found(self):
        """The test detects its target: a counter that moves by 1 a block repeats each block, four elements on."""
        with tempfile.TemporaryDirectory() as folder:
            spec = Path(folder) / "dropout.yaml"
            text, changed = re.subn(r"uniform\(seed, [^,]*, \[bn\]\)", "uniform(seed, n, [bn])", self.spec.read_text())
            self.assertEqual(changed, 1)
            spec.write_text(re.sub(r"reference:\n.*\n", "", text))
            found = repeated(kept(spec, 7))
        self.assertEqual({(a, b, s) for a, b, s in found if abs(s) == 4 * (a - b)}, set(found))
        self.assertGreaterEqual(len(found), BLOCKS - 1)


if __name__ == "__main__":
    unittest.main()
