"""Reading and writing parts of refs, gathers and scatters, masks, atomics, shapes. Witness: NumPy indexing."""

import textwrap

import numpy as np

from oracle_case import Case, bf16, rng, whole


def parts():
    r = rng("parts")
    x = r.integers(-99, 99, (4, 6, 5)).astype(np.float32)
    v = r.integers(-99, 99, (8, 3)).astype(np.int32)
    moved = np.concatenate([v[4:8], v[0:4]])
    moved[:, 1] *= 2
    return [
        whole("index_slices", "integers, slices, negative constants, ellipsis",
              ["a[...] = x[0, 2:5, :]", "b[...] = x[..., 1]", "c[...] = x[-1, :-2, 1:]", "d[...] = x[:, 3]"], {"x": x},
              {"a": x[0, 2:5, :], "b": x[..., 1], "c": x[-1, :-2, 1:], "d": x[:, 3]}),
        whole("index_store_parts", "an output written in parts; op= on a column",
              ["o[0:4, :] = x[4:8, :]", "o[4:8, :] = x[0:4, :]", "o[:, 1] *= 2"], {"x": v}, {"o": moved}),
        whole("index_new_axes", "None on values and refs", ["z[...] = x[0, :, 0][:, None] + x[0, 0, :][None, :]"],
              {"x": x}, {"z": x[0, :, 0][:, None] + x[0, 0, :][None, :]}),
        whole("index_view", "x.at[...] is a view that can be read and written",
              ["z[...] = x.at[1, :, :][2:4, :]", "o.at[0:2, :][...] = v[0:2, :]", "o.at[2:8, :][...] = v[2:8, :] + 1"],
              {"x": x, "v": v}, {"z": x[1][2:4], "o": np.concatenate([v[:2], v[2:] + 1])}),
        whole("index_dynamic_slice", "ds(start, n) with a start from a loop",
              """\
  - for: i
    range: "0, 4"
    do:
      - o[ds(2 * i, 2), :] = x[ds(6 - 2 * i, 2), :]""",
              {"x": v}, {"o": v.reshape(4, 2, 3)[::-1].reshape(8, 3)}),
    ]


def gathers():
    r = rng("gathers")
    x = r.standard_normal((6, 4)).astype(np.float32)
    rows = np.array([5, 0, 0, 3, 2], np.int32)
    columns = np.array([3, 1, 2, 0, 3], np.int32)
    order = np.array([3, 0, 5, 1, 4, 2], np.int32)
    scattered = np.empty_like(x)
    scattered[order] = x
    return [
        whole("gather_rows", "an integer array in place of an index", ["z[...] = x[rows, :]"], {"x": x, "rows": rows},
              {"z": x[rows, :]}),
        whole("gather_pairs", "integer arrays in two places broadcast together",
              ["z[...] = x[rows, columns]", "w[...] = x[iota(i32, [2], 0)[:, None], iota(i32, [3], 0)[None, :]]"],
              {"x": x, "rows": rows, "columns": columns}, {"z": x[rows, columns], "w": x[:2, :3]}),
        whole("scatter_rows", "a permutation of the rows of an output", ["o[order, :] = x"], {"x": x, "order": order},
              {"o": scattered}),
    ]


def masks():
    x = rng("masks").integers(-99, 99, 8).astype(np.float32)
    index = np.arange(8)
    return [
        whole("load_mask", "other where the mask is false; nothing is read there",
              ["z[...] = load(x, iota(i32, [8], 0), mask=iota(i32, [8], 0) < 5, other=-inf)",
               "w[...] = load(x, iota(i32, [12], 0), mask=iota(i32, [12], 0) < 8, other=0.0)"],
              {"x": x}, {"z": np.where(index < 5, x, np.float32(-np.inf)),
                         "w": np.concatenate([x, np.zeros(4, np.float32)])}),
        whole("store_mask", "elements whose mask is false keep what they had",
              ["o[...] = 0", "store(o, iota(i32, [8], 0), x, mask=x > 0.0)"], {"x": x},
              {"o": np.where(x > 0, x, np.float32(0))}),
    ]


def atomics():
    r = rng("atomics")
    x = r.integers(0, 8, 40).astype(np.int32)
    histogram = Case(
        "atomic_histogram", "repeated indices all take effect, within a program and between programs",
        textwrap.dedent("""\
            grid:
              - {axis: i, size: 5}
            inputs:
              x: {type: "i32[40]", block: [8], index_map: [i]}
            outputs:
              o: {type: "i32[8]", space: gmem, init: 0}
            body:
              - atomic_add(o, x, 1)
            """), {"o": np.bincount(x, minlength=8).astype(np.int32)}, {"x": x})
    keys = r.integers(0, 4, 40).astype(np.int32)
    values = r.integers(-50, 50, 40).astype(np.int32)
    lists = [values[keys == k] for k in range(4)]
    kinds = Case(
        "atomic_kinds", "max, min, and, or, xor",
        textwrap.dedent("""\
            grid:
              - {axis: i, size: 5}
            inputs:
              k: {type: "i32[40]", block: [8], index_map: [i]}
              v: {type: "i32[40]", block: [8], index_map: [i]}
            outputs:
              a: {type: "i32[4]", space: gmem, init: -1000}
              b: {type: "i32[4]", space: gmem, init: 1000}
              c: {type: "i32[4]", space: gmem, init: -1}
              d: {type: "i32[4]", space: gmem, init: 0}
              f: {type: "i32[4]", space: gmem, init: 0}
            body:
              - atomic_max(a, k, v)
              - atomic_min(b, k, v)
              - atomic_and(c, k, v)
              - atomic_or(d, k, v)
              - atomic_xor(f, k, v)
            """),
        {name: np.array([operation.reduce(values_) for values_ in lists], np.int32)
         for name, operation in [("a", np.maximum), ("b", np.minimum), ("c", np.bitwise_and), ("d", np.bitwise_or),
                                 ("f", np.bitwise_xor)]},
        {"k": keys, "v": values})
    return [histogram, kinds]


def shapes():
    x = rng("shapes").integers(-99, 99, (2, 6)).astype(np.float32)
    y = rng("shapes_y").standard_normal((2, 3)).astype(bf16)
    cube = rng("shapes_cube").integers(-99, 99, (2, 3, 4)).astype(np.int32)
    return [
        whole("shape_reshape", "row-major order",
              ["a[...] = reshape(x, [3, 4])", "b[...] = reshape(x, [12])"], {"x": x},
              {"a": x.reshape(3, 4), "b": x.reshape(12)}),
        whole("shape_transpose", ".T, and a permutation of three dims",
              ["a[...] = x.T", "b[...] = transpose(c, [2, 0, 1])"], {"x": x, "c": cube},
              {"a": x.T, "b": cube.transpose(2, 0, 1)}),
        whole("shape_concatenate", "along either axis", ["a[...] = concatenate([y, y], axis=0)",
                                                         "b[...] = concatenate([x, reshape(x, [2, 6])], axis=1)"],
              {"x": x, "y": y}, {"a": np.concatenate([y, y]), "b": np.concatenate([x, x], 1)}),
        whole("shape_make", "iota along either dim, full, zeros, broadcast_to",
              ["a[...] = iota(i32, [3, 4], 0) * 10 + iota(i32, [3, 4], 1)", "b[...] = full(bf16, [5], 0.1)",
               "c[...] = zeros(f32, [2, 2])", "d[...] = broadcast_to(x[0:1, :], [3, 6])"], {"x": x},
              {"a": np.arange(3, dtype=np.int32)[:, None] * 10 + np.arange(4, dtype=np.int32),
               "b": np.full(5, bf16(0.1)),
               "c": np.zeros((2, 2), np.float32), "d": np.broadcast_to(x[:1], (3, 6))}),
        whole("shape_expand", "a new axis of size 1 at any place, from the end too",
              ["a[...] = expand(x, 0)", "b[...] = expand(x, 1)", "d[...] = expand(expand(c, -1), 0)"], {"x": x, "c": cube},
              {"a": x[None], "b": x[:, None], "d": cube[None, ..., None]}),
        whole("shape_squeeze", "a dim of size 1 goes", ["a[...] = squeeze(sum(x, axis=1, keepdims=true), axis=1)"],
              {"x": x}, {"a": x.sum(1)}),
    ]


def cases():
    return parts() + gathers() + masks() + atomics() + shapes()
