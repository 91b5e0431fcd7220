"""Calls a kernel with the arrays of a case (cases.py), as NumPy arrays or through PyTorch."""
import numpy as np
import torch
from cases import numpy_dtype


def to_torch(array, device="cpu"):
    """Returns a copy on the device, with the array's strides where some are 0."""
    whole = np.ascontiguousarray(array[tuple(slice(0, 1) if stride == 0 else slice(None) for stride in array.strides)])
    bits = torch.from_numpy(whole.reshape(-1).view(np.uint8).copy()).to(device)
    return bits.view(getattr(torch, str(array.dtype))).reshape(whole.shape if array.ndim else ()).expand(array.shape)


def from_torch(tensor):
    """Returns the tensor as an array of NumPy."""
    dtype = numpy_dtype(str(tensor.dtype).removeprefix("torch."))
    return tensor.cpu().contiguous().reshape(-1).view(torch.uint8).numpy().view(dtype).reshape(tuple(tensor.shape))


def call(case, convert):
    """Returns the kernel's results; `convert` makes the framework's arrays from NumPy's."""
    arguments = [convert(each if 0 in each.strides else each.copy()) if isinstance(each, np.ndarray) else each
                 for each in case.arguments.values()]
    if case.kernel.tensors:
        return case.kernel(*arguments)
    results = tuple(convert(np.zeros_like(each)) for each in case.wanted.values())
    return case.kernel.into(results, *arguments)
