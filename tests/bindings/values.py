"""Kernels called through NumPy, PyTorch and JAX with the arrays of one of their tests: what they make is what the interpreter has
made of them, within the test's tolerance.

  values.py FOLDER CASES KERNEL…

FOLDER has the package library_kernels; CASES, by kernel, a test and its arrays (run.py)."""
import importlib
import json
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), sys.argv[1]]
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import ml_dtypes  # noqa: E402
import numpy as np  # noqa: E402
import torch  # noqa: E402
from library_kernels._frameworks import Number, kernels  # noqa: E402
from report import Report  # noqa: E402

jax.config.update("jax_enable_x64", True)
report = Report()
TOLERANCES = {"float64": 1e-9, "float32": 1e-3, "float16": 1e-2, "bfloat16": 3e-2}  # where the test says none


def numpy_dtype(name):
    return np.dtype(getattr(ml_dtypes, name, None) or name)


class Case:
    """A test of a kernel, with its arrays as NumPy arrays of their dtypes."""

    def __init__(self, folder, name):
        self.kernel = kernels[name]
        told = json.loads((folder / "case.json").read_text())
        self.test = told["test"]
        written = {array["name"]: array["written_as"][-1] for array in told["arrays"] if "written_as" in array}
        self.arguments = {each: self.argument(folder, each, kind) for each, kind in self.kernel.arguments.items()}
        self.wanted = {}
        for each, kind in self.kernel.tensors.items():
            if kind.written:
                self.wanted[each] = self.load(folder, written[each], kind.dtype)
        for each, kind in self.kernel.results.items():
            self.wanted[each] = self.load(folder, each, kind.dtype)

    def argument(self, folder, name, kind):
        if isinstance(kind, Number):
            values = {**(self.test.get("dims") or {}), **(self.test.get("scalars") or {})}
            return kind.kind(values[name])
        return self.load(folder, name, kind.dtype)

    @staticmethod
    def load(folder, name, dtype):
        bits = np.load(folder / f"{name}.npy")
        return bits.view(numpy_dtype(dtype)) if bits.dtype != numpy_dtype(dtype) else bits

    def close(self, name, got):
        want = self.wanted[name]
        if got.shape != want.shape or got.dtype != want.dtype:
            return False
        if np.issubdtype(want.dtype, np.integer) or want.dtype == bool:
            return bool((got == want).all())
        tolerance = self.test.get("tolerance") or TOLERANCES.get(str(want.dtype), 0.15)
        got, want = got.astype(np.float64), want.astype(np.float64)
        finite = np.isfinite(want)
        scale = min(1.0, np.abs(want[finite]).max(initial=0)) or 1.0
        near = np.abs(got - want) <= tolerance * np.maximum(scale, np.abs(want))
        return bool(np.where(finite, near, (got == want) | (np.isnan(got) & np.isnan(want))).all())

    def compare(self, framework, returned, to_numpy):
        label = f"{self.kernel.name} through {framework}"
        arrays = returned if isinstance(returned, tuple) else (returned,)
        for (name, want), array in zip(self.wanted.items(), arrays, strict=True):
            got = to_numpy(array)
            report.expect(f"{label}: {name}", self.close(name, got), f"{got.dtype}{got.shape}, wanted {want.dtype}{want.shape}")


def to_torch(array):
    bits = array.view(f"u{array.itemsize}") if array.dtype.kind not in "iufb" or array.dtype.num > 23 else array
    return torch.from_numpy(bits.copy()).view(getattr(torch, str(array.dtype)))


def from_torch(tensor):
    dtype = numpy_dtype(str(tensor.dtype).removeprefix("torch."))
    return tensor.contiguous().view(torch.uint8).numpy().view(dtype) if tensor.numel() and tensor.dim() else np.zeros(
        tuple(tensor.shape), dtype)


def call(case, convert):
    arguments = [convert(each.copy()) if isinstance(each, np.ndarray) else each for each in case.arguments.values()]
    if case.kernel.tensors:
        return case.kernel(*arguments)
    results = tuple(convert(np.zeros_like(each)) for each in case.wanted.values())
    return case.kernel.into(results, *arguments)


def is_of_numpy(case):
    return all(array.dtype.num <= 23 for array in (*case.arguments.values(), *case.wanted.values())
               if isinstance(array, np.ndarray))


def main():
    cases = Path(sys.argv[2])
    for place in sys.argv[3:]:
        name = Path(place).name
        module = report.attempt(f"import of {name}", lambda: importlib.import_module(f"library_kernels.{name}"))
        if module is None or not (cases / name / "case.json").exists():
            continue
        case = report.attempt(f"arrays of {name}", lambda: Case(cases / name, name))
        if case is None:
            continue
        if is_of_numpy(case):
            returned = report.attempt(f"{name} through NumPy", lambda: call(case, lambda array: array))
            if returned is not None:
                case.compare("NumPy", returned, lambda array: array)
        returned = report.attempt(f"{name} through PyTorch", lambda: call(case, to_torch))
        if returned is not None:
            case.compare("PyTorch", returned, from_torch)
        if case.kernel.tensors:
            numbers = [i for i, kind in enumerate(case.kernel.arguments.values()) if isinstance(kind, Number)]
            function = jax.jit(case.kernel, static_argnums=numbers)
            arguments = [jnp.asarray(each) if isinstance(each, np.ndarray) else each for each in case.arguments.values()]
            returned = report.attempt(f"{name} through JAX", lambda: jax.block_until_ready(function(*arguments)))
            if returned is not None:
                case.compare("JAX", returned, np.asarray)
    report.end()


main()
