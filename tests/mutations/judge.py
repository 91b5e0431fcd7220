"""Judges one mutant of a generated kernel, or of a header that kernels include: builds it for the CPU and runs it on
the tests of a kernel's spec, in the modes and policies of RUNS, the cheapest first, until one of them finds it. An
attribute of a kernel, which only nvcc sees, also goes through nvcc's gate."""
import hashlib
import json
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
import types
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import constants  # noqa: E402
import nvcc_gate  # noqa: E402

RUNS = [("plain", "policy=late"), ("plain", "policy=early"), ("plain", "copies=early,mma=late"),
        ("plain", "policy=random,seed=1"), ("tsan", "policy=late"), ("tsan", "policy=random,seed=1"),
        ("tsan", "policy=random,seed=2,per_thread=1"), ("tsan", "policy=random,seed=7,per_thread=1"),
        ("asan", "policy=late"), ("plain", "policy=random,seed=3")]
SETTINGS = "sms=3,seconds=10,polls=100000,statistics=1,counted_workspace=1"
TIMEOUT = 120
ROOM = 4  # A mutant may move numbers this many times as far as another order of atomics does.
DOES_NOT_COMPILE = "does not compile"
# As `pallasgen test` builds, without debug information: the reports are not read.
FLAGS = {"plain": ["-O1"],
         "asan": ["-O1", "-fsanitize=address,bounds", "-fno-sanitize-recover=bounds", "-fstrict-flex-arrays=3"],
         "tsan": ["-O1", "-fsanitize=thread", "-mllvm", "-tsan-instrument-func-entry-exit=0",
                  "-mllvm", "-disable-licm-promotion", "-mllvm", "-tsan-distinguish-volatile"]}
LINK = ["-fuse-ld=lld"] if shutil.which("ld.lld") else []
EXITS = {81: "rule", 82: "deadlock", 83: "not modelled", 84: "no progress", 85: "crash", 87: "address", 88: "race"}
LAUNCHER = r'^    \{"([^"]+)", \['
COMMON = "#include <pallasgen/device.cuh>\n#include <pallasgen/launch.h>\n"
# The format in which the bytes of an output become numbers, and the width of an element.
FLOATS = {"float": ("f", 4), "double": ("d", 8), "f16": ("e", 2), "bf16": (None, 2)}


def call(command, seconds=600, **options):
    return subprocess.run([str(c) for c in command], text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=seconds, **options)


def digest(*texts):
    return hashlib.sha256("\0".join(map(str, texts)).encode()).hexdigest()[:24]


def ends_of(text):
    """Returns how each case ended: empty if it is done, else the message of a run-time check or the launcher."""
    return re.findall(r"^(?:done|failed) [^\s:]+(?:: )?(.*)$", text, re.M)


def printed(output):
    """Returns the lines that the kernel printed in a case, sorted: programs run in any order."""
    return sorted(line for line in output.splitlines() if not line.startswith("pallasgen emulator: "))


def outputs_of(text):
    """Returns the output of each case before it ended."""
    return re.split(r"^(?:done|failed) .*\n", text, flags=re.M)[:-1]


def numbers(kind, data):
    if kind == "bf16":
        return [struct.unpack("<f", b"\0\0" + data[i:i + 2])[0] for i in range(0, len(data), 2)]
    return struct.unpack(f"<{len(data) // FLOATS[kind][1]}{FLOATS[kind][0]}", data)


def distance(kind, got, want):
    """Returns the largest difference of two outputs in units of their tolerance, which is relative beyond 1."""
    if got == want:
        return 0
    if kind not in FLOATS or len(got) != len(want):
        return math.inf
    got, want = numbers(kind, got), numbers(kind, want)
    scale = min(1, max((abs(b) for b in want if math.isfinite(b)), default=1) or 2.0 ** -14)
    return max(0 if a == b or (a != a and b != b) else
               abs(a - b) / max(scale, abs(b)) if math.isfinite(a) and math.isfinite(b) else math.inf
               for a, b in zip(got, want))


def same(kind, got, want, tolerance):
    """True if two outputs agree as `pallasgen test` compares them, without its allowance where addends cancel."""
    far = distance(kind, got, want)
    return far <= tolerance and not (far and is_biased(kind, numbers(kind, got), numbers(kind, want), tolerance))


def is_biased(kind, got, want, tolerance):
    """True if narrow floats are moved to or from zero on average, as generator/verify/rounding.cpp tests if a test has
    no tolerance of its own, which would be larger."""
    bits = {"f16": 10, "bf16": 7}.get(kind, 0)
    if not bits or tolerance >= 2.0 ** (1 - bits):
        return False
    moved = [(abs(a) - abs(b)) / math.ldexp(1, math.frexp(b)[1] - 1 - bits) for a, b in zip(got, want)
             if math.isfinite(a) and math.isfinite(b) and abs(b) >= 2.0 ** -6]
    return len(moved) >= 256 and abs(sum(moved)) > 0.25 * len(moved)


class Machine:
    """The compiler, its inputs, and the hash of both."""

    def __init__(self, build):
        self.build, self.tool = build, build / "pallasgen"
        roots = [os.environ.get(n) for n in ("CUDAToolkit_ROOT", "CUDA_HOME")] + ["/usr/local/cuda"]
        nvcc = shutil.which("nvcc")
        if nvcc:
            roots.insert(0, Path(nvcc).resolve().parent.parent)
        self.cuda = next(Path(r) / "include" for r in roots if r and (Path(r) / "include/cuda_runtime.h").exists())
        self.work = build / "mutations"
        self.work.mkdir(exist_ok=True)
        stamp = hashlib.sha256(Path(__file__).read_bytes())
        headers = [p for p in sorted((ROOT / "runtime").rglob("*")) if p.suffix in (".h", ".cuh")]
        archives = [build / "runtime/emulator/libpallasgen_emulator.a", next(build.rglob("libpallasgen_runner.a"))]
        for path in headers + archives:
            stamp.update(path.read_bytes())
        self.stamp = stamp.hexdigest()
        # A copy, so that nothing changes while the mutants are built.
        self.runtime = self.work / self.stamp[:24]
        if not self.runtime.exists():
            with tempfile.TemporaryDirectory(dir=self.work) as fresh:
                shutil.copytree(ROOT / "runtime", f"{fresh}/runtime", ignore=shutil.ignore_patterns("*.cpp"))
                for path in archives:
                    shutil.copy2(path, f"{fresh}/runtime")
                os.replace(f"{fresh}/runtime", self.runtime)
        self.archives = [self.runtime / path.name for path in reversed(archives)]

    def command(self, mode):
        return ["clang++-19", "-std=c++20", "-w", "-ffp-contract=off", "-ftrivial-auto-var-init=pattern", *FLAGS[mode],
                f"-I{self.runtime}/emulator/include", f"-I{self.runtime}", "-isystem", self.cuda,
                *(f"-I{folder}" for folder in sorted({path.parent for path in (ROOT / "specs").rglob("*.cuh")}))]

    def headers_of(self, mode):
        """Returns the runtime's headers, compiled once."""
        made = self.work / f"{digest(self.stamp, mode)}.pch"
        if not made.exists():
            source = made.with_suffix(".h")
            source.write_text(COMMON)
            done = call([*self.command(mode), "-fpch-instantiate-templates", "-x", "c++-header", source,
                         "-o", f"{made}.new"])
            if done.returncode:
                sys.exit(done.stdout)
            os.replace(f"{made}.new", made)
        return made


class Kernel:
    """A generated file with the inputs and outputs of its spec's tests, and a driver."""

    def __init__(self, machine, path):
        self.machine, self.path = machine, path
        self.name = str(path.relative_to(ROOT / "generated").with_suffix(""))
        self.text = path.read_text()
        self.spec = re.search(r"generated by pallasgen from (\S+?)\. DO", self.text).group(1)
        self.folder = machine.work / digest(machine.stamp, self.name, self.text, (ROOT / self.spec).read_text())
        if not (self.folder / "complete").exists():
            self.prepare()
        # For each case the tolerance, the message of a run-time check that stops the kernel, and the printed lines.
        self.expected = json.loads((self.folder / "complete").read_text())
        self.source = next(self.folder.glob("chain/job*"))
        self.job = (self.source / "job").read_text()
        driver = (self.folder / "chain/driver.cpp").read_text()
        self.launcher = re.search(LAUNCHER, driver, re.M).group(1)
        signature = re.search(r"^cudaError_t \w+\(([^)]*)\)", self.text, re.M).group(1)
        self.types = {p.split()[-1]: re.sub(r"const |\*.*", "", p).strip() for p in signature.split(",") if "*" in p}
        self.cases = re.split(r"^case .*\n", self.job, flags=re.M)[1:]
        if "atomic_add(" in self.text:
            self.expected = [(max(tolerance, ROOM * far), *rest)
                             for (tolerance, *rest), far in zip(self.expected, self.moved(), strict=True)]

    def moved(self):
        """Returns for each case how far the kernel's own numbers move when atomics add in another order."""
        with tempfile.TemporaryDirectory(dir=self.machine.work) as folder:
            folder = Path(folder)
            program = self.build(types.SimpleNamespace(text=self.text), "", "plain", folder)
            far = [0] * len(self.cases)
            for policy in [policy for mode, policy in RUNS if mode == "plain" and "random" in policy]:
                self.start(program, policy, folder)
                for i, case in enumerate(self.cases):
                    far[i] = max([far[i], *(distance(*output) for output in self.written(case, folder))])
            return far

    def start(self, program, policy, folder):
        """Runs the tests' cases; the outputs go to the folder."""
        job = re.sub(rf"^((?:out \d+|back) ){re.escape(str(self.source))}/", rf"\g<1>{folder}/", self.job, flags=re.M)
        (folder / "job").write_text(job)
        words = [program, self.launcher, folder / "job"]
        return call(words, TIMEOUT, env=dict(os.environ, PALLASGEN_EMULATOR=f"{SETTINGS},{policy}"))

    def written(self, case, folder):
        """Yields, for each output of the case, the type, what was written, and what is expected."""
        kind = ""
        for word, path in re.findall(r"^(in|out|back) (?:\d+ )?(\S+)$", case, re.M):
            # An input may be written in place: `back` follows it, and names the output.
            kind = kind if word == "back" else self.types.get(Path(path).suffix[1:], "")
            if word != "in" and "expect" not in case:
                yield kind, (folder / Path(path).name).read_bytes(), Path(path).read_bytes()

    def prepare(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        # One folder for all, in which the tool keeps its precompiled headers.
        chain = self.machine.runtime / "chain"
        done = call([self.machine.tool, "test", ROOT / self.spec, "--modes", "plain", "--policies", "late", "--keep",
                     chain], cwd=ROOT)
        rows = re.findall(r"^  ok .* emulator plain late.* max error .*tolerance (\S+)(?: allows)?$", done.stdout, re.M)
        jobs = [p for p in chain.glob(f"{self.path.stem}-plain-*") if (p / self.path.name).read_text() == self.text]
        cases = 0
        if done.returncode == 0 and len(jobs) == 1:
            shutil.copytree(jobs[0], self.folder / "chain", ignore=shutil.ignore_patterns("run"))
            job = next(self.folder.glob("chain/job*/job"))
            job.write_text(job.read_text().replace(str(jobs[0]), f"{self.folder}/chain"))
            cases = len(re.findall("^case ", job.read_text(), re.M))
        if done.returncode or not cases or len(rows) != cases:
            sys.exit(f"{self.spec}: not tested as it is\n{done.stdout}")
        driver = self.folder / "chain/driver.cpp"
        self.driver("plain")
        launcher = re.search(LAUNCHER, driver.read_text(), re.M).group(1)
        run = call([jobs[0] / "run", launcher, job], env=dict(os.environ, PALLASGEN_EMULATOR=SETTINGS))
        expected = zip(map(float, rows), ends_of(run.stdout), map(printed, outputs_of(run.stdout)), strict=True)
        (self.folder / "complete").write_text(json.dumps(list(expected)))

    def driver(self, mode):
        """Returns the driver's object. ThreadSanitizer must see its kernel that writes the inputs; no other mode needs
        a sanitizer there."""
        mode = mode if mode == "tsan" else "plain"
        made, source = self.folder / f"driver-{mode}.o", self.folder / "chain/driver.cpp"
        if not made.exists():
            fresh = self.folder / f"driver-{mode}-{os.getpid()}-{threading.get_ident()}.o"
            done = call([*self.machine.command(mode), "-include-pch", self.machine.headers_of(mode), f"-I{source.parent}",
                         "-c", source, "-o", fresh])
            if done.returncode:
                sys.exit(done.stdout)
            os.replace(fresh, made)
        return made

    def build(self, mutant, header, mode, folder):
        """Builds the program of a mutant of this kernel, or of a header; returns None if it does not compile."""
        source, program = folder / f"{self.path.stem}.cu", folder / mode
        source.write_text(self.text if header else mutant.text)
        command = self.machine.command(mode)
        driver = ["-x", "none", self.driver(mode)]
        if header:
            # It precedes the original; no precompiled file may contain that one.
            changed = folder / "pallasgen" / header
            changed.parent.mkdir(exist_ok=True)
            changed.write_text(mutant.text)
            command.insert(1, f"-I{folder}")
            driver = [f"-I{self.folder}/chain", self.folder / "chain/driver.cpp", "-x", "none"]
        else:
            command += ["-include-pch", self.machine.headers_of(mode)]
        done = call([*command, f"-I{self.path.parent}", "-x", "c++", source, *driver, *self.machine.archives, *LINK, "-o",
                     program])
        if done.returncode and mutant.text == self.text:
            sys.exit(f"{self.name}, unchanged, does not compile\n{done.stdout}")
        return program if done.returncode == 0 else None

    def run(self, program, mode, policy, folder):
        """Returns why the program is wrong; empty if it is not."""
        try:
            done = self.start(program, policy, folder)
        except subprocess.TimeoutExpired:
            return "no end"
        if done.returncode in EXITS:
            return EXITS[done.returncode]
        if done.returncode < 0:
            return "signal"
        ends = ends_of(done.stdout)
        if done.returncode != any(ends) or len(ends) != len(self.cases):
            raise RuntimeError(f"{self.name}: exit code {done.returncode}\n{done.stdout}")
        for case, output, end, (tolerance, said, lines) in zip(self.cases, outputs_of(done.stdout), ends, self.expected):
            # In random order, any program or thread may be the first to reach a fault, and any of its faults.
            if said and (end.split(": ")[:2] != said.split(": ")[:2] if "random" in policy else end != said):
                return "another report"
            if said:
                continue
            if end:
                return "refused"
            if printed(output) != lines:
                return "another print"
            launched = re.findall(rf"^pallasgen emulator: {self.launcher}_kernel: (\d+) CTAs;", output, re.M)
            most = re.search(r"^ctas (\d+)$", case, re.M) if "sms=" not in policy else None  # counted with SETTINGS
            if most and max(map(int, launched), default=0) > int(most.group(1)):
                return "CTAs without work"
            if not all(same(*output, tolerance) for output in self.written(case, folder)):
                return "wrong numbers"
        return ""

    def resources(self, text):
        """Returns the resources of a kernel by nvcc, and whether its gate accepts it; None without nvcc."""
        nvcc = nvcc_gate.find_nvcc()
        if not nvcc:
            return None
        with tempfile.TemporaryDirectory(dir=self.machine.work) as folder:
            source = Path(folder) / self.path.name
            source.write_text(text)
            shutil.copy2(self.path.with_suffix(".h"), folder)
            return nvcc_gate.compile_one(nvcc, ROOT, source)[:2]

    def judge(self, mutant, header="", runs=tuple(RUNS)):
        """Returns (mode and policy, how it was found, seconds); empty strings if it was not. `header`: the name of the
        mutated one; the kernel itself does not change."""
        kept = self.machine.work / "results" / digest(self.folder.name, self.job, header, mutant.kind, mutant.text, runs)
        if kept.exists():
            return json.loads(kept.read_text())
        start = time.time()
        with tempfile.TemporaryDirectory(dir=self.machine.work) as name:
            folder, programs, verdict = Path(name), {}, ["", ""]
            if mutant.kind == "attribute" and not header and (
                    self.resources(mutant.text) != self.resources(self.text)):
                verdict = ["nvcc gate", "other resources"]
            # A changed number shows in the text, if not in the result of the first run.
            not_of_spec = mutant.kind == "float" and not header and constants.mismatches(
                (ROOT / self.spec).read_text(), mutant.text)
            for mode, policy in [] if verdict[1] else runs[:1] if not_of_spec else runs:
                if mode not in programs:
                    programs[mode] = self.build(mutant, header, mode, folder)
                    if programs[mode] is None:
                        verdict = ["compiler", DOES_NOT_COMPILE]
                        break
                wrong = self.run(programs[mode], mode, policy, folder)
                if wrong:
                    verdict = [f"{mode} {policy}", wrong]
                    break
            if not_of_spec and not verdict[1]:
                verdict = ["constants", "not those of the spec"]
        verdict.append(time.time() - start)
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps(verdict))
        return verdict
