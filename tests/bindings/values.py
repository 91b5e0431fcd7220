"""Calls kernels through NumPy, PyTorch and JAX with the arrays of one of their tests, and compares the results with the
interpreter's, within the test's tolerance.

  values.py FOLDER CASES KERNEL…

FOLDER has the package library_kernels; CASES, by kernel, a test and its arrays (run.py)."""
import importlib
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), sys.argv[1]]
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
import torch  # noqa: E402
from calling import call, from_torch, to_torch  # noqa: E402
from cases import Case  # noqa: E402
from library_kernels._frameworks import Number  # noqa: E402
from report import Report  # noqa: E402

jax.config.update("jax_enable_x64", True)
report = Report()


def check_operators(case):
    """Checks that PyTorch's operators keep the rules: schemas, shapes without values, gradients, compilation."""
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
    """Compares the gradients of PyTorch with those of JAX, for cotangents drawn at random."""
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
                case.compare(report, "NumPy", returned, lambda array: array)
        returned = report.attempt(f"{name} through PyTorch", lambda: call(case, to_torch))
        if returned is not None:
            case.compare(report, "PyTorch", returned, from_torch)
        if case.kernel.tensors and not case.strides:  # arrays of JAX have no gaps
            numbers = [i for i, kind in enumerate(case.kernel.arguments.values()) if isinstance(kind, Number)]
            function = jax.jit(case.kernel, static_argnums=numbers)
            arguments = [jnp.asarray(each) if isinstance(each, np.ndarray) else each for each in case.arguments.values()]
            returned = report.attempt(f"{name} through JAX", lambda: jax.block_until_ready(function(*arguments)))
            if returned is not None:
                case.compare(report, "JAX", returned, np.asarray)
        # opcheck copies its arguments without their strides, and computes with them, which PyTorch cannot in 8 bits.
        if not case.strides and not any("float8" in kind.dtype for kind in case.kernel.tensors.values()):
            check_operators(case)
        if case.kernel.gradients:
            report.attempt(f"gradients of {name}", lambda: compare_gradients(case))
    report.end()


main()
