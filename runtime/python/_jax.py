"""Kernels as XLA custom calls: for jax.jit, jax.grad and jax.vmap. Numbers among the arguments are static."""

from __future__ import annotations

import operator

import jax
import jax.numpy as jnp
import jax_tvm_ffi
import numpy as np

from ._frameworks import Kernel, library

MOST_KEPT = 256  # functions with gradients, of one kernel
_TYPES = {int: np.int64, float: np.float64, bool: np.bool_}


class Call:
    """A kernel's custom call."""

    def __init__(self, kernel: Kernel):
        self.kernel, self._count = kernel, len(kernel.tensors)
        self._attributes = [name for name, kind in kernel.numbers.items() if not kind.of_results]
        self._target = f"{__package__}.{kernel.name}"
        # A workspace is a result that is dropped, so that XLA allocates it and the call can be in a CUDA graph; where there are
        # run-time checks, the call has its own and waits for what they find.
        self._has_workspace = kernel.has_workspace and not kernel.has_checks and not kernel.written
        export = kernel.name + ("_aliased" if kernel.written else "_with" if self._has_workspace else "")
        arguments = ["args", "rets", *(f"attrs.{name}" for name in self._attributes)]
        for platform in ("cpu", "gpu"):  # one function for both, which looks at the arrays
            jax_tvm_ffi.register_ffi_target(
                self._target, library[export], arguments, platform=platform, allow_cuda_graph=not kernel.has_checks
            )
        self._differentiable = {}  # by numbers, sizes, and shapes and dtypes of the arrays, which are static

    def __call__(self, *arguments):
        kernel, count = self.kernel, self._count
        kinds = kernel.numbers.items()
        numbers = tuple(self._number(name, kind.kind, value) for (name, kind), value in zip(kinds, arguments[count:]))
        kernel.check(arguments[:count])
        sizes = tuple(int(size) for size in kernel.sizes(*arguments[:count], *numbers))
        if kernel.gradients is None:
            return self._call(sizes, numbers, arguments[:count])
        like = tuple((array.shape, array.dtype) for array in arguments[:count])
        key = numbers, sizes, like
        if key not in self._differentiable:
            if len(self._differentiable) >= MOST_KEPT:
                self._differentiable.clear()
            self._differentiable[key] = self._with_gradients(*key)
        return self._differentiable[key](*arguments[:count])

    def _number(self, name, kind, value):
        """A number of the kind, without rounding; those that are traced have no value."""
        if kind is int and hasattr(value, "__index__"):
            return operator.index(value)
        if (kind is float and not isinstance(value, str)) or (kind is bool and isinstance(value, (bool, np.bool_))):
            return kind(value)
        raise TypeError(f"{self.kernel.name}: {name}: expected {kind.__name__}, got {value!r}")

    def into(self, results, *arguments):
        raise TypeError(f"{self.kernel.name}: arrays of JAX cannot be written: leave the results out")

    def _call(self, sizes, numbers, tensors):
        kernel = self.kernel
        results = [jax.ShapeDtypeStruct(tensors[i].shape, tensors[i].dtype) for i in kernel.written]
        if kernel.results:
            results += [jax.ShapeDtypeStruct(shape, jnp.dtype(dtype)) for shape, dtype in kernel.shapes(*sizes)]
        count = len(results)
        if self._has_workspace:
            results.append(jax.ShapeDtypeStruct((kernel.workspace_bytes(sizes),), jnp.uint8))
        call = jax.ffi.ffi_call(
            self._target,
            tuple(results),
            vmap_method="sequential",
            input_output_aliases={argument: result for result, argument in enumerate(kernel.written)},
        )
        attributes = {
            name: _TYPES[kind.kind](value)
            for (name, kind), value in zip(kernel.numbers.items(), numbers)
            if name in self._attributes
        }
        made = call(*tensors, **attributes)[:count]
        return made[0] if count == 1 else tuple(made)

    def _with_gradients(self, numbers, sizes, like):
        kernel = self.kernel

        @jax.custom_vjp
        def function(*tensors):
            return self._call(sizes, numbers, tensors)

        def forward(*tensors):
            made = function(*tensors)
            results = made if isinstance(made, tuple) else (made,)
            named = {**dict(zip(kernel.tensors, tensors)), **dict(zip(kernel.results, results))}
            return made, tuple(named[name] for name in kernel.saved)

        def backward(saved, cotangents):
            named = dict(zip(kernel.saved, saved))
            cotangents = cotangents if isinstance(cotangents, tuple) else (cotangents,)
            arrays = [named.get(name) for name in (*kernel.tensors, *kernel.results)]
            made = kernel.gradients(sizes, *arrays[: self._count], *numbers, *arrays[self._count :], *cotangents)
            return tuple(
                None if each is None else each.reshape(shape).astype(dtype) for each, (shape, dtype) in zip(made, like)
            )

        function.defvjp(forward, backward)
        return function
