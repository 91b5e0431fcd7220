"""Copies ahead of the steps: rings, loops over slices, fills, checks. The interpreter has no pipelines, so these cases
compare the generated source with NumPy. Witness: NumPy on whole arrays."""

import textwrap

import ml_dtypes
import numpy as np

from oracle_case import Case, bf16, dtype_name, f8e4m3, f8e5m2, rng


def whole_numbers(name, shape, dtype=np.float32, low=-9, high=9):
    return rng(name).integers(low, high, shape).astype(dtype)


def case(name, about, spec, outputs, inputs, **rest):
    return Case(name, about, textwrap.dedent(spec), outputs, inputs, **rest)


ROW_SUMS = """\
    dims: {{M: {{}}, N: {{{facts}}}}}
    target: {target}
    grid:
      - {{axis: m, size: "cdiv(M, 8)"}}
      - {{axis: n, size: "cdiv(N, 32)", semantics: sequential}}
    inputs:
      x: {{type: "f32[M, N]", block: [8, 32], index_map: [m, n], fill: {fill}{more}}}
    outputs:
      o: {{type: "f32[M]", block: [8], index_map: [m]}}
    pipeline: {pipeline}
    body:
      - when: n == 0
        do:
          - o[...] = {start}
      - o[...] = {step}
    """
SUM = {"fill": "0", "start": "0", "step": "o + sum(x, axis=1)"}
MOST = {"fill": "-inf", "start": "-inf", "step": "maximum(o, max(x, axis=1))"}


def rows(name, about, m, n, form, pipeline, facts="", target="sm_90a", more=""):
    x = whole_numbers(name, (m, n))
    out = x.sum(1) if form is SUM else x.max(1, initial=-np.inf)
    spec = ROW_SUMS.format(pipeline=pipeline, facts=facts, target=target, more=more, **form)
    return case(name, about, spec, {"o": out.astype(np.float32)}, {"x": x}, dims={"M": m, "N": n})


def rings():
    producer = "{stages: 3, warp_specialized: true, compute_warpgroups: 2}"
    by_four = "multiple_of: 4"
    return [
        rows("ring_producer", "a producer fills the ring by tensor copies", 19, 172, SUM, producer, by_four),
        rows("ring_producer_fill", "-inf past the end of a ragged array: the producer's threads copy", 19, 170, MOST,
             producer),
        rows("ring_async", "the threads that compute copy ahead, without a producer and without TMA", 19, 172, SUM,
             "{stages: 3}", by_four, "sm_80"),
        rows("ring_async_fill", "the same with -inf past the end, 4 bytes at a time", 19, 170, MOST, "{stages: 4}",
             target="sm_80"),
        rows("ring_one_stage", "one buffer: nothing is copied ahead", 9, 100, SUM,
             "{stages: 1, warp_specialized: true}", by_four),
        rows("ring_fewer_steps", "two steps, four stages", 9, 64, SUM, "{stages: 4, warp_specialized: true}", by_four),
        rows("ring_one_step", "one step, four stages", 9, 20, MOST, "{stages: 4}", by_four, "sm_80"),
        rows("ring_no_step", "no step: the first guard alone", 9, 0, SUM, "{stages: 3, warp_specialized: true}",
             by_four),
        rows("ring_delay_release", "a slot is kept for a step more", 9, 200, SUM,
             "{stages: 3, delay_release: 1, warp_specialized: true}", by_four),
    ]


def operands():
    x, y = whole_numbers("ring_two_x", (24, 200)), whole_numbers("ring_two_y", (24, 200))
    short = whole_numbers("ring_dtypes", (24, 200), bf16)
    running = whole_numbers("ring_moving", (16, 96))
    groups = whole_numbers("ring_groups", (40, 24), np.float16)
    return [
        case("ring_two_operands", "stages and delay_release of each operand; a persistent walk over tiles", """\
            grid:
              - {axis: m, size: 3}
              - {axis: n, size: 7, semantics: sequential}
            inputs:
              x: {type: "f32[24, 200]", block: [8, 32], index_map: [m, n], stages: 2}
              y: {type: "f32[24, 200]", block: [8, 32], index_map: [m, n], stages: 4, delay_release: 1}
            outputs:
              z: {type: "f32[24, 200]", block: [8, 32], index_map: [m, n]}
            pipeline: {warp_specialized: true}
            schedule: {persistent: true, num_ctas: 2}
            body:
              - z[...] = x * 2.0 - y
            """, {"z": x * 2 - y}, {"x": x, "y": y}),
        case("ring_two_dtypes", "bf16 and f32 through one ring", """\
            grid:
              - {axis: m, size: 3}
              - {axis: n, size: 7, semantics: sequential}
            inputs:
              x: {type: "f32[24, 200]", block: [8, 32], index_map: [m, n]}
              y: {type: "bf16[24, 200]", block: [8, 32], index_map: [m, n]}
            outputs:
              z: {type: "bf16[24, 200]", block: [8, 32], index_map: [m, n]}
            pipeline: {stages: 3}
            body:
              - z[...] = (x + y.astype(f32)).astype(bf16)
            """, {"z": (x + short.astype(np.float32)).astype(bf16)}, {"x": x, "y": short}),
        case("ring_running_sums", "an output block for each step, and a carry in scratch", """\
            grid:
              - {axis: m, size: 2}
              - {axis: n, size: 3, semantics: sequential}
            inputs:
              x: {type: "f32[16, 96]", block: [8, 32], index_map: [m, n]}
            outputs:
              o: {type: "f32[16, 96]", block: [8, 32], index_map: [m, n]}
            scratch:
              carry: {type: "f32[8]", space: smem}
            pipeline: {stages: 2, warp_specialized: true}
            body:
              - when: n == 0
                do:
                  - carry[...] = 0
              - sums = carry[:, None] + cumsum(x, axis=1)
              - o[...] = sums
              - carry[...] = sums[:, 31]
            """, {"o": running.cumsum(1, dtype=np.float32)}, {"x": running}),
        case("ring_group_maxima", "an output block that stays for some steps, then moves on", """\
            grid:
              - {axis: m, size: 5, semantics: sequential}
            inputs:
              x: {type: "f16[40, 24]", block: [8, 24], index_map: [m, 0], fill: -inf}
            outputs:
              o: {type: "f16[3, 24]", block: [1, 24], index_map: "m // 2, 0"}
            pipeline: {stages: 2, warp_specialized: true}
            body:
              - when: m % 2 == 0
                do:
                  - o[0, :] = max(x, axis=0)
                else:
                  - o[0, :] = maximum(o[0, :], max(x, axis=0))
            """, {"o": np.stack([groups[:16].max(0), groups[16:32].max(0), groups[32:].max(0)])}, {"x": groups}),
    ]


def slices():
    a, b = (whole_numbers(f"loop_matmul_{n}", s, bf16, -4, 4) for n, s in (("a", (70, 56)), ("b", (56, 72))))
    product = a.astype(np.float32) @ b.astype(np.float32)
    x = whole_numbers("loop_slices", (9, 100))
    return [
        case("loop_slices_matmul", "a loop over slices of global memory, one program for each tile, by tensor cores", """\
            dims: {M: {}, N: {multiple_of: 8}, K: {multiple_of: 8}}
            grid: [{axis: m, size: "cdiv(M, 64)"}, {axis: n, size: "cdiv(N, 64)"}]
            inputs:
              a: {type: "bf16[M, K]", space: gmem, fill: 0}
              b: {type: "bf16[K, N]", space: gmem, fill: 0}
            outputs:
              c: {type: "f32[M, N]", block: [64, 64], index_map: [m, n]}
            pipeline: {stages: 2, warp_specialized: true}
            body:
              - acc = zeros(f32, [64, 64])
              - for: k
                range: cdiv(K, 16)
                do:
                  - acc = acc + dot(a[ds(m * 64, 64), ds(k * 16, 16)], b[ds(k * 16, 16), ds(n * 64, 64)])
              - c[...] = acc
            """, {"c": product}, {"a": a, "b": b}, dims={"M": 70, "N": 72, "K": 56}),
        case("loop_slices_sum", "a loop over rows from a place that a dim gives; nothing before it is read", """\
            dims: {K: {}, N: {multiple_of: 4}, first: {}}
            scalars: {scale: f32}
            grid: [{axis: n, size: "cdiv(N, 64)"}]
            inputs: {x: {type: "f32[K, N]", space: gmem}}
            outputs: {o: {type: "f32[N]", block: [64], index_map: [n]}}
            pipeline: {stages: 4}
            body:
              - total = zeros(f32, [64])
              - for: k
                range: "first, K"
                do:
                  - total = total + x[k, ds(n * 64, 64)]
              - o[...] = scale * total
            """, {"o": np.float32(0.5) * x[2:].sum(0)}, {"x": x}, dims={"K": 9, "N": 100, "first": 2},
             scalars={"scale": 0.5}),
    ]


def tensor_matmul(name, about, a, b, c, dot, acc, stored, bk=32, left="a", unit=16, **rest):
    """Returns a persistent matmul by wgmma of a [150, K] and b [48, K], ragged on every axis, in steps of bk. `dot`:
    keyword arguments of dot; `acc`: the accumulator's dtype; `stored`: the expression stored from it; `left`: the
    expression of a that is multiplied; `unit`: K's multiple."""
    return case(name, about, f"""\
        dims: {{M: {{}}, N: {{multiple_of: 16}}, K: {{multiple_of: {unit}}}}}
        grid:
          - {{axis: m, size: "cdiv(M, 128)"}}
          - {{axis: n, size: "cdiv(N, 32)"}}
          - {{axis: k, size: "cdiv(K, {bk})", semantics: sequential}}
        inputs:
          a: {{type: "{dtype_name(a)}[M, K]", block: [128, {bk}], index_map: [m, k], fill: 0}}
          b: {{type: "{dtype_name(b)}[N, K]", block: [32, {bk}], index_map: [n, k], fill: 0}}
        outputs:
          c: {{type: "{dtype_name(c)}[M, N]", block: [128, 32], index_map: [m, n]}}
        scratch:
          acc: {{type: "{acc}[128, 32]", space: acc}}
        pipeline: {{stages: 2, warp_specialized: true, compute_warpgroups: 2}}
        schedule: {{persistent: true, tile_order: {{axis: m, width: 2}}}}
        body:
          - when: k == 0
            do:
              - acc[...] = 0
          - acc[...] += dot({left}, b, trans_b=true{dot})
          - when: k == num_programs(k) - 1
            do:
              - c[...] = {stored}
        """, {"c": c}, {"a": a, "b": b}, dims={"M": 150, "N": 48, "K": a.shape[1]}, **rest)


def scaled_weights():
    """Weights of 4 bits in groups of 64 along k, each with a scale, a power of two, and a zero point: exact in bf16."""
    draw = rng("ring_matmul_w4_groups")
    w, zero = (draw.integers(0, 16, shape).astype(np.uint8) for shape in ((150, 160), (3, 160)))
    scale, b = 2.0 ** draw.integers(-2, 3, (3, 160)), draw.integers(-4, 5, (48, 160)).astype(bf16)
    of_k = np.arange(160) // 64
    wide = (w.astype(np.float64) - zero[of_k, :150].T) * scale[of_k, :150].T
    return case("ring_matmul_w4_groups", "weights of 4 bits less a zero point, times a scale, for groups of k", """\
        dims: {M: {max: 160}, N: {multiple_of: 16}, K: {multiple_of: 32}}
        grid:
          - {axis: m, size: "cdiv(M, 128)"}
          - {axis: n, size: "cdiv(N, 32)"}
          - {axis: k, size: "cdiv(K, 64)", semantics: sequential}
        inputs:
          w: {type: "u4[M, K]", block: [128, 64], index_map: [m, k], fill: 0}
          b: {type: "bf16[N, K]", block: [32, 64], index_map: [n, k], fill: 0}
          scale: {type: "bf16[cdiv(K, 64), 160]", block: [squeezed, 128], index_map: [k, m], fill: 0}
          zero: {type: "u4[cdiv(K, 64), 160]", block: [squeezed, 128], index_map: [k, m], fill: 0}
        outputs:
          c: {type: "f32[M, N]", block: [128, 32], index_map: [m, n]}
        scratch:
          acc: {type: "f32[128, 32]", space: acc}
        pipeline: {stages: 2, warp_specialized: true, compute_warpgroups: 2}
        body:
          - when: k == 0
            do:
              - acc[...] = 0
          - acc[...] += dot((w.astype(bf16) - zero.astype(bf16)[:, None]) * scale[:, None], b, trans_b=true)
          - when: k == num_programs(k) - 1
            do:
              - c[...] = acc[...]
        """, {"c": (wide @ b.astype(np.float64).T).astype(np.float32)},
                {"w": w.astype(ml_dtypes.uint4), "b": b, "scale": scale.astype(bf16), "zero": zero.astype(ml_dtypes.uint4)},
                dims={"M": 150, "N": 48, "K": 160})


def tensor_dtypes():
    """Returns cases of wgmma's dtypes besides bf16 and f16 with f32 sums."""
    def operands(name, kind_a, kind_b, low, high, depth=96):
        return (rng(f"{name}_{n}").integers(low, high, (rows, depth)).astype(kind)
                for n, rows, kind in (("a", 150, kind_a), ("b", 48, kind_b)))

    def product(a, b):
        return a.astype(np.float64) @ b.astype(np.float64).T

    made = []
    # 1 + 3 * 2^-12 rounds to 1 + 2^-10; cutting off would leave 1.
    a, b = operands("ring_tf32", np.float32, np.float32, -4, 4)
    power = (a == 1) | (a == 2)
    fine = np.where(power, a * np.float32(1 + 3 * 2.0**-12), a)
    rounded = np.where(power, a * (1 + 2.0**-10), a)
    made.append(tensor_matmul("ring_matmul_tf32", "f32 operands are rounded to tf32, to nearest", fine, b,
                              product(rounded, b).astype(np.float32), ", precision=tf32", "f32", "acc[...]"))
    names = {f8e4m3: "e4m3", f8e5m2: "e5m2"}
    for kind_a, kind_b in ((f8e4m3, f8e4m3), (f8e4m3, f8e5m2), (f8e5m2, f8e4m3), (f8e5m2, f8e5m2)):
        name = f"ring_matmul_{names[kind_a]}_{names[kind_b]}"
        a, b = operands(name, kind_a, kind_b, -4, 5)
        made.append(tensor_matmul(name, "8-bit floats: whole numbers, whose sums are exact in 14 bits", a, b,
                                  product(a, b).astype(np.float32), "", "f32", "acc[...]"))
    a, b = operands("ring_matmul_f8_f8", f8e4m3, f8e5m2, -3, 4)
    made.append(tensor_matmul("ring_matmul_f8_out", "an output of 8-bit floats", a, b,
                              (product(a, b) * 0.25).clip(-448, 448).astype(np.float32).astype(f8e4m3), "", "f32",
                              "(acc[...] * 0.25).astype(f8e4m3)", 64))
    for kind, low, wide, stored in ((np.int8, -128, np.int32, "acc[...]"),
                                    (np.uint8, 0, np.int64, "acc[...].astype(i64)")):
        name = f"ring_matmul_{'i8' if low else 'u8'}"
        a, b = operands(name, kind, kind, low, low + 256, 240)
        made.append(tensor_matmul(name, "bytes of their whole range with sums in i32", a, b,
                                  (a.astype(np.int32) @ b.astype(np.int32).T).astype(wide), "", "i32", stored, 64))
    a, b = operands("ring_matmul_w8", np.int8, bf16, -8, 8)
    made.append(tensor_matmul("ring_matmul_w8", "int8 weights that threads widen in registers", a, b,
                              product(a, b).astype(np.float32), "", "f32", "acc[...]", left="a.astype(bf16)"))
    for kind, other in ((f8e4m3, bf16), (f8e5m2, bf16), (f8e4m3, np.float16), (f8e5m2, np.float16)):
        name = f"ring_matmul_w8_{names[kind]}_{'bf16' if other == bf16 else 'f16'}"
        a, b = operands(name, np.float32, other, -8, 9)
        a = (a * 2.0**-8).astype(kind)  # fractions, among which e4m3 has subnormals
        made.append(tensor_matmul(name, "weights of 8-bit floats that threads widen in registers", a, b,
                                  product(a, b).astype(np.float32), "", "f32", "acc[...]",
                                  left=f"a.astype({'bf16' if other == bf16 else 'f16'})"))
    for kind, low, other in ((ml_dtypes.int4, -8, bf16), (ml_dtypes.uint4, 0, np.float16)):
        name = f"ring_matmul_w4_{'i4' if low else 'u4'}"
        a, b = operands(name, np.int8, other, low, low + 16)
        made.append(tensor_matmul(name, "weights of 4 bits, two to a byte, of their whole range", a.astype(kind), b,
                                  product(a, b).astype(np.float32), "", "f32", "acc[...]", bk=64, unit=32,
                                  left=f"a.astype({'bf16' if low else 'f16'})"))
    a, b = operands("ring_matmul_w4_f4", np.int8, bf16, 0, 16)
    a, b = a.view(np.uint8).view(ml_dtypes.float4_e2m1fn), (b - 8).astype(bf16)
    made.append(tensor_matmul("ring_matmul_w4_f4", "floats of 4 bits as weights", a, b, product(a, b).astype(np.float32), "",
                              "f32", "acc[...]", bk=64, unit=32, left="a.astype(bf16)"))
    made.append(scaled_weights())
    a, b = operands("ring_matmul_f16_sums", np.float16, np.float16, -3, 4)
    made.append(tensor_matmul("ring_matmul_f16_sums", "sums in f16: whole numbers below 2048", a, b,
                              product(a, b).astype(np.float16), ", dtype=f16", "f16", "acc[...]"))
    return made


def tensor_cores():
    made = []
    for kind, dtype in (("bf16", bf16), ("f16", np.float16)):
        a, b = (whole_numbers(f"ring_matmul_{kind}_{n}", s, dtype, -4, 4) for n, s in (("a", (150, 88)), ("b", (40, 88))))
        product = a.astype(np.float32) @ b.T.astype(np.float32)
        bias = whole_numbers(f"ring_matmul_{kind}_bias", 40)
        made.append(case(f"ring_matmul_{kind}", "a persistent matmul by wgmma, ragged on every axis, bias and relu", f"""\
            dims: {{M: {{}}, N: {{multiple_of: 8}}, K: {{multiple_of: 8}}}}
            grid:
              - {{axis: m, size: "cdiv(M, 128)"}}
              - {{axis: n, size: "cdiv(N, 32)"}}
              - {{axis: k, size: "cdiv(K, 32)", semantics: sequential}}
            inputs:
              a: {{type: "{kind}[M, K]", block: [128, 32], index_map: [m, k], fill: 0}}
              b: {{type: "{kind}[N, K]", block: [32, 32], index_map: [n, k], fill: 0}}
              bias: {{type: "f32[N]", block: [32], index_map: [n]}}
            outputs:
              c: {{type: "f32[M, N]", block: [128, 32], index_map: [m, n]}}
            scratch:
              acc: {{type: "f32[128, 32]", space: acc}}
            pipeline: {{stages: 2, warp_specialized: true, compute_warpgroups: 2}}
            schedule: {{persistent: true, tile_order: {{axis: m, width: 2}}}}
            body:
              - when: k == 0
                do:
                  - acc[...] = 0
              - acc[...] += dot(a, b, trans_b=true)
              - when: k == num_programs(k) - 1
                do:
                  - c[...] = relu(acc[...] + bias[None, :])
            """, {"c": np.maximum(product + bias, 0)}, {"a": a, "b": b, "bias": bias}, dims={"M": 150, "N": 40, "K": 88}))
    return made


def checked():
    table, x = whole_numbers("checked_table", 8, low=1), whole_numbers("checked_x", (5, 128), low=1)
    picks = rng("checked_picks").integers(0, 8, (5, 128)).astype(np.int32)
    steps = """\
        checks: [oob, nan]
        grid:
          - {axis: i, size: 2}
          - {axis: k, size: 5, semantics: sequential}
        inputs:
          x: {type: "f32[5, 128]", block: [squeezed, 64], index_map: [k, i], fill: 0}
          picks: {type: "i32[5, 128]", block: [squeezed, 64], index_map: [k, i], fill: 0}
          table: {type: "f32[8]"}
        outputs:
          y: {type: "f32[128]", block: [64], index_map: [i]}
        scratch:
          acc: {type: "f32[64]", space: smem}
        PIPELINE
        body:
          - when: k == 0
            do:
              - acc[...] = 0
          - acc[...] += table[picks] * x
          - when: k == num_programs(k) - 1
            do:
              - y[...] = sqrt(acc[...])
        """
    out = {"y": np.sqrt((table[picks] * x).sum(0, dtype=np.float32))}
    return [
        case("checks_pass", "run-time checks that find nothing change nothing", steps.replace("        PIPELINE\n", ""), out,
             {"x": x, "picks": picks, "table": table}),
        case("checks_pass_producer", "the same beside a producer",
             steps.replace("PIPELINE", "pipeline: {stages: 2, warp_specialized: true, compute_warpgroups: 2}"), out,
             {"x": x, "picks": picks, "table": table}),
    ]


def cases():
    return rings() + operands() + slices() + tensor_cores() + tensor_dtypes() + checked()
