#!/usr/bin/env python3
"""Tests generated kernels that frameworks call, on the CPU: makes a Python package of them
(`generate --bindings python`, the CMake package), with the emulator in it, as a wheel; calls it in a virtual
environment with PyTorch, JAX and NumPy, which pip makes; and calls the same kernels from a program in C.

  tests/bindings/run.py [--build DIR] [--one-in N]

Takes one kernel in N of the library, and those that calls.py calls by name. The results are kept in DIR/bindings until
their inputs change. Ends with a line `N passed, N failed`, or with `skipped:` and the reason."""
import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests/cli")]
import nvcc_gate  # noqa: E402
import tutorial_test  # noqa: E402

NAMED = ("basics/add_vectors_blocked", "checks/gather_checked", "operands/every_other_row", "operands/scale_in_place",
         "matmul/matmul_gelu", "rows/layer_norm", "rows/layer_norm_bwd", "elementwise/activation_forward",
         "elementwise/activation_backward", "basics/show_program_ids")
PACKAGES = ("apache-tvm-ffi==0.1.15.post2", "numpy==2.4.6", "torch==2.15.0", "jax==0.10.2", "jax-tvm-ffi==0.1.3",
            "scikit-build-core==1.1.2")
NO_NETWORK = "NewConnectionError|Name or service|Network is unreachable|timed out"


def call(*command):
    done = subprocess.run([*map(str, command)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}\n0 passed, 1 failed")
    return done.stdout


def environment(folder):
    """Returns the Python of a virtual environment that has the packages."""
    python, stamp = folder / "venv/bin/python", folder / "venv/packages"
    if not stamp.exists() or stamp.read_text() != " ".join(PACKAGES):
        call(sys.executable, "-m", "venv", "--clear", folder / "venv")
        done = subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-cache-dir", *PACKAGES],
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode and re.search(NO_NETWORK, done.stdout):
            print("skipped: PyPI cannot be reached")
            sys.exit(0)
        if done.returncode:
            sys.exit(f"{done.stdout[-4000:]}\n0 passed, 1 failed")
        stamp.write_text(" ".join(PACKAGES))
    return python


def kernels_of(one_in):
    """Returns places of specs below specs/, without endings: some of the library, and their gradients' kernels."""
    every = sorted(str(path.relative_to(ROOT / "specs"))[:-5] for path in (ROOT / "specs").rglob("*.yaml"))
    chosen = {*NAMED, *every[::one_in]}
    for kernel in sorted(chosen):
        steps = yaml.safe_load((ROOT / f"specs/{kernel}.yaml").read_text()).get("vjp") or []
        for step in [steps] if isinstance(steps, str) else steps:
            chosen.add(str(Path(kernel).parent / (step if isinstance(step, str) else step["kernel"])))
    return sorted(chosen)


def wheel_of(project, dist, python, folder, *words):
    """Makes the wheel of a project, in `dist`, with the packages of the environment."""
    call(python, "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", project, "-w", dist,
         f"-Ccmake.define.pallasgen_ROOT={folder / 'prefix'}", *words)


def package(build, folder, python, kernels, device="CPU"):
    """Makes the wheel of the kernels for the device, CPU or CUDA; returns the folder that builds their package."""
    tool, generated, prefix = build / "pallasgen", folder / "generated", folder / "prefix"
    call("cmake", "--install", build, "--prefix", prefix)
    wanted = {generated / f"{kernel}.py" for kernel in kernels}
    for module in generated.rglob("*.py"):
        if module not in wanted:
            module.unlink()
    externs = [f"--extern-arg={word}" for word in nvcc_gate.header_folders(ROOT)]
    call(tool, "generate", *(ROOT / f"specs/{kernel}.yaml" for kernel in kernels), "--out", generated, "--bindings", "python",
         "--plan-json", *externs)
    project, made = folder / "library", folder / ("build" if device == "CPU" else "build-cuda")
    project.mkdir(exist_ok=True)
    shutil.copy(ROOT / "tests/bindings/CMakeLists.txt", project)
    text = (ROOT / "templates/project/pyproject.toml.in").read_text()
    (project / "pyproject.toml").write_text(text.replace("${name}", "library_kernels"))
    dist = folder / ("dist" if device == "CPU" else "dist-cuda")
    shutil.rmtree(dist, ignore_errors=True)
    wheel_of(project, dist, python, folder, f"-Cbuild-dir={made}", f"-Ccmake.define.GENERATED={generated}",
             f"-Ccmake.define.DEVICE={device}", f"-Ccmake.define.CMAKE_CUDA_COMPILER={nvcc_gate.find_nvcc()}",
             f"-Ccmake.define.EXTERN_ARGS={';'.join(nvcc_gate.header_folders(ROOT))}")
    return made


def wheels(build, folder, python):
    """Makes a wheel of a project as `init` writes it; its test passes in an environment that has only that wheel and
    the library's, as do direct calls of the library's."""
    project, fresh = folder / "project", folder / "fresh"
    for old in (project, fresh):
        shutil.rmtree(old, ignore_errors=True)
    call(build / "pallasgen", "init", "project", "--name", "tried", "--out", project)
    # With a header of functions in the folder of its spec.
    call(build / "pallasgen", "init", "--from", "extern/extern_elements", "--out", project / "specs/mine/extern_elements.yaml")
    call("bash", "-c", f"cd {project} && {build / 'pallasgen'} generate && {build / 'pallasgen'} check")
    wheel_of(project, project / "dist", python, folder, "-Ccmake.define.CPU_ONLY=ON")
    call(sys.executable, "-m", "venv", fresh)
    made = [*(project / "dist").glob("*.whl"), *(folder / "dist").glob("*.whl")]
    call(fresh / "bin/pip", "install", "-q", "--disable-pip-version-check", *made, "numpy", "pytest")
    done = call(fresh / "bin/python", "-m", "pytest", "-q", project / "tests")
    print("  wheel of a project:", done.strip().splitlines()[-1])
    done = call(fresh / "bin/python", ROOT / "tests/bindings/calls.py", *fresh.glob("lib/python*/site-packages"))
    print("  wheel of the library:", done.strip().splitlines()[-1])


def tutorial(build, folder, python):
    """Checks that each command of docs/tutorial-frameworks.md prints what the page shows, with the page's files."""
    page, work, tools = (ROOT / "docs/tutorial-frameworks.md").read_text(), folder / "tutorial", folder / "tools"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    tools.mkdir(exist_ok=True)
    (tools / "pallasgen").unlink(missing_ok=True)
    (tools / "pallasgen").symlink_to(build / "pallasgen")
    environment = dict(os.environ, PATH=f"{tools}:{python.parent}:{os.environ['PATH']}", PALLASGEN_ROOT=str(folder / "prefix"),
                       CMAKE_ARGS="-DCPU_ONLY=ON", PIP_NO_BUILD_ISOLATION="false", PIP_DISABLE_PIP_VERSION_CHECK="1", TMPDIR=str(work))
    here = work
    for command, shown in tutorial_test.sessions(page):
        if command.startswith("cd "):
            here /= command[3:]
            for name, text in re.findall(r"```(?:yaml|python)\n# (\S+)\n(.*?)```", page, re.S):
                (here / name).write_text(text)
            continue
        done = subprocess.run(["bash", "-c", command], cwd=here, env=environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        said = "".join(line for line in done.stdout.splitlines(True) if "No CUDA runtime is found" not in line)
        fine = done.returncode == (3 if command == "pallasgen check" else 0)
        if not fine or not re.fullmatch(tutorial_test.pattern_of(shown), said):
            return f"{command}\n{done.stdout[-3000:]}"
    return ""


def smallest_test(spec):
    """Returns the number of the test with the smallest sizes, from 1, except empty ones and those that fail. Kernels of
    gradients may need sizes that are multiples of 4."""
    def key(test):
        sizes = (test.get("dims") or {}).values()
        return "vjp" in spec and any(size > 2 and size % 4 for size in sizes), math.prod(sizes)

    return min((*key(test), number) for number, test in enumerate(spec["tests"], 1)
               if not test.get("fault") and 0 not in (test.get("dims") or {}).values())[-1]


def export_case(tool, kernel, folder):
    """Writes the arrays of a test of the kernel, and the interpreter's results."""
    path = ROOT / f"specs/{kernel}.yaml"
    spec = yaml.safe_load(path.read_text())
    number = smallest_test(spec)
    interface = json.loads((folder / f"generated/{kernel}.plan.json").read_text())["interface"]
    case = folder / "cases" / interface["function"]
    told = case / "case.json"
    if told.exists() and told.stat().st_mtime > max(path.stat().st_mtime, tool.stat().st_mtime):
        return
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir(parents=True)
    arrays = [argument for argument in interface["arguments"] if argument["role"] in ("in", "out", "inout")]
    names = [name for argument in arrays for name in (argument["name"], *argument.get("written_as", []))]
    words = [word for name in names for word in ("--out", f"{name}={case / name}.npy")]
    externs = [f"--extern-arg={word}" for word in nvcc_gate.header_folders(ROOT)]
    call(tool, "interpret", path, "--test", number, *words, *externs)
    told.write_text(json.dumps({"test": spec["tests"][number - 1], "arrays": arrays}))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--one-in", type=int, default=1)
    options = parser.parse_args()
    build = options.build.resolve()
    if not nvcc_gate.find_nvcc():
        print("skipped: the headers of the CUDA Toolkit are not there")
        return 0
    folder = build / "bindings"
    folder.mkdir(exist_ok=True)
    python = environment(folder)
    kernels = kernels_of(options.one_in)
    made = package(build, folder, python, kernels)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda kernel: export_case(build / "pallasgen", kernel, folder), kernels))
    passed = failed = 0
    headers = Path(nvcc_gate.find_nvcc()).resolve().parent.parent / "include"
    for script, *words in (["calls.py"], ["c_values.py", folder / "cases", folder / "generated", folder / "prefix", headers, *kernels],
                           ["values.py", folder / "cases", *kernels], ["transforms.py"]):
        done = subprocess.run([python, ROOT / "tests/bindings" / script, made, *map(str, words)], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        print(textwrap.indent(done.stdout, "  "), end="")
        found = re.search(r"^(\d+) passed, (\d+) failed$", done.stdout, re.M)
        passed, failed = (passed + int(found[1]), failed + int(found[2])) if found else (passed, failed + 1)
    wheels(build, folder, python)
    wrong = tutorial(build, folder, python)
    if wrong:
        print(textwrap.indent(f"FAILED tutorial: {wrong}", "  "))
    passed, failed = passed + 2 + (not wrong), failed + bool(wrong)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
