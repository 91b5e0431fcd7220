"""Elements past the end of an array, and writes to them."""

import textwrap

import numpy as np

from oracle_case import Case, bf16, rng


def row_blocks(x, rows, fill):
    """Returns x cut into blocks of `rows` rows, the last one padded with `fill`."""
    padded = np.full((-(-len(x) // rows) * rows, *x.shape[1:]), fill, x.dtype)
    padded[:len(x)] = x
    return padded.reshape(-1, rows, *x.shape[1:])


def reduced(name, about, x, out, fill, body, **rest):
    """Returns a case in which blocks of 4 rows of x are reduced to one row of o each."""
    n, columns = x.shape
    kind = {"float32": "f32", "int32": "i32"}[x.dtype.name]
    spec = textwrap.dedent(f"""\
        grid:
          - {{axis: i, size: "cdiv({n}, 4)"}}
        inputs:
          x: {{type: "{kind}[{n}, {columns}]", block: [4, {columns}], index_map: [i, 0]{fill}}}
        outputs:
          o: {{type: "{kind}[{len(out)}, {columns}]", block: [1, {columns}], index_map: [i, 0]}}
        body:
          - "o[...] = {body}"
        """)
    return Case(name, about, spec, {"o": out.astype(x.dtype)}, {"x": x}, **rest)


def fills():
    floats = rng("edge_fills").integers(-9, 9, (6, 3)).astype(np.float32)
    ints = rng("edge_fills_int").integers(-9, 9, (5, 3)).astype(np.int32)
    undefined = np.stack([floats[:4].sum(0), np.full(3, np.nan, np.float32)])
    lowest = np.stack([ints[:4].min(0), np.full(3, -2**31, np.int32)])
    only = "the values past the end are unspecified; NaN and the most negative integer are the interpreter's"
    return [
        reduced("edge_fill_zero", "fill: 0 past the end", floats, row_blocks(floats, 4, 0).sum(1), ", fill: 0",
                "sum(x, axis=0, keepdims=true)"),
        reduced("edge_fill_minus_inf", "fill: -inf past the end", floats, row_blocks(floats, 4, -np.inf).max(1),
                ", fill: -inf", "max(x, axis=0, keepdims=true)"),
        reduced("edge_fill_integer", "an integer fill past the end", ints, row_blocks(ints, 4, 7).sum(1),
                ", fill: 7", "sum(x, axis=0, keepdims=true)"),
        reduced("edge_valid", "valid(ref) is the mask of the elements inside", ints, row_blocks(ints, 4, 1).prod(1),
                "", "prod(where(valid(x), x, 1), axis=0, keepdims=true)"),
        reduced("edge_unspecified_float", "floats past the end without fill", floats, undefined, "",
                "sum(x, axis=0, keepdims=true)", interpreter_only=only),
        reduced("edge_unspecified_integer", "integers past the end without fill", ints, lowest, "",
                "min(x, axis=0, keepdims=true)", interpreter_only=only),
    ]


def ragged():
    x = rng("edge_ragged").standard_normal((7, 10)).astype(np.float32)
    sizes = textwrap.dedent("""\
        dims: {M: {}, N: {}}
        grid:
          - {axis: m, size: "cdiv(M, 4)"}
          - {axis: n, size: "cdiv(N, 8)"}
        inputs:
          x: {type: "f32[M, N]", block: [4, 8], index_map: [m, n]}
        outputs:
          o: {type: "f32[M, N]", block: [4, 8], index_map: [m, n]}
        body:
          - o[...] = x * 2.0
        """)
    made = []
    for name, about, m, n in [("edge_ragged", "blocks that hang over both ends", 7, 10),
                              ("edge_smaller_than_block", "both extents below the block", 3, 5),
                              ("edge_one_element", "one element of a block", 1, 1),
                              ("edge_no_rows", "an extent of 0: nothing runs", 0, 5),
                              ("edge_exact", "blocks that divide the array", 4, 8)]:
        made.append(Case(name, about, sizes, {"o": x[:m, :n] * np.float32(2)}, {"x": x[:m, :n]},
                         dims={"M": m, "N": n}))
    return made


def windows():
    x = rng("edge_windows").integers(-9, 9, 10).astype(np.float32)
    padded = np.concatenate([np.zeros(1, np.float32), x, np.zeros(2, np.float32)])
    taps = np.array([padded[i] + 10 * padded[i + 1] + 100 * padded[i + 2] for i in range(10)], np.float32)
    convolution = Case(
        "edge_overlapping_windows", "element blocks that overlap, padded with a fill on both sides",
        textwrap.dedent("""\
            grid:
              - {axis: i, size: 5}
            inputs:
              x: {type: "f32[10]", block: "element(4, 1, 2)", index_map: "2 * i", fill: 0}
            outputs:
              o: {type: "f32[10]", block: [2], index_map: [i]}
            body:
              - "o[...] = x[0:2] + 10.0 * x[1:3] + 100.0 * x[2:4]"
            """), {"o": taps}, {"x": x})
    ends = np.array([0, 3, 4, 8, 10], np.int64)
    sums = np.array([[x[ends[i]:ends[i + 1]].sum()] for i in range(4)], np.float32)
    bounded = Case(
        "edge_bounded_slice", "slices of at most 6 elements; what lies behind their end is filled",
        textwrap.dedent("""\
            grid:
              - {axis: i, size: 4}
            inputs:
              x:
                type: "f32[10]"
                block: "bounded_slice(6)"
                index_map: "ds(offsets[i], offsets[i + 1] - offsets[i])"
                fill: 0
            outputs:
              o: {type: "f32[4, 1]", block: [squeezed, 1], index_map: [i, 0]}
            scalars: {offsets: "i64[5]"}
            body:
              - o[...] = sum(x)
            """), {"o": sums}, {"x": x}, scalars={"offsets": ends})
    half = rng("edge_bf16").standard_normal((5, 6)).astype(bf16)
    stored = Case(
        "edge_bf16_copy", "16-bit elements in rows whose bytes are no multiple of 16",
        textwrap.dedent("""\
            grid:
              - {axis: i, size: 2}
            inputs:
              x: {type: "bf16[5, 6]", block: [4, 8], index_map: [i, 0]}
            outputs:
              o: {type: "bf16[5, 6]", block: [4, 8], index_map: [i, 0]}
            body:
              - o[...] = x
            """), {"o": half}, {"x": half})
    return [convolution, bounded, stored]


def small_extents():
    """Returns cases of arrays with constant extents below their blocks, by operations over the whole block."""
    x = rng("edge_small_extents").integers(-9, 9, (3, 50)).astype(np.float32)
    made = []
    for name, form, want in (
            ("cumsum", "cumsum(x, axis=1)", x.cumsum(1, dtype=np.float32)), ("cummax", "cummax(x, axis=1)",
                                                                                np.maximum.accumulate(x, 1)),
            ("mean", "x - mean(x, axis=1)[:, None] * 64.0", x - x.sum(1, dtype=np.float32)[:, None]),
            ("reversed", "x[:, 63 - iota(i32, [64], 0)] + cumsum(x, axis=1)",
             np.concatenate([np.zeros((3, 14), np.float32), x[:, :13:-1]], 1) + x.cumsum(1, dtype=np.float32)),
            ("scalar", "x * 0.0 + cummax(x, axis=1)[:, 49:50]", np.repeat(x.max(1, keepdims=True), 50, 1)),
            ("dot", "dot(x, where(iota(i32, [64, 64], 0) <= iota(i32, [64, 64], 1), f32(1), f32(0)))",
             x.cumsum(1, dtype=np.float32))):
        rows = 1 if name in ("cumsum", "mean", "scalar") else 4
        made.append(Case(f"edge_small_extent_{name}", f"{name} of rows shorter than their block", textwrap.dedent(f"""\
            grid:
              - {{axis: i, size: "cdiv(3, {rows})"}}
            inputs:
              x: {{type: "f32[3, 50]", block: [{rows}, 64], index_map: [i, 0], fill: 0}}
            outputs:
              o: {{type: "f32[3, 50]", block: [{rows}, 64], index_map: [i, 0]}}
            body:
              - "o[...] = {form}"
            """), {"o": want}, {"x": x}))
    return made


def cases():
    return small_extents() + fills() + ragged() + windows()
