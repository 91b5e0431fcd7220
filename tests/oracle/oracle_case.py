"""One oracle case: a small spec, its arguments, and the expected arrays by NumPy or JAX."""

import dataclasses
import json
import pathlib
import zlib

import ml_dtypes
import numpy as np
import yaml

# dtypes that .npy lacks are stored as unsigned integers of their width; case.json names them.
STORED_AS = {
    ml_dtypes.bfloat16: ("bf16", np.uint16),
    ml_dtypes.float8_e4m3fn: ("f8e4m3", np.uint8),
    ml_dtypes.float8_e5m2: ("f8e5m2", np.uint8),
    ml_dtypes.float8_e8m0fnu: ("f8e8m0", np.uint8),
    ml_dtypes.float4_e2m1fn: ("f4e2m1", np.uint8),
    ml_dtypes.int4: ("i4", np.int8),
    ml_dtypes.uint4: ("u4", np.uint8),
}
NATIVE = {
    "bool": "bool", "int8": "i8", "uint8": "u8", "int16": "i16", "uint16": "u16", "int32": "i32", "uint32": "u32",
    "int64": "i64", "uint64": "u64", "float16": "f16", "float32": "f32", "float64": "f64",
}
MAX_BYTES = 64 * 1024

bf16 = ml_dtypes.bfloat16
f8e4m3 = ml_dtypes.float8_e4m3fn
f8e5m2 = ml_dtypes.float8_e5m2


def dtype_name(array):
    """Returns the spec language's name for the dtype of a NumPy array."""
    stored = STORED_AS.get(array.dtype.type)
    return stored[0] if stored else NATIVE[array.dtype.name]


def type_of(array):
    """Returns the spec language's type of a NumPy array, such as f32[3, 5]."""
    return f"{dtype_name(array)}[{', '.join(str(n) for n in array.shape)}]"


@dataclasses.dataclass
class Case:
    """The content of cases/<name>/ that `make_cases.py` writes. `spec` is YAML text without the first three keys."""

    name: str
    about: str
    spec: str
    outputs: dict
    inputs: dict = dataclasses.field(default_factory=dict)
    dims: dict = dataclasses.field(default_factory=dict)
    scalars: dict = dataclasses.field(default_factory=dict)
    tolerance: float = 0
    why: str = ""
    interpreter_only: str = ""

    def files(self):
        """Returns {file name: bytes} for the case's folder."""
        assert bool(self.tolerance) == bool(self.why), f"{self.name}: a tolerance needs a reason"
        text = f"pallasgen: 1\nkernel: {self.name}\ndoc: {json.dumps(self.about)}\n" + self.spec
        spec = yaml.safe_load(text)
        present = {ref for ref, keys in spec.get("inputs", {}).items() if "present" not in keys}
        assert present == set(self.inputs), f"{self.name}: inputs of spec and case differ"
        # An output aliased to an input is returned in the input's buffer, but listed under its own name.
        assert set(spec["outputs"]) == set(self.outputs), f"{self.name}: outputs of spec and case differ"
        for ref, keys in (spec.get("inputs", {}) | spec["outputs"]).items():
            array = (self.inputs | self.outputs).get(ref)
            dtype = keys["type"].split("[")[0]
            dtype = spec.get("consts", {}).get(dtype, dtype)
            assert array is None or dtype == dtype_name(array), f"{self.name}: dtype of {ref}"
        arrays = self.inputs | self.outputs | {k: v for k, v in self.scalars.items() if isinstance(v, np.ndarray)}
        description = {
            "about": self.about,
            "dims": self.dims,
            "scalars": {k: f"{k}.npy" if isinstance(v, np.ndarray) else v for k, v in self.scalars.items()},
            "inputs": {k: f"{k}.npy" for k in self.inputs},
            "outputs": {k: f"{k}.npy" for k in self.outputs},
            "dtypes": {k: dtype_name(v) for k, v in arrays.items()},
            "tolerance": self.tolerance,
        }
        if self.why:
            description["tolerance_why"] = self.why
        if self.interpreter_only:
            description["interpreter_only"] = self.interpreter_only
        # A NaN's sign depends on the processor; any NaN is right, so one form is written.
        arrays = {name: one_nan(array) if name in self.outputs else array for name, array in arrays.items()}
        files = {"spec.yaml": text.encode(), "case.json": (json.dumps(description, indent=2) + "\n").encode()}
        for name, array in arrays.items():
            files[f"{name}.npy"] = npy_bytes(array)
            assert len(files[f"{name}.npy"]) < MAX_BYTES, f"{self.name}: {name} is too large"
        return files


def one_nan(array):
    """Returns the array with the same bits in every NaN."""
    if array.dtype.type not in (np.float16, np.float32, np.float64, bf16):
        return array
    return np.where(np.isnan(array), np.array(np.nan, array.dtype), array)


def in_bytes(array, stored):
    """Returns the bits as integers; 4-bit integers by their value, each in a byte of its own."""
    return array.astype(stored) if array.dtype.type in (ml_dtypes.int4, ml_dtypes.uint4) else array.view(stored)


def npy_bytes(array):
    """Returns a .npy file of format 1.0, C order, little endian."""
    import io

    stored = STORED_AS.get(array.dtype.type)
    array = np.ascontiguousarray(array).reshape(array.shape)  # ascontiguousarray makes rank 0 rank 1
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, in_bytes(array, stored[1]) if stored else array, version=(1, 0))
    return buffer.getvalue()


def whole(name, about, body, inputs, outputs, sections="", **rest):
    """Returns a case whose kernel has the empty grid and sees whole arrays. `body`: statements, or their YAML list."""
    lines = []
    for key, arrays in (("inputs", inputs), ("outputs", outputs)):
        if arrays:
            lines.append(f"{key}:")
            lines += [f'  {ref}: {{type: "{type_of(array)}"}}' for ref, array in arrays.items()]
    lines += [sections.rstrip("\n")] if sections else []
    lines.append("body:")
    if isinstance(body, str):
        lines.append(body.rstrip("\n"))
    else:
        lines += [f"  - {quoted(statement)}" for statement in body]
    text = "\n".join(lines) + "\n"
    if not isinstance(body, str):
        assert yaml.safe_load(text)["body"] == list(body), f"{name}: YAML changed a statement"
    return Case(name, about, text, outputs, inputs, **rest)


def quoted(statement):
    """Returns the statement as a YAML scalar, in double quotes if the plain form would be read as something else."""
    try:
        if yaml.safe_load(f"- {statement}") == [statement]:
            return statement
    except yaml.YAMLError:
        pass
    return json.dumps(statement)


def rng(name):
    """Returns a generator whose seed is the case's name, so that a new case changes no other."""
    return np.random.default_rng(zlib.crc32(name.encode()))


def write(case, root):
    """Writes the case's folder; returns its path."""
    folder = pathlib.Path(root) / case.name
    folder.mkdir(parents=True, exist_ok=True)
    files = case.files()
    for stale in set(p.name for p in folder.iterdir()) - set(files):
        (folder / stale).unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def differences(case, root):
    """Returns names of files in the case's folder that are missing, superfluous or differ from the current case."""
    folder = pathlib.Path(root) / case.name
    files = case.files()
    found = {p.name: p.read_bytes() for p in folder.iterdir()} if folder.is_dir() else {}
    return sorted(f"{case.name}/{name}" for name in set(files) | set(found) if files.get(name) != found.get(name))
