"""Forms of matmul on tensor cores: groups of rows, batches, dots that share operands, are inside expressions or follow
one another, scales of blocks, and operands that threads read too. Whole numbers whose sums are exact in any order.
Witness: NumPy on whole arrays."""

import ml_dtypes
import numpy as np

from oracle_case import bf16, f8e4m3
from pipelines import case, whole_numbers

HEAD = """\
    dims: {{{dims}}}
    {more}grid:
{grid}
    inputs:
{inputs}
    outputs:
{outputs}
    scratch:
{scratch}
    pipeline: {{stages: 2, warp_specialized: true, compute_warpgroups: {groups}}}
    body:
{body}
    """


def lines(text, depth):
    return "\n".join(" " * depth + line for line in text.strip().splitlines())


def kernel(name, about, parts, outputs, inputs, groups=1, more="", **rest):
    dims, grid, ins, outs, scratch, body = parts
    spec = HEAD.format(dims=dims, grid=lines(grid, 6), inputs=lines(ins, 6), outputs=lines(outs, 6), scratch=lines(scratch, 6),
                       body=lines(body, 6), groups=groups, more=more)
    return case(name, about, spec, outputs, inputs, **rest)


def f32(x):
    return x.astype(np.float32)


def ragged():
    starts = np.array([0, 0, 70, 75, 75, 150], np.int32)
    tiles = np.concatenate([[0], np.cumsum((np.diff(starts) + 63) // 64)]).astype(np.int32)
    a = whole_numbers("forms_ragged_a", (150, 72), bf16, -4, 5)
    b = whole_numbers("forms_ragged_b", (5, 72, 40), bf16, -4, 5)
    c = np.zeros((150, 40), np.float32)
    for g in range(5):
        rows = slice(starts[g], starts[g + 1])
        c[rows] = f32(a[rows]) @ f32(b[g])
    let = ('scalars: {starts: "i32[G + 1]", tiles: "i32[G + 1]"}\n    skip: t >= tiles[G]\n    let:\n'
           '      g: "min(searchsorted(tiles, t) - 1, G - 1)"\n      row: "starts[g] + (t - tiles[g]) * 64"\n'
           '      rows: "clamp(starts[g + 1] - row, 0, 64)"\n    ')
    return kernel("forms_ragged", "rows of groups, each with a matrix of its own: a group ends inside a tile", (
        "G: {}, M: {}, N: {multiple_of: 8}, K: {multiple_of: 8}", """\
- {axis: t, size: "cdiv(M, 64) + G"}
- {axis: n, size: "cdiv(N, 32)"}
- {axis: k, size: "cdiv(K, 32)", semantics: sequential}""", """\
a: {type: "bf16[M, K]", block: "bounded_slice(64), 32", index_map: "ds(row, rows), k", fill: 0}
b: {type: "bf16[G, K, N]", block: [squeezed, 32, 32], index_map: [g, k, n], fill: 0}""",
        'c: {type: "f32[M, N]", block: "bounded_slice(64), 32", index_map: "ds(row, rows), n", init: 0}',
        'acc: {type: "f32[64, 32]", space: acc}', """\
- when: k == 0
  do:
    - acc[...] = 0
- acc[...] += dot(a, b)
- when: k == num_programs(k) - 1
  do:
    - c[...] = acc[...]"""), {"c": c}, {"a": a, "b": b}, more=let, scalars={"starts": starts, "tiles": tiles},
        dims={"G": 5, "M": 150, "N": 40, "K": 72})


def ragged_contraction():
    starts = np.array([0, 0, 70, 75, 75, 150], np.int32)
    x = whole_numbers("forms_ragged_contraction_x", (150, 72), bf16, -4, 5)
    dy = whole_numbers("forms_ragged_contraction_dy", (150, 40), bf16, -4, 5)
    dw = np.stack([f32(x[low:high]).T @ f32(dy[low:high]) for low, high in zip(starts, starts[1:])])
    let = ('scalars: {starts: "i32[G + 1]"}\n    let:\n      row: "starts[g] + k * 32"\n'
           '      rows: "minimum(starts[g + 1] - row, 32)"\n    ')
    return kernel("forms_ragged_contraction", "sums over the rows of groups: a group ends inside a block that is summed", (
        "G: {}, M: {}, N: {multiple_of: 8}, K: {multiple_of: 8}", """\
- {axis: g, size: G}
- {axis: m, size: "cdiv(K, 64)"}
- {axis: n, size: "cdiv(N, 32)"}
- {axis: k, size: "cdiv(starts[g + 1] - starts[g], 32)", semantics: sequential}""", """\
x: {type: "bf16[M, K]", block: "bounded_slice(32), 64", index_map: "ds(row, rows), m", fill: 0}
dy: {type: "bf16[M, N]", block: "bounded_slice(32), 32", index_map: "ds(row, rows), n", fill: 0}""",
        'dw: {type: "f32[G, K, N]", block: [squeezed, 64, 32], index_map: [g, m, n]}',
        'acc: {type: "f32[64, 32]", space: acc}', """\
- when: k == 0
  do:
    - acc[...] = 0
- acc[...] += dot(x, dy, trans_a=true)
- when: k == num_programs(k) - 1
  do:
    - dw[...] = acc[...]"""), {"dw": dw}, {"x": x, "dy": dy}, more=let, scalars={"starts": starts},
        dims={"G": 5, "M": 150, "N": 40, "K": 72})


def two_sums(name, about, steps, ends, scratch, extra, results, groups=1, rows=64):
    """Returns c of a matmul with a second right operand `d`; `results` computes c from a, b, d in f32."""
    a = whole_numbers(f"{name}_a", (150, 72), bf16, -4, 5)
    b, d = (whole_numbers(f"{name}_{n}", (40, 72), bf16, -4, 5) for n in "bd")
    starts = "\n".join(f"    - {n}[...] = 0" for n in scratch)
    return kernel(name, about, (
        "M: {}, N: {multiple_of: 8}, K: {multiple_of: 8}", f"""\
- {{axis: m, size: "cdiv(M, {rows})"}}
- {{axis: n, size: "cdiv(N, 32)"}}
- {{axis: k, size: "cdiv(K, 32)", semantics: sequential}}""", f"""\
a: {{type: "bf16[M, K]", block: [{rows}, 32], index_map: [m, k], fill: 0}}
b: {{type: "bf16[N, K]", block: [32, 32], index_map: [n, k], fill: 0}}
d: {{type: "bf16[N, K]", block: [32, 32], index_map: [n, k], fill: 0}}""",
        f'c: {{type: "f32[M, N]", block: [{rows}, 32], index_map: [m, n]}}',
        "\n".join(f'{n}: {{type: "f32[{rows}, 32]", space: acc}}' for n in scratch), f"""\
- when: k == 0
  do:
{starts}
{steps}
- when: k == num_programs(k) - 1
  do:
    - c[...] = {ends}"""), {"c": results(f32(a), f32(b), f32(d)).astype(np.float32)}, {"a": a, "b": b, "d": d}, groups=groups,
        dims={"M": 150, "N": 40, "K": 72}, **extra)


def by_blocks(x, of):
    """Returns the sum over blocks of 32 of k of `of` each."""
    return sum(of(slice(k, k + 32)) for k in range(0, x.shape[1], 32))


def turned(a, b, d):
    """Each step adds a @ b^T and, with a block of 32 x 32 of d, a @ d; rows past the end of d are 0."""
    out = a @ b.T
    rows = np.zeros((64, 72), np.float32)
    rows[:40] = d
    for k in range(0, 72, 32):
        for n in range(0, 40, 32):
            width, take = min(32, 40 - n), min(32, 72 - k)
            block = np.zeros((32, 32), np.float32)
            block[:, :take] = rows[n:n + 32, k:k + take]
            left = np.zeros((150, 32), np.float32)
            left[:, :take] = a[:, k:k + take]
            out[:, n:n + width] += (left @ block)[:, :width]
    return out


def chained():
    a = whole_numbers("forms_chained_a", (70, 32), bf16, -2, 3)
    b = whole_numbers("forms_chained_b", (32, 72), bf16, -1, 2)
    c = whole_numbers("forms_chained_c", (72, 32), bf16, -2, 3)
    return kernel("forms_chained", "(a @ b) @ c: the result of one dot is an operand of the next", (
        "M: {}, N: {multiple_of: 8}", """\
- {axis: m, size: "cdiv(M, 64)"}
- {axis: n, size: "cdiv(N, 32)", semantics: sequential}""", """\
a: {type: "bf16[M, 32]", block: [64, 32], index_map: [m, 0], fill: 0}
b: {type: "bf16[32, N]", block: [32, 32], index_map: [0, n], fill: 0}
c: {type: "bf16[N, 32]", block: [32, 32], index_map: [n, 0], fill: 0}""",
        'o: {type: "f32[M, 32]", block: [64, 32], index_map: [m, 0]}', 'acc: {type: "f32[64, 32]", space: acc}', """\
- when: n == 0
  do:
    - acc[...] = 0
- acc[...] += dot(dot(a, b).astype(bf16), c)
- when: n == num_programs(n) - 1
  do:
    - o[...] = acc[...]"""), {"o": (f32(a) @ f32(b)) @ f32(c)}, {"a": a, "b": b, "c": c}, dims={"M": 70, "N": 72})


def batched():
    a = whole_numbers("forms_batched_a", (3, 70, 72), bf16, -4, 5)
    b = whole_numbers("forms_batched_b", (3, 72, 40), bf16, -4, 5)
    return kernel("forms_batched", "batches, each with operands of its own", (
        "B: {}, M: {}, N: {multiple_of: 8}, K: {multiple_of: 8}", """\
- {axis: i, size: B}
- {axis: m, size: "cdiv(M, 64)"}
- {axis: n, size: "cdiv(N, 32)"}
- {axis: k, size: "cdiv(K, 32)", semantics: sequential}""", """\
a: {type: "bf16[B, M, K]", block: [squeezed, 64, 32], index_map: [i, m, k], fill: 0}
b: {type: "bf16[B, K, N]", block: [squeezed, 32, 32], index_map: [i, k, n], fill: 0}""",
        'c: {type: "f32[B, M, N]", block: [squeezed, 64, 32], index_map: [i, m, n]}',
        'acc: {type: "f32[64, 32]", space: acc}', """\
- when: k == 0
  do:
    - acc[...] = 0
- acc[...] += dot(a, b)
- when: k == num_programs(k) - 1
  do:
    - c[...] = acc[...]"""), {"c": f32(a) @ f32(b)}, {"a": a, "b": b}, dims={"B": 3, "M": 70, "N": 40, "K": 72})


def block_scales():
    a = whole_numbers("forms_scales_a", (72, 64), f8e4m3, -3, 4)
    b = whole_numbers("forms_scales_b", (64, 64), f8e4m3, -3, 4)
    s, t = (2.0 ** whole_numbers(f"forms_scales_{n}", shape, low=-2, high=3) for n, shape in (("s", (2, 72)), ("t", (2, 2))))
    c = np.zeros((72, 64), np.float32)
    for k in range(2):
        part = f32(a[:, 32 * k:32 * k + 32]) @ f32(b[:, 32 * k:32 * k + 32]).T
        c += part * s[k][:, None] * np.repeat(t[:, k], 32)[None, :]
    return kernel("forms_block_scales", "8-bit floats with a scale for each row and block of k, and for each block of the other side", (
        "M: {multiple_of: 4}, N: {multiple_of: 32}, K: {multiple_of: 32}", """\
- {axis: m, size: "cdiv(M, 64)"}
- {axis: n, size: "N // 32"}
- {axis: k, size: "K // 32", semantics: sequential}""", """\
a: {type: "f8e4m3[M, K]", block: [64, 32], index_map: [m, k], fill: 0}
b: {type: "f8e4m3[N, K]", block: [32, 32], index_map: [n, k], fill: 0}
s: {type: "f32[K // 32, M]", block: [squeezed, 64], index_map: [k, m], fill: 0}
t: {type: "f32[N // 32, K // 32]", block: [squeezed, squeezed], index_map: [n, k]}""",
        'c: {type: "f32[M, N]", block: [64, 32], index_map: [m, n]}', 'acc: {type: "f32[64, 32]", space: acc}', """\
- when: k == 0
  do:
    - acc[...] = 0
- acc[...] += dot(a, b, trans_b=true) * (s * t)[:, None]
- when: k == num_programs(k) - 1
  do:
    - c[...] = acc[...]"""), {"c": c}, {"a": a, "b": b, "s": s.astype(np.float32), "t": t.astype(np.float32)},
        dims={"M": 72, "N": 64, "K": 64})


def part_scales():
    a = whole_numbers("forms_parts_a", (70, 128), f8e4m3, -3, 4)
    b = whole_numbers("forms_parts_b", (40, 128), f8e4m3, -3, 4)
    s, t = ((2.0 ** whole_numbers(f"forms_parts_{n}", (rows, 4), low=-2, high=3)).astype(ml_dtypes.float8_e8m0fnu)
            for n, rows in (("s", 70), ("t", 40)))
    c = f32(a) * np.repeat(f32(s), 32, axis=1) @ (f32(b) * np.repeat(f32(t), 32, axis=1)).T
    return kernel("forms_part_scales", "8-bit floats with a power of two for each 32 of k, of rows and of columns; ragged", (
        "M: {}, N: {multiple_of: 8}, K: {multiple_of: 64}", """\
- {axis: m, size: "cdiv(M, 64)"}
- {axis: n, size: "cdiv(N, 32)"}
- {axis: k, size: "K // 64", semantics: sequential}""", """\
a: {type: "f8e4m3[M, K]", block: [64, 64], index_map: [m, k], fill: 0}
b: {type: "f8e4m3[N, K]", block: [32, 64], index_map: [n, k], fill: 0}
s: {type: "f8e8m0[M, K // 32]", block: [64, 2], index_map: [m, k]}
t: {type: "f8e8m0[N, K // 32]", block: [32, 2], index_map: [n, k]}""",
        'c: {type: "f32[M, N]", block: [64, 32], index_map: [m, n]}', 'acc: {type: "f32[64, 32]", space: acc}', """\
- when: k == 0
  do:
    - acc[...] = 0
- acc[...] += dot(a, b, trans_b=true, a_scale=s, b_scale=t)
- when: k == num_programs(k) - 1
  do:
    - c[...] = acc[...]"""), {"c": c}, {"a": a, "b": b, "s": s, "t": t}, dims={"M": 70, "N": 40, "K": 128})


def cases():
    one, two = ("acc",), ("acc", "up")
    return [
        ragged(), ragged_contraction(), chained(), batched(), block_scales(), part_scales(),
        two_sums("forms_gated", "two sums of one left operand, multiplied at the end by two warpgroups",
                 "- acc[...] += dot(a, b, trans_b=true)\n- up[...] += dot(a, d, trans_b=true)", "relu(acc) + up", two, {},
                 lambda a, b, d: np.maximum(a @ b.T, 0) + a @ d.T, groups=2, rows=128),
        two_sums("forms_inside", "dots inside the expressions that steps add",
                 "- acc[...] += relu(dot(a, b, trans_b=true)) - 2.0 * dot(a, d, trans_b=true)", "acc[...]", one, {},
                 lambda a, b, d: by_blocks(a, lambda k: np.maximum(a[:, k] @ b[:, k].T, 0) - 2 * (a[:, k] @ d[:, k].T))),
        two_sums("forms_majors", "one operand is read along its rows and along its columns",
                 "- acc[...] += dot(a, b, trans_b=true)\n- acc[...] += dot(a, d)", "acc[...]", one, {}, turned),
        two_sums("forms_read_twice", "threads read what instructions read",
                 "- acc[...] += dot(a, b, trans_b=true) + dot(a, d, trans_b=true)\n"
                 "- acc[...] += a[:, 3].astype(f32)[:, None] + max(b, axis=1).astype(f32)[None, :]", "acc[...]", one, {},
                 lambda a, b, d: a @ b.T + a @ d.T +
                 by_blocks(a, lambda k: a[:, k][:, 3][:, None] + padded(b[:, k]).max(axis=1)[None, :])),
    ]


def padded(b):
    """Returns a block of 32 columns, with zeros past the end."""
    return np.pad(b, ((0, 0), (0, 32 - b.shape[1])))
