"""Statements that read the memory that they write: scratch, outputs that are the buffer of an input. A statement reads
everything before it writes any of it. Witness: NumPy on copies."""

import textwrap

import numpy as np

from oracle_case import Case, rng


def case(name, about, spec, outputs, inputs, **rest):
    return Case(name, about, textwrap.dedent(spec), outputs, inputs, **rest)


def scratch():
    r = rng("in_place_scratch")
    x = r.integers(-9, 9, 64).astype(np.float32)
    shift = r.integers(-40, 40, 64).astype(np.int32)
    order = r.permutation(64).astype(np.int32)

    at = np.arange(64) + shift
    held = (at >= 0) & (at < 64) & (shift % 7 == 0)
    moved = x.copy()
    for i in range(64):
        if held[i]:
            moved[at[i]] = x[63 - i] + 1
    used = at[held]
    assert len(set(used)) == len(used)
    flipped = np.where(x[::-1] > 0, np.float32(1), x)
    own = order.copy()
    own[order] = shift
    table = x.reshape(8, 8).copy()
    rows = np.arange(8)[::-1].astype(np.float32)
    row = int(rows[2])
    table[row] = table[row][::-1] + table[2]
    counted = order.copy()
    for i in range(64):
        counted[(i + 1) % 64] += order[i]
    return [
        case("store_reads_target_masked", "a masked store whose value and target are one tile; the check sees the mask", """\
        checks: [oob]
        inputs: {x: {type: "f32[64]"}, shift: {type: "i32[64]"}}
        outputs: {o: {type: "f32[64]"}}
        scratch: {buf: {type: "f32[64]", space: smem}}
        body:
          - buf[...] = x
          - to = iota(i32, [64], 0) + shift
          - store(buf, [to], buf[63 - iota(i32, [64], 0)] + 1.0, mask=to >= 0 and to < 64 and shift % 7 == 0)
          - o[...] = buf
        """, {"o": moved}, {"x": x, "shift": shift}),
        case("store_reads_target_in_mask", "the mask is of the tile that is stored to", """\
        inputs: {x: {type: "f32[64]"}}
        outputs: {o: {type: "f32[64]"}}
        scratch: {buf: {type: "f32[64]", space: smem}}
        body:
          - buf[...] = x
          - store(buf, [63 - iota(i32, [64], 0)], 1.0, mask=buf[...] > 0.0)
          - o[...] = buf
        """, {"o": flipped}, {"x": x}),
        case("store_reads_target_in_index", "the tile holds where its elements go", """\
        inputs: {order: {type: "i32[64]"}, shift: {type: "i32[64]"}}
        outputs: {o: {type: "i32[64]"}}
        scratch: {buf: {type: "i32[64]", space: smem}}
        body:
          - buf[...] = order
          - buf[buf[...]] = shift
          - o[...] = buf
        """, {"o": own}, {"order": order, "shift": shift}),
        case("store_reads_target_row", "a row is chosen by an element, and two rows of the tile are read", """\
        inputs: {x: {type: "f32[8, 8]"}, rows: {type: "f32[8]"}}
        outputs: {o: {type: "f32[8, 8]"}}
        scratch: {buf: {type: "f32[8, 8]", space: smem}}
        body:
          - buf[...] = x
          - pick = rows[2].astype(i32)
          - "buf[pick, :] = buf[pick, 7 - iota(i32, [8], 0)] + buf[2, :]"
          - o[...] = buf
        """, {"o": table}, {"x": x.reshape(8, 8), "rows": rows}),
        case("atomic_reads_target", "an atomic adds what the tile held before the statement", """\
        inputs: {order: {type: "i32[64]"}}
        outputs: {o: {type: "i32[64]"}}
        scratch: {buf: {type: "i32[64]", space: smem}}
        body:
          - buf[...] = order
          - atomic_add(buf, [(iota(i32, [64], 0) + 1) % 64], buf[...])
          - o[...] = buf
        """, {"o": counted}, {"order": order}),
    ]


def steps():
    x = rng("in_place_steps").integers(-9, 9, (3, 16)).astype(np.float32)
    acc = np.zeros(16, np.float32)
    acc[0], acc[1] = 7, 3
    acc += x.sum(0, dtype=np.float32)
    acc[2] = 5
    return [
        case("guard_index_of_step", "an index that names the step, in guards of the first and the last", """\
        grid:
          - {axis: i, size: 4}
          - {axis: k, size: 3, semantics: sequential}
        inputs: {x: {type: "f32[3, 16]", block: [squeezed, 16], index_map: [k, 0]}}
        outputs: {o: {type: "f32[4, 16]", block: [squeezed, 16], index_map: [i, 0]}}
        scratch: {buf: {type: "f32[16]", space: smem}}
        body:
          - when: k == 0
            do:
              - buf[...] = 0
              - buf[k] = 7
              - store(buf, k + 1, 3.0, mask=buf[k] > 5.0)
          - buf[...] += x
          - when: k == num_programs(k) - 1
            do:
              - buf[k] = 5
              - o[...] = buf
        """, {"o": np.tile(acc, (4, 1))}, {"x": x}),
    ]


def triangle():
    x = rng("guard_of_no_step").integers(-9, 9, (4, 4, 16)).astype(np.float32)
    want = np.zeros((4, 16), np.float32)
    for i in range(4):
        steps = [(a, b) for a in range(i) for b in range(a)]
        if not steps:
            want[i] = 100
        for a, b in steps:
            want[i] += x[a, b]
    return [
        case("guard_of_no_step", "where the size of an axis is a step of another, the first step may not exist", """\
        grid:
          - {axis: i, size: 4}
          - {axis: a, size: i, semantics: sequential}
          - {axis: b, size: a, semantics: sequential}
        inputs: {x: {type: "f32[4, 4, 16]", block: [squeezed, squeezed, 16], index_map: [a, b, 0]}}
        outputs: {o: {type: "f32[4, 16]", block: [squeezed, 16], index_map: [i, 0]}}
        body:
          - when: a == 0 and b == 0
            do:
              - o[...] = 100
          - when: a == 1 and b == 0
            do:
              - o[...] = 0
          - o[...] += x
        """, {"o": want}, {"x": x}),
    ]


def aliases():
    r = rng("in_place_aliases")
    x, y = r.integers(-9, 9, (2, 4, 40)).astype(np.float32)
    c = r.integers(-9, 9, 64).astype(np.float32)
    pairs = y.reshape(2, 2, 40).sum(1)
    fixed = x.copy()
    fixed[:2] += pairs
    scaled = (x[0] + y[0]) * x[0]
    return [
        case("alias_read_first", "outputs that are read before they are written start as the input", """\
        dims: {N: {}}
        grid: [{axis: i, size: "cdiv(N, 16)"}]
        inputs:
          x: {type: "f32[N]", block: [16], index_map: [i]}
          y: {type: "f32[N]", block: [16], index_map: [i]}
        outputs: {o: {type: "f32[N]", block: [16], index_map: [i]}}
        aliases: {o: x}
        body:
          - o[...] += y
          - o[...] *= x
        """, {"o": scaled}, {"x": x[0], "y": y[0]}, dims={"N": 40}),
        case("alias_read_first_scalar", "the same of an output without dims", """\
        inputs: {x: {type: "f32[]"}}
        outputs: {o: {type: "f32[]"}}
        aliases: {o: x}
        body:
          - o[...] += 1.0
        """, {"o": x[0, 0] + np.float32(1)}, {"x": np.asarray(x[0, 0])}),
        case("alias_read_first_moves", "blocks that move with each step, every other step, and not at all", """\
        grid: [{axis: i, size: 3}, {axis: k, size: 4, semantics: sequential}]
        inputs:
          x: {type: "f32[4, 40]", block: [squeezed, 16], index_map: [k, i]}
          z: {type: "f32[4, 40]", block: [squeezed, 16], index_map: [k // 2, i]}
          c: {type: "f32[40]", block: [16], index_map: [i]}
          y: {type: "f32[4, 40]", block: [squeezed, 16], index_map: [k, i]}
        outputs:
          o: {type: "f32[4, 40]", block: [squeezed, 16], index_map: [k, i]}
          p: {type: "f32[4, 40]", block: [squeezed, 16], index_map: [k // 2, i]}
          q: {type: "f32[40]", block: [16], index_map: [i]}
        aliases: {o: x, p: z, q: c}
        body:
          - o[...] += y
          - p[...] += y
          - v = q[...] + y
          - q[...] = v
        """, {"o": x + y, "p": fixed, "q": c[:40] + y.sum(0)}, {"x": x, "z": x, "c": c[:40], "y": y}),
        case("alias_read_first_producer", "the same beside a producer", """\
        pipeline: {stages: 2, warp_specialized: true, compute_warpgroups: 1}
        grid: [{axis: i, size: 2}, {axis: k, size: 4, semantics: sequential}]
        inputs:
          x: {type: "f32[4, 40]", block: [squeezed, 32], index_map: [k, i]}
          y: {type: "f32[4, 40]", block: [squeezed, 32], index_map: [k, i]}
        outputs: {o: {type: "f32[4, 40]", block: [squeezed, 32], index_map: [k, i]}}
        aliases: {o: x}
        body:
          - o[...] += y
          - o[...] *= x
        """, {"o": (x + y) * x}, {"x": x, "y": y}),
        case("alias_views", "views of one buffer: what a program read is not what it then wrote", """\
        grid: [{axis: i, size: 4}]
        inputs: {c: {type: "f32[64]", space: gmem}}
        outputs: {o: {type: "f32[64]", space: gmem}, p: {type: "f32[64]", block: [16], index_map: [i]}}
        aliases: {o: c}
        body:
          - v = c[ds(i * 16, 16)] * 2.0
          - "o[ds(i * 16, 16)] = c[i * 16 + 15 - iota(i32, [16], 0)]"
          - p[...] = v
        """, {"o": c.reshape(4, 16)[:, ::-1].reshape(64), "p": c * 2}, {"c": c}),
    ]


def cases():
    return scratch() + steps() + triangle() + aliases()
