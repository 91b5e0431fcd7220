"""Arrays of one axis in NumPy's format (NEP 1)."""
import struct

FORMATS = {"i32": ("<i4", "i"), "u32": ("<u4", "I"), "i64": ("<i8", "q"), "f32": ("<f4", "f")}


def save(path, dtype, values):
    code, letter = FORMATS[dtype]
    header = f"{{'descr': '{code}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack(f"<{len(values)}{letter}", *values))
