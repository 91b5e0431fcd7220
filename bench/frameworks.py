#!/usr/bin/env python3
"""Measures what a call through a framework costs the host, for empty arrays, compared with an operator of PyTorch in
Python and a jitted function of JAX that do nothing; all take turns in one run.

  build/bindings/venv/bin/python bench/frameworks.py build/bindings/build [--device cpu|cuda]

The folder has the package library_kernels (tests/bindings/run.py makes both). Prints a table: microseconds, the best of
many rounds, and the excess over a call that does nothing. Without JAX its rows are missing."""
import argparse
import sys
import time
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("folder", type=Path)
parser.add_argument("--device", default="cpu")
options = parser.parse_args()
sys.path.insert(0, str(options.folder))
sys.path.append(str(options.folder / "site"))  # in a package for a machine with a GPU
import library_kernels as lib  # noqa: E402
import torch  # noqa: E402
from library_kernels._frameworks import library  # noqa: E402

try:
    import jax
    import jax.numpy as jnp
    import jax_tvm_ffi  # noqa: F401
except ImportError:
    jax = None

ROUNDS, CALLS = 60, 200


def interleaved(functions):
    """Returns the microseconds of a call by name: the best round of each."""
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(ROUNDS):
        for name, function in functions.items():
            start = time.perf_counter()
            for _ in range(CALLS):
                function()
            best[name] = min(best[name], (time.perf_counter() - start) / CALLS * 1e6)
    return best


def main():
    x, y = (torch.empty(0, dtype=torch.bfloat16, device=options.device) for _ in range(2))
    nothing = torch.library.Library("nothing", "DEF")
    nothing.define("op(Tensor x) -> Tensor")
    nothing.impl("op", lambda x: y, options.device.upper())
    operator = torch.ops.nothing.op.default
    functions = {
        "PyTorch: an operator that does nothing": lambda: operator(x),
        "PyTorch: activation_forward(x)": lambda: lib.activation_forward(x),
        "TVM-FFI: activation_forward(x, y)": lambda: library.activation_forward(x, y),
        "TVM-FFI: activation_forward_new(x)": lambda: library.activation_forward_new(x),
    }
    if jax:
        v = jnp.zeros(0, jnp.bfloat16)
        plain, kernel = jax.jit(lambda v: v), jax.jit(lib.activation_forward)
        functions |= {"JAX: a function that does nothing": lambda: plain(v), "JAX: activation_forward(v)": lambda: kernel(v)}
    with torch.no_grad():
        times = interleaved(functions)
    nothing_by = {"PyTorch": "PyTorch: an operator that does nothing", "JAX": "JAX: a function that does nothing"}
    for name, microseconds in times.items():
        base = nothing_by.get(name.split(":")[0])
        beyond = "" if base in (None, name) else f"{microseconds - times[base]:8.2f}"
        print(f"{name:42} {microseconds:8.2f} us {beyond}")


main()
