"""The tables that Pallas' documentation prints, to the digit, and its slices."""
import struct
import unittest

from harness import ROOT, ToolTest, run

BASICS = ROOT / "specs/basics"

BLOCKED = [[10 * (i // 2) + j // 3 for j in range(6)] for i in range(8)]
RAGGED = [[0, 0, 0, 1, 1], [0, 0, 0, 1, 1], [10, 10, 10, 11, 11], [10, 10, 10, 11, 11], [20, 20, 20, 21, 21],
          [20, 20, 20, 21, 21], [30, 30, 30, 31, 31]]
STEPS = [[9, 9, 9, 19, 19, 19]] * 2 + [[109, 109, 109, 119, 119, 119]] * 2 + [[209, 209, 209, 219, 219, 219]] * 2 + \
    [[309, 309, 309, 319, 319, 319]] * 2
PADDED = [[0, 1, 1, 1, 2, 2, 2], [10, 11, 11, 11, 12, 12, 12], [10, 11, 11, 11, 12, 12, 12], [20, 21, 21, 21, 22, 22, 22],
          [20, 21, 21, 21, 22, 22, 22], [30, 31, 31, 31, 32, 32, 32], [30, 31, 31, 31, 32, 32, 32]]
# spec, sizes, table
TABLES = [
    ("show_program_ids", {"M": 8, "N": 6}, BLOCKED),
    ("show_program_ids", {"M": 7, "N": 5}, RAGGED),
    ("show_program_ids", {"M": 1, "N": 2}, [[0, 0]]),
    ("show_program_ids_steps", {"M": 8, "N": 6}, STEPS),
    ("show_program_ids_squeezed", {"M": 3, "N": 4}, [[0, 0, 10, 10], [1, 1, 11, 11], [2, 2, 12, 12]]),
    ("show_program_ids_whole", {}, [[12] * 4] * 4),
    ("show_program_ids_element", {"M": 8, "N": 6}, BLOCKED),
    ("show_program_ids_padded", {"M": 7, "N": 7}, PADDED),
    ("iota8", {}, list(range(8))),
]


def integers(path):
    """The i32 elements of a .npy file, flat."""
    content = path.read_bytes()
    start = 10 + struct.unpack("<H", content[8:10])[0]
    return list(struct.unpack(f"<{(len(content) - start) // 4}i", content[start:]))


class Tables(ToolTest):
    def test_every_table_of_the_document(self):
        for name, dims, table in TABLES:
            with self.subTest(name=name, dims=dims):
                out = self.folder / "o.npy"
                sizes = [word for dim, size in dims.items() for word in ("--dim", f"{dim}={size}")]
                done = run("interpret", BASICS / f"{name}.yaml", *sizes, "--out", f"o={out}")
                self.assertEqual(done.returncode, 0, done.stderr)
                flat = [v for row in table for v in row] if isinstance(table[0], list) else table
                self.assertEqual(integers(out), flat)

    def test_the_slices_of_one_program(self):
        for columns, told in ((100, ""), (90, "  (10 of dim 1 past its end at 90)")):
            done = run("explain", BASICS / "block_slices.yaml", "--dim", "M=100", "--dim", f"N={columns}", "--program", "2,4")
            self.assertIn(f"x[20:30, 80:100]{told}\n", done.stdout, done.stderr)

    def test_slices_of_an_array_past_two_to_the_31_elements(self):
        done = run("explain", BASICS / "block_slices.yaml", "--dim", "M=100000", "--dim", "N=100000", "--program", "9999,4999")
        self.assertIn("x[99990:100000, 99980:100000]\n", done.stdout, done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
