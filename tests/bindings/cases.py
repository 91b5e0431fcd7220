"""A test of a kernel with its arrays, as the interpreter has made them (run.py), for any caller of the kernel."""
import json

import ml_dtypes
import numpy as np
from library_kernels._frameworks import Number, kernels

TOLERANCES = {"float64": 1e-9, "float32": 1e-3, "float16": 1e-2, "bfloat16": 3e-2}  # if the test has none


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
        if name in self.strides:  # some are 0
            return np.broadcast_to(bits[tuple(slice(0, 1) if stride == 0 else slice(None) for stride in self.strides[name])],
                                   bits.shape).view(numpy_dtype(dtype))
        return bits.view(numpy_dtype(dtype)) if bits.dtype != numpy_dtype(dtype) else bits

    def close(self, name, got):
        want = self.wanted[name]
        if got.shape != want.shape or got.dtype != want.dtype:
            return False
        if np.issubdtype(want.dtype, np.integer) or want.dtype == bool:
            return bool((got == want).all())
        tolerance = float(self.test.get("tolerance") or TOLERANCES.get(str(want.dtype), 0.15))  # 1e-3 is a text in YAML
        got, want = got.astype(np.float64), want.astype(np.float64)
        finite = np.isfinite(want)
        scale = min(1.0, np.abs(want[finite]).max(initial=0)) or 1.0
        with np.errstate(invalid="ignore"):
            near = np.abs(got - want) <= tolerance * np.maximum(scale, np.abs(want))
        return bool(np.where(finite, near, (got == want) | (np.isnan(got) & np.isnan(want))).all())

    def compare(self, report, caller, returned, to_numpy):
        """Compares the arrays that a caller got, in the order of `wanted`."""
        label = f"{self.kernel.name} through {caller}"
        arrays = returned if isinstance(returned, tuple) else (returned,)
        for (name, want), array in zip(self.wanted.items(), arrays, strict=True):
            got = to_numpy(array)
            report.expect(f"{label}: {name}", self.close(name, got), f"{got.dtype}{got.shape}, wanted {want.dtype}{want.shape}")
