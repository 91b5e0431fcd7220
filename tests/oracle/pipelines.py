"""Copies ahead of the steps: rings, loops over slices, fills, checks. The interpreter knows no pipeline; what these cases
hold to NumPy is the generated source. Witness: NumPy on whole arrays."""

import textwrap

import numpy as np

from oracle_case import Case, bf16, rng


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
    return rings() + operands() + slices() + tensor_cores() + checked()
