"""Called by bench/run_gpu.sh: builds, checks, times, prints a table last."""
import argparse
import datetime
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from build import GENCODE, ROOT, Kernels, find_nvcc  # noqa: E402



def smi(field):
    done = subprocess.run(["nvidia-smi", f"--query-gpu={field}", "--format=csv,noheader,nounits"], text=True,
                          capture_output=True)
    return done.stdout.strip().splitlines()[0] if done.returncode == 0 and done.stdout else "unknown"


def versions(torch):
    nvcc = subprocess.run([find_nvcc(), "--version"], text=True, capture_output=True).stdout
    return {"date": datetime.date.today().isoformat(), "gpu": smi("name"), "driver": smi("driver_version"),
            "sm_clock_mhz_max": smi("clocks.max.sm"), "power_limit_w": smi("power.limit"), "torch": torch.__version__,
            "nvcc": nvcc.strip().splitlines()[-1] if nvcc else "unknown"}


def micro_tests(folder):
    """The emulator's micro-tests as GPU programs: [(name, passed, output)]."""
    results = []
    for source in sorted((ROOT / "tests/emulator/micro").glob("*.cu")):
        program = folder / source.stem
        command = [find_nvcc(), "-std=c++20", *GENCODE, f"-I{ROOT}/runtime", f"-I{ROOT}/tests/emulator/micro", source,
                   "-o", program]
        built = subprocess.run(command, text=True, capture_output=True)
        if built.returncode != 0:
            results.append((source.stem, False, built.stderr[-1500:]))
            continue
        done = subprocess.run([program, ROOT / "tests/oracle/layouts"], text=True, capture_output=True, timeout=120)
        results.append((source.stem, done.returncode == 0, (done.stdout + done.stderr)[-1500:]))
    return results


def largest_error(torch, got, want):
    """Largest |got - want| / max(1, |want|); infinite where one is not a number and the other is."""
    if got.numel() == 0:
        return 0.0
    got, want = got.double(), want.double()
    if not torch.equal(got.isnan(), want.isnan()):
        return float("inf")
    return ((got - want).abs() / want.abs().clamp(min=1.0)).nan_to_num(0.0).max().item()


def check(torch, kernels, kernel):
    failures, worst = [], 0.0
    stream = torch.cuda.current_stream().cuda_stream
    sizes = kernel.checked()
    for dims in sizes:
        inputs, outputs = kernel.inputs(dims), kernel.outputs(dims)
        try:
            kernels.call(kernel.name, *inputs, *outputs, *dims.values(), stream)
            torch.cuda.synchronize()
        except RuntimeError as error:
            failures.append(f"{dims}: {error}")
            continue
        for got, want in zip(outputs, kernel.want(dims, inputs)):
            error = largest_error(torch, got, want)
            worst = max(worst, error)
            if error > kernel.tolerance:
                failures.append(f"{dims}: error {error:.3g} of {kernel.tolerance}")
    return len(sizes), worst, failures


def measure(torch, timing, kernels, kernel, dims, rounds):
    flops, moved = kernel.work(dims)
    copies = timing.copies_for(moved)
    inputs = [kernel.inputs(dims, seed=10 * i) for i in range(copies)]
    outputs = [kernel.outputs(dims) for _ in range(copies)]
    stream = torch.cuda.current_stream().cuda_stream

    def ours(i):
        kernels.call(kernel.name, *inputs[i % copies], *outputs[i % copies], *dims.values(), stream)

    rivals = [kernel.rival(dims, one) for one in inputs]
    functions = [ours] + ([lambda i: rivals[i % copies]()] if rivals[0] else [])
    times = timing.interleaved(functions, rounds)
    row = {"kernel": kernel.name, "dims": dims, "ours": times[0], "beside": kernel.beside,
           "tflops": flops / times[0]["median_ms"] * 1e-9, "gbytes_per_s": moved / times[0]["median_ms"] * 1e-6,
           "sm_clock_mhz": smi("clocks.sm"), "power_w": smi("power.draw")}
    if len(times) > 1:
        row["rival"] = times[1]
        row["ratio"] = times[1]["median_ms"] / times[0]["median_ms"]
    return row


def table(rows):
    lines = [f"{'kernel':24} {'size':26} {'ours ms':>9} {'rival ms':>9} {'speed':>6} {'TFLOP/s':>8} {'GB/s':>7} {'MHz':>6}"]
    for row in rows:
        size = "x".join(str(v) for v in row["dims"].values())
        rival = f"{row['rival']['median_ms']:9.4f} {row['ratio']:6.2f}" if "rival" in row else f"{'':9} {'':6}"
        lines.append(f"{row['kernel']:24} {size:26} {row['ours']['median_ms']:9.4f} {rival} {row['tflops']:8.1f} "
                     f"{row['gbytes_per_s']:7.0f} {row['sm_clock_mhz']:>6}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--quick", action="store_true", help="few rounds, the first size of each kernel")
    parser.add_argument("--only", default="")
    parser.add_argument("--build-only", action="store_true", help="compile, run nothing")
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="pallasgen-gpu-"))
    sources = sorted((ROOT / "generated").rglob("*.cu"))
    kernels = Kernels(work, sources)
    print(f"built {len(sources)} kernels", flush=True)
    if options.build_only:
        return 0

    import torch
    import timing
    from kernels import all_kernels
    chosen = [k for k in all_kernels() if not options.only or k.name in options.only.split(",")]
    out = options.out or ROOT / "bench/results" / datetime.date.today().isoformat()
    out.mkdir(parents=True, exist_ok=True)
    results = {"versions": versions(torch), "checks": [], "micro": [], "times": []}
    failed = 0
    for name, passed, output in micro_tests(work):
        results["micro"].append({"name": name, "passed": passed})
        failed += not passed
        print(f"micro {name}: {'passed' if passed else 'FAILED ' + output}", flush=True)
    for kernel in chosen:
        sizes, worst, failures = check(torch, kernels, kernel)
        results["checks"].append({"kernel": kernel.name, "sizes": sizes, "largest_error": worst, "failures": failures})
        failed += bool(failures)
        print(f"check {kernel.name}: {sizes} sizes, largest error {worst:.3g}, {len(failures)} failed", flush=True)
        for failure in failures[:5]:
            print(f"  {failure}", flush=True)
    for kernel in chosen:
        for dims in kernel.timed[:1] if options.quick else kernel.timed:
            results["times"].append(measure(torch, timing, kernels, kernel, dims, 4 if options.quick else timing.ROUNDS))
            (out / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    (out / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    lines = [", ".join(f"{k} {v}" for k, v in results["versions"].items())] + table(results["times"])
    (out / "table.txt").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
