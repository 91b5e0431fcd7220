"""Calls kernels from a program in C, whose calls are made from the interfaces of `.plan.json`, with the arrays of one
of their tests, and compares the results with the interpreter's.

  c_values.py FOLDER CASES GENERATED HEADERS CUDA KERNEL…

FOLDER has the package library_kernels and its object files; GENERATED, the kernels' headers and plans; HEADERS, the
tree that pallasgen is installed in; CUDA, the headers of the toolkit (run.py)."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), sys.argv[1]]
import numpy as np  # noqa: E402
from cases import Case  # noqa: E402
from report import Report  # noqa: E402

report = Report()
MADE, CASES, GENERATED, INSTALLED, CUDA = map(Path, sys.argv[1:6])


def literal(value):
    return str(int(value)) if isinstance(value, (bool, int)) else repr(float(value))


class Call:
    """A call of a kernel in C, with the files of its arrays."""

    def __init__(self, place):
        self.place, self.name = place, Path(place).name
        self.interface = json.loads((GENERATED / f"{place}.plan.json").read_text())["interface"]
        self.case = Case(CASES / self.name, self.name)
        test = self.case.test
        self.numbers = {**(test.get("dims") or {}), **(test.get("scalars") or {})}
        self.arrays = {each["name"]: each for each in self.interface["arguments"] if "shape" in each}
        # Sizes that the test leaves out: extents of its arrays, and strides of rows without gaps.
        for key, of in (("shape", lambda values: values.shape), ("strides", lambda values: np.zeros(values.shape, "u1").strides)):
            for name, each in self.arrays.items():
                for told, size in zip(each.get(key, []), of(self.values(name))):
                    if "size" in told:
                        self.numbers.setdefault(told["size"], size)

    def values(self, name):
        """Returns the array's content before the call."""
        given = self.case.arguments.get(name)
        return np.zeros_like(self.case.wanted[name]) if given is None else given

    def strides(self, name):
        """Returns the array's strides in elements, as the launcher takes them."""
        told = self.arrays[name].get("strides")
        values = self.values(name)
        if told is None:
            return [step for step in np.zeros(values.shape, np.uint8).strides]
        return [each.get("value", self.numbers.get(each.get("size"))) if "value" in each or "size" in each
                else eval(each["text"], {}, dict(self.numbers)) for each in told]  # noqa: S307

    def memory(self, name):
        """Returns memory for its elements, as bits with these strides, and a view of it in the array's shape."""
        values, strides = self.values(name), self.strides(name)
        last = sum((extent - 1) * stride for extent, stride in zip(values.shape, strides)) if values.size else -1
        bits = np.zeros(last + 1, f"u{values.itemsize}")
        return bits, np.lib.stride_tricks.as_strided(bits, values.shape, [stride * values.itemsize for stride in strides])

    def write(self, folder):
        for name in self.arrays:
            bits, view = self.memory(name)
            view[...] = np.ascontiguousarray(self.values(name)).reshape(view.shape).view(bits.dtype)
            bits.tofile(folder / f"{name}.bin")

    def text(self):
        """Returns the function in C that reads the files, calls the launcher and writes the results."""
        name, lines, words = self.interface["function"], [], []
        for argument in self.interface["arguments"]:
            each, role = argument["name"], argument["role"]
            if role in ("in", "out", "inout"):
                lines.append(f'void* {each} = array_of("{each}.bin", {self.memory(each)[0].nbytes});')
            words.append({"size": lambda: literal(self.numbers[each]), "scalar": lambda: literal(self.numbers[each]),
                          "stream": lambda: "NULL"}.get(role, lambda: each)())
        if "workspace_bytes" in self.interface:
            needs = self.interface["workspace_bytes"]
            sizes = ", ".join(literal(self.numbers[size]) for size in needs["sizes"])
            lines += [f"size_t workspace_bytes = {needs['function']}({sizes});", "void* workspace = device(workspace_bytes);"]
        lines += [f'expect_success("{name}", {name}({", ".join(words)}));',
                  f'expect_success("{name}", cudaDeviceSynchronize());']
        if "status" in self.interface:
            status = f"{self.interface['status']['function']}(workspace)"
            lines.append(f'if ({status}[0] != 0) fail("{name}", {status});')
        for each, argument in self.arrays.items():
            if argument["role"] != "in":
                lines.append(f'save("{each}.out", {each}, {self.memory(each)[0].nbytes});')
        return f"static void call_{name}(void) {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n"

    def compare(self, folder):
        made = []
        for name in self.case.wanted:
            bits, view = self.memory(name)
            bits[...] = np.fromfile(folder / f"{name}.out", bits.dtype)
            made.append(np.ascontiguousarray(view).reshape(view.shape).view(self.case.wanted[name].dtype))
        self.case.compare(report, "C", tuple(made), lambda array: array)


def program(calls, folder):
    """Returns one program of all the calls; its first argument selects one."""
    text = '#include <string.h>\n\n#include "arrays.h"\n' + "".join(f'#include "{call.place}.h"\n' for call in calls)
    text += "\n" + "\n".join(call.text() for call in calls) + "\nint main(int count, char** words) {\n  if (count != 2) return 2;\n"
    for call in calls:
        name = call.interface["function"]
        text += f'  if (strcmp(words[1], "{name}") == 0) call_{name}();\n'
    (folder / "calls.c").write_text(text + "  return 0;\n}\n")
    headers = [f"-I{Path(__file__).parent}", f"-I{GENERATED}", f"-I{INSTALLED}/include", "-isystem", CUDA]
    subprocess.run([*map(str, ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", *headers, "-c",
                               folder / "calls.c", "-o", folder / "calls.o"])], check=True)
    objects = sorted((MADE / "CMakeFiles/library_kernels_cpu.dir").rglob("*_cu.cpp.o"))
    subprocess.run([*map(str, ["c++", folder / "calls.o", *objects, INSTALLED / "lib/pallasgen/libpallasgen_emulator.a", "-lpthread",
                               "-ldl", "-o", folder / "calls"])], check=True)
    return folder / "calls"


def main():
    calls = [report.attempt(f"call of {place}", lambda: Call(place)) for place in sys.argv[6:]
             if (CASES / Path(place).name / "case.json").exists()]
    calls = [call for call in calls if call]
    with tempfile.TemporaryDirectory() as scratch:
        binary = program(calls, Path(scratch))
        for call in calls:
            folder = Path(scratch) / call.name
            folder.mkdir()
            call.write(folder)
            done = subprocess.run([binary, call.interface["function"]], cwd=folder, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
            if done.returncode:
                report.expect(f"{call.name} through C", False, done.stdout[-600:])
            else:
                report.attempt(f"{call.name} through C", lambda: call.compare(folder))
    report.end()


main()
