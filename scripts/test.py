#!/usr/bin/env python3
"""Runs the tests by parts, within a fixed budget of CPU minutes (scripts/budget.py), and ends with one line:
`N passed, N failed, N skipped`. A skip whose reason is not in tests/skips.txt counts as failed. `--all` runs the long
matrices, without a budget.

  scripts/test.py [--build DIR] [--all] [--only PART[,PART]]
"""
import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import budget  # noqa: E402
import nvcc_gate  # noqa: E402

# `make test` runs a sample of these mutants: the survivors among them are known for every kernel, and do not depend on
# how well the emulator models memory orders.
SAMPLED_KINDS = "attribute,bytes,count,delete,parity"
# They belong to a few kernels of different kinds, as judging the first mutant of a kernel is most of the work.
SAMPLED_KERNELS = ("matmul/matmul_gelu", "operands/group_sums", "pipeline/add_two_rings", "pipeline/planes_ahead",
                   "reductions/softmax_vector")
# `make test` reduces numbers of these dtypes, which differ in how they are stored and added, and runs operations on
# those below; `--all` takes every dtype.
REDUCED_DTYPES = ("i4", "i64", "f32:halves", "bf16:neighbours")
OPERATED_DTYPES = ("bool", "i4", "i64", "f16", "f32", "f8e4m3", "index")
# `make test` checks the error bounds of functions on these; `--all` also on all values of f16 and bf16.
BOUNDED_DTYPES = ("f32", "f64", "f8e4m3", "approximate")
# `--all` judges every mutant of the other kinds, and one in so many of those of counts, which are three quarters: about
# ten minutes of one core. `tests/mutations/run.py` without options judges them all.
COUNTS_ONE_IN = 40
BINDINGS_ONE_IN = 8  # one in so many of the library's kernels

# nvcc's gate compiles one corner in so many; with `--all`, each.
CORNERS_COMPILED_ONE_IN = 9

table_of_runs = []


class Tally:
    def __init__(self):
        self.passed, self.failed, self.skipped = 0, 0, 0
        self.allowed = [line.strip() for line in (ROOT / "tests/skips.txt").read_text().splitlines()
                        if line.strip() and not line.startswith("#")]

    def case(self, name, ok, detail=""):
        if ok:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {name}\n{detail}".rstrip(), flush=True)

    def skip(self, name, reason):
        if reason in self.allowed:
            self.skipped += 1
            print(f"skipped {name}: {reason}", flush=True)
        else:
            self.case(name, False, f"skipped for a reason that is not in tests/skips.txt: {reason}")


def run(command, **options):
    return subprocess.run([str(c) for c in command], cwd=options.pop("cwd", ROOT), text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def build(tally, options):
    done = run(["cmake", "--preset", "default", "-B", options.build])
    if done.returncode == 0:
        done = run(["cmake", "--build", options.build])
    tally.case("build", done.returncode == 0, done.stdout[-8000:])
    return done.returncode == 0


def ctest(tally, options, *selection):
    """Runs CTest's tests; the cases of doctest programs count one by one."""
    report = options.build / f"ctest-{len(table_of_runs)}.xml"
    table_of_runs.append(report)
    report.unlink(missing_ok=True)
    done = run(["ctest", "--test-dir", options.build, "-j", os.cpu_count(), "--output-junit", report, "--timeout", "900",
                "--test-output-size-passed", "1000000", "--test-output-size-failed", "1000000", *selection],
               env=dict(os.environ, **({"PALLASGEN_ALL": "1"} if options.all else {})))
    if not report.exists():
        tally.case("ctest", False, done.stdout[-4000:])
        return
    for test in ElementTree.parse(report).getroot().iter("testcase"):
        name, output = test.get("name"), test.findtext("system-out") or ""
        found = re.search(r"test cases:\s*(\d+) \|\s*(\d+) passed \|\s*(\d+) failed", output)
        counted = re.search(r"^(\d+) passed, (\d+) failed, (\d+) skipped$", output, re.M)
        if test.get("status") == "notrun":
            tally.skip(name, "no nvcc on this machine" if name.endswith("_gate") else f"{name} was not run")
        elif found and int(found.group(2)) + int(found.group(3)) > 0:
            tally.passed += int(found.group(2))
            tally.failed += int(found.group(3))
            if test.get("status") != "run":
                tally.case(name, False, output[-6000:]) if found.group(3) == "0" else print(output[-6000:], flush=True)
        elif counted:
            tally.passed += int(counted.group(1))
            for _ in range(int(counted.group(3))):
                tally.skip(name, f"{name}: in its list of pending cases")
            if test.get("status") != "run":
                tally.case(name, False, output[-6000:])
        else:
            tally.case(name, test.get("status") == "run", output[-6000:])


def units(tally, options):
    """Runs unit tests, the oracle's cases, micro-tests of the emulator."""
    ctest(tally, options, "-E", "_gate$|_planted$")


def mutations(tally, options):
    """Runs planted mistakes, each of which its mode must find, and mutants of generated kernels and of the headers."""
    ctest(tally, options, "-R", "_planted$")
    planted = run([sys.executable, ROOT / "tests/mutations/planted.py", "--build", options.build])
    counted = re.search(r"^(\d+) passed, (\d+) failed", planted.stdout, re.M)
    tally.case("faults planted in library kernels", planted.returncode == 0, planted.stdout[-6000:])
    tally.passed += int(counted.group(1)) if counted else 0
    which = ["--sample", "13", "--files", "kernels", "--kind", SAMPLED_KINDS,
             *(word for name in SAMPLED_KERNELS for word in ("--only", f"{name} |"))]
    if options.all:
        which = ["--counts-one-in", COUNTS_ONE_IN]
    done = run([sys.executable, ROOT / "tests/mutations/run.py", "--build", options.build, *which])
    counted = re.search(r"^(\d+) passed, (\d+) failed", done.stdout, re.M)
    if not counted or int(counted.group(2)) or done.returncode:
        tally.case("mutants of generated kernels", False, done.stdout[-6000:])
    if counted:
        tally.passed += int(counted.group(1))


def nvcc(tally, options):
    """Checks that every generated file passes the gate with the resources of bench/resources.json, as do some corners,
    or with `--all` all of them and random specs, also with few more registers than their plans need."""
    nvcc_gate.check_generated(ROOT, options.build, tally)
    ctest(tally, options, "-R", "_gate$")
    if not nvcc_gate.find_nvcc():
        tally.skip("nvcc of the corners", "no nvcc on this machine")
        return
    which = ["--corners", "1", "--random", "50", "--estimates"] if options.all else ["--corners", CORNERS_COMPILED_ONE_IN]
    done = run([sys.executable, ROOT / "tests/matrix/registers.py", "--build", options.build, *which])
    found = re.search(r"^(\d+) passed, (\d+) failed", done.stdout, re.M)
    if not found or int(found.group(2)):
        tally.case("nvcc of the corners", False, done.stdout[-6000:])
    if found:
        tally.passed += int(found.group(1))


def emulated_oracle(tally, options, mode):
    """Runs the oracle's cases as generated source in the emulator; with AddressSanitizer every other one."""
    step = 2 if mode == "asan" and not options.all else 1
    done = run([sys.executable, ROOT / "tests/oracle/emulated_cases.py", options.build / "pallasgen", options.build / "chain",
                mode, step])
    found = re.search(r"^(\d+) passed, (\d+) failed", done.stdout, re.M)
    if not found:
        tally.case("oracle in the emulator", False, done.stdout[-4000:])
        return
    tally.passed += int(found.group(1))
    tally.failed += int(found.group(2))
    if int(found.group(2)):
        print(done.stdout[-6000:], flush=True)


def readable(tally, options, specs):
    """Returns the specs that can be read here: `extern` needs the program that reads headers."""
    if (options.build / "pallasgen-clang").exists():
        return specs
    for spec in specs:
        if "\nextern:" in spec.read_text():
            tally.skip(spec.relative_to(ROOT), "pallasgen-clang was not built")
    return [spec for spec in specs if "\nextern:" not in spec.read_text()]


def test_all_specs(tally, options, label, *arguments, step=1):
    """Runs `pallasgen test` on every library spec, or on one in `step`."""
    specs = readable(tally, options, sorted((ROOT / "specs").rglob("*.yaml"))[::step])
    command = [options.build / "pallasgen", "test", "--work-dir", options.build / "chain", *arguments]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for spec, done in zip(specs, pool.map(lambda s: run([*command, s]), specs)):
            tally.case(f"{label} {spec.relative_to(ROOT)}", done.returncode == 0, done.stdout[-4000:])


def policies_of(mode, options):
    """Returns when copies complete. Late completion exposes missing waits, early completion overtaking; random
    completion has some of both, and is left to the modes that detect more."""
    if options.all:
        return "late,early,random" if mode == "plain" else "late,random"
    return {"plain": "late,early", "asan": "random", "tsan": "late,random"}[mode]


def chain_in(mode):
    def chain(tally, options):
        """Runs every library spec: reference = interpreter = emulator, in one mode, with some random schedules. With
        AddressSanitizer every other one, `--all` all of them."""
        test_all_specs(tally, options, f"chain {mode}", "--modes", mode, "--policies", policies_of(mode, options), "--seeds",
                       "3" if options.all else "1", "--schedules", str(3 if options.all else 1),
                       step=2 if mode == "asan" and not options.all else 1)
        emulated_oracle(tally, options, mode)
        if mode == "plain":
            matrices(tally, options, "reductions")
        if mode in ("asan", "tsan"):
            corners(tally, options, mode)
    return chain


def corners(tally, options, mode):
    """Runs specs of forms that generated code once got wrong, all in one program: every other one with each sanitizer,
    `--all` all with both."""
    specs = readable(tally, options, sorted((ROOT / "tests/corners").glob("*.yaml")))
    if not options.all:
        specs = specs[mode == "tsan"::2]
    done = run([options.build / "pallasgen", "test", *specs, "--batch", "--modes", mode, "--policies",
                policies_of("asan", options), "--schedules", "1", "--work-dir", options.build / f"corners-{mode}"])
    found = re.search(r"^(\d+) passed, (\d+) failed", done.stdout, re.M)
    if not found or int(found.group(2)):
        tally.case(f"corners {mode}", False, done.stdout[-6000:])
    if found:
        tally.passed += int(found.group(1))


def matrices(tally, options, *names):
    """Runs every operation and cast on every dtype that has it: elementwise ones at the edges of the dtype
    (`operations`), reductions, scans, shapes and dot along each axis (`reductions`); indices that data decide
    (`indices`); functions against their error bounds (`bounds`)."""
    for name in names:
        dtypes = () if options.all else {"reductions": REDUCED_DTYPES, "operations": OPERATED_DTYPES,
                                            "bounds": BOUNDED_DTYPES}.get(name, ())
        done = run([sys.executable, ROOT / f"tests/matrix/{name}.py", "--tool", options.build / "pallasgen", "--work",
                    options.build / name, *dtypes])
        found = re.search(r"^(\d+) passed, (\d+) failed", done.stdout, re.M)
        if not found or int(found.group(2)):
            tally.case(name, False, done.stdout[-6000:])
        if found:
            tally.passed += int(found.group(1))


def random_kernels(tally, options):
    """Runs generated specs: random well-typed ones (interpreter = emulator, and the same bits under every setting), and
    those of the matrices."""
    matrices(tally, options, "operations", "indices", "bounds")
    count = 500 if options.all else 30
    done = run([sys.executable, ROOT / "tests/random/random_kernels.py", "--build", options.build, "--count", count])
    found = re.search(r"^(\d+) passed, (\d+) failed", done.stdout, re.M)
    if not found:
        tally.case("random kernels", False, done.stdout[-4000:])
        return
    print(done.stdout[-6000:], flush=True)
    tally.passed += int(found.group(1))
    tally.failed += int(found.group(2))
    done = run([sys.executable, ROOT / "tests/random/remedies.py", "--build", options.build, "--count", 400 if options.all else 60])
    found = re.search(r"^(\d+) passed, (\d+) failed", done.stdout, re.M)
    if not found or int(found.group(2)):
        tally.case("remedies", False, done.stdout[-6000:])
    if found:
        tally.passed += int(found.group(1))


def schedules(tally, options):
    """Runs 200 random schedules of every library spec, plain and with race detection, and one with race detection
    between the lanes of warps: no false report. Tests of many programs have had three in earlier parts."""
    few = ("--programs", "12")
    test_all_specs(tally, options, "schedules", "--modes", "plain,tsan", "--policies", "random", "--schedules", "200",
                   *few)
    test_all_specs(tally, options, "clocks per thread", "--modes", "tsan", "--policies", "per_thread=1", *few)


def names(tally, options):
    """Replaces names of library specs by words that generated code or its headers use: it still compiles."""
    checked = run([sys.executable, ROOT / "scripts/make_reserved_words.py", "--check"])
    tally.case("reserved words are those of the runtime and the templates", checked.returncode == 0, checked.stdout)
    done = run([sys.executable, ROOT / "tests/names/rename.py", "--build", options.build, *(["--all"] if options.all else [])])
    found = re.search(r"^(\d+) passed, (\d+) failed", done.stdout, re.M)
    if not found or int(found.group(2)):
        tally.case("names", False, done.stdout[-6000:])
    if found:
        tally.passed += int(found.group(1))


def bindings(tally, options):
    """Calls kernels from PyTorch, JAX and NumPy on the CPU: one in BINDINGS_ONE_IN, with --all each of the library."""
    done = run([sys.executable, ROOT / "tests/bindings/run.py", "--build", options.build, "--one-in",
                "1" if options.all else str(BINDINGS_ONE_IN)])
    found = re.search(r"^(\d+) passed, (\d+) failed", done.stdout, re.M)
    reason = re.search(r"^skipped: (.*)$", done.stdout, re.M)
    if reason:
        return tally.skip("bindings", reason.group(1))
    if not found or int(found.group(2)) or done.returncode:
        tally.case("bindings", False, done.stdout[-6000:])
    if found:
        tally.passed += int(found.group(1))
    return None


def rest(tally, options):
    """Runs the tests of the command line, bad input, determinism, style, and clang-tidy."""
    library = ["specs"]
    if not (options.build / "pallasgen-clang").exists():
        library = readable(tally, options, sorted((ROOT / "specs").rglob("*.yaml")))
    checked = run([options.build / "pallasgen", "check", *library, "--out", "generated"])
    tally.case("pallasgen check specs", checked.returncode == 0, checked.stdout[-4000:])
    environment = dict(os.environ, PALLASGEN=str((options.build / "pallasgen").resolve()),
                       PALLASGEN_ALL="1" if options.all else "")
    for script in sorted((ROOT / "tests").glob("cli/*_test.py")) + sorted((ROOT / "tests").glob("style/*_test.py")):
        done = run([sys.executable, script], env=environment)
        found = re.search(r"Ran (\d+) tests?", done.stdout)
        failed = sum(int(n) for n in re.findall(r"(?:failures|errors)=(\d+)", done.stdout))
        skips = re.findall(r"^(\S+) .*\.\.\. skipped '(.*)'$", done.stdout, re.M)
        if not found or (done.returncode != 0 and failed == 0):
            tally.case(script.name, False, done.stdout[-4000:])
            continue
        tally.passed += int(found.group(1)) - failed - len(skips)
        tally.failed += failed
        for name, reason in skips:
            tally.skip(name, reason)
        if failed:
            print(done.stdout[-6000:], flush=True)
    # The rooms take longer than the budget has left: `make test-all` checks them.
    done = run([ROOT / "scripts/tidy", options.build, *([] if options.all else ["no-rooms"])])
    tally.case("clang-tidy", done.returncode == 0, done.stdout[-6000:])


def matrix(tally, options):
    """Runs the long matrices: -D variants through nvcc's gate and the emulator, rows of every size and dtype through
    the gate; and each source compiled by itself."""
    done = run([sys.executable, ROOT / "scripts/sources_alone.py"])
    tally.case("sources that compile by themselves", done.returncode == 0, done.stdout[-6000:])
    for name in ("matmul_variants", "matmul_dtypes", "row_blocks"):
        done = run([sys.executable, ROOT / f"tests/matrix/{name}.py", "--build", options.build])
        lines = re.search(r"(\d+) passed, (\d+) failed", done.stdout)
        tally.case(name.replace("_", " "), done.returncode == 0 and lines, done.stdout[-6000:])


def slowness(options):
    """Returns how many times the yardstick's seconds the machine takes just now, all cores at work; at least 1."""
    compiler = shutil.which("clang++-19") or "c++"
    options.build.mkdir(parents=True, exist_ok=True)
    before = cpu_seconds()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for core, done in enumerate(pool.map(lambda core: run([
                compiler, "-std=c++20", "-O1", "-c", ROOT / "scripts/yardstick.cpp", "-o",
                options.build / f"yardstick-{core}.o"]), range(os.cpu_count()))):
            if done.returncode:
                sys.exit(f"{compiler} does not compile scripts/yardstick.cpp\n{done.stdout}")
    return max(1.0, (cpu_seconds() - before) / os.cpu_count() / budget.YARDSTICK)


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    options.build = options.build.resolve()
    parts = {"build": build, "units": units, "nvcc": nvcc, "plain": chain_in("plain"),
             "asan": chain_in("asan"), "tsan": chain_in("tsan"), "mutations": mutations,
             "random": random_kernels, "names": names, "bindings": bindings, "rest": rest}
    if options.all:
        parts["schedules"], parts["matrix"] = schedules, matrix
    if options.only:
        parts = {name: part for name, part in parts.items() if name in options.only.split(",")}

    tally, table = Tally(), []
    for name, part in parts.items():
        print(f"== {name}", flush=True)
        slower = slowness(options)
        start, cpu = time.time(), cpu_seconds()
        go_on = part(tally, options)
        minutes, seconds = (cpu_seconds() - cpu) / 60, time.time() - start
        slower = (slower + slowness(options)) / 2
        table.append((name, minutes, slower, seconds))
        if go_on is False:
            break
    for limit, why in [] if options.all else budget.exceeded([row[:3] for row in table]):
        tally.case(limit, False, why)
    print(f"\n{'part':10} {'CPU min':>8} {'budget':>7} {'slower':>7} {'wall s':>7}")
    for name, minutes, slower, wall in table:
        print(f"{name:10} {minutes:8.2f} {str(budget.SHARES.get(name, '-')):>7} {slower:7.2f} {wall:7.0f}")
    print(f"{'together':10} {sum(row[1] / row[2] for row in table):8.2f} {budget.total():7g}    of a reference machine")
    print(f"{tally.passed} passed, {tally.failed} failed, {tally.skipped} skipped")
    return 1 if tally.failed or not tally.passed else 0


if __name__ == "__main__":
    sys.exit(main())
