#!/usr/bin/env python3
"""Compiles each source by itself, as builds without groups (PALLASGEN_UNITY=OFF, the fuzzers) do: in a group a source
may use what another one includes. Prints a line for each that fails, and `N passed, N failed`.

  scripts/sources_alone.py [--build DIR]     DIR: where it configures, build-alone by default
"""
import argparse
import json
import os
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def errors_of(entry):
    """Returns the first errors of a source, which is only parsed; empty if there are none."""
    words = [word for word in shlex.split(entry["command"]) if Path(word).name != "ccache"]
    output = words.index("-o")
    del words[output:output + 2]
    done = subprocess.run([words[0], "-fsyntax-only", *words[1:], "-O0"], cwd=entry["directory"], text=True, errors="replace",
                          capture_output=True)
    return [line for line in done.stderr.splitlines() if "error" in line][:3] if done.returncode else []


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", type=Path, default=ROOT / "build-alone")
    build = options.parse_args().build
    subprocess.run(["cmake", "--preset", "default", "-B", build, "-DPALLASGEN_UNITY=OFF"], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)
    entries = [entry for entry in json.loads((build / "compile_commands.json").read_text())
               if Path(entry["file"]).is_relative_to(ROOT) and not Path(entry["file"]).is_relative_to(build)]
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for entry, errors in zip(entries, pool.map(errors_of, entries)):
            failed += bool(errors)
            if errors:
                print(f"{Path(entry['file']).relative_to(ROOT)}:", *errors, sep="\n  ", flush=True)
    print(f"{len(entries) - failed} passed, {failed} failed")
    raise SystemExit(failed > 0)


if __name__ == "__main__":
    main()
