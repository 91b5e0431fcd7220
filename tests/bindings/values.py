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
        self.strides = {array["name"]: [stride.get("value") for stride in array["strides"]]
                        for array in told["arrays"] if any("value" in stride for stride in array.get("strides", []))}
        self.strides = {name: strides for name, strides in self.strides.items() if 0 in strides}
        self.packed = [array["name"] for array in told["arrays"] if array["dtype"] in ("i4", "u4", "f4e2m1")]
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

    def load(self, folder, name, dtype):
        bits = np.load(folder / f"{name}.npy")
        if name in self.packed:  # the element of even index in the lower half of a byte
            bits = bits.view(np.uint8) & 15
            bits = bits[..., 0::2] | bits[..., 1::2] << 4
        if name in self.strides:  # with 0 among them
            return np.broadcast_to(bits[tuple(slice(0, 1) if stride == 0 else slice(None) for stride in self.strides[name])],
                                   bits.shape).view(numpy_dtype(dtype))
        return bits.view(numpy_dtype(dtype)) if bits.dtype != numpy_dtype(dtype) else bits

    def close(self, name, got):
        want = self.wanted[name]
        if got.shape != want.shape or got.dtype != want.dtype:
            return False
        if np.issubdtype(want.dtype, np.integer) or want.dtype == bool:
            return bool((got == want).all())
        tolerance = float(self.test.get("tolerance") or TOLERANCES.get(str(want.dtype), 0.15))  # YAML takes 1e-3 for a text
        got, want = got.astype(np.float64), want.astype(np.float64)
        finite = np.isfinite(want)
        scale = min(1.0, np.abs(want[finite]).max(initial=0)) or 1.0
        with np.errstate(invalid="ignore"):
            near = np.abs(got - want) <= tolerance * np.maximum(scale, np.abs(want))
        return bool(np.where(finite, near, (got == want) | (np.isnan(got) & np.isnan(want))).all())

    def compare(self, framework, returned, to_numpy):
        label = f"{self.kernel.name} through {framework}"
        arrays = returned if isinstance(returned, tuple) else (returned,)
        for (name, want), array in zip(self.wanted.items(), arrays, strict=True):
            got = to_numpy(array)
            report.expect(f"{label}: {name}", self.close(name, got), f"{got.dtype}{got.shape}, wanted {want.dtype}{want.shape}")


def to_torch(array):
    """With the array's strides where some are 0."""
    whole = np.ascontiguousarray(array[tuple(slice(0, 1) if stride == 0 else slice(None) for stride in array.strides)])
    bits = whole.reshape(-1).view(np.uint8).copy()
    return torch.from_numpy(bits).view(getattr(torch, str(array.dtype))).reshape(whole.shape if array.ndim else ()).expand(array.shape)


def from_torch(tensor):
    dtype = numpy_dtype(str(tensor.dtype).removeprefix("torch."))
    return tensor.contiguous().reshape(-1).view(torch.uint8).numpy().view(dtype).reshape(tuple(tensor.shape))


def call(case, convert):
    arguments = [convert(each if 0 in each.strides else each.copy()) if isinstance(each, np.ndarray) else each for each in case.arguments.values()]
    if case.kernel.tensors:
        return case.kernel(*arguments)
    results = tuple(convert(np.zeros_like(each)) for each in case.wanted.values())
    return case.kernel.into(results, *arguments)


def check_operators(case):
    """Those of PyTorch keep the rules of operators: schemas, shapes without values, gradients, compilation."""
    kernel, name = case.kernel, case.kernel.name
    arguments = [to_torch(each) if isinstance(each, np.ndarray) else each for each in case.arguments.values()]
    results = [to_torch(np.zeros_like(each)) for key, each in case.wanted.items() if key in kernel.results]
    checked = [(name, arguments)] if kernel.tensors else []
    checked += [(f"{name}_into", kernel.with_results(arguments, results))] if results else []
    for each, values in checked:
        operator = getattr(torch.ops.library_kernels, each).default
        fine = report.attempt(f"opcheck of {each}", lambda: torch.library.opcheck(operator, tuple(values)))
        if fine is not None:
            report.expect(f"opcheck of {each}", set(fine.values()) == {"SUCCESS"}, str(fine))


def compare_gradients(case):
    """Those of PyTorch are those of JAX, for cotangents drawn at random."""
    kernel, random = case.kernel, np.random.default_rng(1)
    floats = [name for name, kind in kernel.tensors.items() if "float" in kind.dtype]
    weights = [random.standard_normal(each.shape).astype(np.float32) for each in case.wanted.values()]
    arguments = {name: to_torch(each.copy()) if isinstance(each, np.ndarray) else each for name, each in case.arguments.items()}
    for name in floats:
        arguments[name].requires_grad_()
    made = kernel(*arguments.values())
    made = made if isinstance(made, tuple) else (made,)
    sum((each.float() * torch.from_numpy(weight)).sum() for each, weight in zip(made, weights)).backward()

    def total(*tensors):
        values = {**case.arguments, **dict(zip(floats, tensors))}
        made = kernel(*(jnp.asarray(each) if isinstance(each, np.ndarray) else each for each in values.values()))
        made = made if isinstance(made, tuple) else (made,)
        return sum((each.astype(jnp.float32) * weight).sum() for each, weight in zip(made, weights))

    gradients = jax.grad(total, argnums=tuple(range(len(floats))))(*(jnp.asarray(case.arguments[name]) for name in floats))
    for name, theirs in zip(floats, gradients):
        ours, theirs = from_torch(arguments[name].grad).astype(np.float64), np.asarray(theirs, np.float64)
        scale = np.abs(theirs).max(initial=0) or 1.0
        report.expect(f"gradient of {kernel.name}: {name}", ours.shape == theirs.shape and
                      bool((np.abs(ours - theirs) <= 0.01 * scale).all()) and bool(theirs.any()))


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
        if case.kernel.tensors and not case.strides:  # arrays of JAX have no gaps
            numbers = [i for i, kind in enumerate(case.kernel.arguments.values()) if isinstance(kind, Number)]
            function = jax.jit(case.kernel, static_argnums=numbers)
            arguments = [jnp.asarray(each) if isinstance(each, np.ndarray) else each for each in case.arguments.values()]
            returned = report.attempt(f"{name} through JAX", lambda: jax.block_until_ready(function(*arguments)))
            if returned is not None:
                case.compare("JAX", returned, np.asarray)
        # opcheck copies its arguments without their strides, and computes with them, which PyTorch cannot with 8 bits.
        if not case.strides and not any("float8" in kind.dtype for kind in case.kernel.tensors.values()):
            check_operators(case)
        if case.kernel.gradients:
            report.attempt(f"gradients of {name}", lambda: compare_gradients(case))
    report.end()


main()
