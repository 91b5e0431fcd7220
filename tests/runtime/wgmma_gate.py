#!/usr/bin/env python3
"""Compiles every function of the wgmma headers for sm_90a, a kernel each, and fails where gate.py would.

Usage: wgmma_gate.py HEADER [N,...], with a header of scripts/make_wgmma.py; all legal N without a list. Exit code 77 if
there is no nvcc.
"""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import gate  # noqa: E402
import make_wgmma  # noqa: E402

KERNEL = """\
__global__ __launch_bounds__(128, 1) void kernel_{f}({register}* out, const uint4* registers, uint64_t a, uint64_t b) {{
  {register} d[{size}];
  for (int i = 0; i < {size}; ++i) d[i] = out[threadIdx.x * {size} + i];
  uint4 r = registers[threadIdx.x];
  asm volatile("" : "+r"(r.x), "+r"(r.y), "+r"(r.z), "+r"(r.w));  // loaded before the fence
  pallasgen::ptx::wgmma_fence();
{calls}  pallasgen::ptx::wgmma_commit_group();
  pallasgen::ptx::wgmma_wait_group<0>();
  for (int i = 0; i < {size}; ++i) out[threadIdx.x * {size} + i] = d[i];
}}
"""


def kernels(header, chosen):
    accumulator, k, types, ns = make_wgmma.FILES[header]
    for a, b in types:
        for n in ns:
            if chosen and n not in chosen:
                continue
            f = make_wgmma.name(n, k, accumulator, a, b)
            calls = ""
            for ta in (0, 1) if k == 16 else ("",):
                for tb in (0, 1) if k == 16 else ("",):
                    calls += f"  pallasgen::ptx::{f}{f'<{ta}, {tb}>' if k == 16 else ''}(d, a, b, 1);\n"
            for tb in (0, 1) if k == 16 else ("",):
                calls += f"  pallasgen::ptx::{f}_ra{f'<{tb}>' if k == 16 else ''}(d, r.x, r.y, r.z, r.w, b, 1);\n"
            yield KERNEL.format(f=f, register=make_wgmma.REGISTER[accumulator], calls=calls,
                                size=n // 4 if accumulator == "f16" else n // 2)


def main(arguments):
    header = arguments[0]
    chosen = [int(n) for n in arguments[1].split(",")] if len(arguments) > 1 else []
    text = [f"#include <pallasgen/ptx/wgmma.cuh>\n#include <pallasgen/ptx/{header}>\n"]
    text += kernels(header, chosen)
    with tempfile.NamedTemporaryFile("w", suffix=".cu") as file:
        file.write("\n".join(text))
        file.flush()
        return gate.main([file.name])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
