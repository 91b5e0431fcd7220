"""Grids and index maps. Witness: Pallas in interpret mode, and loops in NumPy for what Pallas lacks."""

import functools
import textwrap

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

from oracle_case import Case, rng


def program_ids(shape, grid, block, index_map):
    """Returns the document's show_program_ids: every block holds the digits of the program that wrote it last."""

    def kernel(o_ref):
        digits = sum(pl.program_id(axis) * 10 ** (len(grid) - 1 - axis) for axis in range(len(grid)))
        o_ref[...] = jnp.full(o_ref.shape, digits, jnp.int32)

    spec = pl.BlockSpec(block, index_map)
    shape = jax.ShapeDtypeStruct(shape, np.int32)
    return np.asarray(pl.pallas_call(kernel, out_shape=shape, grid=grid, out_specs=spec, interpret=True)())


def blocked(name, about, grid, output, body, expected):
    axes = "\n".join(f"  - {{axis: {axis}, size: {size}{more}}}" for axis, size, more in grid)
    spec = f"grid:\n{axes}\noutputs:\n  o: {output}\nbody:\n  - o[...] = {body}\n"
    return Case(name, about, spec, {"o": expected})


def tables():
    ij = [("i", 4, ""), ("j", 2, "")]
    walk = ", semantics: sequential"
    return [
        blocked("program_ids_blocked", "blocked index map that divides the array", ij,
                '{type: "i32[8, 6]", block: [2, 3], index_map: [i, j]}', "10 * i + j",
                program_ids((8, 6), (4, 2), (2, 3), lambda i, j: (i, j))),
        blocked("program_ids_partial", "blocks that hang over both ends: writes past the end are dropped", ij,
                '{type: "i32[7, 5]", block: [2, 3], index_map: [i, j]}', "10 * i + j",
                program_ids((7, 5), (4, 2), (2, 3), lambda i, j: (i, j))),
        blocked("program_ids_small", "an array smaller than its block", [("i", 1, ""), ("j", 1, "")],
                '{type: "i32[1, 2]", block: [2, 3], index_map: [i, j]}', "10 * i + j",
                program_ids((1, 2), (1, 1), (2, 3), lambda i, j: (i, j))),
        blocked("program_ids_revisited", "fewer axes in the index map than in the grid: the last visit stays",
                [*ij, ("k", 10, walk)], '{type: "i32[8, 6]", block: [2, 3], index_map: [i, j]}',
                "100 * i + 10 * j + k", program_ids((8, 6), (4, 2, 10), (2, 3), lambda i, j, k: (i, j))),
        blocked("program_ids_squeezed", "a squeezed dim; program_id by axis name",
                [("i", 3, ""), ("j", 2, "")],
                '{type: "i32[3, 4]", block: [squeezed, 2], index_map: [i, j]}',
                "10 * program_id(j) + program_id(i)", squeezed_table()),
        blocked("program_ids_whole", "absent block and index map: every step writes the whole array",
                [("i", 2, walk), ("j", 3, walk)], '{type: "i32[4, 4]"}', "10 * i + j",
                program_ids((4, 4), (2, 3), (4, 4), lambda i, j: (0, 0))),
        blocked("program_ids_element", "element indexing without padding", ij,
                '{type: "i32[8, 6]", block: "element(2), element(3)", index_map: "2 * i, 3 * j"}', "10 * i + j",
                program_ids((8, 6), (4, 2), (pl.Element(2), pl.Element(3)), lambda i, j: (2 * i, 3 * j))),
        blocked("program_ids_padded", "element indexing in an array padded by one row and two columns",
                [("i", 4, ""), ("j", 3, "")],
                '{type: "i32[7, 7]", block: "element(2, 1, 0), element(3, 2, 0)", index_map: "2 * i, 3 * j"}',
                "10 * i + j",
                program_ids((7, 7), (4, 3), (pl.Element(2, (1, 0)), pl.Element(3, (2, 0))),
                            lambda i, j: (2 * i, 3 * j))),
    ]


def squeezed_table():
    def kernel(o_ref):
        o_ref[...] = jnp.full((2,), 10 * pl.program_id(1) + pl.program_id(0), jnp.int32)

    spec = pl.BlockSpec((None, 2), lambda i, j: (i, j))
    shape = jax.ShapeDtypeStruct((3, 4), np.int32)
    return np.asarray(pl.pallas_call(kernel, out_shape=shape, grid=(3, 2), out_specs=spec, interpret=True)())


def index_maps():
    x = rng("index_maps").integers(-99, 99, (6, 8)).astype(np.int32)

    def copy(index_map, block=(2, 2), shape=(6, 8), out=lambda i, j: (i, j)):
        def kernel(x_ref, o_ref):
            o_ref[...] = x_ref[...]

        call = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(shape, np.int32), grid=(3, 4),
                              in_specs=[pl.BlockSpec(block, index_map)], out_specs=pl.BlockSpec(block, out),
                              interpret=True)
        return np.asarray(call(x))

    def case(name, about, in_map, expected, out="i32[6, 8]", out_map="[i, j]", lets=""):
        spec = textwrap.dedent("""\
            grid:
              - {axis: i, size: 3}
              - {axis: j, size: 4}
            """) + lets + (
            f'inputs:\n  x: {{type: "i32[6, 8]", block: [2, 2], index_map: {in_map}}}\n'
            f'outputs:\n  o: {{type: "{out}", block: [2, 2], index_map: {out_map}}}\n'
            "body:\n  - o[...] = x\n")
        return Case(name, about, spec, {"o": expected}, {"x": x})

    rows = jnp.asarray  # JAX's // and % on its integers floor as well
    return [
        case("index_map_swapped", "blocks written to the mirrored place of another array", "[i, j]",
             copy(lambda i, j: (i, j), shape=(8, 6), out=lambda i, j: (j, i)), "i32[8, 6]", "[j, i]"),
        case("index_map_fewer_axes", "one input block for all j", "[i, 0]", copy(lambda i, j: (i, 0))),
        case("index_map_floor", "// and % of negative index values round towards minus infinity",
             '"(i - 4) % 3, (j - 5) // 2 + 3"', copy(lambda i, j: (rows(i - 4) % 3, rows(j - 5) // 2 + 3))),
        case("index_map_min_max", "min, max, cdiv and a conditional in an index map",
             '"min(i, 1) if j < 2 else max(i, 1), cdiv(j, 2)"',
             copy(lambda i, j: (jnp.where(j < 2, jnp.minimum(i, 1), jnp.maximum(i, 1)), (j + 1) // 2))),
        case("index_map_let", "an index value of the program shared by both index maps", '"i, shift"',
             copy(lambda i, j: (i, (j + i) % 4)), lets='let: {shift: "(j + i) % 4"}\n'),
    ]


def linear_grids():
    def three(i, j, k):
        return (i * 3 + j) * 4 + k

    count = np.fromfunction(three, (2, 3, 4), dtype=np.int32)
    ranks = Case(
        "grid_rank_five", "five axes in row-major order; num_programs",
        textwrap.dedent("""\
            grid:
              - {axis: a, size: 2}
              - {axis: b, size: 1}
              - {axis: c, size: 3}
              - {axis: d, size: 2}
              - {axis: f, size: 2}
            outputs:
              o: {type: "i32[24]", block: [1], index_map: "(((a * 1 + b) * 3 + c) * 2 + d) * 2 + f"}
            body:
              - o[...] = 1000 * a + 100 * c + 10 * d + f + 10000 * num_programs(c)
            """),
        {"o": np.array([1000 * a + 100 * c + 10 * d + f + 30000 for a in range(2) for c in range(3)
                        for d in range(2) for f in range(2)], np.int32)})
    iota = Case(
        "grid_iota8", "one program per element, no inputs",
        textwrap.dedent("""\
            grid:
              - {axis: i, size: 8}
            outputs:
              o: {type: "i32[8]", block: [1], index_map: [i]}
            body:
              - o[0] = i
            """), {"o": np.arange(8, dtype=np.int32)})
    x, y = (rng(f"grid_empty_{n}").integers(-9, 9, 8).astype(np.int32) for n in "xy")
    empty = Case(
        "grid_empty_add8", "the empty grid: one program on whole arrays",
        textwrap.dedent("""\
            inputs:
              x: {type: "i32[8]"}
              y: {type: "i32[8]"}
            outputs:
              z: {type: "i32[8]"}
            body:
              - z[...] = x + y
            """), {"z": x + y}, {"x": x, "y": y})
    names = Case(
        "grid_axis_index", "axis_index counts along several axes as if they were one; axis_size",
        textwrap.dedent("""\
            grid:
              - {axis: a, size: 2}
              - {axis: b, size: 3}
              - {axis: c, size: 4}
            outputs:
              o: {type: "i32[2, 3, 4]", block: [1, 1, 1], index_map: [a, b, c]}
            body:
              - o[...] = axis_index([b, c]) * 1000 + axis_index([c, a]) * 10 + axis_size(b) + axis_index(a)
            """),
        {"o": np.array([[[(b * 4 + c) * 1000 + (c * 2 + a) * 10 + 3 + a for c in range(4)] for b in range(3)]
                        for a in range(2)], np.int32)})
    values = rng("grid_num_sms").integers(-9, 9, (11, 4)).astype(np.float32)
    shared = Case(
        "grid_num_sms", "as many programs as the device has SMs share out the rows; how many there are shows nowhere",
        textwrap.dedent("""\
            grid:
              - {axis: p, size: num_sms}
            inputs:
              x: {type: "f32[11, 4]", space: gmem}
            outputs:
              o: {type: "f32[4]", block: [4], index_map: [0], init: 0, reduce: add}
            body:
              - total = zeros(f32, [4])
              - for: i
                range: "p, 11, num_sms"
                do:
                  - total = total + x[i, :]
              - o[...] = total
            """), {"o": values.sum(0)}, {"x": values})
    runtime = Case(
        "grid_runtime_dims", "sizes from dims; a squeezed parallel axis and two blocked ones",
        textwrap.dedent("""\
            dims: {B: {}, M: {}, N: {}}
            grid:
              - {axis: b, size: B}
              - {axis: m, size: "cdiv(M, 2)"}
              - {axis: n, size: "cdiv(N, 3)"}
            outputs:
              o: {type: "i32[B, M, N]", block: [squeezed, 2, 3], index_map: [b, m, n]}
            body:
              - o[...] = (b * num_programs(m) + m) * num_programs(n) + n
            """), {"o": np.repeat(np.repeat(count[:, :3], 2, 1), 3, 2)[:, :5, :10]}, dims={"B": 2, "M": 5, "N": 10})
    return [iota, empty, ranks, names, shared, runtime]


@functools.cache
def cases():
    return linear_grids() + tables() + index_maps()
