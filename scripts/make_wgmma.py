#!/usr/bin/env python3
"""Writes the wgmma headers of runtime/pallasgen/ptx, every type and legal N (PTX ISA, "wgmma.mma_async"), and their
twins of runtime/emulator.

Usage: make_wgmma.py, or make_wgmma.py --check, which compares and exits 1 on a difference.
"""

import pathlib
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEVICE = ROOT / "runtime/pallasgen/ptx"
HOST = ROOT / "runtime/emulator/include/pallasgen/ptx"

EVERY_8 = range(8, 257, 8)
INTEGER_N = [8, 16, 24, *range(32, 257, 16)]
F8, I8 = ("e4m3", "e5m2"), ("s8", "u8")


def pairs(types):
    return [(a, b) for a in types for b in types]


# File: accumulator, k of one instruction, operand types, legal N.
FILES = {
    "wgmma_f16.cuh": ("f32", 16, [("bf16", "bf16"), ("f16", "f16")], EVERY_8),
    "wgmma_f16_f16.cuh": ("f16", 16, [("f16", "f16")], EVERY_8),
    "wgmma_tf32.cuh": ("f32", 8, [("tf32", "tf32")], EVERY_8),
    "wgmma_f8.cuh": ("f32", 32, pairs(F8), EVERY_8),
    "wgmma_f8_f16.cuh": ("f16", 32, pairs(F8), EVERY_8),
    "wgmma_i8.cuh": ("s32", 32, pairs(I8), INTEGER_N),
}
REGISTER = {"f32": "float", "f16": "uint32_t", "s32": "int32_t"}
CONSTRAINT = {"f32": "+f", "f16": "+r", "s32": "+r"}

HEAD = """\
// Written by scripts/make_wgmma.py. DO NOT EDIT.
// clang-format off
#pragma once
#include <cuda_runtime.h>
{include}
#include <cstdint>

"""
ABOUT = {
    "f32": "",
    "f16": " A register of d holds two f16 values, neighbours in a row, the first in its low half.",
    "s32": " Sums wrap around.",
}
TRANSPOSE = (" TransA and TransB are 1 for operands whose M or N is contiguous, 0 where K is.",
             " K is contiguous in both operands.")


def about(accumulator, k, sixteen):
    text = (f"wgmma.mma_async, one function per instruction: d += A * B, or d = A * B when `accumulate` is 0. A is 64 "
            f"x {k}, from shared memory by the descriptor `a` or, in the _ra forms, from registers; B is {k} x N by "
            f"the descriptor `b`.{TRANSPOSE[not sixteen]}{ABOUT[accumulator]} All four warps of a warpgroup execute it.")
    return "\n".join("// " + line for line in textwrap.wrap(text, 116)) + "\n"


def wrapped(words, open_line="", close_line=""):
    """Joins words with commas into lines of at most 112 columns, each between open_line and close_line."""
    lines = textwrap.wrap(", ".join(words), 104, break_long_words=False)
    return "\n    ".join(open_line + line + (" " if i + 1 < len(lines) else "") + close_line
                         for i, line in enumerate(lines))


def name(n, k, accumulator, a, b):
    return f"wgmma_m64n{n}k{k}_{accumulator}_{a}" + ("" if a == b and k < 32 else f"_{b}")


def device_function(n, k, accumulator, a, b, registers):
    """Returns the function of one instruction; `registers` is true for the form with A in registers."""
    sixteen = k == 16
    size = n // 4 if accumulator == "f16" else n // 2
    transposes = ([] if registers else ["TransA"]) + ["TransB"] if sixteen else []
    header = "template <" + ", ".join(f"int {t}" for t in transposes) + ">\n" if transposes else ""
    first = (f"__device__ __forceinline__ void {name(n, k, accumulator, a, b)}{'_ra' if registers else ''}"
             f"({REGISTER[accumulator]} (&d)[{size}]," + (" " if sixteen else "\n    "))
    operands = ("uint32_t a0, uint32_t a1, uint32_t a2," + ("\n    " if sixteen else " ") + "uint32_t a3" if registers
                else "uint64_t a")
    words = 4 if registers else 1
    after = size + words + 1  # the operand number of `accumulate`
    a_text = "{" + ", ".join(f"%{size + i}" for i in range(4)) + "}" if registers else f"%{size}"
    scales = "" if accumulator == "s32" else ", 1, 1"
    tail = "".join(f", %{after + 1 + i}" for i in range(len(transposes)))
    lists = wrapped([f"%{i}" for i in range(size)], '"', '"').replace('"%0', '"{%0', 1)[:-1] + '}, "'
    if size == 2:
        outputs = "PALLASGEN_D2(0)"
    else:
        outputs = "\n      ".join(textwrap.wrap(", ".join(f"PALLASGEN_D4({i})" for i in range(0, size - 3, 4)) +
                                                (f", PALLASGEN_D2({size - 2})" if size % 4 else ""), 104))
    inputs = [f'"r"(a{i})' for i in range(4)] if registers else ['"l"(a)']
    inputs += ['"l"(b)', '"r"(accumulate)'] + [f'"n"({t})' for t in transposes]
    return (f"{header}{first}{operands}, uint64_t b, int accumulate) {{\n"
            f'  asm volatile("{{ .reg .pred p; setp.ne.b32 p, %{after}, 0; wgmma.mma_async.sync.aligned.'
            f'm64n{n}k{k}.{accumulator}.{a}.{b} "\n'
            f"    {lists}\n"
            f'    "{a_text}, %{after - 1}, p{scales}{tail}; }}"\n'
            f"    : {outputs}\n"
            f"    : {', '.join(inputs)});\n}}\n")


def device_file(accumulator, k, types, ns):
    constraint = f'"{CONSTRAINT[accumulator]}"'
    words = ", ".join(f"{constraint}(d[i{' + ' + str(j) if j else ''}])" for j in range(4))
    text = HEAD.format(include="") + about(accumulator, k, k == 16)
    text += f"#define PALLASGEN_D4(i) {words}\n"
    if accumulator == "f16":
        text += f"#define PALLASGEN_D2(i) {constraint}(d[i]), {constraint}(d[i + 1])\n"
    text += "\nnamespace pallasgen::ptx {\n\n"
    text += "\n".join(device_function(n, k, accumulator, a, b, registers)
                      for a, b in types for n in ns for registers in (False, True))
    text += "\n}  // namespace pallasgen::ptx\n\n#undef PALLASGEN_D4\n"
    return text + ("#undef PALLASGEN_D2\n" if accumulator == "f16" else "")


def host_file(accumulator, k, types, ns):
    sixteen = k == 16
    register, trans = REGISTER[accumulator], ("TransA != 0", "TransB != 0") if sixteen else ("false", "false")
    templates = ("  template <int TransA, int TransB>", "  template <int TransB>") if sixteen else ("", "")
    kinds = (f"emulator::AccumulatorType::k{accumulator.capitalize()}, emulator::OperandType::KA, "
             "emulator::OperandType::KB")
    function = f"  __device__ __forceinline__ void wgmma_m64n##N##k{k}_{accumulator}_##NAME"
    lines = ["#define PALLASGEN_WGMMA(N, SIZE, NAME, KA, KB)", templates[0],
             f"{function}({register} (&d)[SIZE], uint64_t a,",
             "      uint64_t b, int accumulate) {",
             f"    emulator::wgmma({{d, N, {kinds},",
             f"                     {trans[0]}, {trans[1]}, a, b, nullptr, accumulate}});", "  }", templates[1],
             f"{function}##_ra({register} (&d)[SIZE],",
             "      emulator::OperandRegister a0, emulator::OperandRegister a1, emulator::OperandRegister a2,",
             "      emulator::OperandRegister a3, uint64_t b, int accumulate) {",
             "    const emulator::OperandRegister a[] = {a0, a1, a2, a3};",
             f"    emulator::wgmma({{d, N, {kinds},",
             f"                     false, {trans[1]}, 0, b, a, accumulate}});", "  }"]
    text = HEAD.format(include="#include <pallasgen/emulator/instructions.h>\n") + about(accumulator, k, sixteen)
    text += " \\\n".join(line for line in lines if line) + "\n\nnamespace pallasgen::ptx {\n\n"
    for a, b in types:
        for n in ns:
            size = n // 4 if accumulator == "f16" else n // 2
            pair = a if a == b and k < 32 else f"{a}_{b}"
            text += f"PALLASGEN_WGMMA({n}, {size}, {pair}, k{a.capitalize()}, k{b.capitalize()})\n"
    return text + "\n}  // namespace pallasgen::ptx\n\n#undef PALLASGEN_WGMMA\n"


def main(arguments):
    wrong = 0
    for file, content in FILES.items():
        for path, text in ((DEVICE / file, device_file(*content)), (HOST / file, host_file(*content))):
            if arguments[:1] != ["--check"]:
                path.write_text(text)
            elif not path.exists() or path.read_text() != text:
                print(f"{path} is not what scripts/make_wgmma.py writes", file=sys.stderr)
                wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
