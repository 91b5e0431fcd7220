"""The tables and numbers in Pallas' documentation, to the digit: from "Grids and BlockSpecs", "Software pipelining" and
"Pallas design". docs/pallas.md lists the spec of each example."""
import re
import struct
import unittest

from harness import ROOT, ToolTest, run

SPECS = ROOT / "specs"
BASICS = SPECS / "basics"

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
    ("show_program_ids_fixed", {}, [[12] * 4] * 4),
    ("show_program_ids_element", {"M": 8, "N": 6}, BLOCKED),
    ("show_program_ids_padded", {"M": 7, "N": 7}, PADDED),
    ("iota8", {}, list(range(8))),
]


def elements(path, letter):
    """Returns the 4-byte elements of a .npy file, flat."""
    content = path.read_bytes()
    start = 10 + struct.unpack("<H", content[8:10])[0]
    return list(struct.unpack(f"<{(len(content) - start) // 4}{letter}", content[start:]))


def save_ones(path, *shape):
    """Writes a .npy file of f32 ones."""
    count = 1
    for extent in shape:
        count *= extent
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack("<f", 1.0) * count)


class Tables(ToolTest):
    def test_every_table_of_the_document(self):
        for name, dims, table in TABLES:
            with self.subTest(name=name, dims=dims):
                out = self.folder / "o.npy"
                sizes = [word for dim, size in dims.items() for word in ("--dim", f"{dim}={size}")]
                done = run("interpret", BASICS / f"{name}.yaml", *sizes, "--out", f"o={out}")
                self.assertEqual(done.returncode, 0, done.stderr)
                flat = [v for row in table for v in row] if isinstance(table[0], list) else table
                self.assertEqual(elements(out, "i"), flat)

    def test_the_slices_of_one_program(self):
        for columns, told in ((100, ""), (90, "  (10 of dim 1 past its end at 90)")):
            done = run("explain", BASICS / "block_slices.yaml", "--dim", "M=100", "--dim", f"N={columns}", "--program", "2,4")
            self.assertIn(f"x[20:30, 80:100]{told}\n", done.stdout, done.stderr)

    def test_the_slices_of_one_program_of_a_grid_with_an_axis_more(self):
        done = run("explain", BASICS / "show_program_ids_steps.yaml", "-D", "bm=10", "-D", "bn=20", "-D", "steps=4", "--dim",
                   "M=100", "--dim", "N=100", "--program", "2,4,0")
        self.assertIn("o[20:30, 80:100]\n", done.stdout, done.stderr)

    def test_slices_of_an_array_past_two_to_the_31_elements(self):
        done = run("explain", BASICS / "block_slices.yaml", "--dim", "M=100000", "--dim", "N=100000", "--program", "9999,4999")
        self.assertIn("x[99990:100000, 99980:100000]\n", done.stdout, done.stderr)


class Numbers(ToolTest):
    def interpret(self, spec, ones, output, *more):
        """Returns the output of a spec whose inputs, given by their shapes, hold ones."""
        arguments = []
        for name, shape in ones.items():
            save_ones(self.folder / f"{name}.npy", *shape)
            arguments += ["--in", f"{name}={self.folder / name}.npy"]
        out = self.folder / "out.npy"
        done = run("interpret", SPECS / spec, *arguments, "--out", f"{output}={out}", *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return elements(out, "f")

    def test_two_whole_matrices_of_ones(self):
        shape = (512, 512)
        z = self.interpret("elementwise/add_matrices_whole.yaml", {"x": shape, "y": shape}, "z")
        self.assertEqual(z, [2.0] * 512 * 512)

    def test_every_size_of_block_gives_the_same_sum(self):
        shape, sizes = (1024, 1024), ("--dim", "M=1024", "--dim", "N=1024")
        for extent in (256, 128, 512):
            z = self.interpret("elementwise/add_matrices.yaml", {"x": shape, "y": shape}, "z", *sizes, "-D", f"bm={extent}",
                               "-D", f"bn={extent}")
            self.assertEqual(z, [2.0] * 1024 * 1024, extent)

    def test_the_matrices_of_4096_rows_by_blocks_of_512_are_generated(self):
        done = run("test", SPECS / "elementwise/add_matrices.yaml", "-D", "bm=512", "-D", "bn=512", "--dims",
                   "M=4096,N=4096", "--modes", "plain", "--policies", "late", "--work-dir", self.folder)
        self.assertIn("2 passed, 0 failed", done.stdout, done.stderr)

    def test_a_matrix_of_2048_rows_takes_16_mebibytes_which_shared_memory_has_not(self):
        done = run("explain", SPECS / "elementwise/add_matrices_pipelined.yaml", "-D", "bm=2048", "-D", "bn=2048")
        self.assertIn(f"{3 * 16 * 2**20:,} for 3 slots of 'x'", done.stderr)
        self.assertIn("not even 1 stage fits", done.stderr)

    def test_one_kernel_for_two_functions(self):
        for function, sum_of_two in (("twice", 4.0), ("exp", 7.38905609893)):
            o = self.interpret("elementwise/map_add.yaml", {"x": (), "y": ()}, "o", "-D", f"f={function}")
            self.assertAlmostEqual(o[0], sum_of_two, 5)

    def test_the_templated_matmul(self):
        o = self.interpret("matmul/matmul_sliced.yaml", {"x": (512, 256), "y": (256, 1024)}, "o", "--dim", "M=512", "--dim",
                           "N=1024", "-D", "K=256", "-D", "bm=128", "-D", "bn=256", "-D", "bk=128")
        self.assertEqual(o, [256.0] * 512 * 1024)     # gelu of 256 is 256

    def test_the_guide_names_specs_that_exist(self):
        named = re.findall(r"`specs/([\w/.]+)`", (ROOT / "docs/pallas.md").read_text())
        self.assertGreater(len(named), 20)
        for name in named:
            self.assertTrue((SPECS / name).is_file(), name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
