"""Called by bench/run_gpu.sh: builds the programs of the package, runs it phase by phase, prints a table last."""
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
from build import Builder, build, collected, new_pool, store, stored  # noqa: E402
from package import ROOT, expected_cases, pack, unpack  # noqa: E402
from results import FAILED, PASSED, Results  # noqa: E402


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


def mistakes(package):
    """Chooses, for a dry run, the kernels that hang, crash and write a wrong number."""
    able = [job.name for job in sorted((package / "jobs").iterdir())
            if any((job / f"{output.file}.want").stat().st_size for case in expected_cases(job) for output in case.outputs)]
    if len(able) < 4:
        sys.exit("a dry run needs a package of four kernels at least: one must be right")
    return dict(zip(("hang", "crash", "wrong"), able))


def measured(run, package, builder, pool):
    start = time.monotonic()
    programs = stored(package) if not run.dry else None
    how = "brought along" if programs else "built here"
    programs = programs or build(builder, package, pool)
    library = collected(programs.library)
    built = sum(not said for _, said in library.values())
    run.results.add("build", "library", PASSED if built else FAILED, time.monotonic() - start,
                    f"{built} of {len(library)} kernels, {how}")
    compiling = phases.compile_torch(run)
    phases.jobs(run, library, programs.variants)
    phases.micro(run, programs.micro)
    phases.rings(run, library)
    phases.operators(run)
    phases.sanitizer(run, library)
    phases.times(run, collected(programs.times), compiling)


def built(results, package, builder, pool):
    """Compiles everything and records a row for each program, but only for failing kernels of the library."""
    start = time.monotonic()
    said = build(builder, package, pool).said()
    library = [text for _, text in said["library"].values()]
    results.add("build", "library", PASSED if not all(library) else FAILED, time.monotonic() - start,
                f"{library.count('')} of {len(library)} kernels")
    for phase, entries in said.items():
        for name, (_, text) in entries.items():
            if text or phase != "library":
                results.add("build", f"{phase} {name}", FAILED if text else PASSED, 0, text)
    if not builder.dry:
        store(package, said)
        archive = pack(package)
        print(f"{archive}: {archive.stat().st_size / 1e6:.1f} MB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--package", type=Path, default=ROOT / "build/gpu")
    parser.add_argument("--out", type=Path, default=Path(os.environ.get("OUT") or ROOT / "build/gpu_results"))
    parser.add_argument("--seconds", type=float, default=20, help="for one program")
    parser.add_argument("--minutes", type=float, default=8.5, help="for all; what is left then is skipped, and said")
    parser.add_argument("--at-once", type=int, default=4, help="programs that share the GPU")
    parser.add_argument("--dry-run", action="store_true", help="a stub in place of the GPU; it misbehaves three times")
    parser.add_argument("--build-only", action="store_true", help="compile all into the package, run nothing: needs no GPU")
    options = parser.parse_args()
    package = options.package.resolve()
    unpack(package)
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
        with new_pool() as pool:
            if options.build_only:
                shutil.rmtree(package / "programs", ignore_errors=True)
                built(results, package, Builder(package / "programs", options.dry_run), pool)
            else:
                measured(phases.Run(package, results, work, options), package, Builder(work / "programs", options.dry_run), pool)
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
