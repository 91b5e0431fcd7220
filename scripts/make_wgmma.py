#!/usr/bin/env python3
"""Writes runtime/pallasgen/ptx/wgmma_f16.cuh: wgmma for f16 and bf16 operands at every legal N (PTX ISA, "wgmma").

Usage: make_wgmma.py [OUTPUT], or make_wgmma.py --check [OUTPUT], which compares and exits 1 on a difference.
"""

import pathlib
import sys
import textwrap

HEAD = """\
// Written by scripts/make_wgmma.py. DO NOT EDIT.
// clang-format off
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

// wgmma.mma_async, one function per instruction: d += A * B, or d = A * B when `accumulate` is 0. A is 64 x 16, from
// shared memory by the descriptor `a` or, in the _ra forms, from registers; B is 16 x N by the descriptor `b`. TransA
// and TransB are 1 for operands whose M or N is contiguous, 0 where K is. All four warps of a warpgroup execute it.
#define PALLASGEN_D4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])

namespace pallasgen::ptx {
"""

TAIL = """\
}  // namespace pallasgen::ptx

#undef PALLASGEN_D4
"""

SHARED = """\
template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n{n}k16_f32_{t}(float (&d)[{size}], uint64_t a, uint64_t b, int accumulate) {{
  asm volatile("{{ .reg .pred p; setp.ne.b32 p, %{acc}, 0; wgmma.mma_async.sync.aligned.m64n{n}k16.f32.{t}.{t} "
{list}
    "%{a}, %{b}, p, 1, 1, %{ta}, %{tb}; }}"
    : {outputs}
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}}
"""

REGISTERS = """\
template <int TransB>
__device__ __forceinline__ void wgmma_m64n{n}k16_f32_{t}_ra(float (&d)[{size}], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {{
  asm volatile("{{ .reg .pred p; setp.ne.b32 p, %{acc}, 0; wgmma.mma_async.sync.aligned.m64n{n}k16.f32.{t}.{t} "
{list}
    "{{%{a0}, %{a1}, %{a2}, %{a3}}}, %{b}, p, 1, 1, %{tb}; }}"
    : {outputs}
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}}
"""


def wrapped(words, indent, open_line="", close_line=""):
    """Joins words with commas into lines of at most 112 columns, each between open_line and close_line."""
    lines = textwrap.wrap(", ".join(words), 104, break_long_words=False)
    return ("\n" + indent).join(open_line + line + (" " if i + 1 < len(lines) else "") + close_line
                                for i, line in enumerate(lines))


def function(template, n, t):
    size = n // 2
    registers = wrapped([f"%{i}" for i in range(size)], "    ", '"', '"').replace('"%0', '"{%0', 1)
    operands = "    " + registers[:-1] + '}, "'
    outputs = textwrap.wrap(", ".join(f"PALLASGEN_D4({i})" for i in range(0, size, 4)), 104)
    common = dict(n=n, t=t, size=size, list=operands, outputs="\n      ".join(outputs))
    if template is SHARED:
        numbers = dict(a=size, b=size + 1, acc=size + 2, ta=size + 3, tb=size + 4)
    else:
        numbers = dict(a0=size, a1=size + 1, a2=size + 2, a3=size + 3, b=size + 4, acc=size + 5, tb=size + 6)
    return template.format(**common, **numbers)


def main(arguments):
    check = arguments[:1] == ["--check"]
    rest = arguments[1:] if check else arguments
    default = pathlib.Path(__file__).resolve().parent.parent / "runtime/pallasgen/ptx/wgmma_f16.cuh"
    path = pathlib.Path(rest[0]) if rest else default
    functions = [function(template, n, t)
                 for t in ("bf16", "f16") for n in range(8, 257, 8) for template in (SHARED, REGISTERS)]
    text = "\n".join([HEAD, *functions, TAIL])
    if not check:
        path.write_text(text)
    elif not path.exists() or path.read_text() != text:
        print(f"{path} is not what scripts/make_wgmma.py writes", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
