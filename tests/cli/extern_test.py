"""`extern`: functions of a user's C++ header, read by pallasgen-clang, compiled for the CPU, and named in depfiles."""
import json
import os
import shutil
import struct
import subprocess
import unittest
from pathlib import Path

from harness import ROOT, TOOL, ToolTest, run

CLANG = Path(TOOL).resolve().parent / "pallasgen-clang"

HEADER = """\
#pragma once
#include "more/ops.cuh"
__device__ inline float scaled(float x) { return FACTOR * half_of(x); }
"""
MORE = "#pragma once\n__host__ __device__ inline float half_of(float x) { return 0.5f * x; }\n"
SPEC = """\
pallasgen: 1
kernel: scale
dims: {N: {multiple_of: 4}}
consts: {bn: 256}
extern: {header: my_ops.cuh, functions: [scaled]}
grid: [{axis: i, size: "cdiv(N, bn)"}]
inputs: {x: {type: "f32[N]", block: [bn], index_map: [i]}}
outputs: {z: {type: "f32[N]", block: [bn], index_map: [i]}}
pipeline: {stages: 0}
body:
  - z[...] = scaled(x)
tests: [{dims: {N: 8}}]
"""


def toolkit():
    nvcc = shutil.which("nvcc")
    roots = [os.environ.get("CUDAToolkit_ROOT"), nvcc and Path(nvcc).resolve().parent.parent, "/usr/local/cuda"]
    return next(Path(root) for root in roots if root and (Path(root) / "include/cuda_runtime.h").exists())


def floats_of(path):
    data = path.read_bytes()
    return struct.unpack(f"<{(len(data) - 128) // 4}f", data[128:])


@unittest.skipUnless(CLANG.exists(), "pallasgen-clang was not built")
class Externs(ToolTest):
    def setUp(self):
        super().setUp()
        self.spec.unlink()
        self.spec = self.folder / "specs/scale.yaml"
        self.spec.write_text(SPEC)
        self.header = self.folder / "specs/my_ops.cuh"
        self.header.write_text(HEADER)
        self.more = self.folder / "inc/more/ops.cuh"
        self.more.parent.mkdir(parents=True)
        self.more.write_text(MORE)
        self.args = [f"--extern-arg=-I{self.folder}/inc", "--extern-arg=-DFACTOR=3.0f"]
        self.environment = dict(os.environ, TMPDIR=str(self.folder))

    def interpreted(self, *more):
        out = self.folder / "z.npy"
        done = run("interpret", self.spec, "--test", 1, "--out", f"z={out}", *more, env=self.environment)
        return done, floats_of(out) if done.returncode == 0 else None

    def test_arguments_and_files_of_the_header(self):
        done = self.generate(*self.args, "--depfile", self.folder / "d")
        self.assertEqual(done.returncode, 0, done.stderr)
        depfile = (self.folder / "d").read_text()
        for path in (self.spec, self.header, self.more):
            self.assertIn(str(path), depfile)
        text = (self.out / "scale.cu").read_text()
        self.assertIn('#include "my_ops.cuh"\n', text)
        self.assertNotIn(str(self.folder), text)
        # Without the include path the header does not parse, and nothing is written.
        shutil.rmtree(self.out)
        done = self.generate()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"my_ops.cuh:2:10: note: 'more/ops.cuh' file not found")
        self.assertFalse(self.out.exists())

    def test_a_compilation_database_gives_the_arguments(self):
        database = self.folder / "compile_commands.json"
        entry = {"directory": str(self.folder), "file": "gen/scale.cu", "command": "nvcc -I inc '-DFACTOR=5.0f' -c gen/scale.cu"}
        other = {"directory": "/", "file": "other.cu", "arguments": ["nvcc", "-DFACTOR=7.0f", "-c", "other.cu"]}
        database.write_text(json.dumps([other, entry]))
        plain, wanted = self.interpreted(*self.args)
        self.assertEqual(plain.returncode, 0, plain.stderr)
        done, got = self.interpreted("--compile-commands", database)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([round(a * 3 / 5, 4) for a in got], [round(a, 4) for a in wanted])
        for text, said in (("{}", "is no compilation database"), ("[]", "compiles no .cu file"), ("[{}]", "has an entry without")):
            database.write_text(text)
            done, _ = self.interpreted("--compile-commands", database)
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stderr)
            self.assertIn("[compile-commands]", done.stderr)

    def test_a_changed_header_is_noticed(self):
        _, first = self.interpreted(*self.args)
        self.more.write_text(MORE.replace("0.5f * x", "0.25f * x"))
        done, second = self.interpreted(*self.args)
        self.assertEqual(second, tuple(value / 2 for value in first), done.stderr)
        self.assertEqual(self.generate(*self.args).returncode, 0)
        check = ("check", self.spec, "--out", self.out, *self.args)
        self.assertEqual(run(*check).returncode, 0)
        # A result of another dtype changes the output, or is a mismatch where the spec needs the first one.
        self.header.write_text(HEADER.replace("inline float scaled", "inline double scaled"))
        done = run(*check)
        self.assertEqual(done.returncode, 1)
        self.assertIn("f64", done.stderr)
        self.spec.write_text(SPEC.replace("scaled(x)", "scaled(x).astype(f32)"))
        self.header.write_text(HEADER)
        self.assertEqual(self.generate(*self.args).returncode, 0)
        self.header.write_text(HEADER.replace("inline float scaled", "inline double scaled"))
        done = run(*check)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("stale", done.stdout)

    def test_headers_of_system_folders_are_followed_too(self):
        system = ("--extern-arg=-isystem", f"--extern-arg={self.folder}/inc", self.args[1])
        done, first = self.interpreted(*system)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.more.write_text(MORE.replace("0.5f * x", "0.25f * x"))
        done, second = self.interpreted(*system)
        self.assertEqual(second, tuple(value / 2 for value in first), done.stderr)
        self.more.write_text("__device__ int calls;\n" + MORE.replace("0.5f * x", "x * ++calls"))
        self.assertIn("uses the variable 'calls'", self.generate(*system).stderr)

    def test_what_only_a_gpu_has_is_refused_on_the_cpu(self):
        body = 'asm("mul.f32 %0, %1, 0f40400000;" : "=f"(x) : "f"(x));'
        self.header.write_text("__device__ inline float scaled(float x) {\n  " + body + "\n  return x;\n}\n")
        done, _ = self.interpreted()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"scale.yaml:11:14: error: 'scaled' of .my_ops.cuh. cannot be run: .*__CUDA_ARCH__")
        self.assertIn("[run-extern]", done.stderr)
        self.assertEqual(self.generate().returncode, 0)
        self.header.write_text("__device__ inline float scaled(float x) {\n#ifdef __CUDA_ARCH__\n  " + body +
                               "\n#else\n  x *= 3;\n#endif\n  return x;\n}\n")
        done, values = self.interpreted()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(any(values))

    def test_a_function_that_fails_does_not_end_the_tool(self):
        cases = {"int n = int(x * 0); return 10 / n;": "signal 8", "return x > 1e30f ? 0 : scaled(x) + scaled(x + 1) * 2;": "signal 11"}
        for body, said in cases.items():
            with self.subTest(body):
                self.header.write_text("__device__ inline float scaled(float x) { " + body + " }\n")
                done, _ = self.interpreted()
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertRegex(done.stderr, r"scale.yaml:11:14: error: 'scaled' of .my_ops.cuh. cannot be run: .*" + said)

    def test_effects_that_no_statement_of_the_function_shows(self):
        counter = "__device__ int calls;\n__device__ inline int counted() { return ++calls; }\n"
        cases = {
            "a default of an argument": "__device__ inline float scaled(float x, int n = counted()) { return x + n; }",
            "a default of a member": "struct P { int n = counted(); };\n"
                                     "__device__ inline float scaled(float x) { P p{}; return x + p.n; }",
            "a member's constructor": "struct M { int n; __device__ M() : n(counted()) {} };\nstruct P { M m; };\n"
                                      "__device__ inline float scaled(float x) { P p; return x + p.m.n; }",
            "a temporary's destructor": "struct P { float x; __device__ ~P() { counted(); } };\n"
                                        "__device__ inline float scaled(float x) { return P{x}.x; }",
            "a member's destructor": "struct M { float x; __device__ ~M() { counted(); } };\nstruct P { M m; };\n"
                                     "__device__ inline float scaled(float x) { P p{{x}}; return p.m.x; }",
        }
        for name, text in cases.items():
            with self.subTest(name):
                self.header.write_text(counter + text + "\n")
                done = self.generate()
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr, "uses the variable 'calls'(.|\n)*extern-effect|extern-effect(.|\n)*'calls'")
        virtual = ("struct A { __device__ virtual float of(float x) const { return x; } };\n"
                   "__device__ inline float scaled(float x) { A a; const A& b = a; return %s(x); }\n")
        self.header.write_text(virtual % "b.of")
        self.assertIn("known only when it runs", self.generate().stderr)
        for known in ("a.of", "b.A::of"):
            self.header.write_text(virtual % known)
            self.assertEqual(self.generate().returncode, 0)
        self.header.write_text("__device__ inline float scaled(float x) { __barrier_sync(1); return x; }\n")
        self.assertIn("calls '__barrier_sync'", self.generate().stderr)

    def test_what_clang_takes_and_nvcc_does_not(self):
        function = "__device__ inline float scaled(float x) { return %s; }\n"
        cases = {
            "constexpr float table[2] = {1, 2};\n" + function % "x * table[int(x)]": "more than the value of 'table'",
            "constexpr float table[2] = {1, 2};\n" + function % "x * table[1]": "more than the value of 'table'",
            "constexpr float by = 2;\n__device__ inline float same(const float& x) { return x; }\n" +
            function % "x * same(by)": "more than the value of 'by'",
            "constexpr float twice(float x) { return 2 * x; }\n" + function % "twice(x)": "'twice', which is no __device__",
            "struct P { float x; constexpr P(float x) : x(x) {} };\n" + function % "P(x).x": "'P', which is no __device__",
            "constexpr auto twice = [](float x) { return 2 * x; };\n" + function % "twice(x)": "which is no __device__",
            "#include <limits>\n" + function % "x + std::numeric_limits<float>::max()": "which is no __device__",
            "#include <algorithm>\n" + function % "std::max(x, 1.0f)": "'std::max', which is no __device__",
            "__device__ consteval float scaled(float x) { return x; }\n": "is consteval",
            "inline float scaled(float x) { return x; }\n" + function % "x": "for the host and for the device apart",
        }
        for text, said in cases.items():
            with self.subTest(text):
                self.header.write_text(text)
                done = self.generate()
                self.assertEqual(done.returncode, 1)
                self.assertIn(said, done.stderr)
        fine = ("#include <cmath>\n#include <type_traits>\nstruct S { float a; int n; };\nconstexpr S set{2, 3};\n"
                "const float by = 2.5f;\nconstexpr int twice(int x) { return 2 * x; }\nconstexpr int four = twice(2);\n"
                "template <class T> constexpr T pi = T(3.14);\nstruct P { float x = 1; };\n"
                "__device__ inline float scaled(float x) {\n  static constexpr float table[2] = {1, 2};\n"
                "  S copy = set;\n  P p;\n  for (float each : {1.0f, 2.0f}) x += each;\n"
                "  auto local = [&](float y) { return x + y; };\n  return local(by) * set.a + copy.n + pi<float> + four +\n"
                "         table[int(x) & 1] + p.x + sizeof(twice(1)) + std::is_same_v<int, float> + std::exp(x);\n}\n")
        self.header.write_text(fine)
        done = self.generate()
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_header_that_does_not_go_with_the_generated_file(self):
        function = "__device__ inline float scaled(float x) { return 3 * x; }\n"
        cases = {
            "constexpr int kThreads = 17;\n" + function: r"scale.cu:\d+:\d+: note: reference to 'kThreads' is ambiguous",
            "template <class T>\nstruct Fragment {};\n" + function: "reference to 'Fragment' is ambiguous",
            "#define tile 3\n" + function: "my_ops.cuh:1:14: note: a macro puts this there",
            "#define e 2.718f\n" + function: "my_ops.cuh:1:11: note: a macro puts this there",
            "#ifdef __CUDA_ARCH__\n" + function + "#endif\n": "use of undeclared identifier 'scaled'",
            "inline int ceil_div(int64_t n, int by) { return 0; }\n" + function:
                "'ceil_div' would be the function of the header, not the one of the runtime",
        }
        for text, said in cases.items():
            with self.subTest(text):
                self.header.write_text(text)
                done = self.generate()
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr, "does not go with the file that is generated")
                self.assertRegex(done.stderr, said)
                self.assertFalse(self.out.exists())
        # A header with the path of another file of the compilation, and a define that is a name in the runtime.
        self.header.write_text(function)
        for name in ("scale.h", "pallasgen/launch.h"):
            header = self.folder / "specs" / name
            header.parent.mkdir(exist_ok=True)
            header.write_text(function)
            self.spec.write_text(SPEC.replace("my_ops.cuh", name))
            done = self.generate()
            self.assertEqual(done.returncode, 1, name)
            self.assertIn("does not go with the file that is generated", done.stderr)
            header.unlink()
        self.spec.write_text(SPEC)
        done = self.generate("--extern-arg=-DS=3")
        self.assertEqual(done.returncode, 1)
        self.assertIn("does not go with the file that is generated", done.stderr)
        # Allowed in a header: names of its own, functions of either pass, names of types that mean the same.
        self.header.write_text("#include <cuda_bf16.h>\nusing bf16 = __nv_bfloat16;\nnamespace mine { constexpr int kThreads = 1; }\n"
                               "#ifdef __CUDA_ARCH__\n" + function + "#else\n" + function + "#endif\n")
        done = self.generate()
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_names_of_the_header_stay_its_own(self):
        self.header.write_text("#define N 4\n#define x_block 7\nconstexpr int bn = 3;\n"
                               "__device__ inline float scaled(float x) { return bn * x; }\n")
        self.assertEqual(self.generate().returncode, 0)
        self.assertIn("int64_t N_", (self.out / "scale.cu").read_text())
        folders = (ROOT / "runtime/emulator/include", ROOT / "runtime", self.folder / "specs", toolkit() / "include")
        done = subprocess.run(["clang++-19", "-std=c++20", "-w", "-fsyntax-only", "-x", "c++", *(f"-I{each}" for each in folders),
                               self.out / "scale.cu"], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_launcher_calls_no_device_function(self):
        done = run("generate", ROOT / "tests/corners/extern_rows.yaml", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        kernel, _, launcher = (self.out / "extern_rows.cu").read_text().partition("\ncudaError_t ")
        self.assertIn("steps_k = is_big(t)", kernel)
        self.assertNotIn("is_big", launcher)

    def test_without_the_program_that_reads_headers(self):
        alone = self.folder / "bin/pallasgen"
        alone.parent.mkdir()
        shutil.copy(TOOL, alone)
        done = subprocess.run([alone, "generate", self.spec, "--out", self.out], text=True, capture_output=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("[extern-program]", done.stderr)
        self.assertIn("libclang-19-dev", done.stderr)
        self.assertFalse(self.out.exists())
        done = subprocess.run([alone, "explain", ROOT / "specs/basics/iota8.yaml"], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_without_a_toolkit(self):
        nowhere = dict(os.environ, CUDAToolkit_ROOT=str(self.folder))
        done = run("generate", self.spec, "--out", self.out, *self.args, env=nowhere)
        self.assertEqual(done.returncode, 1)
        self.assertIn("[host-toolkit]", done.stderr)

    def test_a_program_that_does_not_answer(self):
        alone = self.folder / "bin/pallasgen"
        alone.parent.mkdir()
        shutil.copy(TOOL, alone)
        broken = alone.with_name("pallasgen-clang")
        broken.write_text("#!/bin/sh\nexit 1\n")
        broken.chmod(0o755)
        done = subprocess.run([alone, "generate", self.spec, "--out", self.out], text=True, capture_output=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("does not answer", done.stderr)
        # A program that cannot be loaded.
        broken.write_text("#!/bin/sh\necho 'error while loading shared libraries: libclang-cpp.so.19: no such file' >&2\nexit 127\n")
        done = subprocess.run([alone, "generate", self.spec, "--out", self.out], text=True, capture_output=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("loading shared libraries: libclang-cpp.so.19", done.stderr)
        self.assertIn("install libclang-cpp19", done.stderr)
        done = subprocess.run([alone, "vet", ROOT / "generated/basics/iota8.cu"], text=True, capture_output=True)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("install libclang-cpp19", done.stderr)
        # A program that ends in the middle of its work.
        broken.write_text("#!/bin/sh\necho '{\"errors\":[],\"files\":[],\"names\":[\"scaled\"]}'\n")
        done = subprocess.run([alone, "generate", self.spec, "--out", self.out], text=True, capture_output=True)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "has ended before it said what 'scaled' is.*extern-function")

    def test_arguments_that_are_no_includes(self):
        for words, other in (((), "-c"), ((), "foo.cu"), (("-I", "inc", "-DX=1"), "-std=c++98")):
            arguments = [f"--extern-arg={word}" for word in (*words, other)]
            done = run("generate", self.spec, "--out", self.out, *arguments)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(f"include paths and defines, not '{other}'", done.stderr)
        self.assertFalse(self.out.exists())

    def test_the_toolkits_own_library(self):
        self.header.write_text("#pragma once\n#include <cuda/std/cmath>\n"
                               "__host__ __device__ inline float scaled(float x) { return cuda::std::fabs(x); }\n")
        done = run("test", self.spec, "--modes", "plain", "--work-dir", self.folder / "work")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("0 failed", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
