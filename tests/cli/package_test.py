"""The installed tool: moved elsewhere, the example project built with it, its man page and completions; many writers at once;
the headers alone."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import ADD, ROOT, TOOL, ToolTest, run

BUILD = Path(TOOL).resolve().parent
NVCC = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"


def done(*command, env=None, **options):
    # A make that the tests run must not be another make's child, which prints the folders that it enters.
    env = {name: value for name, value in (env or os.environ).items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    result = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            timeout=300, env=env, **options)
    return result.returncode, result.stdout


class Installed(unittest.TestCase):
    """Installed once, then moved to a folder whose name has a space."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.scratch.name)
        code, said = done("cmake", "--build", BUILD, "--target", "pallasgen_manual")
        assert code == 0, said
        code, said = done("cmake", "--install", BUILD, "--prefix", cls.folder / "first")
        assert code == 0, said
        cls.tree = cls.folder / "moved tree"
        (cls.folder / "first").rename(cls.tree)
        cls.tool = cls.tree / "bin/pallasgen"

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_kernels_run_on_the_cpu_from_there(self):
        spec = ROOT / "docs/example/specs/scale_rows.yaml"
        code, said = done(self.tool, "test", spec, "--work-dir", self.folder / "work", "--policies", "late", "--dims", "M=3,N=16")
        self.assertEqual(code, 0, said)
        # By its own headers: without one of them nothing compiles.
        (self.tree / "include/pallasgen/scan.cuh").unlink()
        self.addCleanup(shutil.copy, ROOT / "runtime/pallasgen/scan.cuh", self.tree / "include/pallasgen/scan.cuh")
        code, said = done(self.tool, "test", spec, "--work-dir", self.folder / "other", "--policies", "late", "--dims", "M=3,N=16")
        self.assertEqual(code, 1, said)
        self.assertIn("scan.cuh", said)

    @unittest.skipUnless(Path(NVCC).exists() and (BUILD / "pallasgen-clang").exists(), "pallasgen-clang was not built")
    def test_a_project_with_functions_of_a_header(self):
        project = self.folder / "a project of functions"
        (project / "kernels").mkdir(parents=True)
        for name in ("extern_elements.yaml", "my_ops.cuh"):
            shutil.copy(ROOT / "specs/extern" / name, project / "kernels")
        header = project / "kernels/my_ops.cuh"
        header.write_text(header.read_text().replace("#pragma once", "#pragma once\n#include \"more.h\""))
        (project / "include").mkdir()
        (project / "include/more.h").write_text("#ifndef FACTOR\n#error FACTOR is not defined\n#endif\n")
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(functions LANGUAGES CXX CUDA)\nfind_package(pallasgen REQUIRED)\n"
            "pallasgen_add_kernels(kernels SPECS kernels OUTPUT_DIR generated\n"
            "  EXTERN_ARGS -I${CMAKE_CURRENT_SOURCE_DIR}/include -DFACTOR=2)\n")
        build = project / "build"
        code, said = done("cmake", "-G", "Ninja", "-B", build, f"-DCMAKE_PREFIX_PATH={self.tree}",
                          f"-DCMAKE_CUDA_COMPILER={NVCC}", cwd=project)
        self.assertEqual(code, 0, said)
        code, said = done("cmake", "--build", build)
        self.assertEqual(code, 0, said)
        self.assertIn("no work to do", done("cmake", "--build", build)[1])
        more = project / "include/more.h"
        more.write_text(more.read_text() + "// changed\n")
        said = done("cmake", "--build", build)[1]
        self.assertIn("Generating extern_elements.cu", said)
        self.assertIn("CUDA object", said)
        self.assertEqual(done("cmake", "--build", build, "--target", "kernels.check")[0], 0)

    @unittest.skipUnless(Path(NVCC).exists(), "no nvcc on this machine")
    def test_the_example_project_builds_and_makes_anew_what_changed(self):
        project = self.folder / "a project"
        shutil.copytree(ROOT / "docs/example", project)
        build = project / "build"
        code, said = done("cmake", "-G", "Ninja", "-B", build, f"-DCMAKE_PREFIX_PATH={self.tree}",
                          f"-DCMAKE_CUDA_COMPILER={NVCC}", "-DCMAKE_CUDA_STANDARD=17", cwd=project)
        self.assertEqual(code, 0, said)
        code, said = done("cmake", "--build", build)
        self.assertEqual(code, 0, said)
        self.assertEqual(sorted(path.name for path in (project / "generated").iterdir()),
                         ["pallasgen.lock", "project.cu", "project.h", "scale_rows.cu", "scale_rows.h"])
        self.assertRegex(done(build / "example")[1], "built; no GPU to run on|both kernels ran")
        self.assertEqual(done("cmake", "--build", build, "--target", "kernels.check")[0], 0)
        self.assertIn("no work to do", done("cmake", "--build", build)[1])
        spec = project / "specs/scale_rows.yaml"
        spec.write_text("# A comment.\n" + spec.read_text())
        said = done("cmake", "--build", build)[1]
        self.assertIn("Generating scale_rows.cu", said)
        self.assertNotIn("CUDA object", said)
        spec.write_text(spec.read_text().replace("bm: 4", "bm: 8"))
        said = done("cmake", "--build", build)[1]
        self.assertEqual(re.findall(r"CUDA object \S*/(\w+)\.cu", said), ["scale_rows"])
        self.assertNotIn("main.cpp", said)  # its header is the same
        (project / "generated/project.cu").write_text("// edited\n")
        code, said = done("cmake", "--build", build, "--target", "kernels.check")
        self.assertNotEqual(code, 0)
        self.assertIn("project.cu: hand-edited", said)
        self.assertEqual(done("cmake", "--build", build, "--target", "kernels.update")[0], 0)
        self.assertEqual(done("cmake", "--build", build, "--target", "kernels.check")[0], 0)

    @unittest.skipUnless(Path(NVCC).exists(), "no nvcc on this machine")
    def test_builds_read_the_project_file(self):
        project = self.folder / "a project with a file"
        (project / "specs").mkdir(parents=True)
        shutil.copy(ROOT / "docs/example/specs/scale_rows.yaml", project / "specs")
        (project / "pallasgen.yaml").write_text("pallasgen: 1\nspecs: [specs]\nout: generated\ntarget: sm_89\ndefine: {bm: 8}\n")
        (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(rows LANGUAGES CXX CUDA)\n"
                                                "find_package(pallasgen REQUIRED)\npallasgen_add_kernels(kernels)\n")
        build = project / "build"
        code, said = done("cmake", "-G", "Ninja", "-B", build, f"-DCMAKE_PREFIX_PATH={self.tree}",
                          f"-DCMAKE_CUDA_COMPILER={NVCC}", cwd=project)
        self.assertEqual(code, 0, said)
        code, said = done("cmake", "--build", build, "--verbose")
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"arch=compute_89")
        text = (project / "generated/scale_rows.cu").read_text()
        self.assertIn("target sm_89", text)
        self.assertEqual(done(self.tool, "check", cwd=project)[0], 0)
        self.assertEqual(done("cmake", "--build", build, "--target", "kernels.check")[0], 0)
        self.assertIn("no work to do", done("cmake", "--build", build)[1])
        with (project / "pallasgen.yaml").open("a") as file:
            file.write("plan_json: true\n")
        self.assertIn("Generating scale_rows.cu", done("cmake", "--build", build)[1])
        self.assertTrue((project / "generated/scale_rows.plan.json").exists())
        self.assertIn("no work to do", done("cmake", "--build", build)[1])
        (project / "pallasgen.yaml").unlink()
        code, said = done("cmake", build)
        self.assertNotEqual(code, 0)
        self.assertIn("needs SPECS and OUTPUT_DIR, or a project file", said.replace("\n  ", " "))

    @unittest.skipUnless(Path(NVCC).exists(), "no nvcc on this machine")
    def test_projects_that_cannot_be_configured(self):
        row = (ROOT / "docs/example/specs/scale_rows.yaml").read_text()
        for number, (lines, file, said) in enumerate((
                ("pallasgen_add_kernels(one SPECS a OUTPUT_DIR made)\npallasgen_add_kernels(two SPECS b OUTPUT_DIR made/)\n", "",
                 "pallasgen_add_kernels(two): 'one' writes to"),
                ("pallasgen_add_kernels(one)\n", "pallasgen: 1\nspecs: [\"a;b\"]\nout: made\n", "'specs' has a ';'"))):
            project = self.folder / f"refused {number}"
            for folder in ("a", "b", "a;b"):
                (project / folder).mkdir(parents=True)
                (project / folder / f"{folder[0]}.yaml").write_text(row.replace("kernel: scale_rows", f"kernel: {folder[0]}"))
            if file:
                (project / "pallasgen.yaml").write_text(file)
            (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(refused LANGUAGES CXX CUDA)\n"
                                                    f"find_package(pallasgen REQUIRED)\n{lines}")
            code, text = done("cmake", "-G", "Ninja", "-B", project / "build", f"-DCMAKE_PREFIX_PATH={self.tree}",
                              f"-DCMAKE_CUDA_COMPILER={NVCC}", cwd=project)
            self.assertNotEqual(code, 0, text)
            self.assertIn(said, text.replace("\n  ", " "))

    def test_names_that_a_python_package_cannot_have(self):
        for number, (modules, said) in enumerate(((("alpha.beta", "beta.alpha"), "the kernel 'beta' is not in the file of that name"),
                                                  (("one.add", "two.add"), "two kernels below"),
                                                  (("add.add", "add_new.add_new"), "the kernel add_new has a name that is made of"))):
            project = self.folder / f"names {number}"
            (project / "generated").mkdir(parents=True)
            for module in modules:
                stem, kernel = module.split(".")
                (project / f"generated/{stem}.py").write_text(f'__all__ = ["{kernel}"]\n')
            (project / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.25)\nproject(names LANGUAGES CXX)\nfind_package(pallasgen REQUIRED)\n"
                "pallasgen_add_python_package(names GENERATED generated)\n")
            code, printed = done("cmake", "-G", "Ninja", "-B", project / "build", f"-DCMAKE_PREFIX_PATH={self.tree}", cwd=project)
            self.assertNotEqual(code, 0)
            self.assertIn(said, re.sub(r"\s+", " ", printed))

    def test_the_make_fragment_reads_the_project_file(self):
        if not (self.folder / "tree").exists():
            (self.folder / "tree").symlink_to(self.tree)
        project = self.folder / "make_with_a_file"
        (project / "kernels").mkdir(parents=True)
        (project / "kernels/add.yaml").write_text(ADD)
        (project / "pallasgen.yaml").write_text("pallasgen: 1\nspecs: [kernels]\nout: made\ntarget: sm_89\nextern_args: [-Iinc]\n")
        (project / "Makefile").write_text(f"include {self.folder}/tree/share/pallasgen/pallasgen.mk\nall: $(PALLASGEN_SOURCES)\n"
                                          "\t@echo $(PALLASGEN_NVCCFLAGS) $(PALLASGEN_CPPFLAGS)\n")
        environment = {name: value for name, value in os.environ.items() if name != "PALLASGEN"}
        code, said = done("make", "all", cwd=project, env=environment)
        self.assertEqual(code, 0, said)
        self.assertIn("arch=compute_89,code=sm_89", said)
        self.assertIn("-I kernels -Iinc", said)
        self.assertIn("target sm_89", (project / "made/add.cu").read_text())
        self.assertEqual(done("make", "pallasgen-check", cwd=project, env=environment)[0], 0)
        (project / "pallasgen.yaml").write_text("pallasgen: 1\nspecs: [kernels, more]\nout: made\n")
        code, said = done("make", "all", cwd=project, env=environment)
        self.assertNotEqual(code, 0)
        self.assertIn("PALLASGEN_SPECS is one folder, not 'kernels more'", said)
        (project / "pallasgen.yaml").write_text("pallasgen: 1\nspecs: [kernels]\n")
        self.assertEqual(done("make", "all", cwd=project, env=environment)[0], 0)
        self.assertTrue((project / "generated/add.cu").exists())
        (project / "pallasgen.yaml").write_text("pallasgen: 1\nspecs: [kernels]\noot: x\n")
        code, said = done("make", "all", cwd=project, env=environment)
        self.assertNotEqual(code, 0)
        self.assertIn("pallasgen.yaml cannot be read", said)

    def test_the_man_page_and_completions_name_every_command(self):
        commands = re.findall(r"^  (\w+) {2,}", run("--help").stdout.split("Subcommands:")[1], re.M)
        self.assertIn("generate", commands)
        for place in ("share/man/man1/pallasgen.1", "share/bash-completion/completions/pallasgen",
                      "share/zsh/site-functions/_pallasgen"):
            text = (self.tree / place).read_text()
            for command in commands:
                self.assertIn(command, text, place)
            self.assertIn("depfile", text, place)
        completion = self.tree / "share/bash-completion/completions/pallasgen"
        code, said = done("bash", "-c", f'source "{completion}"; COMP_WORDS=(pallasgen generate --p); COMP_CWORD=2; _pallasgen; '
                          'echo "${COMPREPLY[@]}"')
        self.assertEqual((code, said), (0, "--project --plan-json --prune\n"))
        code, said = done("bash", "-c", f'source "{completion}"; COMP_WORDS=(pallasgen check --error-format ""); COMP_CWORD=3; '
                          '_pallasgen; echo "${COMPREPLY[@]}"')
        self.assertEqual((code, said), (0, "text json github\n"))

    def test_the_make_fragment_finds_the_tree_that_it_is_in(self):
        if not (self.folder / "tree").exists():
            (self.folder / "tree").symlink_to(self.tree)  # Make ends names at spaces
        project = self.folder / "make"
        (project / "specs").mkdir(parents=True)
        (project / "specs/add.yaml").write_text(ADD)
        (project / "Makefile").write_text(f"include {self.folder}/tree/share/pallasgen/pallasgen.mk\nall: $(PALLASGEN_SOURCES)\n")
        environment = {name: value for name, value in os.environ.items() if name != "PALLASGEN"}
        code, said = done("make", "all", cwd=project, env=environment)
        self.assertEqual(code, 0, said)
        self.assertIn(f"{self.folder}/tree/bin/pallasgen generate", said)
        self.assertTrue(os.access(self.tree / "share/pallasgen/pre-commit", os.X_OK))

    def test_vet_from_there_and_without_its_program(self):
        kernel = ROOT / "generated/shapes/choose.cu"
        clang = self.tree / "bin/pallasgen-clang"
        if clang.exists():
            self.assertEqual(done(self.tool, "vet", kernel), (0, ""))
            clang.rename(self.tree / "bin/away")
            self.addCleanup((self.tree / "bin/away").rename, clang)
        code, said = done(self.tool, "vet", kernel)
        self.assertEqual(code, 4, said)
        self.assertIn("[vet-program]", said)

    def debian_package(self):
        code, said = done("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", self.folder / "deb")
        self.assertEqual(code, 0, said)
        package = next((self.folder / "deb").glob("*.deb"))
        self.assertEqual(done("dpkg-deb", "-x", package, self.folder / "unpacked")[0], 0)
        self.assertEqual(done(self.folder / "unpacked/usr/bin/pallasgen", "list", ROOT / "docs/example/specs")[0], 0)

    if os.environ.get("PALLASGEN_ALL"):  # part of `make test-all`
        test_the_debian_package = debian_package


class Makefiles(ToolTest):
    def make(self, *targets):
        code, said = done("make", *targets, f"PALLASGEN={TOOL}", "NVCC=echo compiled", cwd=self.folder)
        self.assertEqual(code, 0, said)
        for name in re.findall(r"compiled .* -o (\S+)", said):
            (self.folder / name).touch()
        return said

    def test_the_lines_of_the_page(self):
        page = (ROOT / "docs/building.md").read_text().split("## Make\n")[1].split("\nThe fragment")[0]
        text = "".join(f"{line[4:]}\n" for line in page.splitlines())
        # Commands that link and compile need no compiler here.
        for word, place in (("/opt/pallasgen/share/pallasgen/pallasgen.mk", ROOT / "share/pallasgen.mk"),
                            ("\tnvcc", "\techo compiled"), ("\tg++", "\techo compiled")):
            self.assertIn(word, text)
            text = text.replace(word, str(place))
        (self.folder / "Makefile").write_text(text)
        (self.folder / "main.cpp").write_text("")
        nested = self.folder / "specs/rows/plus.yaml"
        nested.parent.mkdir()
        nested.write_text(ADD.replace("kernel: add", "kernel: plus"))
        self.assertIn("compiled -std=c++20", self.make())
        self.assertEqual(sorted(path.name for path in (self.folder / "build").rglob("*.o")), ["add.o", "plus.o"])
        self.assertEqual(self.make(), "")
        nested.write_text(nested.read_text().replace("x + y", "x - y"))
        self.assertEqual(set(re.findall(r"-c (\S+\.cu)", self.make())), {"generated/rows/plus.cu"})
        # Unchanged outputs are not compiled again; missing ones are restored.
        nested.touch()
        said = self.make()
        self.assertIn(" generate specs/rows/plus.yaml", said)
        self.assertNotIn("-c generated", said)
        self.assertEqual(self.make(), "")
        (self.folder / "generated/add.cu").unlink()
        (self.folder / "build/add.o").unlink()
        self.assertEqual(set(re.findall(r"-c (\S+\.cu)", self.make())), {"generated/add.cu"})
        self.make("pallasgen-check")
        nested.unlink()
        self.assertIn("removed generated/rows/plus.cu", self.make("pallasgen-update"))


class Hook(ToolTest):
    def git(self, *words, **options):
        return done("git", "-c", "user.name=n", "-c", "user.email=e@e", *words, cwd=self.folder, **options)

    def test_it_looks_at_what_is_committed(self):
        environment = dict(os.environ, PALLASGEN=str(TOOL))
        self.git("init", "-q")
        (self.folder / ".git/hooks").mkdir(exist_ok=True)
        shutil.copy(ROOT / "share/pre-commit", self.folder / ".git/hooks/pre-commit")
        run("generate", "specs", "--out", "generated", cwd=self.folder)
        self.git("add", ".")
        self.assertEqual(self.git("commit", "-qm", "one", env=environment)[0], 0)
        # The generated file is current in the folder, and the commit lacks it.
        self.spec.write_text(ADD.replace("x + y", "x - y"))
        run("generate", "specs", "--out", "generated", cwd=self.folder)
        self.git("add", "specs")
        code, said = self.git("commit", "-qm", "two", env=environment)
        self.assertNotEqual(code, 0, said)
        self.assertIn("add.cu: stale", said)
        self.git("add", "generated")
        self.assertEqual(self.git("commit", "-qm", "two", env=environment)[0], 0)
        # With the folders in a project file.
        (self.folder / "pallasgen.yaml").write_text("pallasgen: 1\nspecs: [specs]\nout: generated\n")
        self.git("add", "pallasgen.yaml")
        self.git("config", "pallasgen.out", "elsewhere")
        self.assertEqual(self.git("commit", "-qm", "project", env=environment)[0], 0)
        self.git("rm", "-q", "--cached", "generated/add.cu")
        self.assertNotEqual(self.git("commit", "-qm", "less", env=environment)[0], 0)
        self.git("add", "generated")
        self.git("rm", "-qf", "pallasgen.yaml")
        self.git("config", "--unset", "pallasgen.out")
        self.git("commit", "-qm", "no project", env=environment)
        # The same by pre-commit's own file.
        hook = (ROOT / ".pre-commit-hooks.yaml").read_text()
        entry, given = re.search(r"entry: pallasgen (.*)", hook).group(1), re.search(r"args: \[(.*)\]", hook).group(1)
        self.assertEqual(run(entry, *given.split(", "), cwd=self.folder).returncode, 0)
        (self.folder / "words.txt").write_text("none of its business\n")
        self.git("add", "words.txt")
        self.assertEqual(self.git("commit", "-qm", "three", env=dict(environment, PALLASGEN="false"))[0], 0)


class Writers(ToolTest):
    def test_sixty_at_once_lose_no_line_of_the_lock(self):
        for number in range(60):
            (self.folder / f"specs/k{number}.yaml").write_text(ADD.replace("kernel: add", f"kernel: k{number}"))

        def generate(number):
            return run("generate", self.folder / f"specs/k{number}.yaml", "--out", self.out)

        with ThreadPoolExecutor(60) as pool:
            for result in pool.map(generate, range(60)):
                self.assertEqual(result.returncode, 0, result.stderr)
        lines = (self.out / "pallasgen.lock").read_text().splitlines()[1:]
        self.assertEqual(len(lines), 120)
        self.assertEqual(sorted(line.split()[0] for line in lines),
                         sorted(f"k{number}.{extension}" for number in range(60) for extension in ("cu", "h")))

    def test_an_output_folder_that_was_made_for_nothing_goes_again(self):
        self.spec.write_text(ADD)
        other = self.folder / "more/specs"
        other.mkdir(parents=True)
        (other / "add.yaml").write_text(ADD.replace("x + y", "x - y"))
        result = run("generate", self.spec, other / "add.yaml", "--out", self.out)
        self.assertEqual(result.returncode, 4, result.stdout)
        self.assertFalse(self.out.exists())


class Headers(ToolTest):
    def test_headers_are_copied_where_they_differ(self):
        first = run("runtime", "--out", self.out)
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual((self.out / "pallasgen/device.cuh").read_text(), (ROOT / "runtime/pallasgen/device.cuh").read_text())
        self.assertTrue((self.out / "pallasgen/ptx/fence.cuh").exists())
        self.assertIn("wrote 0 of ", run("runtime", "--out", self.out).stdout)
        (self.out / "pallasgen/ring.cuh").write_text("// edited\n")
        self.assertIn("wrote 1 of ", run("runtime", "--out", self.out).stdout)
        taken = self.folder / "taken"
        taken.write_text("a file\n")
        self.assertEqual(run("runtime", "--out", taken).returncode, 4)

    def test_they_need_cpp20(self):
        source = self.folder / "a.cpp"
        source.write_text("#include <pallasgen/version.h>\n")
        for standard, words in (("20", ""), ("17", "need C++20: compile with -std=c++20")):
            _, said = done("g++", f"-std=c++{standard}", "-fsyntax-only", "-I", ROOT / "runtime", source)
            self.assertIn(words, said) if words else self.assertEqual(said, "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
