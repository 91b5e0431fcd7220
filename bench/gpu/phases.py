"""The phases of a run on the GPU. Every program is a process of its own with a time limit, so that a program that
hangs, crashes or computes a wrong result costs its own row only."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from build import kernels_of
from compare import check_case
import package
from package import ROOT, expected_cases, with_folders
from results import FAILED, PASSED, SKIPPED

HERE = Path(__file__).resolve().parent
SANITIZED = ("sum_of_planes", "matmul", "row_dots_ahead", "class_shares", "sum_by_ticket", "scaled_steps_pipelined")
REPEATED = 200


def run_limited(command, seconds, **options):
    """Returns (how the program ended, what it printed); the first is "" for exit code 0."""
    words = [str(word) for word in command]
    try:
        process = subprocess.Popen(words, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   start_new_session=True, **options)
    except OSError as error:
        return str(error), ""
    try:
        printed, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        # A process that waits for the driver may outlive its kill; it is abandoned.
        try:
            printed, _ = process.communicate(timeout=2)
        except subprocess.TimeoutExpired:
            printed = ""
        return f"no end within {seconds:g} s", printed
    code = process.returncode
    if code < 0:
        return f"ended by {signal.Signals(-code).name}", printed
    return f"exit code {code}" if code else "", printed


class Run:
    """State that all phases share: the package, where they write, how they run programs."""

    def __init__(self, package, results, work, options):
        self.package, self.results, self.work = package, results, work
        self.seconds, self.at_once = options.seconds, options.at_once
        self.deadline = time.monotonic() + options.minutes * 60
        self.dry = options.dry_run

    def late(self, phase, name, reserve=0.0):
        """True if no time is left for this row, which is then recorded as skipped."""
        if time.monotonic() + reserve < self.deadline:
            return False
        self.results.add(phase, name, SKIPPED, 0, "no time was left")
        return True

    def command(self, program, *words):
        if self.dry:
            return [sys.executable, "-S", HERE / "stub.py", *words]
        return [program, *words]

    def job(self, phase, kernel, folder, program, *words, seconds=None, before=()):
        """Runs a job and compares its output: one row."""
        if self.late(phase, folder.name):
            return
        written = self.work / phase / folder.name
        written.mkdir(parents=True, exist_ok=True)
        (written / "job").write_text(with_folders((folder / "job").read_text(), folder, written))
        start = time.monotonic()
        how, printed = run_limited([*before, *self.command(program, kernel, written / "job", *words)],
                                   seconds or self.seconds)
        took = time.monotonic() - start
        cases, failures, worst, same_bits = expected_cases(folder), [], 0.0, 0
        said, lines = {}, []
        printed_of = {}
        for line in printed.splitlines():
            ended = re.fullmatch(r"(?:done (\S+)|failed (\S+): (.*))", line)
            if ended:
                name = ended.group(1) or ended.group(2)
                said[name], printed_of[name], lines = ended.group(3) or "", lines, []
            elif not line.startswith("========="):  # lines of compute-sanitizer
                lines.append(line)
        for case in cases:
            if case.name not in said:
                failures.append(f"{case.name}: {how or 'the program ended before it'}: {' '.join(lines)[-300:]}")
                break
            error, bits, wrong = check_case(case, said[case.name], printed_of[case.name], written, folder)
            worst, same_bits = max(worst, error), same_bits + bits
            if wrong:
                failures.append(f"{case.name}: {wrong}")
        if before and how == "exit code 9" and not failures:  # exit code of compute-sanitizer
            failures.append(f"{how}: {printed[-500:]}")
        detail = "; ".join(failures[:4]) if failures else (
            f"{len(cases)} cases, largest error {worst:.3g}, {same_bits} with the emulator's bits")
        self.results.add(phase, folder.name, FAILED if failures else PASSED, took, detail)
        if not self.dry and not failures:
            shutil.rmtree(written, ignore_errors=True)


def jobs(run, programs, variants):
    """Runs each kernel of the library, and each variant, on the jobs of its tests."""
    with ThreadPoolExecutor(run.at_once) as pool:
        def submit(phase, kernel, name, program, said):
            if said:
                run.results.add(phase, name, FAILED, 0, f"does not compile: {said}")
            else:
                pool.submit(guarded, run, phase, name, run.job, phase, kernel, run.package / "jobs" / name, program)

        driven = run.package / "variants"
        for name in sorted(folder.name for folder in (run.package / "jobs").iterdir()):
            if not (driven / name).exists():
                submit("kernels", name, name, *programs.get(name, (None, "not in the driver")))
        for future in variants:
            for name, (program, said) in future.result().items():
                submit("variants", kernels_of((driven / name / "driver.cpp").read_text())[0], name, program, said)


def guarded(run, phase, name, function, *arguments, **options):
    """Runs a function of a row, which fails if the function raises an exception."""
    try:
        function(*arguments, **options)
    except Exception as error:  # later rows must still run
        run.results.add(phase, name, FAILED, 0, f"{type(error).__name__}: {error}")


def rings(run, programs):
    """Runs each ring kernel many times on the same arrays, one kernel at a time."""
    folder, words = run.package / "rings", package.rings()
    for ring in sorted(folder.iterdir()) if folder.exists() else []:
        program, said = programs.get(ring.name, (None, "not in the driver"))
        if not said:
            guarded(run, "rings", ring.name, run.job, "rings", ring.name, ring, program, f"repeat={REPEATED}",
                    *words[ring.name][1])


def micro(run, tests):
    """Runs the emulator's micro-tests on the device."""
    def one(name, program, said):
        if said:
            run.results.add("micro", name, FAILED, 0, f"does not compile: {said}")
            return
        if run.late("micro", name):
            return
        start = time.monotonic()
        how, printed = run_limited(run.command(program, ROOT / "tests/oracle/layouts"), run.seconds)
        run.results.add("micro", name, FAILED if how else PASSED, time.monotonic() - start,
                        f"{how}: {printed[-500:]}" if how else "")

    with ThreadPoolExecutor(run.at_once) as pool:
        for future in tests:
            for name, (program, said) in future.result().items():
                pool.submit(guarded, run, "micro", name, one, name, program, said)


def sanitizer(run, programs):
    """Runs compute-sanitizer's memcheck and synccheck on some kernels."""
    tool = next((found for found in (shutil.which("compute-sanitizer"), "/usr/local/cuda/bin/compute-sanitizer")
                 if found and os.path.exists(found)), None)
    with ThreadPoolExecutor(run.at_once) as pool:
        for check in ("memcheck", "synccheck"):
            for kernel in SANITIZED:
                name, folder = f"{kernel}", run.package / "jobs" / kernel
                program, said = programs.get(kernel, (None, "not in the driver"))
                if said:
                    continue
                if not tool and not run.dry:
                    run.results.add(check, name, SKIPPED, 0, "no compute-sanitizer on this machine")
                    continue
                before = [] if run.dry else [tool, "--tool", check, "--error-exitcode", "9"]
                pool.submit(guarded, run, check, name, run.job, check, kernel, folder, program,
                            seconds=3 * run.seconds, before=before)


def operators(run):
    """Calls kernels as operators of PyTorch and JAX, and measures what such a call costs the host."""
    folder = run.package / "operators"
    if not folder.exists() or run.late("operators", "all"):
        return

    def one(program, seconds, *words):
        start = time.monotonic()
        how, printed = run_limited(run.command(sys.executable, program, folder, *words), seconds)
        if how:
            run.results.add("operators", program.stem, FAILED, time.monotonic() - start, f"{how}: {printed[-500:]}")
        return printed

    printed = one(HERE / "operators.py", 6 * run.seconds)
    for state, name, why in re.findall(r"^(passed|failed|skipped) (.*?)(?:: (.*))?$", printed, re.M):
        run.results.add("operators", name, {"passed": PASSED, "failed": FAILED, "skipped": SKIPPED}[state], 0, why)
    printed = one(ROOT / "bench/frameworks.py", 3 * run.seconds, "--device", "cuda")
    for name, took, beyond in re.findall(r"^(\S.*?) {2,}(\S+) us *(\S*)$", printed, re.M):
        run.results.add("operators", name, PASSED, 0, f"{took} us" + (f", {beyond} beyond nothing" if beyond else ""))


def libraries():
    """Returns the folders of Python packages that may have a cuBLASLt."""
    return ":".join(str(path.parent) for root in sys.path if root
                    for path in sorted(Path(root).glob("nvidia/*/lib/libcublasLt.so*")))


def entry_of(path):
    """Returns the driver's entry for a file of times."""
    return next(line.split()[1] for line in path.read_text().splitlines() if line.startswith("kernel "))


def compile_torch(run):
    """Starts torch.compile, whose cache is on disk, on the timed functions during other phases; returns the process."""
    folder = run.package / "times"
    if run.dry or not folder.exists():
        return None
    return subprocess.Popen([sys.executable, HERE / "torch_times.py", "--compile-only", folder], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, start_new_session=True)


def times(run, programs, compiling=None):
    """Times kernels against cuBLASLt, PyTorch and copies: alone on the GPU, last; `compiling` ends before."""
    if compiling:
        try:
            compiling.wait(2 * run.seconds)
        except subprocess.TimeoutExpired:
            os.killpg(compiling.pid, signal.SIGKILL)
    folder = run.package / "times"
    files = sorted(folder.iterdir()) if folder.exists() else []
    environment = dict(os.environ, LD_LIBRARY_PATH=f"{libraries()}:{os.environ.get('LD_LIBRARY_PATH', '')}")

    def one(name, command, seconds=2 * run.seconds):
        if run.late("times", name, 5):
            return
        start = time.monotonic()
        how, printed = run_limited(command, seconds, env=environment)
        rows = re.findall(r"^time (\S+) (.*)$", printed, re.M)
        for what, text in rows:
            run.results.add("times", what, PASSED, 0, text)
        for why in re.findall(r"^skipped (.*)$", printed, re.M):
            run.results.add("times", name, SKIPPED, 0, why)
        if how:
            run.results.add("times", name, FAILED, time.monotonic() - start, f"{how}: {printed[-500:]}")

    in_turn = {}
    for path in files:
        program, said = programs.get(path.name.split("_", 1)[1], (None, "not in the driver"))
        if said:
            run.results.add("times", path.name, FAILED, 0, f"does not compile: {said}")
        else:
            words = run.command(program, entry_of(path), path)
            in_turn[path.name] = [str(word) for word in (*words, "turns")]
            one(path.name, words)
    if files:
        run.work.mkdir(parents=True, exist_ok=True)
        turns = run.work / "turns.json"
        turns.write_text(json.dumps(in_turn))
        one("torch", run.command(sys.executable, HERE / "torch_times.py", folder) if run.dry
            else [sys.executable, HERE / "torch_times.py", folder, turns],
            seconds=max(2 * run.seconds, run.deadline - time.monotonic()))
