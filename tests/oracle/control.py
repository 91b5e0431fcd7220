"""Guards, sequential axes, loops, functions, scalars, several outputs. Witness: loops written out in NumPy."""

import textwrap

import numpy as np

from oracle_case import Case, bf16, rng, whole


def steps(name, about, body, x, o, k, scratch="", out='{type: "f32[4]"}', dims=None):
    """Returns a kernel of one program that walks over x in `k` blocks of 4 along a sequential axis."""
    size = "cdiv(K, 4)" if dims else str(k)
    spec = ("dims: {K: {}}\n" if dims else "") + textwrap.dedent(f"""\
        grid:
          - {{axis: k, size: "{size}", semantics: sequential}}
        inputs:
          x: {{type: "f32[{'K' if dims else 4 * k}]", block: [4], index_map: [k], fill: 0}}
        outputs:
          o: {out}
        """) + scratch + "body:\n" + textwrap.indent(textwrap.dedent(body), "  ")
    return Case(name, about, spec, {"o": o}, {"x": x}, dims or {})


FIRST_LAST = """\
    - when: k == 0
      do:
        - acc[...] = 0
    - acc[...] += x
    - when: k == num_programs(k) - 1
      do:
        - o[...] = acc[...] * 2.0
    """
SCRATCH = 'scratch:\n  acc: {type: "f32[4]", space: reg}\n'


def guards():
    x = rng("guards").integers(-99, 99, 20).astype(np.float32)
    total = x.reshape(5, 4).sum(0)
    middle = x.reshape(5, 4).copy()
    middle[2] *= 10
    product = """\
        - when: k == 0
          do:
            - o[...] = x
          else:
            - o[...] += x
        """
    third = """\
        - when: k == 0
          do:
            - o[...] = 0
        - when: k == 2
          do:
            - o[...] += x * 10.0
          else:
            - o[...] += x
        """
    return [
        steps("guard_first_last", "a sum kept in scratch along the sequential axis",
              FIRST_LAST, x, total * 2, 5, SCRATCH),
        steps("guard_single_step", "the first step is the last", FIRST_LAST, x[:4], x[:4] * 2, 1, SCRATCH),
        steps("guard_no_step", "no step: the first and the last guard still run", FIRST_LAST, x[:0],
              np.zeros(4, np.float32), 0, SCRATCH, dims={"K": 0}),
        steps("guard_ragged_steps", "the last step hangs over the end and is filled", FIRST_LAST, x[:10],
              2 * np.concatenate([x[:10], np.zeros(2, np.float32)]).reshape(3, 4).sum(0), 3, SCRATCH, dims={"K": 10}),
        steps("guard_output_stays", "an output block that is kept while its index stays accumulates",
              product, x, total, 5),
        steps("guard_middle", "a guard that is neither first nor last", third, x, middle.sum(0), 5),
        steps("guard_output_moves", "an output block for each step; an index value takes the dtype of x",
              "- o[...] = x + k\n", x,
              (x.reshape(5, 4) + np.arange(5, dtype=np.float32)[:, None]).ravel(), 5,
              out='{type: "f32[20]", block: [4], index_map: [k]}'),
    ]


def sequences():
    x = rng("sequences").integers(-99, 99, (4, 4, 2)).astype(np.float32)
    triangle = np.stack([sum(x[i, j] for j in range(i)) if i else np.zeros(2, np.float32) for i in range(4)])
    ends = np.array([0, 2, 2, 5, 9], np.int64)
    y = rng("sequences_y").integers(-99, 99, (9, 2)).astype(np.float32)
    ragged = np.stack([y[ends[g]:ends[g + 1]].sum(0) for g in range(4)]).astype(np.float32)
    first_last = textwrap.dedent("""\
        scratch:
          acc: {type: "f32[2]", space: reg}
        body:
          - when: j == 0
            do:
              - acc[...] = 0
          - acc[...] += x
          - when: j == num_programs(j) - 1
            do:
              - o[...] = acc[...]
        """)
    dependent = Case(
        "sequential_dependent_size", "a sequential axis as long as the index before it, 0 included",
        textwrap.dedent("""\
            grid:
              - {axis: i, size: 4}
              - {axis: j, size: i, semantics: sequential}
            inputs:
              x: {type: "f32[4, 4, 2]", block: [squeezed, squeezed, 2], index_map: [i, j, 0]}
            outputs:
              o: {type: "f32[4, 2]", block: [squeezed, 2], index_map: [i, 0]}
            """) + first_last, {"o": triangle.astype(np.float32)}, {"x": x})
    offsets = Case(
        "scalar_array_offsets", "sizes and index maps from an array of scalars, an empty group included",
        textwrap.dedent("""\
            scalars: {ends: "i64[5]"}
            grid:
              - {axis: i, size: 4}
              - {axis: j, size: "ends[i + 1] - ends[i]", semantics: sequential}
            inputs:
              x: {type: "f32[9, 2]", block: [squeezed, 2], index_map: "ends[i] + j, 0"}
            outputs:
              o: {type: "f32[4, 2]", block: [squeezed, 2], index_map: [i, 0]}
            """) + first_last, {"o": ragged}, {"x": y}, scalars={"ends": ends})
    skipped = np.full(8, 7, np.float32)
    skipped[[0, 1, 4, 5]] = x.ravel()[[0, 1, 4, 5]]
    skip = Case(
        "skip_programs", "programs that are skipped touch no block",
        textwrap.dedent("""\
            skip: i % 2 == 1
            grid:
              - {axis: i, size: 4}
            inputs:
              x: {type: "f32[8]", block: [2], index_map: [i]}
            outputs:
              o: {type: "f32[8]", block: [2], index_map: [i], init: 7}
            body:
              - o[...] = x
            """), {"o": skipped}, {"x": x.ravel()[:8]})
    return [dependent, offsets, skip]


def loops():
    x = rng("loops").integers(-9, 9, (5, 4)).astype(np.float32)
    starts = np.array([1, 6, 27, 97], np.int32)

    def collatz(v):
        n = 0
        while v != 1:
            v, n = (v // 2 if v % 2 == 0 else 3 * v + 1), n + 1
        return n

    horner = np.zeros(4, np.float32)
    for row in x[::2]:
        horner = horner * np.float32(2) + row
    return [
        whole("loop_carry", "a value rebound in a loop keeps its new value; a step of 2", """\
  - h = zeros(f32, [4])
  - for: i
    range: "0, 5, 2"
    do:
      - h = h * 2.0 + x[i, :]
  - z[...] = h""", {"x": x}, {"z": horner}),
        whole("loop_nested", "bounds from an outer loop, no turn included", """\
  - n = i32(0)
  - for: i
    range: "5"
    do:
      - for: j
        range: "i, 3"
        do:
          - n = n * 10 + (i * 3 + j) % 10
  - z[0] = n""", {}, {"z": np.array([nested()], np.int32)}),
        whole("loop_unrolled", "unroll changes nothing", """\
  - h = zeros(f32, [4])
  - for: i
    range: "1, 5"
    unroll: 2
    do:
      - h = h * 2.0 + x[i, :]
  - z[...] = h""", {"x": x}, {"z": ((x[1] * 2 + x[2]) * 2 + x[3]) * 2 + x[4]}),
        whole("loop_while", "a loop until a condition fails; a conditional expression of scalars", """\
  - for: i
    range: "4"
    do:
      - v = x[i]
      - n = i32(0)
      - while: v != 1
        do:
          - v = v // 2 if v % 2 == 0 else 3 * v + 1
          - n = n + 1
      - z[i] = n""", {"x": starts}, {"z": np.array([collatz(int(v)) for v in starts], np.int32)}),
        whole("when_runtime", "a guard on a value of the data, with else", """\
  - for: i
    range: "4"
    do:
      - when: x[i] > 20
        do:
          - z[i] = x[i] - 20
        else:
          - z[i] = -x[i]""", {"x": starts}, {"z": np.where(starts > 20, starts - 20, -starts)}),
    ]


def nested():
    n = 0
    for i in range(5):
        for j in range(i, 3):
            n = n * 10 + (i * 3 + j) % 10
    return n


def templates():
    x = rng("templates").integers(-9, 9, (3, 4)).astype(np.float32)
    y = rng("templates_y").integers(-9, 9, (3, 4)).astype(np.float32)
    return [
        whole("function_constant", "a function named by a constant; functions that take functions",
              ["z[...] = f(x + y)", "w[...] = twice(add_one, x)", "v[...] = g(x)"], {"x": x, "y": y},
              {"z": (x + y) * 2, "w": x + 2, "v": np.maximum(x, 0)},
              sections=textwrap.dedent("""\
                  consts: {f: double, g: relu}
                  functions:
                    "double(u)": "u * 2.0"
                    "add_one(u)": "u + 1.0"
                    "twice(h, u)": "h(h(u))"
                  """)),
        whole("constant_conditional", "constants of every kind; the branch not taken is not checked",
              """\
  - z[...] = (x * scale if doubled else x + missing).astype(T)
  - when: n > 3
    do:
      - w[...] = x + missing
    else:
      - w[...] = -x""", {"x": x}, {"z": (x * 2).astype(bf16), "w": -x},
              sections="consts: {T: bf16, scale: 2.0, doubled: true, n: 3}\n"),
    ]


def arguments():
    x = rng("arguments").integers(-9, 9, 10).astype(np.float32)
    y = rng("arguments_y").integers(-9, 9, 10).astype(np.float32)
    axpy = Case(
        "scalar_by_value", "scalars of several dtypes",
        textwrap.dedent("""\
            scalars: {alpha: f32, shift: i32}
            dims: {N: {}}
            grid:
              - {axis: i, size: "cdiv(N, 4)"}
            inputs:
              x: {type: "f32[N]", block: [4], index_map: [i]}
              y: {type: "f32[N]", block: [4], index_map: [i]}
            outputs:
              z: {type: "f32[N]", block: [4], index_map: [i]}
              w: {type: "i32[N]", block: [4], index_map: [i]}
            body:
              - z[...] = alpha * x + y
              - w[...] = x.astype(i32) + shift
            """), {"z": np.float32(0.5) * x + y, "w": x.astype(np.int32) - 3}, {"x": x, "y": y}, {"N": 10},
        {"alpha": 0.5, "shift": -3})
    alias = Case(
        "alias_in_place", "an output that is the buffer of an input",
        textwrap.dedent("""\
            grid:
              - {axis: i, size: 3}
            inputs:
              x: {type: "f32[10]", block: [4], index_map: [i]}
              y: {type: "f32[10]", block: [4], index_map: [i]}
            outputs:
              z: {type: "f32[10]", block: [4], index_map: [i]}
            aliases: {z: x}
            body:
              - z[...] = x - y
            """), {"z": x - y}, {"x": x, "y": y})
    reduce_add = Case(
        "output_reduce_add", "blocks of many programs combined into one place, from init on",
        textwrap.dedent("""\
            grid:
              - {axis: i, size: 5}
            inputs:
              x: {type: "f32[10]", block: [2], index_map: [i]}
            outputs:
              o: {type: "f32[2]", block: [2], index_map: [0], init: 100, reduce: add}
            body:
              - o[...] = x
            """), {"o": x.reshape(5, 2).sum(0) + np.float32(100)}, {"x": x})
    extremes = Case(
        "output_reduce_min_max", "the least and the greatest of the blocks of many programs, of floats and integers",
        textwrap.dedent("""\
            grid:
              - {axis: i, size: 5}
            inputs:
              x: {type: "f32[10]", block: [2], index_map: [i]}
              n: {type: "i32[10]", block: [2], index_map: [i]}
            outputs:
              low: {type: "f32[2]", block: [2], index_map: [0], init: inf, reduce: min}
              high: {type: "i32[2]", block: [2], index_map: [0], init: -100, reduce: max}
            body:
              - low[...] = x
              - high[...] = n
            """), {"low": x.reshape(5, 2).min(0), "high": x.astype(np.int32).reshape(5, 2).max(0)},
        {"x": x, "n": x.astype(np.int32)})
    absent = Case(
        "ref_not_present", "a ref whose constant condition is false does not exist",
        textwrap.dedent("""\
            consts: {with_bias: false}
            inputs:
              x: {type: "f32[10]"}
              bias: {type: "f32[10]", present: with_bias}
            outputs:
              o: {type: "f32[10]"}
            body:
              - o[...] = x + bias if with_bias else x
            """), {"o": x}, {"x": x})
    return [axpy, alias, reduce_add, extremes, absent]


def cases():
    return guards() + sequences() + loops() + templates() + arguments()
