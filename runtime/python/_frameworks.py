"""Generated kernels as functions over arrays of PyTorch, JAX, CuPy and NumPy.

A part of every package of kernels, beside the library `_kernels.so` and the modules that pallasgen generates. Arrays of one call
are of one framework and on one device; the launch goes to the framework's current stream. What is not as the kernel's spec says
raises TypeError or ValueError, a launch that fails RuntimeError; the message names kernel, argument, what was expected and what
came."""

from __future__ import annotations

import pathlib
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import tvm_ffi

if TYPE_CHECKING:
    import cupy
    import jax
    import numpy
    import torch

    Array = torch.Tensor | jax.Array | cupy.ndarray | numpy.ndarray
else:
    Array = Any

library = tvm_ffi.load_module(str(pathlib.Path(__file__).parent / "_kernels.so"))
_registering = threading.Lock()
kernels: dict[str, Kernel] = {}  # by name, those whose modules have been imported


@dataclass(frozen=True)
class Tensor:
    """An array that a kernel takes."""

    dtype: str
    shape: tuple[str, ...]  # its extents as the spec has them: ("M", "K")
    written: bool = False  # in place


@dataclass(frozen=True)
class Number:
    """A size that no array has, or a scalar."""

    kind: type
    of_results: bool = False  # a size that is not said where the results are given, which have it


def cdiv(a: int, b: int) -> int:
    return -(-a // b)


def stride(array: Any, axis: int, dense: int) -> int:
    """In elements. Where there is no second element along the axis, and in JAX, an array has no gaps."""
    if array.shape[axis] <= 1:
        return dense
    if callable(getattr(array, "stride", None)):  # PyTorch
        return array.stride(axis)
    return array.strides[axis] // array.itemsize if hasattr(array, "strides") else dense


class Kernel:
    """A kernel: what it takes, and how each framework calls it.

    `sizes(*arguments)` gives all sizes of the kernel, `shapes(*sizes)` shape and dtype of each result.
    `gradients(sizes, *arguments, *results, *cotangents)` gives the gradient of each array among the arguments, None of those that
    have none; of arguments and results it needs those in `saved`."""

    def __init__(
        self,
        name: str,
        arguments: dict[str, Tensor | Number],
        results: dict[str, Tensor],
        sizes: Callable[..., tuple[int, ...]] | None = None,
        shapes: Callable[..., tuple] | None = None,
        *,
        workspace: bool = False,
        checked: bool = False,
        gradients: Callable[..., tuple] | None = None,
        saved: Sequence[str] = (),
    ):
        self.name, self.arguments, self.results = name, arguments, results
        self.sizes, self.shapes, self.gradients, self.saved = sizes, shapes, gradients, saved
        self.has_workspace, self.has_checks = workspace, checked
        self.tensors = {name: kind for name, kind in arguments.items() if isinstance(kind, Tensor)}
        self.numbers = {name: kind for name, kind in arguments.items() if isinstance(kind, Number)}
        self.beside_results = [i for i, kind in enumerate(arguments.values()) if not getattr(kind, "of_results", False)]
        self.written = [i for i, kind in enumerate(self.tensors.values()) if kind.written]
        self._fronts: dict[type, Any] = {}  # by the type of array, as an import costs more than the rest of a call
        kernels[name] = self
        if (torch := sys.modules.get("torch")) is not None and self.tensors:
            # Now, as the first call may be one that torch.compile traces.
            for kind in (torch.Tensor, torch.nn.Parameter):
                self._fronts[kind] = self._front_of(kind)

    def __call__(self, *arguments):
        """What is written in place, then the results, which the framework allocates; a tuple, unless it is one array."""
        try:
            front = self._fronts[type(arguments[0])]
        except KeyError:
            front = self._front(arguments[0])
        return front(*arguments)

    def into(self, results: Sequence[Any], *arguments):
        """The same with arrays for the results, which are given back."""
        missing = [name for name, array in zip(self.results, results) if array is None]
        if missing:
            given = " and ".join(name for name in self.results)
            raise TypeError(f"{self.name}: expected {given}, or none of them; {' and '.join(missing)} is missing")
        front = self._fronts.get(type(results[0])) or self._front(results[0])
        front.into(results, *arguments)
        return self.returned(arguments, results)

    def by_name(self, **arguments) -> dict[str, Any]:
        """Called with what it takes by name, of more than that; its results by name."""
        returned = self(*(arguments[name] for name in self.arguments))
        names = [list(self.tensors)[i] for i in self.written] + list(self.results)
        return dict(zip(names, returned if len(names) > 1 else (returned,)))

    def returned(self, arguments: Sequence[Any], results: Sequence[Any]):
        arrays = (*(arguments[i] for i in self.written), *results)
        return arrays[0] if len(arrays) == 1 else arrays

    def with_results(self, arguments: Sequence[Any], results: Sequence[Any]) -> tuple:
        """What the library is called with where the results are given."""
        if not results:
            return tuple(arguments)
        count, beside = len(self.tensors), [arguments[i] for i in self.beside_results]
        return (*beside[:count], *results, *beside[count:])

    def refuse_mixed(self, tensors: Sequence[Any]) -> None:
        """Arrays of several frameworks, or none."""
        kinds = [type(array).__module__.split(".")[0] + "." + type(array).__name__ for array in tensors]
        raise TypeError(f"{self.name}: expected arrays of one framework, got {', '.join(kinds)}")

    def check(self, tensors: Sequence[Any]) -> None:
        """Refuses arrays of other dtypes or ranks, of which no shapes of results can be made."""
        for (name, kind), array in zip(self.tensors.items(), tensors):
            dtype = str(array.dtype).removeprefix("torch.")
            if dtype != kind.dtype:
                raise TypeError(f"{self.name}: {name}: expected dtype {kind.dtype}, got {dtype}")
            if len(array.shape) != len(kind.shape):
                dimensions = "1 dimension" if len(kind.shape) == 1 else f"{len(kind.shape)} dimensions"
                raise ValueError(f"{self.name}: {name}: expected {dimensions}, got shape {tuple(array.shape)}")

    def workspace_bytes(self, sizes: Sequence[int]) -> int:
        return int(library[f"{self.name}_workspace_bytes"](*sizes))

    def _front(self, array: Any):
        """How the framework of `array` calls the kernel."""
        if not hasattr(array, "__dlpack__"):
            raise TypeError(f"{self.name}: expected an array, got {type(array).__name__}")
        jax = sys.modules.get("jax")
        return self._front_of(jax.Array if jax is not None and isinstance(array, jax.Array) else type(array), type(array))

    def _front_of(self, kind: type, called: type | None = None):
        """The same for a type of array; `called` is what calls look it up by."""
        torch, jax = sys.modules.get("torch"), sys.modules.get("jax")
        if torch is not None and issubclass(kind, torch.Tensor):
            from ._torch import Operator as Front
        elif jax is not None and kind is jax.Array:
            from ._jax import Call as Front
        else:
            Front = ArrayCall
        with _registering:  # operators and custom calls have names of their own, each once
            known = next((front for front in self._fronts.values() if isinstance(front, Front)), None)
            self._fronts[called or kind] = front = known or Front(self)
        return front


class ArrayCall:
    """A call with arrays of NumPy or CuPy, or of another library with the functions of the array API."""

    def __init__(self, kernel: Kernel):
        self.kernel, self._launch = kernel, library[kernel.name]

    def __call__(self, *arguments):
        kernel = self.kernel
        results = []
        if kernel.results:
            kernel.check(arguments[: len(kernel.tensors)])
            for shape, dtype in kernel.shapes(*kernel.sizes(*arguments)):
                results.append(self._empty(arguments[0], shape, dtype))
        self._write(results, arguments)
        return kernel.returned(arguments, results)

    def into(self, results, *arguments) -> None:
        self._write(results, arguments)

    def _write(self, results, arguments) -> None:
        kernel = self.kernel
        tensors = (*arguments[: len(kernel.tensors)], *results)
        torch = sys.modules.get("torch")
        if torch is not None and any(isinstance(array, torch.Tensor) for array in tensors):
            kernel.refuse_mixed(tensors)  # what PyTorch's dispatcher looks at is not seen here
        readable = list(arguments)
        for i in range(len(kernel.tensors)):
            flags = getattr(arguments[i], "flags", None)
            if flags is not None and not getattr(flags, "writeable", True) and i not in kernel.written:
                readable[i] = arguments[i].copy()  # NumPy hands out no array that is read alone
        try:
            self._launch(*kernel.with_results(readable, results))
        except BufferError as error:
            raise TypeError(f"{kernel.name}: {error}") from error

    def _empty(self, like: Any, shape: tuple[int, ...], dtype: str):
        arrays = like.__array_namespace__()
        if not hasattr(arrays, dtype):
            raise TypeError(f"{self.kernel.name}: {arrays.__name__} has no {dtype}: give the result")
        return arrays.empty(shape, dtype=getattr(arrays, dtype))
