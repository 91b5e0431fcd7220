"""Rules that make mutants which a count cannot express:

order      a memory order weakened
scope      fewer threads: a memory scope or the threads that a synchronisation meets
space      a fence of another state space
move       a synchronisation exchanged with the statement above or below it
check      a check of the launcher, or one of its conditions, dropped
attribute  an attribute of a kernel, a type or a launch dropped
float      a constant changed in its fourth digit
round      a rounding to nearest replaced by truncation
stream     work of the launcher done on the default stream
alignment  an alignment that the launcher asks for halved
"""
import re

from editor import SYNCHRONISES, closing, parts
from statements import blocks, statements, without_directives

WEAKER_ORDERS = {"kAcqRel": ("kAcquire", "kRelease", "kRelaxed"), "kAcquire": ("kRelaxed",), "kRelease": ("kRelaxed",)}
WEAKER_SCOPES = {"kSystem": "kDevice", "kDevice": "kCta", "kCluster": "kCta"}
# Calls that have a counterpart with the same arguments: one with a weaker order, and one for fewer threads.
WEAKER_CALLS = {"cluster_arrive_release": "cluster_arrive_relaxed"}
NARROWER_CALLS = {"__threadfence_system": "__threadfence", "__threadfence": "__threadfence_block",
                  "wait_cluster": "wait", "mbarrier_try_wait_parity_cluster": "mbarrier_try_wait_parity"}
# Statements that are replaced by another one, whatever their arguments: they have no result.
NARROWER_STATEMENTS = {"grid_sync": "__syncthreads()", "__syncthreads": "__syncwarp()", "cluster_sync": "__syncthreads()",
                       "consumers_sync": "__syncwarp()", "warpgroup_sync": "__syncwarp()"}
# The word of a fence's name that is its space, and the other one. A fence of all spaces becomes one of a single space.
FENCE = r"\b((?:ptx::)?fence_(?:proxy_)?async)(_shared|_global|)\("
ATTRIBUTES = (r"\b__grid_constant__ ", r"\b__launch_bounds__\(", r"\balignas\(", r"\.cooperative\(\)", r"\.dependent\(\)")
# The bits of a float that a narrower type does not hold.
DROPPED_BITS = {"bf16": 0xffff, "f16": 0x1fff}
NARROWING = {r"cast<bf16>": "bf16", r"cast<f16>": "f16", r"__float2bfloat16_rn": "bf16", r"__float2half_rn": "f16",
             r"__floats2bfloat162_rn": "bf16", r"__floats2half2_rn": "f16"}


def weaken_orders(edit):
    for found in re.finditer(r"\bMemoryOrder::(\w+)", edit.code):
        for weaker in WEAKER_ORDERS.get(found.group(1), ()):
            edit.replace("order", found.start(1), found.end(1), weaker)
    rename_calls(edit, "order", WEAKER_CALLS)


def narrow_scopes(edit):
    for found in re.finditer(r"\bMemoryScope::(\w+)", edit.code):
        if found.group(1) in WEAKER_SCOPES:
            edit.replace("scope", found.start(1), found.end(1), WEAKER_SCOPES[found.group(1)])
    # A call that leaves out the scope has device scope.
    for found in re.finditer(r"\w<MemoryOrder::\w+(>\()", edit.code):
        edit.replace("scope", found.start(1), found.end(1), ", MemoryScope::kCta>(")
    rename_calls(edit, "scope", NARROWER_CALLS)
    for name, narrower in NARROWER_STATEMENTS.items():
        for found in re.finditer(rf"(?:\bptx::)?\b{name}(?:<[^;(){{}}]*>)?\(", edit.code):
            end = closing(edit.code, found.end() - 1) + 1
            if edit.code[end:].lstrip()[:1] == ";":
                edit.replace("scope", found.start(), end, narrower)


def rename_calls(edit, kind, names):
    for found in re.finditer(rf"\b({'|'.join(names)})\(", edit.code):
        # A definition keeps its name; its callers change.
        if not re.search(r"\b(?:void|bool)\s+$", edit.code[:found.start()]):
            edit.replace(kind, found.start(1), found.end(1), names[found.group(1)])


def swap_spaces(edit):
    for found in re.finditer(FENCE, edit.code):
        if re.search(r"\bvoid\s+$", edit.code[:found.start()]):
            continue
        spaces = {"_shared": ("_global",), "_global": ("_shared",), "": ("_shared", "_global")}[found.group(2)]
        for space in spaces:
            edit.replace("space", found.start(), found.end() - 1, f"ptx::fence_proxy_async{space}")


def is_synchronisation(code):
    """True if a statement only synchronises, perhaps under a condition."""
    while code.startswith("if ("):
        code = code[closing(code, 3) + 1:].lstrip()
    called = re.match(rf"(?:[\w.\[\]:]|->)*\b{SYNCHRONISES}(?:<[^;(){{}}]*>)?\(", code)
    return bool(called) and code[closing(code, called.end() - 1) + 1:].strip() == ";"


def is_initialisation(code):
    return bool(re.match(r"[\w.\[\]]+\.init\(", code))


def move_synchronisations(edit):
    for begin, end in blocks(edit.whole):
        inside = statements(edit.whole, begin, end)
        for (a, a_end), (b, b_end) in zip(inside, inside[1:]):
            first, second = (is_synchronisation(edit.whole[at:after]) for at, after in ((a, a_end), (b, b_end)))
            # Barriers may be initialised in any order.
            if not (first or second) or (is_initialisation(edit.whole[a:a_end]) and is_initialisation(edit.whole[b:b_end])):
                continue
            place, other, where = (a, b, "below") if first else (b, a, "above")
            swapped = edit.text[b:b_end] + edit.text[a_end:b] + edit.text[a:a_end]
            edit.replace("move", a, b_end, swapped, place, f"moved {where} {edit.line_at(without_directives(edit.whole, other))}")


def conjuncts(code, begin, end):
    """Returns the ranges between the `&&` of code[begin:end] that are in no bracket."""
    found, start, at = [], begin, begin
    while at < end:
        if code[at] in "([{":
            at = closing(code, at)
        elif code[at:at + 2] in ("&&", "||"):
            if code[at] == "|":
                return [(begin, end)]
            found.append((start, at))
            start = at + 2
        at += 1
    found.append((start, end))
    return [(a + len(code[a:b]) - len(code[a:b].lstrip()), b - len(code[a:b]) + len(code[a:b].rstrip()))
            for a, b in found]


def drop_checks(edit):
    for found in re.finditer(r"\bPALLASGEN_REQUIRE\s*\(", edit.whole):
        end = closing(edit.whole, found.end() - 1) + 1
        begin, condition_end = parts(edit.whole, found.end(), end - 1)[0]
        ranges = conjuncts(edit.whole, begin, condition_end)
        if len(ranges) == 1:
            edit.replace("check", found.start(), end, "")
        else:
            for a, b in ranges:
                edit.replace("check", a, b, "true")
    for found in re.finditer(r"\bif \(", edit.whole):
        end = closing(edit.whole, found.end() - 1) + 1
        refuses = re.compile(r"\s*return (?:cudaSuccess;|maps\.error\(\);|fail\(|\")").match(edit.text, end)
        after = edit.whole.find(";", end) + 1
        if refuses and not edit.whole[after:].lstrip().startswith("else"):
            edit.replace("check", found.start(), after, "")


def strip_attributes(edit):
    for pattern in ATTRIBUTES:
        for found in re.finditer(pattern, edit.code):
            called = found.group().endswith("(") and not found.group().startswith(".")
            edit.replace("attribute", found.start(), closing(edit.code, found.end() - 1) + 1 if called else found.end(), "")


def with_other_fourth_digit(number):
    """Returns a decimal number, as text, with the fourth significant digit one larger, smaller for a 9. None for 0."""
    mantissa, exponent = re.fullmatch(r"([\d.]+)((?:[eE][-+]?\d+)?)", number).groups()
    if "." not in mantissa:
        mantissa += "."
    counted = [i for i, c in enumerate(mantissa) if c.isdigit()]
    first = next((n for n, i in enumerate(counted) if mantissa[i] != "0"), None)
    if first is None:
        return None
    mantissa += "0" * (first + 4 - len(counted))
    at = [i for i, c in enumerate(mantissa) if c.isdigit()][first + 3]
    digit = int(mantissa[at])
    return mantissa[:at] + str(digit + 1 if digit < 9 else 8) + mantissa[at + 1:] + exponent


def change_floats(edit):
    for found in re.finditer(r"(?<![\w.])((?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)(?=f?\b|f?\W)", edit.code):
        changed = with_other_fourth_digit(found.group(1))
        if changed:
            edit.replace("float", found.start(1), found.end(1), changed)


def truncate_roundings(edit):
    for name, narrow in NARROWING.items():
        for found in re.finditer(rf"\b{name}\(", edit.code):
            for begin, end in parts(edit.code, found.end(), closing(edit.code, found.end() - 1)):
                if re.fullmatch(r"-?(?:[\d.]+f?|INFINITY)", edit.code[begin:end]):
                    continue  # the narrow type has this constant
                bits = f"bitcast<uint32_t>({edit.text[begin:end]})"
                edit.replace("round", begin, end, f"bitcast<float>({bits} & {0xffffffff ^ DROPPED_BITS[narrow]:#x}u)")
    for found in re.finditer(r"\b(?:nearby|r)int(f?)\(", edit.code):
        edit.replace("round", found.start(), found.end() - 1, f"trunc{found.group(1)}")


def leave_streams(edit):
    """In a launcher: starts a kernel, or a fill, on another stream than the caller's."""
    for found in re.finditer(r"\b(?:launch|fill_arrays?)\(", edit.code):
        for begin, end in parts(edit.code, found.end(), closing(edit.code, found.end() - 1)):
            if edit.code[begin:end] == "stream":
                edit.replace("stream", begin, end, "nullptr")


def halve_alignments(edit):
    for found in re.finditer(r"\bis_array\(", edit.whole):
        begin, end = parts(edit.whole, found.end(), closing(edit.whole, found.end() - 1))[1]
        if edit.whole[begin:end] != "1":
            edit.replace("alignment", begin, end, f"({edit.text[begin:end]}) / 2")


OPERATORS = (weaken_orders, narrow_scopes, swap_spaces, move_synchronisations, drop_checks, strip_attributes,
             change_floats, truncate_roundings, leave_streams, halve_alignments)
