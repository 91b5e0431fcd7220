#!/usr/bin/env bash
# Everything that a GPU is for, in one run: compiles every generated kernel with nvcc, checks it against PyTorch on
# ragged and tiny sizes, runs the emulator's micro-tests on the device, times the kernels beside cuBLASLt (through
# PyTorch) and device copies, and prints a short table last. Needs nvcc, python3 with PyTorch, and a GPU of compute
# capability 9.0; nothing of the generator.
#
#   bench/run_gpu.sh [--out DIR] [--quick] [--only NAME[,NAME]]
#
# DIR (default bench/results/<date>) gets results.json and table.txt: values with the GPU's name, clocks and versions.
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 bench/gpu/main.py "$@"
