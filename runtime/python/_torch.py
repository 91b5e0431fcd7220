"""Kernels as operators of PyTorch, torch.ops.<package>.<kernel>: for eager mode, torch.compile, torch.export and CUDA graphs.

A kernel has up to three of them: <kernel> with gradients, <kernel>_no_grad, which costs less to call, and <kernel>_into, whose
results are given. Operators resolve views whose negative or conjugate bit is set; a direct call would not see them."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.autograd import forward_ad

from ._frameworks import Kernel, library

NAMESPACE = __package__.replace(".", "_")
_operators = torch.library.Library(NAMESPACE, "DEF")
_TYPES = {int: "SymInt", float: "float", bool: "bool"}


def _define(name: str, schema: str, function, fake, written=()):
    """The operator: one function for both devices, which looks at the tensors, and one that gives the shapes alone. `written`: places
    of arguments that it writes."""
    _operators.define(name + schema, tags=(torch.Tag.pt2_compliant_tag, torch.Tag.needs_exact_strides))
    for key in ("CPU", "CUDA"):
        _operators.impl(name, function, key)
    torch.library.register_fake(f"{NAMESPACE}::{name}", fake, lib=_operators)
    operator = getattr(getattr(torch.ops, NAMESPACE), name).default

    def with_new_versions(keys, *arguments):
        """So that autograd finds out where a tensor is written that it has saved."""
        for i in written:
            torch.autograd.graph.increment_version(arguments[i])
        with torch._C._AutoDispatchBelowADInplaceOrView():
            return operator.redispatch(keys & torch._C._after_ADInplaceOrView_keyset, *arguments)

    if written:
        _operators.impl(name, with_new_versions, "ADInplaceOrView", with_keyset=True)
    return operator


def _dense(cotangent):
    """Without gaps, as a sum's is expanded, and aligned, as that of torch.cat is a part of another."""
    dense = cotangent.contiguous()
    return dense.clone() if dense.storage_offset() * dense.element_size() % 16 else dense


class Operator:
    """A kernel's operators."""

    def __init__(self, kernel: Kernel):
        self.kernel, self._count = kernel, len(kernel.tensors)
        self._into = None
        if kernel.results:
            self._define_into()
        if not kernel.tensors:
            return
        schema = self._schema()
        launch = library[f"{kernel.name}_new" if kernel.results else kernel.name]
        several = len(kernel.results) > 1

        def function(*arguments):
            made = launch(*arguments)
            return tuple(made) if several else made

        if kernel.written:
            self._plain = _define(kernel.name, schema, function, self._fake, kernel.written)
            return
        self._differentiable = _define(kernel.name, schema, function, self._fake)
        self._plain = _define(f"{kernel.name}_no_grad", schema, function, self._fake)
        torch.library.register_autograd(
            f"{NAMESPACE}::{kernel.name}", self._backward, setup_context=self._save, lib=_operators
        )

    def __call__(self, *arguments):
        self._check(arguments[: self._count])
        made = self._choose(arguments)(*arguments)
        return made if not self.kernel.written else self._returned(arguments, made)

    def _check(self, tensors) -> None:
        for array in tensors:
            if not isinstance(array, Tensor):
                self.kernel.refuse_mixed(tensors)
        if forward_ad._current_level >= 0 and any(forward_ad.unpack_dual(each).tangent is not None for each in tensors):
            raise RuntimeError(f"{self.kernel.name} has no forward-mode derivative")

    def _choose(self, arguments):
        if torch.is_grad_enabled():
            for array in arguments[: self._count]:
                if array.requires_grad:
                    if self.kernel.written:
                        self._refuse_gradients()
                    return self._differentiable
        return self._plain

    def _returned(self, arguments, made):
        results = () if made is None else made if isinstance(made, tuple) else (made,)
        return self.kernel.returned(arguments, results)

    def into(self, results, *arguments) -> None:
        self._check((*arguments[: self._count], *results))
        if torch.is_grad_enabled() and any(a.requires_grad for a in (*arguments[: self._count], *results)):
            self._refuse_gradients()
        self._into(*self.kernel.with_results(arguments, results))

    def _refuse_gradients(self):
        raise RuntimeError(
            f"{self.kernel.name}: a tensor that requires gradients is given, and the kernel writes into tensors that are given: "
            "detach() it, call under torch.no_grad(), or leave the results out"
        )

    # Schemas.

    def _arguments(self, with_results: bool) -> str:
        kernel = self.kernel
        parts, letters = [], iter("abcdefghijklmnopqrstuvwxyz")
        for name, tensor in kernel.tensors.items():
            parts.append(f"Tensor({next(letters)}!) {name}" if tensor.written else f"Tensor {name}")
        if with_results:
            parts += [f"Tensor({next(letters)}!) {name}" for name in kernel.results]
        parts += [
            f"{_TYPES[number.kind]} {name}"
            for name, number in kernel.numbers.items()
            if not (with_results and number.of_results)
        ]
        return ", ".join(parts)

    def _schema(self) -> str:
        count = len(self.kernel.results)
        returned = "()" if count == 0 else "Tensor" if count == 1 else f"({', '.join(['Tensor'] * count)})"
        return f"({self._arguments(False)}) -> {returned}"

    def _define_into(self) -> None:
        launch = library[self.kernel.name]

        def function(*arguments) -> None:
            launch(*arguments)

        schema = f"({self._arguments(True)}) -> ()"
        # Less the sizes that results tell, which stand behind the tensors.
        written = [*self.kernel.written, *range(self._count, self._count + len(self.kernel.results))]
        self._into = _define(f"{self.kernel.name}_into", schema, function, lambda *arguments: None, written)

    # Shapes without values.

    def _fake(self, *arguments):
        kernel = self.kernel
        kernel.check(arguments[: self._count])
        if not kernel.results:
            return None
        made = tuple(
            arguments[0].new_empty(shape, dtype=getattr(torch, dtype))
            for shape, dtype in kernel.shapes(*kernel.sizes(*arguments))
        )
        return made if len(made) > 1 else made[0]

    # Gradients.

    def _save(self, ctx, inputs, output) -> None:
        kernel = self.kernel
        if kernel.gradients is None:
            return
        outputs = output if isinstance(output, tuple) else (output,)
        named = {**dict(zip(kernel.arguments, inputs)), **dict(zip(kernel.results, outputs))}
        ctx.save_for_backward(*(named[name] for name in kernel.saved))
        ctx.sizes = kernel.sizes(*inputs)
        ctx.numbers = inputs[self._count :]
        ctx.like = [(array.shape, array.dtype) for array in inputs[: self._count]]

    def _backward(self, ctx, *cotangents):
        kernel = self.kernel
        if kernel.gradients is None:
            raise RuntimeError(f"{kernel.name} has no gradient: its spec names no kernels for it under `vjp`")
        saved = dict(zip(kernel.saved, ctx.saved_tensors))
        arrays = [saved.get(name) for name in (*kernel.tensors, *kernel.results)]
        count = self._count
        dense = [None if each is None else _dense(each) for each in cotangents]
        if None in dense:
            some = next(array for array in (*dense, *arrays) if array is not None)
            for i, (shape, dtype) in enumerate(kernel.shapes(*ctx.sizes)):
                if dense[i] is None:
                    dense[i] = some.new_zeros(shape, dtype=getattr(torch, dtype))
        made = kernel.gradients(ctx.sizes, *arrays[:count], *ctx.numbers, *arrays[count:], *dense)
        gradients = [
            None if each is None else each.reshape(shape).to(dtype) for each, (shape, dtype) in zip(made, ctx.like)
        ]
        return (*gradients, *([None] * len(ctx.numbers)))
