#!/usr/bin/env python3
"""The variants of the two matmul specs that -D makes: each passes nvcc's gate and agrees in the emulator on ragged and
tiny shapes, or is refused with a value that works, which is then tried.

  tests/matrix/matmul_variants.py [--build DIR] [--few] [--no-nvcc]

Ends with a line `N passed, N failed`; --few takes a tenth of the variants.
"""
import argparse
import itertools
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import nvcc_gate  # noqa: E402

MATMUL, GELU = "specs/matmul/matmul.yaml", "specs/matmul/matmul_gelu.yaml"
TILE_ROWS, TILE_COLUMNS, DEPTHS = (64, 128, 192, 256), (64, 96, 128, 192, 256), (32, 64, 128)

# Ragged on every axis, single steps, fewer steps than stages, and extents of 0, 1 and 2^k +- 1. The launcher of a
# variant must refuse sizes that break a fact of its dims.
SHAPES = [(200, 136, 104), (1, 8, 8), (0, 64, 64), (64, 0, 64), (72, 72, 0), (127, 264, 64), (129, 120, 520),
          (65, 1, 16), (16, 16, 1), (257, 63, 64), (64, 248, 127), (255, 257, 129), (8, 8, 8)]


def variants():
    """Yields (spec, defines) in a fixed order."""
    for bm, bn, groups in itertools.product(TILE_ROWS, TILE_COLUMNS, (1, 2, 3)):
        yield GELU, {"bm": bm, "bn": bn, "pipeline.compute_warpgroups": groups, "pipeline.stages": "auto"}
    for bk, stages in itertools.product(DEPTHS, (1, 2, 3, 4, 5, 6, "auto")):
        yield MATMUL, {"bn": 128, "bk": bk, "pipeline.stages": stages}
    for dtype, trans_a, trans_b in itertools.product(("bf16", "f16"), ("false", "true"), ("false", "true")):
        for bn, bk, persistent in ((128, 64, "true"), (96, 32, "false"), (192, 128, "true")):
            yield MATMUL, {"T": dtype, "trans_a": trans_a, "trans_b": trans_b, "bn": bn, "bk": bk,
                           "pipeline.stages": "auto", "schedule.persistent": persistent}
    for activation, bias in itertools.product(("identity", "relu", "gelu", "gelu_tanh", "silu"), ("false", "true")):
        yield GELU, {"activation": activation, "with_bias": bias}
        yield GELU, {"activation": activation, "with_bias": bias, "bm": 64, "bn": 96, "schedule.persistent": "false",
                     "pipeline.compute_warpgroups": 1}


def name_of(spec, defines):
    return Path(spec).stem + " " + " ".join(f"{k}={v}" for k, v in defines.items())


def run(command):
    done = subprocess.run([str(c) for c in command], cwd=ROOT, text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode not in (0, 1):
        done.stdout += f"exit code {done.returncode}"
    return done


def flags(defines):
    return [word for name, value in defines.items() for word in ("-D", f"{name}={value}")]


def plans(tool, spec, defines):
    done = run([tool, "explain", spec, *flags(defines)])
    return done.returncode == 0, done.stdout


SETTINGS = {"stages": "pipeline.stages", "compute_warpgroups": "pipeline.compute_warpgroups"}


def check_refusal(tool, spec, defines, text):
    """Checks that every `note: NAME VALUE works` of the refusal plans, those joined by `and` together."""
    offers = [dict(re.findall(r"(\w+) (\w+)(?: and|$)", offer)) for offer in re.findall(r"note: (.*) works$", text, re.M)]
    if not offers or not all(offers):
        return f"the refusal names no value that works:\n{text}"
    for offer in offers:
        tried = {**defines, **{SETTINGS.get(name, name): value for name, value in offer.items()}}
        fine, second = plans(tool, spec, tried)
        if not fine:
            return f"the refusal names {offer}, which is refused too:\n{text}\n{second}"
    return ""


def check_variant(tool, build, spec, defines, with_nvcc):
    """Returns an empty string, or what is wrong; and whether the variant was accepted."""
    fine, text = plans(tool, spec, defines)
    if not fine:
        return check_refusal(tool, spec, defines, text), False, ""
    with tempfile.TemporaryDirectory() as out:
        made = run([tool, "generate", spec, "--out", out, *flags(defines)])
        if made.returncode != 0:
            return made.stdout, True, ""
        path = next(Path(out).rglob("*.cu"))
        content = path.read_text()
        if with_nvcc:
            ok, _, detail = nvcc_gate.compile_one(nvcc_gate.find_nvcc(), ROOT, path)
            if not ok:
                return detail, True, content
    dims = [word for m, n, k in SHAPES for word in ("--dims", f"M={m},N={n},K={k}")]
    tested = run([tool, "test", spec, *flags(defines), *dims, "--policies", "late,random", "--work-dir", build / "matrix"])
    return ("" if tested.returncode == 0 else tested.stdout[-3000:]), True, content


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--no-nvcc", action="store_true")
    options = parser.parse_args()
    tool = options.build.resolve() / "pallasgen"
    chosen = list(variants())[:: 11 if options.few else 1]
    with_nvcc = bool(nvcc_gate.find_nvcc()) and not options.no_nvcc

    passed = failed = accepted = 0
    texts = set()
    with ThreadPoolExecutor(2) as pool:
        jobs = pool.map(lambda v: check_variant(tool, options.build.resolve(), *v, with_nvcc), chosen)
        for (spec, defines), (wrong, made, content) in zip(chosen, jobs):
            passed, failed, accepted = passed + (not wrong), failed + bool(wrong), accepted + made
            # A file starts with hashes: variants must differ in later lines.
            texts.add("\n".join(content.splitlines()[3:]))
            print(f"{'FAILED' if wrong else 'ok    '} {'made   ' if made else 'refused'} {name_of(spec, defines)}", flush=True)
            if wrong:
                print(wrong, flush=True)
    texts.discard("")
    print(f"{len(chosen)} variants, {accepted} made, {len(texts)} different texts")
    if not options.few and len(texts) < 60:
        failed += 1
        print("FAILED fewer than 60 different texts")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
