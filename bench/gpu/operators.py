"""Calls generated kernels on the device as models do: as operators of PyTorch with the arrays of a test, then in a CUDA
graph that is replayed, under torch.compile, and by JAX if it is installed.

  operators.py FOLDER [--device cpu]

FOLDER is `operators` of a package (prepare.py): the Python package library_kernels, `cases` by kernel, and `site`,
Python packages that a machine may lack. Prints a line for each row: `passed NAME`, `failed NAME: WHY` or
`skipped NAME: WHY`. With `--device cpu` all but the graphs run, in the emulator."""
import argparse
import importlib
import sys
import time
from pathlib import Path


def row(name, function):
    """Runs one row; `function` returns why it failed, or nothing."""
    try:
        wrong = function()
    except Skipped as why:
        print(f"skipped {name}: {why}", flush=True)
        return
    except Exception as error:  # later rows must still run
        wrong = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
    print(f"failed {name}: {wrong}" if wrong else f"passed {name}", flush=True)


class Skipped(Exception):
    pass


class Operators:
    """Every kernel that has a case, on one device."""

    def __init__(self, folder, device):
        import numpy
        import torch
        from cases import Case
        from calling import call, from_torch, to_torch

        self.folder, self.device = folder, device
        self.numpy, self.torch, self.call = numpy, torch, call
        self.Case, self.to_host = Case, from_torch
        self.to_device = lambda array: to_torch(array, device)

    def names(self):
        return sorted(path.name for path in (self.folder / "cases").iterdir())

    def case(self, name):
        importlib.import_module(f"library_kernels.{name}")
        return self.Case(self.folder / "cases" / name, name)

    def wrong(self, case, returned):
        """Names the results that differ from the interpreter's."""
        arrays = returned if isinstance(returned, tuple) else (returned,)
        return "; ".join(f"{name} differs" for name, array in zip(case.wanted, arrays, strict=True)
                         if not case.close(name, self.to_host(array)))

    def values(self, name):
        case = self.case(name)
        return self.wrong(case, self.call(case, self.to_device))

    def in_graph(self, name):
        """Captures a call and replays it on the same arrays, whose contents are renewed before each replay."""
        torch = self.torch
        if self.device != "cuda":
            raise Skipped("graphs are CUDA's")
        case = self.case(name)
        if not case.kernel.tensors or case.strides:
            raise Skipped("it has no arrays of its own to replay with")
        if case.kernel.has_checks:
            raise Skipped("a call waits for what its run-time checks find")
        given = {each: self.to_device(array.copy()) if isinstance(array, self.numpy.ndarray) else array
                 for each, array in case.arguments.items()}
        kept = {each: array.clone() for each, array in given.items() if torch.is_tensor(array)}

        def restore():
            for each, array in kept.items():
                given[each].copy_(array)

        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):  # the work of a first call is not captured
            case.kernel(*given.values())
        torch.cuda.current_stream().wait_stream(side)
        restore()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            returned = case.kernel(*given.values())
        for replay in range(3):
            restore()
            graph.replay()
            torch.cuda.synchronize()
            wrong = self.wrong(case, returned)
            if wrong:
                return f"replay {replay + 1}: {wrong}"
        return ""

    def compiled(self):
        """Compiles a PyTorch layer that contains a kernel, as one graph, and its gradients."""
        import library_kernels as lib
        torch = self.torch
        x = torch.randn(64, 768, device=self.device).bfloat16()
        gamma, beta = (torch.randn(768, device=self.device) for _ in range(2))
        leaves = [each.clone().requires_grad_() for each in (x, gamma, beta)]
        theirs = [each.clone().requires_grad_() for each in (x, gamma, beta)]

        @torch.compile(fullgraph=True)
        def ours(x, gamma, beta):
            return (lib.layer_norm(x, gamma, beta)[0] * 2).float()

        made = ours(*leaves)
        wanted = 2 * torch.nn.functional.layer_norm(theirs[0].float(), (768,), theirs[1], theirs[2], 1e-5)
        made.sum().backward()
        wanted.sum().backward()
        pairs = [(made, wanted), *((a.grad, b.grad) for a, b in zip(leaves, theirs))]
        far = [i for i, (a, b) in enumerate(pairs)
               if (a.float() - b.float()).abs().max() > 0.05 * max(1.0, b.float().abs().max().item())]
        return f"results or gradients {far} differ" if far else ""

    def streams(self):
        """Checks that a call on a stream of its own waits for earlier work there, and for nothing else."""
        import library_kernels as lib
        torch = self.torch
        if self.device != "cuda":
            raise Skipped("streams are CUDA's")
        x = torch.zeros(1 << 22, dtype=torch.int32, device="cuda")
        stream = torch.cuda.Stream()
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            torch.cuda._sleep(50_000_000)
            x.fill_(7)
            z = lib.add_vectors_blocked(x, x)
        began = time.perf_counter()
        torch.cuda.current_stream().synchronize()
        waited = time.perf_counter() - began
        stream.synchronize()
        if waited > 0.01:
            return f"the other stream was held for {waited * 1e3:.1f} ms"
        return "" if bool((z == 14).all()) else "the sums are of what was there before"

    def refused(self):
        """Checks that a tensor on another device raises an exception about it."""
        import library_kernels as lib
        if self.device != "cuda":
            raise Skipped("there is one device")
        x = self.torch.zeros(1000, dtype=self.torch.int32)
        try:
            lib.add_vectors_blocked(x.cuda(), x)
        except (TypeError, ValueError, RuntimeError) as error:
            return "" if "device" in str(error) else f"it says {error}"
        return "nothing was refused"

    def by_jax(self):
        """Checks a jitted call on JAX's default device."""
        import library_kernels as lib
        try:
            import jax
            import jax_tvm_ffi  # noqa: F401
        except ImportError as error:
            raise Skipped(str(error)) from error
        x = jax.numpy.arange(1000, dtype=jax.numpy.int32)
        return "" if bool((jax.jit(lib.add_vectors_blocked)(x, x) == 2 * x).all()) else "the sums differ"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--device", default="cuda")
    options = parser.parse_args()
    folder = options.folder.resolve()
    sys.path[:0] = [str(folder / "tests"), str(folder)]
    sys.path.append(str(folder / "site"))
    try:
        operators = Operators(folder, options.device)
        importlib.import_module("library_kernels")
    except ImportError as error:
        print(f"skipped all: {error}")
        return
    for name in operators.names():
        row(name, lambda: operators.values(name))
        row(f"{name} in a graph", lambda: operators.in_graph(name))
    for what in ("compiled", "streams", "refused", "by_jax"):
        row(what, getattr(operators, what))


main()
