"""Called by bench/run_gpu.sh: builds what the package holds, runs it phase by phase, prints a table last."""
import argparse
import datetime
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import phases  # noqa: E402
from build import Builder, collected, kernels_of, new_pool  # noqa: E402
from package import ROOT, expected_cases  # noqa: E402
from results import FAILED, PASSED, Results  # noqa: E402

TIMING = [ROOT / "bench/gpu/timing.cpp", ROOT / "bench/gpu/noise.cu"]


def said_by(*command):
    try:
        done = subprocess.run(command, text=True, capture_output=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    return done.stdout.strip().splitlines()[-1] if done.returncode == 0 and done.stdout.strip() else "unknown"


def header(dry):
    if dry:
        return "dry run: a stub in place of the GPU"
    fields = "name,driver_version,clocks.max.sm,power.limit"
    return f"{datetime.date.today()}, {said_by('nvidia-smi', f'--query-gpu={fields}', '--format=csv,noheader')}, nvcc " \
           f"{said_by('nvcc', '--version')}, {os.cpu_count()} cores"


def timing_driver(text):
    """The driver of jobs as one that measures."""
    return text.replace("#include <runner/runner.h>", f'#include "{ROOT}/bench/gpu/timing.h"').replace(
        "pallasgen::run_job(", "pallasgen::time_job(")


def mistakes(package):
    """For a dry run: which kernel hangs, which crashes, which writes a wrong number."""
    able = [job.name for job in sorted((package / "jobs").iterdir())
            if any((job / f"{output.file}.want").stat().st_size for case in expected_cases(job) for output in case.outputs)]
    if len(able) < 4:
        sys.exit("a dry run needs a package of four kernels at least: one must be right")
    return dict(zip(("hang", "crash", "wrong"), able))


def measured(run, package, builder, build_only):
    start = time.monotonic()
    library = (package / "library/driver.cpp").read_text()
    variants = sorted((package / "variants").iterdir()) if (package / "variants").exists() else []
    timed = {path.name.split("_", 1)[1] for path in (package / "times").iterdir()} if (package / "times").exists() else set()
    with new_pool() as pool:
        parts = builder.library(package / "library", pool)
        tests = builder.micro_tests(pool)
        variants = {folder.name: (kernels_of((folder / "driver.cpp").read_text())[0], builder.work / f"variant_{folder.name}",
                                  pool.submit(builder.variant, folder, builder.work / f"variant_{folder.name}"))
                    for folder in variants}
        measuring = builder.library(package / "library", pool, "times", timed, TIMING, timing_driver)
        programs, refused = collected(parts)
        run.results.add("build", "library", PASSED if programs else FAILED, time.monotonic() - start,
                        f"{len(programs)} of {len(kernels_of(library))} kernels")
        if build_only:
            built(run, refused, tests, variants, collected(measuring)[1])
            return
        phases.jobs(run, programs, refused, variants)
        phases.micro(run, tests)  # some of them take nvcc longest
        phases.rings(run, programs)
        phases.sanitizer(run, programs)
        phases.times(run, *collected(measuring))


def built(run, refused, tests, variants, unmeasured):
    """A row for each program; that of the library's kernels where one does not compile."""
    said = {f"library {name}": text for name, text in refused.items()}
    said |= {f"times {name}": text for name, text in unmeasured.items()}
    said |= {f"micro {name}": future.result() for name, _, future in tests}
    said |= {f"variant {name}": future.result() for name, (_, _, future) in variants.items()}
    for name, text in said.items():
        run.results.add("build", name, FAILED if text else PASSED, 0, text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--package", type=Path, default=ROOT / "build/gpu")
    parser.add_argument("--out", type=Path, default=Path(os.environ.get("OUT") or ROOT / "build/gpu_results"))
    parser.add_argument("--seconds", type=float, default=20, help="for one program")
    parser.add_argument("--minutes", type=float, default=8.5, help="for all; what is left then is skipped, and said")
    parser.add_argument("--at-once", type=int, default=4, help="programs that share the GPU")
    parser.add_argument("--dry-run", action="store_true", help="a stub in place of the GPU; it misbehaves three times")
    parser.add_argument("--build-only", action="store_true", help="compile all, run nothing: needs no GPU")
    options = parser.parse_args()
    package = options.package.resolve()
    if not (package / "library/driver.cpp").exists():
        sys.exit(f"{package} is no package: bench/gpu/prepare.py makes one")
    planted = {}
    if options.dry_run:
        planted = mistakes(package)
        os.environ["PALLASGEN_STUB"] = ",".join(f"{what}={kernel}" for what, kernel in planted.items())
        os.environ["PALLASGEN_STUB_PACKAGE"] = str(package)
    results = Results(options.out.resolve())
    work = Path(tempfile.mkdtemp(prefix="pallasgen-gpu-"))
    try:
        measured(phases.Run(package, results, work, options), package, Builder(work / "programs", options.dry_run),
                 options.build_only)
    except KeyboardInterrupt:
        results.add("run", "all", FAILED, 0, "interrupted")
    finally:
        print(results.table(header(options.dry_run)), end="", flush=True)
        shutil.rmtree(work, ignore_errors=True)
    failed = {(row.phase, row.name) for row in results.failed()}
    if options.dry_run:
        wanted = {("kernels", kernel) for kernel in planted.values()}
        print(f"dry run: {', '.join(f'{what} {kernel}' for what, kernel in planted.items())}: "
              f"{'each costs one row' if failed == wanted else f'rows that failed: {sorted(failed)}'}")
        return 0 if failed == wanted else 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
