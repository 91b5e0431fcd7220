"""The examples of Pallas' documentation: "Software pipelining" and "Pallas design". Witness: Pallas in interpret mode, with
the kernels as they are printed there, on smaller arrays. The tables of "Grids and BlockSpecs" are in grids.py."""

import functools
import textwrap

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton

from oracle_case import Case, rng, whole


def pallas(kernel, out, *arguments, **rest):
    """Returns the kernel's output, as a NumPy array; `out` is a shape and dtype."""
    return np.asarray(pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(*out), interpret=True, **rest)(*arguments))


def uniform(name, shape):
    return rng(name).random(shape, np.float32)


def add_kernel(x_ref, y_ref, o_ref):
    o_ref[...] = x_ref[...] + y_ref[...]


def additions():
    ones, more = np.arange(8, dtype=np.int32), np.arange(8, 16, dtype=np.int32)
    vectors = ((8,), np.int32)
    pair = pl.BlockSpec((2,), lambda i: i)
    x, y = (uniform(f"doc_add_{n}", (48, 64)) for n in "xy")
    block = pl.BlockSpec((16, 32), lambda i, j: (i, j))
    blocked = pallas(add_kernel, (x.shape, x.dtype), x, y, grid=(3, 2), in_specs=[block, block], out_specs=block)
    operands = """\
        inputs:
          x: {type: "f32[48, 64]", block: [16, 32], index_map: [i, j]}
          y: {type: "f32[48, 64]", block: [16, 32], index_map: [i, j]}
        outputs:
          z: {type: "f32[48, 64]", block: [16, 32], index_map: [i, j]}
        """.rstrip(" ")
    body = """\
        body:
          - z[...] = x + y
        """
    return [
        whole("doc_add", "add_kernel: the empty grid", ["z[...] = x + y"], {"x": ones, "y": more},
              {"z": pallas(add_kernel, vectors, ones, more)}),
        Case("doc_add_blocks", "add_kernel by blocks of two", textwrap.dedent("""\
            grid: [{axis: i, size: 4}]
            inputs:
              x: {type: "i32[8]", block: [2], index_map: [i]}
              y: {type: "i32[8]", block: [2], index_map: [i]}
            outputs:
              z: {type: "i32[8]", block: [2], index_map: [i]}
            body:
              - z[...] = x + y
            """), {"z": pallas(add_kernel, vectors, ones, more, grid=(4,), in_specs=[pair, pair], out_specs=pair)},
             {"x": ones, "y": more}),
        whole("doc_add_matrices", "add_matrices: whole matrices", ["z[...] = x + y"], {"x": x, "y": y},
              {"z": pallas(add_kernel, (x.shape, x.dtype), x, y)}),
        Case("doc_add_matrices_param", "add_matrices_pipelined_param: a program for each block", textwrap.dedent("""\
            grid: [{axis: i, size: 3}, {axis: j, size: 2}]
            """) + textwrap.dedent(operands + body), {"z": blocked}, {"x": x, "y": y}),
        Case("doc_add_matrices_pipelined", "add_matrices_pipelined: a producer copies the blocks of a row ahead",
             textwrap.dedent("""\
            grid: [{axis: i, size: 3}, {axis: j, size: 2, semantics: sequential}]
            pipeline: {stages: 3, warp_specialized: true, compute_warpgroups: 2}
            """) + textwrap.dedent(operands + body), {"z": blocked}, {"x": x, "y": y}),
    ]


def double_buffered(a):
    """The final main loop of the page. A copy arrives when it is waited for, and no sooner."""
    n = len(a)
    under_way, x, y, out = {}, [None, None], [None, None], np.empty_like(a)

    def start(name, to, slot, value):
        under_way[name, slot] = (to, value.copy())

    def wait(name, slot, at=None):
        to, value = under_way.pop((name, slot))
        to[slot if at is None else at] = value

    start("in", x, 0, a[0])
    for i in range(n):
        cur_slot, next_slot = i % 2, (i + 1) % 2
        if i + 1 < n:
            start("in", x, next_slot, a[i + 1])
        wait("in", cur_slot)
        y[cur_slot] = x[cur_slot] + np.float32(1)
        start("out", out, cur_slot, y[cur_slot])
        if i > 0:
            wait("out", next_slot, i - 1)
    wait("out", (n - 1) % 2, n - 1)
    return out


def two_buffers():
    a = uniform("doc_double_buffered", (5, 64))
    return [Case("doc_double_buffered", "double_buffered_pipeline, in place: prologue, main loop, epilogue",
                 textwrap.dedent("""\
            grid: [{axis: i, size: 5, semantics: sequential}]
            inputs:
              a: {type: "f32[5, 64]", block: [squeezed, 64], index_map: [i, 0]}
            outputs:
              b: {type: "f32[5, 64]", block: [squeezed, 64], index_map: [i, 0]}
            aliases: {b: a}
            pipeline: {stages: 2}
            body:
              - b[...] = a + 1.0
            """), {"b": double_buffered(a)}, {"a": a})]


def parts():
    x = uniform("doc_parts", (2, 6, 5))
    flat = uniform("doc_parts_flat", (8, 4))

    def scatter(x_ref, o_ref):
        v = x_ref[0, 2:5, :]
        o_ref[jnp.arange(3), :] = v

    def gather(x_ref, o_ref):
        o_ref[...] = x_ref[jnp.arange(2)[..., None], jnp.arange(3)[None, ...]]

    def slices(x_ref, o_ref):
        v = x_ref[0, 2:5, :]
        v = x_ref[0, 2 + jnp.arange(3), :]
        o_ref[...] = jnp.zeros_like(o_ref)
        o_ref[0, pl.ds(2, 3), :] = v

    def masked(x_ref, o_ref):
        idx = jnp.arange(8)
        o_ref[...] = triton.load(x_ref.at[idx], mask=idx < 5, other=float("-inf"))

    column = flat[:, 0].copy()
    return [
        whole("doc_scatter", "a slice of x, stored to rows that an integer array names",
              ["v = x[0, 2:5, :]", "o[iota(i32, [3], 0), :] = v"], {"x": x},
              {"o": pallas(scatter, ((3, 5), x.dtype), x)}),
        whole("doc_gather", "integer arrays broadcast against each other",
              ["o[...] = x[iota(i32, [2], 0)[:, None], iota(i32, [3], 0)[None, :]]"], {"x": flat},
              {"o": pallas(gather, ((2, 3), x.dtype), flat)}),
        whole("doc_load_store", "load by a slice and by integers, store by a run-time slice",
              ["v = load(x, (0, ds(2, 3), ds(0, 5)))", "w = load(x, (0, 2 + iota(i32, [3], 0), ds(0, 5)))",
               "o[...] = 0", "store(o, (0, ds(2, 3), ds(0, 5)), where(v == w, w, nan))"], {"x": x},
              {"o": pallas(slices, (x.shape, x.dtype), x)}),
        whole("doc_load_masked", "mask and other of load",
              ["idx = iota(i32, [8], 0)", "o[...] = load(x, idx, mask=idx < 5, other=-inf)"], {"x": column},
              {"o": pallas(masked, ((8,), x.dtype), column)}),
    ]


def programs():
    x = uniform("doc_exp", 16)

    def place(o_ref, n_ref):
        i, j = pl.program_id(0), pl.program_id(1)
        o_ref[...] = jnp.full((1, 1), i * pl.num_programs(1) + j, jnp.int32)
        n_ref[...] = jnp.full((1, 1), pl.num_programs(0) * 10 + pl.num_programs(1), jnp.int32)

    one, shape = pl.BlockSpec((1, 1), lambda i, j: (i, j)), jax.ShapeDtypeStruct((3, 4), jnp.int32)
    number, count = pl.pallas_call(place, out_shape=[shape, shape], grid=(3, 4), out_specs=[one, one], interpret=True)()

    def exponential(x_ref, o_ref):
        i = pl.program_id(axis=0)
        o_ref[i] = jnp.exp(x_ref[i])

    return [
        Case("doc_program_id", "program_id and num_programs of both axes", textwrap.dedent("""\
            grid: [{axis: i, size: 3}, {axis: j, size: 4}]
            outputs:
              o: {type: "i32[3, 4]", block: [1, 1], index_map: [i, j]}
              n: {type: "i32[3, 4]", block: [1, 1], index_map: [i, j]}
            body:
              - o[...] = program_id(0) * num_programs(1) + program_id(1)
              - n[...] = num_programs(0) * 10 + num_programs(1)
            """), {"o": np.asarray(number), "n": np.asarray(count)}),
        Case("doc_exp", "each program takes the element with its number", textwrap.dedent("""\
            grid: [{axis: i, size: 16}]
            inputs: {x: {type: "f32[16]", space: gmem}}
            outputs: {o: {type: "f32[16]", space: gmem}}
            body:
              - o[i] = exp(x[i])
            """), {"o": pallas(exponential, ((16,), x.dtype), x, grid=(16,))}, {"x": x}, tolerance=1e-6,
             why="exp of XLA and of C, each within units in the last place"),
    ]


def make_kernel(eltwise_kernel):
    def add(x_ref, y_ref, o_ref):
        o_ref[...] = eltwise_kernel(x_ref[...] + y_ref[...])
    return add


def matmul_kernel(x_ref, y_ref, o_ref, *, activation, block_k):
    acc = jnp.zeros((x_ref.shape[0], y_ref.shape[1]), jnp.float32)
    for k in range(x_ref.shape[1] // block_k):
        x = x_ref[:, k * block_k:(k + 1) * block_k]
        y = y_ref[k * block_k:(k + 1) * block_k, :]
        acc += x @ y
    o_ref[:, :] = activation(acc).astype(o_ref.dtype)


def templates():
    one = np.float32(1).reshape(())
    x, y = (uniform(f"doc_matmul_{n}", s) - np.float32(0.5) for n, s in (("x", (32, 24)), ("y", (24, 64))))
    kernel = functools.partial(matmul_kernel, block_k=8, activation=jax.nn.gelu)
    product = pallas(kernel, ((32, 64), np.float32), x, y, grid=(4, 4),
                     in_specs=[pl.BlockSpec((8, 24), lambda i, j: (i, 0)), pl.BlockSpec((24, 16), lambda i, j: (0, j))],
                     out_specs=pl.BlockSpec((8, 16), lambda i, j: (i, j)))
    return [
        whole("doc_make_kernel", "one template, two functions", ["o[...] = f(x + y)", "p[...] = g(x + y)"],
              {"x": one, "y": one}, {"o": pallas(make_kernel(lambda v: v * 2), ((), np.float32), one, one),
                                     "p": pallas(make_kernel(jnp.exp), ((), np.float32), one, one)},
              'consts: {f: double, g: exp}\nfunctions: {"double(v)": "v * 2"}\n', tolerance=2e-7,
              why="exp of XLA and of C, each within units in the last place"),
        Case("doc_matmul", "matmul_kernel: a loop over slices of blocks, a fused activation", textwrap.dedent("""\
            consts: {block_k: 8, activation: gelu_tanh}
            grid: [{axis: i, size: 4}, {axis: j, size: 4}]
            inputs:
              x: {type: "f32[32, 24]", block: [8, 24], index_map: [i, 0]}
              y: {type: "f32[24, 64]", block: [24, 16], index_map: [0, j]}
            outputs:
              o: {type: "f32[32, 64]", block: [8, 16], index_map: [i, j]}
            body:
              - acc = zeros(f32, [8, 16])
              - for: k
                range: 24 // block_k
                do:
                  - acc = acc + x[:, ds(k * block_k, block_k)] @ y[ds(k * block_k, block_k), :]
              - o[...] = activation(acc)
            """), {"o": product}, {"x": x, "y": y}, tolerance=2e-6,
             why="the order of a sum of 24 products is free; tanh within units in the last place"),
    ]


def derivatives():
    x = (uniform("doc_grad", 40) - np.float32(0.5)) * np.float32(20)

    def slope(x_ref, o_ref):
        o_ref[...] = jax.vmap(jax.grad(jnp.sin))(x_ref[...])

    return [whole("doc_grad_sin", "jax.grad(jnp.sin) in a kernel", ["o[...] = grad(sin)(x)"], {"x": x},
                  {"o": pallas(slope, (x.shape, x.dtype), x)}, tolerance=2e-7,
                  why="cos of XLA and of C, each within units in the last place")]


@functools.cache
def cases():
    return additions() + two_buffers() + parts() + programs() + templates() + derivatives()
