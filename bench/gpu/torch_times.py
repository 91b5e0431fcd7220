#!/usr/bin/env python3
"""What PyTorch takes for the rows of timed.txt, by CUDA graphs; says so where there is no PyTorch.

  bench/gpu/torch_times.py FOLDER     FOLDER: the package's times
"""
import statistics
import sys
from pathlib import Path

LAUNCHES, ROUNDS, OUTSIDE_L2 = 20, 9, 200e6


def read(path):
    dims, kernel = {}, ""
    for line in path.read_text().splitlines():
        words = line.split()
        if words[0] == "dim":
            dims[words[1]] = int(words[2])
        elif words[0] == "kernel":
            kernel = words[1]
    return kernel, dims


def function_of(torch, kernel, dims):
    """A function of what PyTorch does for the kernel, on arrays of its own; None where there is none."""
    def normal(*shape, dtype=torch.float32):
        return torch.randn(*shape, device="cuda", dtype=dtype)

    rows = dims.get("M", 0)
    functional = torch.nn.functional
    if kernel in ("matmul", "matmul_gelu"):
        a, out = normal(rows, dims["K"], dtype=torch.bfloat16), normal(rows, dims["N"], dtype=torch.bfloat16)
        b = normal(dims["K"], dims["N"], dtype=torch.bfloat16)
        if kernel == "matmul":
            return lambda: torch.matmul(a, b, out=out)
        b = normal(dims["N"], dims["K"], dtype=torch.bfloat16)
        return lambda: functional.gelu(torch.matmul(a, b.T, out=out))
    if kernel.startswith("add_matrices"):
        x, y, out = (normal(rows, dims["N"]) for _ in range(3))
        return lambda: torch.add(x, y, out=out)
    if kernel == "softmax":
        x = normal(rows, 256)
        return lambda: torch.softmax(x, dim=1)
    if kernel == "layer_norm":
        x, gamma, beta = normal(rows, 768, dtype=torch.bfloat16), normal(768).bfloat16(), normal(768).bfloat16()
        return lambda: functional.layer_norm(x, (768,), gamma, beta, 1e-5)
    if kernel == "rms_norm":
        x, gamma = normal(rows, 2048), normal(2048)
        return lambda: functional.rms_norm(x, (2048,), gamma, 1e-5)
    return None


def microseconds(torch, functions):
    """The median of what one call takes, the functions in turn, so that arrays come from memory."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for function in functions:
            function()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for i in range(LAUNCHES):
            functions[i % len(functions)]()
    samples = []
    for _ in range(ROUNDS + 1):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        samples.append(1000 * begin.elapsed_time(end) / LAUNCHES)
    return statistics.median(samples[1:])


def main():
    try:
        import torch
    except ImportError:
        print("skipped no PyTorch on this machine")
        return
    seen = set()
    for path in sorted(Path(sys.argv[1]).iterdir()):
        kernel, dims = read(path)
        name = f"torch_{kernel}_{'x'.join(map(str, dims.values()))}"
        if name in seen:
            continue
        seen.add(name)
        moved = sum(int(line.split()[2]) for line in path.read_text().splitlines() if line.split()[0] in ("in", "out"))
        functions = [function_of(torch, kernel, dims) for _ in range(min(8, int(OUTSIDE_L2 // moved) + 1))]
        if functions[0]:
            print(f"time {name} {microseconds(torch, functions):.1f} us", flush=True)
        del functions
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
