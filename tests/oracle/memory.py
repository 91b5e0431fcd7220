"""Memory that programs share: atomics, workspace, views, aliases, scopes. Witness: NumPy's unbuffered ufuncs."""

import textwrap

import numpy as np

from oracle_case import Case, bf16, rng, whole


def case(name, about, spec, outputs, inputs, **rest):
    return Case(name, about, textwrap.dedent(spec), outputs, inputs, **rest)


def atomics():
    r = rng("atomics")
    k = r.integers(0, 4, 40).astype(np.int32)
    v = r.integers(-50, 50, 40).astype(np.float32)
    total = np.zeros(4, np.float32)
    np.add.at(total, k, v)
    ones = np.zeros(4, np.float32)
    np.add.at(ones, k, np.where(v > 0, 1, 2).astype(np.float32))
    small = np.minimum(v, 13)  # shifts by less than 64
    most = np.array([small[k == i].max() for i in range(4)])
    counted = np.zeros(4, np.int32)
    old = np.zeros(8, np.int32)
    for i in range(8):
        old[i] = counted[k[i]]
        counted[k[i]] += 3
    masked = np.zeros(4, np.int64)
    np.add.at(masked, k[v > 0], v[v > 0].astype(np.int64))
    swapped = np.array([5, 6, 7, 8], np.int32)
    taken = np.where(swapped == np.array([5, 0, 7, 0]), np.array([50, 60, 70, 80]), swapped).astype(np.int32)
    grid = """\
        grid: [{axis: i, size: 5}]
        inputs:
          k: {type: "i32[40]", block: [8], index_map: [i]}
          v: {type: "f32[40]", block: [8], index_map: [i]}
        """.rstrip(" ")
    return [
        case("atomic_float", "floats of several programs; whole numbers, whose sums are exact in any order", grid + """\
        outputs: {o: {type: "f32[4]", space: gmem, init: 0}}
        body:
          - atomic_add(o, k, v, order=relaxed, scope=device)
        """, {"o": total}, {"k": k, "v": v}),
        case("atomic_dtypes", "add on every dtype that has it; whole numbers, whose sums are exact in any order", grid + """\
        outputs:
          h: {type: "f16[4]", space: gmem, init: 0}
          b: {type: "bf16[4]", space: gmem, init: 0}
          d: {type: "f64[4]", space: gmem, init: 0}
          u: {type: "u32[4]", space: gmem, init: 5}
          w: {type: "u64[4]", space: gmem, init: 5}
        body:
          - one = where(v > 0.0, f32(1), f32(2))
          - atomic_add(h, k, one.astype(f16))
          - atomic_add(b, k, one.astype(bf16))
          - atomic_add(d, k, v.astype(f64))
          - atomic_add(u, k, one.astype(u32))
          - atomic_add(w, k, one.astype(u64))
        """, {"h": ones.astype(np.float16), "b": ones.astype(bf16), "d": total.astype(np.float64),
              "u": (ones + 5).astype(np.uint32), "w": (ones + 5).astype(np.uint64)}, {"k": k, "v": v}),
        case("atomic_extremes", "max and min of floats, NaN and signed zeros aside; of 64-bit integers, with bits", grid + """\
        outputs:
          a: {type: "f32[4]", space: gmem, init: -inf}
          b: {type: "f32[4]", space: gmem, init: inf}
          n: {type: "f32[4]", space: gmem, init: -1000}
          c: {type: "i64[4]", space: gmem, init: -1000}
          e: {type: "u64[4]", space: gmem, init: 0}
        body:
          - atomic_max(a, k, v)
          - atomic_min(b, k, v)
          - atomic_max(n, k, where(k == 2, nan, v))
          - atomic_max(c, k, v.astype(i64))
          - atomic_or(e, k, u64(1) << (v.astype(i32) + 50).astype(u64))
        """, {"a": most, "b": np.array([small[k == i].min() for i in range(4)]),
              "n": np.where(np.arange(4) == 2, np.float32(np.nan), most), "c": most.astype(np.int64),
              "e": np.array([np.bitwise_or.reduce(np.uint64(1) << (small[k == i] + 50).astype(np.uint64)) for i in range(4)])},
             {"k": k, "v": small}),
        case("atomic_masked", "what the mask leaves out takes no effect", grid + """\
        outputs: {o: {type: "i64[4]", space: gmem, init: 0}}
        body:
          - atomic_add(o, k, v.astype(i64), mask=v > 0.0)
        """, {"o": masked}, {"k": k, "v": v}),
        case("atomic_old_values", "what was there before, each index once at a time", """\
        inputs: {k: {type: "i32[8]"}}
        outputs: {o: {type: "i32[4]", space: gmem, init: 0}, before: {type: "i32[8]"}}
        body:
          - old = atomic_add(o, k, 3)
          - before[...] = old
        """, {"o": counted, "before": old}, {"k": k[:8]},
             interpreter_only="the order in which equal indices of one program take effect is free"),
        case("atomic_exchange", "xchg and cas give what was there; cas stores where it was as expected", """\
        inputs: {x: {type: "i32[4]"}}
        outputs:
          o: {type: "i32[4]", space: gmem, init: 9}
          p: {type: "i32[4]", space: gmem, init: 9}
          a: {type: "i32[4]"}
          b: {type: "i32[4]"}
        body:
          - first = atomic_xchg(o, [...], x)
          - a[...] = first
          - atomic_xchg(p, [...], x)
          - second = atomic_cas(p, [...], iota(i32, [4], 0) % 2 * -100 + iota(i32, [4], 0) + 5, x * 10)
          - b[...] = second
        """, {"o": swapped, "p": taken, "a": np.full(4, 9, np.int32), "b": swapped}, {"x": swapped}),
        case("atomic_scratch", "a histogram in shared memory, then added to global memory", """\
        grid: [{axis: i, size: 5}]
        inputs: {k: {type: "i32[40]", block: [8], index_map: [i]}}
        outputs: {o: {type: "i32[4]", space: gmem, init: 0}}
        scratch: {h: {type: "i32[4]", space: smem}}
        body:
          - h[...] = 0
          - atomic_add(h, k, 1)
          - atomic_add(o, [...], h[...])
        """, {"o": np.bincount(k, minlength=4).astype(np.int32)}, {"k": k}),
    ]


def views():
    r = rng("views")
    x = r.integers(-99, 99, (9, 6)).astype(np.float32)
    out = np.full((9, 6), 7, np.float32)
    out[2:5, 1:3] = x[4:7, 3:5] * 2
    order = np.array([3, 0, 2], np.int32)
    parts = x[:8].reshape(4, 2, 6).sum((1, 2))
    return [
        case("view_slices", "whole arrays in global memory of runtime size: slices at any start; the rest stays", """\
        dims: {N: {}, M: {}}
        scalars: {s: i32}
        inputs: {x: {type: "f32[N, M]", space: gmem}}
        outputs: {o: {type: "f32[N, M]", space: gmem, init: 7}}
        body:
          - o[ds(2, 3), ds(1, 2)] = x[ds(s, 3), ds(s - 1, 2)] * 2.0
        """, {"o": out}, {"x": x}, dims={"N": 9, "M": 6}, scalars={"s": 4}),
        case("view_blocks", "block and index map select a view", """\
        grid: [{axis: i, size: 3}]
        inputs: {x: {type: "f32[9, 6]", space: gmem, block: [3, 6], index_map: [i, 0]}}
        outputs: {o: {type: "f32[3, 6]", block: [squeezed, 6], index_map: [i, 0]}}
        body:
          - o[...] = x[0] + x.at[1:3, :][1, :]
        """, {"o": (x.reshape(3, 3, 6)[:, 0] + x.reshape(3, 3, 6)[:, 2])},
             {"x": x}),
        case("view_gather_rows", "rows of an array of runtime size by an array of indices", """\
        dims: {N: {}}
        inputs: {x: {type: "f32[N, 6]", space: gmem}, k: {type: "i32[3]"}}
        outputs: {o: {type: "f32[3, 6]"}}
        body:
          - o[...] = load(x, [k, ds(0, 6)], mask=(k < N)[:, None], other=0)
        """, {"o": x[order]}, {"x": x, "k": order}, dims={"N": 9}),
        case("workspace_parts", "partial sums through workspace, added by the last program to come", """\
        grid: [{axis: i, size: 4}]
        inputs: {x: {type: "f32[8, 6]", block: [2, 6], index_map: [i, 0]}}
        outputs: {o: {type: "f32[]", space: gmem, init: 0}}
        workspace:
          part: {type: "f32[4]"}
          done: {type: "i32[1]", init: 0}
        body:
          - store(part, i, sum(x), order=relaxed)
          - before = atomic_add(done, 0, 1, order=acq_rel)
          - when: before == 3
            do:
              - o[...] = sum(load(part, [...], order=relaxed))
        """, {"o": parts.sum(dtype=np.float32).reshape(())}, {"x": x[:8]}),
        case("workspace_grid_sync", "all programs write, wait for all, and read what the others wrote", """\
        grid: [{axis: i, size: 4}]
        schedule: {cooperative: true}
        inputs: {x: {type: "f32[8, 6]", block: [2, 6], index_map: [i, 0]}}
        outputs: {o: {type: "f32[4]", block: [1], index_map: [i]}}
        workspace: {part: {type: "f32[4]"}}
        body:
          - part[i] = sum(x)
          - grid_sync()
          - o[0] = part[(i + 1) % 4]
        """, {"o": np.roll(parts, -1).astype(np.float32)}, {"x": x[:8]}),
        whole("scope_buffers", "scratch of a scope, twice by one name", """\
  - scope: {t: {type: "f32[6, 9]", space: smem}}
    do:
      - t[...] = x.T
      - o[...] = t[...] + 1.0
  - scope: {t: {type: "f32[6]", space: reg}}
    do:
      - t[...] = sum(x, axis=0)
      - s[...] = t
""", {"x": x}, {"o": x.T + np.float32(1), "s": x.sum(0)}),
        whole("bind_several", "a function that gives two values", ["a, b = halves(x)", "b, a = pair(a, b)",
                                                                  "o[...] = a", "p[...] = b"],
              {"x": x}, {"o": x - x * np.float32(0.25), "p": x * np.float32(0.25)},
              'functions: {"halves(x)": "[x * 0.25, x - x * 0.25]", "pair(x, y)": "[x, y]"}\n'),
        case("strides_transposed", "an input by its strides: a transposed array and a broadcast row", """\
        inputs:
          x: {type: "f32[4, 6]", strides: [6, _]}
          y: {type: "f32[4, 6]", strides: [0, 1]}
        outputs: {o: {type: "f32[4, 6]"}}
        body:
          - o[...] = x + y
        """, {"o": x[:4] + x[:1]}, {"x": x[:4], "y": np.repeat(x[:1], 4, 0)}),
        case("tickets", "tickets are the numbers from 0, each once", """\
        grid: [{axis: i, size: 6}]
        outputs: {o: {type: "i32[6]", space: gmem, init: 0}}
        body:
          - atomic_add(o, ticket(), 1)
        """, {"o": np.ones(6, np.int32)}, {}),
    ]


def groups():
    starts = np.array([0, 3, 3, 8, 10], np.int32)
    x = rng("groups").integers(-9, 9, (10, 2)).astype(np.float32)
    b = rng("groups_b").integers(-9, 9, (4, 2)).astype(np.float32)
    group = np.searchsorted(starts, np.arange(10), side="right") - 1
    left = np.searchsorted(starts, np.arange(10), side="left")
    return [case("searchsorted_groups", "the group of a row, empty groups included; both sides", """\
        scalars: {starts: "i32[5]"}
        let: {g: "searchsorted(starts, m) - 1"}
        grid: [{axis: m, size: 10}]
        inputs:
          x: {type: "f32[10, 2]", block: [squeezed, 2], index_map: [m, 0]}
          b: {type: "f32[4, 2]", block: [squeezed, 2], index_map: [g, 0]}
        outputs:
          o: {type: "f32[10, 2]", block: [squeezed, 2], index_map: [m, 0]}
          l: {type: "i32[10]", block: [1], index_map: [m]}
        body:
          - o[...] = x * b
          - l[0] = searchsorted(starts, m, side=left)
        """, {"o": x * b[group], "l": left.astype(np.int32)}, {"x": x, "b": b}, scalars={"starts": starts})]


def cases():
    return atomics() + views() + groups()
