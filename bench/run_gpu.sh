#!/usr/bin/env bash
# Runs all tests that need a GPU, in about eight minutes: every kernel with the inputs of its tests, compared with the
# interpreter and the emulator; the emulator's micro-tests; the ring kernels 200 times each; variants of the matmuls;
# compute-sanitizer on some; times against cuBLASLt, PyTorch and copies, last. Every program is a process of its own
# with a time limit, and its row is on disk as soon as it ends.
#
#   python3 bench/gpu/prepare.py             on the machine with the tool: makes build/gpu
#   bench/run_gpu.sh --build-only            there too: compiles it, in some minutes, and makes
#                                            build/gpu.tar.xz, which must be carried; without this, carry build/gpu
#   bench/run_gpu.sh [--out DIR] [--dry-run | --build-only] [--seconds N] [--minutes N] [--at-once N] [--package DIR]
#
# Needs nvcc, python3 and a GPU of compute capability 9.0; neither the generator nor a network. DIR ($OUT, or
# build/gpu_results) gets results.txt, a row each, and table.txt, which is printed last. `--dry-run` replaces the GPU
# and nvcc by a stub: one kernel hangs, one crashes, one writes a wrong number, and each must cost its row only.
# `--build-only` compiles everything, which needs no GPU; programs are compiled anew if their sources differ or they do
# not run.
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 bench/gpu/main.py "$@"
