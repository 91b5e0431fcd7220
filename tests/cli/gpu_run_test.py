"""bench/run_gpu.sh without a GPU: a package of a few kernels, and a run in which a stub hangs, crashes and computes a
wrong number."""
import math
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from harness import ROOT, TOOL, run

sys.path.insert(0, str(ROOT / "bench/gpu"))
import build  # noqa: E402
import compare  # noqa: E402
import package  # noqa: E402
import prepare  # noqa: E402
import results  # noqa: E402
import torch_times  # noqa: E402
from package import Case, Output, with_folders, without_folders  # noqa: E402

SPECS = ("basics/iota8", "basics/add_vectors", "basics/show_program_ids_element", "checks/gather_checked",
         "pipeline/sum_of_planes")


class DryRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="pallasgen-gpu-test-"))
        cls.package = cls.folder / "package"
        cls.made = subprocess.run(
            [sys.executable, ROOT / "bench/gpu/prepare.py", "--build", Path(TOOL).resolve().parent, "--package",
             cls.package, *(ROOT / f"specs/{spec}.yaml" for spec in SPECS)], text=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def run_gpu(self, *words):
        out = self.folder / "out"
        done = subprocess.run([ROOT / "bench/run_gpu.sh", "--dry-run", "--package", self.package, "--out", out,
                               "--seconds", "2", *words], text=True, capture_output=True)
        rows = [line.split("\t") for line in (out / "results.txt").read_text().splitlines()]
        return done, {(row[0], row[1]): row[2:] for row in rows}

    def test_the_package_has_the_files_that_jobs_read(self):
        self.assertEqual(self.made.returncode, 0, self.made.stdout + self.made.stderr)
        first = 0
        for job in self.package.rglob("job"):
            for word, name in re.findall(r"^(in \d+|first) (\S+)$", job.read_text(), re.M):
                self.assertTrue((job.parent / name).exists(), f"{job}: {name}")
                first += word == "first"
        self.assertGreater(first, 0)

    def test_each_mistake_costs_its_row_and_no_other(self):
        self.assertEqual(self.made.returncode, 0, self.made.stdout + self.made.stderr)
        (self.package / "operators").mkdir()
        done, rows = self.run_gpu()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        failed = {key: row for key, row in rows.items() if row[0] == "FAILED"}
        self.assertEqual({key[0] for key in failed}, {"kernels"})
        details = sorted(row[2] for row in failed.values())
        for said, detail in zip((r"element \d+ is \S+, not|byte \d+ is", "ended by SIGABRT", "no end within 2 s"),
                                sorted(details, key=lambda text: ("SIGABRT" in text) + 2 * ("no end" in text))):
            self.assertRegex(detail, said)
        self.assertEqual(len(failed), 3)
        self.assertEqual(sum(key[0] == "kernels" for key in rows), len(SPECS))
        self.assertEqual(rows["rings", "sum_of_planes"][0], "passed")
        self.assertEqual([rows["operators", name] for name in ("layer_norm", "by_jax", "PyTorch: layer_norm(x)")],
                         [["passed", "0.00", ""], ["skipped", "0.00", "No module named 'jax'"],
                          ["passed", "0.00", "4.94 us, 3.12 beyond nothing"]])
        self.assertIn("each costs one row", done.stdout.splitlines()[-1])

    def test_what_no_time_is_left_for_is_said(self):
        done, rows = self.run_gpu("--minutes", "0")
        self.assertEqual(done.returncode, 1)
        self.assertEqual({row[0] for key, row in rows.items() if key[0] == "kernels"}, {"skipped"})

    def test_a_part_of_the_driver_has_its_kernels_and_no_other(self):
        driver = (self.package / "library/driver.cpp").read_text()
        names = build.kernels_of(driver)
        self.assertEqual(sorted(names), sorted(Path(spec).stem for spec in SPECS))
        part = build.part_of(driver, ["sum_of_planes"])
        self.assertEqual(build.kernels_of(part), ["sum_of_planes"])
        self.assertEqual([line for line in part.splitlines() if line.startswith('#include "')], ['#include "sum_of_planes.cu"'])
        self.assertEqual(part.count("{"), part.count("}"))

    def test_a_part_that_does_not_compile_is_halved(self):
        class Refusing(build.Builder):
            def compile(self, program, *words):
                source = next(Path(word) for word in words if str(word).endswith("driver.cu"))
                return "no" if "host_iota8" in source.read_text() else ""

        builder = Refusing(self.folder / "programs")
        builder.nvcc = "nvcc"
        driver = (self.package / "library/driver.cpp").read_text()
        made = builder.part(self.package, driver, build.kernels_of(driver), "part", ())
        self.assertEqual([names for names, _, said in made if said], [["iota8"]])
        self.assertEqual(sum(len(names) for names, _, _ in made), len(SPECS))

    def test_the_largest_cases_are_left_out(self):
        copy = self.folder / "copy"
        shutil.copytree(self.package, copy)
        size = prepare.size_of(copy)
        prepare.leave_out(copy, size - 1)
        self.assertLess(prepare.size_of(copy), size)
        cases = lambda package: sum(text.count("case ") for text in  # noqa: E731
                                    ((job / "expected").read_text() for job in (package / "jobs").iterdir()))
        self.assertEqual(cases(copy), cases(self.package) - 1)


class Stored(unittest.TestCase):
    """Programs that were compiled before they were sent."""
    def setUp(self):
        self.package = Path(tempfile.mkdtemp(prefix="pallasgen-gpu-test-")) / "gpu"
        (self.package / "library").mkdir(parents=True)
        (self.package / "library/driver.cpp").write_text("int main() {}")
        self.program = self.package / "programs/library0/run"
        self.program.parent.mkdir(parents=True)
        self.write_program("exit 2")
        phases = {phase: {} for phase in ("micro", "variants", "times")}
        build.store(self.package, {"library": {"a": (self.program, ""), "b": (self.program, "no")}} | phases)

    def tearDown(self):
        shutil.rmtree(self.package.parent)

    def write_program(self, text):
        self.program.write_text(f"#!/bin/sh\n{text}\n")
        self.program.chmod(0o755)

    def test_they_are_used(self):
        self.assertEqual(build.collected(build.stored(self.package).library), {"a": (self.program, ""), "b": (self.program, "no")})

    def test_they_are_not_used_where_a_source_changed(self):
        (self.package / "library/driver.cpp").write_text("int main() { return 1; }")
        self.assertIsNone(build.stored(self.package))

    def test_they_are_not_used_where_they_do_not_run(self):
        self.write_program("exit 127")
        self.assertIsNone(build.stored(self.package))

    def test_an_archive_becomes_the_package(self):
        package.pack(self.package)
        shutil.rmtree(self.package)
        package.unpack(self.package)
        self.assertIsNotNone(build.stored(self.package))


class Times(unittest.TestCase):
    def test_a_row_has_its_numbers(self):
        row = next(row for row in prepare.timed_rows({"attention_fwd"}) if row.defines)
        lines = row.text().splitlines()
        self.assertEqual(lines[:2], [f"label {row.label}", "kernel attention_fwd"])
        self.assertIn(f"in bf16 {4 * 16 * 4096 * 128 * 2}", lines)
        self.assertIn("scalar scale 0.0884", lines)

    def test_a_rival_stands_behind_its_kernel(self):
        with tempfile.TemporaryDirectory() as name:
            made = results.Results(Path(name))
            made.add("times", "matmul_8x8x8", "passed", 0, "20.0 us (least 19.0)")
            made.add("times", "torch:matmul_8x8x8", "passed", 0, "30.0 us")
            self.assertIn("20.0 us (least 19.0); torch 30.0 us, 1.50x", made.table(""))

    def test_a_rival_is_measured_against_what_took_turns_with_it(self):
        with tempfile.TemporaryDirectory() as name:
            made = results.Results(Path(name))
            made.add("times", "matmul_8x8x8", "passed", 0, "20.0 us (least 19.0)")
            made.add("times", "torch:matmul_8x8x8", "passed", 0, "30.0 us, ours 25.0 us in turn")
            self.assertIn("; torch 30.0 us, ours 25.0 us in turn, 1.20x", made.table(""))

    def test_ours_takes_its_turns_in_a_process_of_its_own(self):
        program = "print('ready', flush=True)\nfor i in range(3): input(); print('turn', 10.0 + i, flush=True)"
        ours = torch_times.Ours([sys.executable, "-S", "-c", program])
        for _ in range(3):
            ours.turn()
        self.assertEqual(ours.said(), ", ours 11.5 us in turn")
        ours.turn()  # the process has ended
        self.assertEqual(ours.said(), "")
        for words in (None, [sys.executable, "-S", "-c", "print('no device')"]):
            absent = torch_times.Ours(words)
            absent.turn()
            self.assertEqual(absent.said(), "")

    def test_cublaslt_has_the_epilogue_of_the_kernel_beside_it(self):
        beside = {row.beside for row in prepare.timed_rows({"matmul_gelu"})}
        self.assertEqual(beside, {"lt NT gelu"})
        self.assertNotIn("gelu", "".join(row.beside for row in prepare.timed_rows({"matmul"})))


class Jobs(unittest.TestCase):
    def test_files_of_a_job_may_lie_elsewhere(self):
        job = "case a\nin 4 /there/a.x\nfirst /there/a.x.first\nback /there/a.y\nout 8 /there/a.o\ndim 3\nend\n"
        short = without_folders(job, "/there")
        self.assertEqual(short, "case a\nin 4 a.x\nfirst a.x.first\nback a.y\nout 8 a.o\ndim 3\nend\n")
        self.assertEqual(with_folders(short, "/in", "/out"),
                         "case a\nin 4 /in/a.x\nfirst /in/a.x.first\nback /out/a.y\nout 8 /out/a.o\ndim 3\nend\n")


    def test_runs_of_a_case_that_differ(self):
        with tempfile.TemporaryDirectory() as name:
            run("test", ROOT / "specs/rows/softmax.yaml", "--modes", "plain", "--policies", "late", "--keep", name)
            folder = next(Path(name).glob("*/job-*-late"))
            words = [folder.parent / "run", "softmax", folder / "job", "repeat=3"]
            self.assertIn("done ", subprocess.run(words, text=True, capture_output=True).stdout)
            # Each run reads the output of the previous one.
            job = (folder / "job").read_text()
            first = re.search(r"^in \d+ (\S+)$", job, re.M).group(1)
            (folder / "job").write_text(re.sub(r"^(out \d+) \S+$", rf"\1 {first}", job, count=1, flags=re.M))
            done = subprocess.run(words, text=True, capture_output=True)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stdout, r"failed \S+: run 2 of 3 differs from run 1, first in byte \d+")
            near = subprocess.run([*words, "f32=10"], text=True, capture_output=True)
            self.assertEqual(near.returncode, 0, near.stdout)


class Comparison(unittest.TestCase):
    def test_values_of_small_floats(self):
        self.assertEqual(compare.BYTE_VALUES["f8e4m3"][0x7e], 448.0)
        self.assertTrue(math.isnan(compare.BYTE_VALUES["f8e4m3"][0x7f]))
        self.assertEqual(compare.BYTE_VALUES["f8e5m2"][0xfc], -math.inf)
        self.assertEqual(compare.BYTE_VALUES["f8e5m2"][0x7b], 57344.0)
        self.assertEqual(compare.BYTE_VALUES["f8e8m0"][127], 1.0)
        self.assertEqual(compare.NIBBLE_VALUES[:8], [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0])
        self.assertEqual(compare.numbers("bf16", struct.pack("<H", 0x3fc0)), (1.5,))

    def test_tolerance_is_relative_to_the_largest_value_and_to_values_above_1(self):
        def said(got, want, tolerance, largest=0.0):
            return compare.difference("f32", struct.pack("<2f", got, largest), struct.pack("<2f", want, largest), tolerance)[1]
        self.assertEqual(said(100.5, 100.0, 0.01), "")
        self.assertNotEqual(said(0.52, 0.5, 0.01), "")
        self.assertEqual(said(0.00515, 0.005, 0.01, 0.02), "")
        self.assertNotEqual(said(0.0054, 0.005, 0.01, 0.02), "")
        self.assertEqual(said(1.009, 1.0, 0.01, 50.0), "")
        self.assertNotEqual(said(1.02, 1.0, 0.01, 50.0), "")
        self.assertEqual(said(math.nan, math.nan, 0), "")
        self.assertNotEqual(said(math.nan, 1.0, 10), "")
        self.assertNotEqual(said(1.0, math.inf, 10), "")

    def test_integers_have_no_tolerance(self):
        self.assertNotEqual(compare.difference("i32", b"\1\0\0\0", b"\2\0\0\0", 10)[1], "")

    def test_reports_and_prints(self):
        case = Case("a", faults=[("nan", "y"), ("oob", "x")])
        self.assertEqual(compare.check_case(case, "k: oob: an index of 'x' is outside", [], None, None)[2], "")
        self.assertNotEqual(compare.check_case(case, "", [], None, None)[2], "")
        self.assertNotEqual(compare.check_case(Case("a", printed=["x 1"]), "", ["x 2"], None, None)[2], "")
        self.assertEqual(compare.check_case(Case("a", printed=["x 1.5", "y"]), "", ["y", "x 1.500001"], None, None)[2], "")

    def test_a_file_that_was_not_written(self):
        with tempfile.TemporaryDirectory() as folder:
            case = Case("a", [Output("f32", 0.0, "a.o")])
            self.assertIn("not written", compare.check_case(case, "", [], Path(folder), Path(folder))[2])


if __name__ == "__main__":
    unittest.main()
