#!/usr/bin/env python3
"""Times PyTorch on the rows of timed.txt, by CUDA graphs, and, for kernels that memory bounds, torch.compile and the
Triton kernels of triton_rows.py; reports if PyTorch or Triton is missing. Each alternates with our kernel, graph by
graph, so that all run at the same clocks.

  bench/gpu/torch_times.py [--compile-only] FOLDER [PROGRAMS]

FOLDER: the package's times. PROGRAMS: a JSON file with the command of our kernel for each row's file. --compile-only:
calls compiled functions once, so that torch.compile finds them later, and times nothing.
"""
import json
import statistics
import subprocess
import sys
from pathlib import Path

AUTOMATIC = ("attention_bwd", "rms_norm_bwd", "cross_entropy_bwd")  # gradients of torch.autograd
LAUNCHES, ROUNDS, OUTSIDE_L2 = 20, 9, 200e6


def read(path):
    """Reads a row: (label, kernel, {name: dim}, {name: const of a variant}, bytes of its arrays)."""
    words = [line.split() for line in path.read_text().splitlines()]
    named = {what: {line[1]: line[2] for line in words if line[0] == what} for what in ("dim", "define")}
    label, kernel = (next(line[1] for line in words if line[0] == what) for what in ("label", "kernel"))
    moved = sum(int(line[2]) for line in words if line[0] in ("in", "out"))
    return label, kernel, {name: int(value) for name, value in named["dim"].items()}, named["define"], moved


def matmuls(torch, kernel, dims, uniform):
    """Returns {what: function} of PyTorch's functions for a matmul of any dtype."""
    rows, columns, depth = dims["M"], dims["N"], dims["K"]
    if kernel == "matmul_f8":
        a, b = uniform(rows, depth).to(torch.float8_e4m3fn), uniform(columns, depth).to(torch.float8_e5m2)
        scales = torch.tensor(0.1, device="cuda"), torch.tensor(0.1, device="cuda")
        return {"": lambda: torch._scaled_mm(a, b.T, *scales, out_dtype=torch.bfloat16, use_fast_accum=False),
                "fast_sums": lambda: torch._scaled_mm(a, b.T, *scales, out_dtype=torch.bfloat16, use_fast_accum=True)}
    if kernel == "matmul_i8":
        a, b = (torch.randint(-127, 127, shape, device="cuda", dtype=torch.int8) for shape in ((rows, depth), (columns, depth)))
        return {"without_scales": lambda: torch._int_mm(a, b.T)}
    if kernel in ("matmul_w8", "matmul_w4", "matmul_wf8"):
        a, w = uniform(rows, depth).bfloat16(), uniform(columns, depth).bfloat16()
        return {"of_bf16": lambda: torch.matmul(w, a.T)}
    if kernel == "matmul_f32":
        a, b, bias = uniform(rows, depth), uniform(columns, depth), uniform(columns)

        def exact():
            torch.backends.cuda.matmul.allow_tf32 = False
            result = torch.relu(torch.addmm(bias, a, b.T))
            torch.backends.cuda.matmul.allow_tf32 = True
            return result

        return {"": exact}
    dtypes = {"matmul_tf32": torch.float32, "matmul_tf32_multistage": torch.float32, "matmul_f16_acc": torch.float16}
    dtype = dtypes.get(kernel, torch.bfloat16)
    a, b = uniform(rows, depth).to(dtype), uniform(depth, columns).to(dtype)
    if kernel == "gated_mlp":
        b3 = uniform(depth, columns).to(dtype)
        return {"": lambda: torch.nn.functional.silu(torch.matmul(a, b)) * torch.matmul(a, b3)}
    if kernel in ("matmul_gelu", "matmul_multistage"):
        b = uniform(columns, depth).to(dtype)
        return {"": lambda: torch.nn.functional.gelu(torch.matmul(a, b.T))}
    out = torch.empty(rows, columns, device="cuda", dtype=dtype)
    return {"": lambda: torch.matmul(a, b, out=out)}


def attention(torch, kernel, dims, defines, uniform):
    """Returns {what: function} of PyTorch's attention, by each of its back ends that takes it."""
    from torch.nn.attention import SDPBackend, sdpa_kernel
    width, causal = int(defines.get("d", 128)), defines.get("causal") != "false"
    q, k, v = (uniform(dims["B"], heads, length, width).bfloat16() for heads, length in
               ((dims["H"], dims["S"]), (dims["G"], dims["T"]), (dims["G"], dims["T"])))

    def forward(backend):
        with sdpa_kernel(backend):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)

    def backward(backend):
        out = forward(backend)
        gradient = torch.ones_like(out)
        return lambda: torch.autograd.grad(out, (q, k, v), gradient, retain_graph=True)

    def newest(*arrays):
        result = flash3(*(array.transpose(1, 2) for array in arrays), causal=causal)
        return result[0] if isinstance(result, tuple) else result

    flash3 = flash_attention_3()
    backends = {"cudnn": SDPBackend.CUDNN_ATTENTION}
    if not flash3:  # PyTorch's own FlashAttention is 2
        print("skipped FlashAttention 3, no flash_attn_interface on this machine: FlashAttention 2 stands beside", flush=True)
        backends["flash2"] = SDPBackend.FLASH_ATTENTION
    if kernel == "attention_fwd":
        found = {name: lambda backend=backend: forward(backend) for name, backend in backends.items()}
        return {**found, **({"flash3": lambda: newest(q, k, v)} if flash3 else {})}
    for array in (q, k, v):
        array.requires_grad_()
    found = {name: backward(backend) for name, backend in backends.items()}
    if flash3:
        out = newest(q, k, v)
        slope = torch.ones_like(out)
        found["flash3"] = lambda: torch.autograd.grad(out, (q, k, v), slope, retain_graph=True)
    return found


def flash_attention_3():
    """Returns FlashAttention 3 from its package, arrays as [batch, length, heads, d]; None if it is not installed."""
    try:
        import flash_attn_interface
    except ImportError:
        return None
    return flash_attn_interface.flash_attn_func


def uniform_of(torch):
    """Returns a function that makes arrays of a shape, within -1 and 1."""
    return lambda *shape: torch.rand(*shape, device="cuda") * 2 - 1


def functions_of(torch, kernel, dims, defines):
    """Returns {what: function} of PyTorch's functions for the kernel, on their own arrays; empty if there is none."""
    uniform = uniform_of(torch)
    if "K" in dims and "N" in dims:
        return matmuls(torch, kernel, dims, uniform)
    if kernel in ("attention_fwd", "attention_bwd"):
        return attention(torch, kernel, dims, defines, uniform)
    return rows_and_norms(torch, kernel, dims, defines, uniform) or others(torch, kernel, dims, uniform)


def gradient(torch, result, arrays):
    """Returns {what: function} of automatic gradients."""
    slope = torch.ones_like(result)
    return {"": lambda: torch.autograd.grad(result, arrays, slope, retain_graph=True)}


def columns_of(kernel, defines):
    """Returns the columns of a row, for kernels whose specs set them; 0 for others."""
    usual = {"softmax": 256, "layer_norm": 768, "rms_norm": 2048, "cross_entropy": 4096, "softmax_wide": 65536,
             "layer_norm_wide": 32768, "rms_norm_wide": 65536, "greedy_tokens": 1000}
    return int(defines.get("bn", usual.get(kernel.removesuffix("_bwd"), 0)))


def rows_and_norms(torch, kernel, dims, defines, uniform):
    """Returns {what: function} for kernels of rows and their gradients."""
    rows, functional = dims.get("M", 0), torch.nn.functional
    columns = columns_of(kernel, defines)
    kernel = kernel.removesuffix("_wide")
    if kernel == "softmax":
        x = uniform(rows, columns)
        return {"": lambda: torch.softmax(x, dim=1)}
    if kernel == "softmax_bwd":
        y, dy = torch.softmax(uniform(rows, columns), dim=1), uniform(rows, columns)
        return {"": lambda: torch.ops.aten._softmax_backward_data(dy, y, 1, torch.float32)}
    if kernel == "layer_norm":
        x, gamma, beta = uniform(rows, columns).bfloat16(), uniform(columns), uniform(columns)
        gamma16, beta16 = gamma.bfloat16(), beta.bfloat16()
        # The kernels' gamma and beta are f32, which PyTorch takes together with bf16 only if all is computed as f32.
        return {"": lambda: functional.layer_norm(x, (columns,), gamma16, beta16, 1e-5),
                "f32_weights": lambda: functional.layer_norm(x.float(), (columns,), gamma, beta, 1e-5).bfloat16()}
    if kernel == "layer_norm_bwd":
        x, dy, gamma, beta = (uniform(*shape).bfloat16() for shape in ((rows, columns), (rows, columns), (columns,), (columns,)))
        _, mean, scale = torch.ops.aten.native_layer_norm(x, [columns], gamma, beta, 1e-5)
        return {"": lambda: torch.ops.aten.native_layer_norm_backward(dy, x, [columns], mean, scale, gamma, beta, [True] * 3)}
    if kernel in ("rms_norm", "rms_norm_bwd"):
        x, gamma = (uniform(*shape).requires_grad_(kernel == "rms_norm_bwd") for shape in ((rows, columns), (columns,)))

        def root():
            return functional.rms_norm(x, (columns,), gamma, 1e-5)

        return gradient(torch, root(), [x, gamma]) if kernel == "rms_norm_bwd" else {"": root}
    if kernel in ("cross_entropy", "cross_entropy_bwd"):
        x = uniform(rows, columns).bfloat16().requires_grad_(kernel == "cross_entropy_bwd")
        label = torch.randint(0, columns, (rows,), device="cuda")

        def loss():
            return functional.cross_entropy(x, label, reduction="none")

        return gradient(torch, loss(), [x]) if x.requires_grad else {"": loss}
    if kernel == "greedy_tokens":
        x = uniform(rows, columns).bfloat16()
        return {"": lambda: (torch.argmax(x, dim=1), torch.softmax(x.float(), dim=1).amax(dim=1))}
    if kernel in ("row_sums", "column_totals"):
        x = uniform(rows, dims["N"])
        return {"the_sum_alone" if kernel == "row_sums" else "": lambda: torch.sum(x, dim=int(kernel == "row_sums"))}
    return {}


def others(torch, kernel, dims, uniform):
    """Returns {what: function} for kernels of elements, of vectors and of shapes."""
    if kernel.startswith("add_matrices"):
        x, y, out = (uniform(dims["M"], dims["N"]) for _ in range(3))
        return {"": lambda: torch.add(x, y, out=out)}
    if kernel == "activation_backward":
        x, dy = uniform(dims["N"]).bfloat16(), uniform(dims["N"]).bfloat16()
        return {"": lambda: torch.ops.aten.gelu_backward(dy, x)}
    if kernel == "dot_product":
        x, y = uniform(dims["N"]).bfloat16(), uniform(dims["N"]).bfloat16()
        return {"in_bf16": lambda: torch.dot(x, y)}
    if kernel == "transpose":
        x = uniform(dims["B"], dims["M"], dims["N"]).bfloat16()
        return {"": lambda: x.transpose(1, 2).contiguous()}
    if kernel in ("softmax_rows", "cumsum_columns"):
        x = uniform(*(dims[name] for name in ("B", "M", "N") if name in dims))
        return {"": lambda: torch.cumsum(x, dim=1) if kernel == "cumsum_columns" else torch.softmax(x, dim=1)}
    if kernel in ("cumsum", "softmax_axis", "softmax_axis_long"):
        x = uniform(dims["M"], 1024) if kernel == "cumsum" else uniform(dims["A"], dims["N"], dims["B"])
        return {"": lambda: torch.cumsum(x, dim=1) if kernel == "cumsum" else torch.softmax(x, dim=1)}
    if kernel == "counts":
        x = torch.randint(0, 256, (dims["N"],), device="cuda", dtype=torch.int32)
        return {"": lambda: torch.bincount(x, minlength=256)}
    if kernel == "expand":
        x = uniform(dims["A"], 1, dims["C"], 1)
        return {"": lambda: x.expand(dims["A"], dims["B"], dims["C"], dims["D"]).contiguous()}
    if kernel == "choose":
        condition, a, b = uniform(dims["M"], 1) > 0, uniform(dims["R"], 1, dims["N"]), uniform(dims["N"])
        return {"": lambda: torch.where(condition, a, b)}
    if set(dims) == {"N"}:
        x = uniform(dims["N"])
        return {"": {"sum_by_ticket": lambda: torch.sum(x), "total": lambda: torch.sum(x),
                     "softmax_vector": lambda: torch.softmax(x, dim=0), "softmax_long": lambda: torch.softmax(x, dim=0),
                     "attention_cast": lambda: x.to(torch.bfloat16), "cumsum_long": lambda: torch.cumsum(x, dim=0),
                     "cumsum_lookback": lambda: torch.cumsum(x, dim=0)}[kernel]}
    return {}


class Ours:
    """Our kernel of a row in its own process, which replays its graph on request; does nothing without a command."""

    def __init__(self, words):
        self.taken = []
        self.process = subprocess.Popen(words, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) if words else None
        while self.process:
            line = self.process.stdout.readline()
            if line.strip() == "ready":
                break
            if not line:
                self.stop()

    def turn(self):
        """Runs one of our graphs to its end."""
        if not self.process:
            return
        try:
            self.process.stdin.write("turn\n")
            self.process.stdin.flush()
            self.taken.append(float(self.process.stdout.readline().split()[1]))
        except (OSError, IndexError, ValueError):  # the process has ended
            self.stop()

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.communicate()
        self.process = None

    def said(self):
        """Returns our median time since the last call, without the first round, which warms up."""
        taken, self.taken = self.taken[1:], []
        return f", ours {statistics.median(taken):.1f} us in turn" if self.process and taken else ""


def samples(torch, run, launches, ours):
    """Returns the microseconds of one launch in each round, which alternates with ours."""
    result = []
    for _ in range(ROUNDS + 1):
        ours.turn()
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        run()
        end.record()
        end.synchronize()
        result.append(1000 * begin.elapsed_time(end) / launches)
    return result[1:]


def microseconds(torch, functions, captured, ours):
    """Returns the medians of a call, the functions in turn, so that arrays come from memory. `captured`: as a graph."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for function in functions:
            function()
    torch.cuda.synchronize()

    def run():
        for i in range(LAUNCHES):
            functions[i % len(functions)]()

    if not captured:
        return statistics.median(samples(torch, run, LAUNCHES, ours))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        run()
    return statistics.median(samples(torch, graph.replay, LAUNCHES, ours))


def is_compiled(kernel, dims):
    """True if torch.compile is timed too: not for matrix products and attention, which it leaves to libraries."""
    return not ("K" in dims and "N" in dims) and not kernel.startswith("attention") and kernel not in AUTOMATIC


def with_compiled(torch, functions):
    """Returns the functions, and each compiled by torch.compile."""
    compiled = {f"{what}_compiled".lstrip("_"): torch.compile(function, dynamic=False) for what, function in functions.items()}
    return {**functions, **compiled}


def compile_all(torch, path):
    """Calls the compiled functions of a row once."""
    _, kernel, dims, defines, _ = read(path)
    if is_compiled(kernel, dims):
        for function in functions_of(torch, kernel, dims, defines).values():
            torch.compile(function, dynamic=False)()


def measure_triton(torch, kernel, dims, defines, count, name, ours):
    """Times the Triton kernel that does the same, on `count` sets of arrays; returns nothing if there is none."""
    try:
        import triton_rows
    except ImportError:
        print("skipped triton no Triton on this machine", flush=True)
        return
    uniform = uniform_of(torch)
    pairs = [triton_rows.function_of(torch, kernel, dims, columns_of(kernel, defines), uniform) for _ in range(count)]
    if pairs[0]:
        functions = [triton_rows.checked(torch, pair) for pair in pairs]
        taken = microseconds(torch, functions, captured=True, ours=ours)
        print(f"time triton:{name} {taken:.1f} us{ours.said()}", flush=True)


def measure(torch, path, words):
    ours = Ours(words)
    try:
        measure_row(torch, path, ours)
    finally:
        ours.stop()


def measure_row(torch, path, ours):
    label, kernel, dims, defines, moved = read(path)
    torch._dynamo.reset()
    count = min(8, int(OUTSIDE_L2 // moved) + 1)
    sets = [functions_of(torch, kernel, dims, defines) for _ in range(count)]
    if is_compiled(kernel, dims):
        sets = [with_compiled(torch, functions) for functions in sets]
    name = f"{label}_{'x'.join(map(str, dims.values()))}"
    for what in sets[0]:
        try:
            taken = microseconds(torch, [functions[what] for functions in sets],
                                 captured=kernel not in AUTOMATIC,  # automatic gradients run on a stream of their own
                                 ours=ours)
            print(f"time torch{'_' + what if what else ''}:{name} {taken:.1f} us{ours.said()}", flush=True)
        except Exception as error:  # a back end that refuses must not cost later rows
            print(f"skipped torch {what} {name}: {' '.join(str(error).split())[:120]}", flush=True)
    try:
        measure_triton(torch, kernel, dims, defines, count, name, ours)
    except Exception as error:
        print(f"skipped triton {name}: {' '.join(str(error).split())[:120]}", flush=True)


def main():
    try:
        import torch
    except ImportError:
        print("skipped no PyTorch on this machine")
        return
    torch.backends.cuda.matmul.allow_tf32 = True
    only = "--compile-only" in sys.argv
    folder, *programs = [word for word in sys.argv[1:] if not word.startswith("--")]
    programs = json.loads(Path(programs[0]).read_text()) if programs else {}
    for path in sorted(Path(folder).iterdir()):
        try:
            compile_all(torch, path) if only else measure(torch, path, programs.get(path.name))
        except Exception as error:
            print(f"skipped torch {path.name}: {' '.join(str(error).split())[:120]}", flush=True)
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
