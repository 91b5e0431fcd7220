"""Compiles generated kernels for the GPU into one shared library with plain C entry points for ctypes."""
import ctypes
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
GENCODE = ["-gencode", "arch=compute_90a,code=sm_90a"]


def find_nvcc():
    return shutil.which("nvcc") or next((p for p in ["/usr/local/cuda/bin/nvcc"] if os.path.exists(p)), None)


def declaration(header):
    """Name and parameters [(type, name)] of the launcher that a generated header declares."""
    text = re.sub(r"//[^\n]*", "", header.read_text())
    found = re.search(r"cudaError_t\s+(\w+)\(([^;]*)\);", text)
    parameters = []
    for parameter in found.group(2).split(","):
        words = parameter.split()
        parameters.append((" ".join(words[:-1]), words[-1]))
    return found.group(1), parameters


def entry_point(header):
    """C source of `int run_<kernel>(…)` with pointers as void*."""
    name, parameters = declaration(header)
    declared, passed = [], []
    for kind, parameter in parameters:
        pointer = "*" in kind
        declared.append(("void* " if pointer or kind == "cudaStream_t" else kind + " ") + parameter)
        passed.append(f"static_cast<{kind}>({parameter})" if pointer or kind == "cudaStream_t" else parameter)
    return (f'extern "C" int run_{name}({", ".join(declared)}) {{\n'
            f'  return static_cast<int>({name}({", ".join(passed)}));\n}}\n')


CTYPES = {"int64_t": ctypes.c_int64, "int32_t": ctypes.c_int32, "int": ctypes.c_int32, "uint32_t": ctypes.c_uint32,
          "uint64_t": ctypes.c_uint64, "float": ctypes.c_float, "double": ctypes.c_double, "bool": ctypes.c_bool}


class Kernels:
    """The compiled launchers, by kernel name: call(*tensors and numbers, stream) -> None, or RuntimeError."""

    def __init__(self, folder, sources):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        nvcc = find_nvcc()
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = list(pool.map(lambda source: self._compile(nvcc, source), sources))
        library = self.folder / "libkernels.so"
        subprocess.run([nvcc, "-shared", *GENCODE, "-o", library, *objects], check=True)
        self.library = ctypes.CDLL(str(library)) if library.exists() else None
        self.parameters = {}
        for source in sources:
            name, parameters = declaration(source.with_suffix(".h"))
            function = getattr(self.library, "run_" + name)
            function.argtypes = [CTYPES.get(kind, ctypes.c_void_p) for kind, _ in parameters]
            self.parameters[name] = [parameter for _, parameter in parameters]
        self.library.kernels_last_error.restype = ctypes.c_char_p

    def _compile(self, nvcc, source):
        stem = "_".join(source.relative_to(ROOT / "generated").with_suffix("").parts)
        header = source.with_suffix(".h")
        shim = self.folder / f"{stem}.cu"
        text = f'#include "{source}"\n' + entry_point(header)
        if not list(self.folder.glob("*.last_error")):
            (self.folder / f"{stem}.last_error").touch()
            text += ('#include <pallasgen/error.h>\n'
                     'extern "C" const char* kernels_last_error() { return pallasgen::last_error(); }\n')
        shim.write_text(text)
        object_file = self.folder / f"{stem}.o"
        subprocess.run([nvcc, "-std=c++20", "-O3", *GENCODE, "-lineinfo", "-Xcompiler", "-fPIC", f"-I{ROOT}/runtime",
                        f"-I{source.parent}", "-c", shim, "-o", object_file], check=True)
        return object_file

    def call(self, name, *arguments):
        values = [a.data_ptr() if hasattr(a, "data_ptr") else a for a in arguments]
        error = getattr(self.library, "run_" + name)(*values)
        if error != 0:
            raise RuntimeError(f"{name}: CUDA error {error}: {self.library.kernels_last_error().decode()}")
