"""Compares the output of a job on a GPU with that of the interpreter and the emulator. Elements agree as in
`pallasgen test`: |got - want| <= tolerance * max(scale, |want|), where scale is the size of the largest wanted element,
at most 1; NaN with NaN, infinities with themselves, integers if equal."""
import math
import re
import struct

from package import Case


def small_float(bits, exponent_bits, bias, has_infinity, nan_mantissa):
    """Returns the value of a float of 8 bits or fewer, sign first. `nan_mantissa`: for a type without infinities, the
    mantissa that is NaN with the largest exponent; -1 if there is no NaN."""
    mantissa_bits = {4: 3, 5: 2, 2: 1}[exponent_bits]
    mantissa = bits & ((1 << mantissa_bits) - 1)
    exponent = bits >> mantissa_bits & ((1 << exponent_bits) - 1)
    sign = -1.0 if bits >> (mantissa_bits + exponent_bits) & 1 else 1.0
    if exponent == (1 << exponent_bits) - 1:
        if has_infinity:
            return sign * math.inf if mantissa == 0 else math.nan
        if mantissa == nan_mantissa:
            return math.nan
    if exponent == 0:
        return sign * math.ldexp(mantissa, 1 - bias - mantissa_bits)
    return sign * math.ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits)


BYTE_VALUES = {
    "f8e4m3": [small_float(i, 4, 7, False, 7) for i in range(256)],
    "f8e5m2": [small_float(i, 5, 15, True, -1) for i in range(256)],
    "f8e8m0": [math.nan if i == 255 else math.ldexp(1.0, i - 127) for i in range(256)],
}
NIBBLE_VALUES = [small_float(i, 2, 1, False, -1) for i in range(16)]
UNPACKED = {"f16": "e", "f32": "f", "f64": "d"}


def numbers(dtype, data):
    """Returns the values of the elements of a float array; None for dtypes whose bits must be equal."""
    if dtype in UNPACKED:
        return struct.unpack(f"<{len(data) // struct.calcsize(UNPACKED[dtype])}{UNPACKED[dtype]}", data)
    if dtype == "bf16":
        return struct.unpack(f"<{len(data) // 2}f", b"".join(b"\0\0" + data[i:i + 2] for i in range(0, len(data), 2)))
    if dtype in BYTE_VALUES:
        return [BYTE_VALUES[dtype][byte] for byte in data]
    if dtype == "f4e2m1":
        return [NIBBLE_VALUES[nibble] for byte in data for nibble in (byte & 15, byte >> 4)]
    return None


SMALLEST = 2.0 ** -14  # the scale if only zeros are wanted


def difference(dtype, got, want, tolerance, other=None):
    """Returns (largest error, why the arrays differ, empty if they agree). `other`: alternatives of the elements."""
    if got == want:
        return 0.0, ""
    if len(got) != len(want):
        return math.inf, f"{len(got)} bytes, not {len(want)}"
    wanted = numbers(dtype, want)
    if wanted is None:
        at = next(i for i, (a, b) in enumerate(zip(got, want)) if a != b)
        return math.inf, f"byte {at} is {got[at]:#04x}, not {want[at]:#04x}"
    worst, wrong = 0.0, ""
    others = numbers(dtype, other) if other else wanted
    scale = min(1.0, max((abs(b) for b in (*wanted, *others) if math.isfinite(b)), default=1.0) or SMALLEST)
    for i, (a, b, c) in enumerate(zip(numbers(dtype, got), wanted, others)):
        if a in (b, c) or (a != a and (b != b or c != c)):
            continue
        b = b if math.isfinite(b) else c
        error = abs(a - b)
        close = math.isfinite(a) and math.isfinite(b)
        if close:
            worst = max(worst, error)
        if not close or error > tolerance * max(scale, abs(b)):
            worst = worst if close else math.inf
            wrong = wrong or f"element {i} is {a:.9g}, not {b:.9g}"
    return worst, wrong


def same_line(got, want):
    """True if two printed lines agree: their numbers to five digits, as floats are printed with six."""
    number = r"-?\d+\.?\d*(?:e[-+]\d+)?|-?nan|-?inf"
    if re.split(number, got) != re.split(number, want):
        return False
    pairs = zip(re.findall(number, got), re.findall(number, want), strict=True)
    return all(a == b or ("." in a + b or "e" in a + b) and math.isclose(float(a), float(b), rel_tol=1e-5, abs_tol=1e-5)
               for a, b in pairs)


def check_case(case: Case, said, printed, written, wanted):
    """Returns (largest error, whether all bits are the emulator's, why the case failed; empty if it passed). `said`:
    the driver's message about the case: "" for done, else its failure. `written`, `wanted`: folders."""
    if case.faults:
        told = any(f": {kind}: " in said and f"'{operand}'" in said for kind, operand in case.faults)
        wanted_reports = " or ".join(f"{kind} of '{operand}'" for kind, operand in case.faults)
        return 0.0, True, "" if told else f"no report of {wanted_reports}: {said or 'done'}"
    if said or case.refused:
        return 0.0, True, said
    if len(printed) != len(case.printed) or not all(map(same_line, sorted(printed), sorted(case.printed))):
        return math.inf, False, f"printed {len(printed)} lines that are not the {len(case.printed)} of the interpreter"
    worst, bits = 0.0, True
    for output in case.outputs:
        path, want = written / output.file, wanted / f"{output.file}.want"
        if not path.exists():
            return math.inf, False, f"{output.file} was not written"
        got = path.read_bytes()
        contracted = wanted / f"{output.file}.contracted"
        error, wrong = difference(output.dtype, got, want.read_bytes(), output.tolerance,
                                  contracted.read_bytes() if contracted.exists() else None)
        emulated = wanted / f"{output.file}.emulated"
        bits = bits and got == (emulated if emulated.exists() else want).read_bytes()
        worst = max(worst, error)
        if wrong:
            return worst, False, f"{output.file}: {wrong}"
    return worst, bits, ""
