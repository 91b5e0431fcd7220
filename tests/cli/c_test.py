"""Headers of generated kernels are also C: all of the library's compile as C, and a program in C calls some of them."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from harness import ROOT, TOOL

sys.path.insert(0, str(ROOT / "scripts"))
import nvcc_gate  # noqa: E402

NVCC = nvcc_gate.find_nvcc()
CUDA = Path(NVCC).resolve().parent.parent if NVCC else None
KERNELS = ("basics/add_vectors_blocked", "checks/gather_checked", "rows/layer_norm")
C = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", f"-I{ROOT}/generated", f"-I{ROOT}/runtime",
     "-isystem", f"{CUDA}/include"]


@unittest.skipUnless(NVCC, "the headers of the CUDA Toolkit are not there")
class CallersInC(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def run_well(self, *command, **options):
        done = subprocess.run([*map(str, command)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])
        return done.stdout

    def test_every_header_compiles_as_c(self):
        headers = sorted(path.relative_to(ROOT / "generated") for path in (ROOT / "generated").rglob("*.h"))
        self.assertGreater(len(headers), 100)
        source = self.folder / "all.c"
        source.write_text("".join(f'#include "{header}"\n' for header in headers))
        self.run_well(*C, "-fsyntax-only", source)

    def test_a_program_in_c_calls_launchers(self):
        emulator = Path(TOOL).resolve().parent / "runtime/emulator/libpallasgen_emulator.a"
        self.run_well(*C, "-c", ROOT / "tests/c/call.c", "-o", self.folder / "call.o")
        objects = [self.folder / "call.o"]
        for kernel in KERNELS:
            objects.append(self.folder / f"{Path(kernel).name}.o")
            self.run_well("clang++-19", "-std=c++20", "-w", "-O1", "-ffp-contract=off", f"-I{ROOT}/runtime/emulator/include",
                          f"-I{ROOT}/runtime", "-isystem", f"{CUDA}/include", "-x", "c++", "-c",
                          ROOT / f"generated/{kernel}.cu", "-o", objects[-1])
        self.run_well("clang++-19", *objects, emulator, "-lpthread", "-o", self.folder / "call")
        self.run_well(self.folder / "call")


if __name__ == "__main__":
    unittest.main(verbosity=2)
