"""The statements of a random body between its inputs and its outputs: each kind is a row of STATEMENTS."""
import random

from frame import weighted
from values import NARROW, Value


def inner_shape(k):
    if k.pointwise:
        return k.shape()
    return k.rng.choice([k.shape(), k.shape(), k.shape()[1:], k.shape()[:1]])


def bind(k):
    dtype, shape = k.dtype(), inner_shape(k)
    exact = dtype in NARROW or k.chance(0.35)
    name = k.fresh("v")
    k.emit(f"{name} = {k.e.exactly(dtype, shape, k.rng.choice((2, 2, 3)), exact)}")
    k.e.values.append(Value(name, dtype, shape, exact or dtype not in ("f32", "f64")))


def part(k):
    """Some rows of a ref or of a value: by a slice, a view, a gather, one row."""
    found = [v for v in k.e.values if v.text.isidentifier() and v.shape and v.shape[0] > 1]
    if not found or k.pointwise:
        return bind(k)
    v, name = k.rng.choice(found), k.fresh("v")
    rows = v.shape[0]
    n = k.rng.randrange(1, rows)
    rest = ", :" * (len(v.shape) - 1)
    first = f"{k.rng.choice(k.e.indices)} % {rows - n + 1}" if k.e.indices and k.chance(0.6) else "0"
    kind = k.rng.choice(("slice", "at", "gather", "row") if v.ref else ("slice", "gather", "row"))
    shape = (n,) + v.shape[1:]
    if kind == "at":
        text = f"{v.text}.at[ds({first}, {n}){rest}][...]"
    elif kind == "slice":
        text = f"{v.text}[{rows - n}:{rest}]" if k.chance(0.5) else f"{v.text}[ds({first}, {n}){rest}]"
    elif kind == "gather":
        mask = (1 << (rows.bit_length() - 1)) - 1
        text = f"{v.text}[({k.e.exactly('i32', (n,), 1, True)} & {mask}){rest}]"
    else:
        if k.chance(0.4):  # the values choose it
            first = f"max({k.e.exactly('i32', (4,), 1, True)}) & {(1 << (rows.bit_length() - 1)) - 1}"
        text, shape = f"{v.text}[{first}{rest}]", v.shape[1:]
    k.emit(f"{name} = {text}")
    k.e.values.append(Value(name, v.dtype, shape, v.exact))


def on_data(k):
    """A condition on values, or on the place."""
    if not k.pointwise and k.chance(0.4):
        kind = k.rng.choice(("any", "all", "max", "sum"))
        if kind in ("any", "all"):
            return f"{kind}({k.e.exactly('bool', k.shape()[:1], 1, True)})"
        return f"{kind}({k.e.exactly('i32', k.shape()[-1:], 1, True)}) > 2"
    if not k.e.indices:
        return "true" if not k.e.scalars else f"{k.e.scalars[0].text} > 1"
    return k.rng.choice((f"{k.rng.choice(k.e.indices)} % 2 == {k.rng.randrange(2)}",
                         f"{k.rng.choice(k.e.indices)} > 0 or {k.rng.choice(k.e.indices)} == 1"))


def conditional(k):
    """A value that a guard rebinds."""
    names = [v for v in k.e.values if not v.ref and v.text.isidentifier() and v.exact and v.shape]
    if not names:
        return bind(k)
    v = k.rng.choice(names)
    k.emit_when(on_data(k))
    k.emit(f"{v.text} = {k.e.exactly(v.dtype, v.shape, 1, True)}", 1)
    if k.chance(0.5):
        k.emit_key("  else:")
        k.emit(f"{v.text} = {k.e.exactly(v.dtype, v.shape, 1, True)}", 1)


def for_range(k, variable, ranges, depth=0):
    k.emit_key(f"- for: {variable}", depth)
    k.emit_key(f'  range: "{k.rng.choice(ranges)}"', depth)
    if k.chance(0.2):
        k.emit_key(f"  unroll: {k.rng.choice((2, 4))}", depth)
    k.emit_key("  do:", depth)


def loop(k):
    dtype, shape = k.rng.choice(("f32", "i32", "f64", "i64")), inner_shape(k)
    name, variable = k.fresh("h"), k.fresh("r")
    k.emit(f"{name} = {k.e.exactly(dtype, shape, 1, True)}")
    ranges = ["0, 3", "4", "0, 5, 2", "0, 0", "3, 0, -1"] + [f"{index} % 3" for index in k.e.indices[:2]]
    for_range(k, variable, ranges)
    k.e.indices.append(variable)
    if k.chance(0.3):
        inner, other = k.fresh("h"), k.fresh("r")
        k.emit(f"{inner} = {k.e.exactly(dtype, shape, 1, True)}", 1)
        for_range(k, other, ["2", f"{variable} + 1"], 1)
        k.emit(f"{inner} = {inner} + {k.e.exactly(dtype, shape, 1, True)}", 2)
        k.emit(f"{name} = {name} - {inner}", 1)
    else:
        k.emit(f"{name} = {name} + {k.e.exactly(dtype, shape, 1, True)}", 1)
    if k.chance(0.3):
        k.emit_when(f"{variable} % 2 == 0", 1)
        k.emit(f"{name} = {k.e.exactly(dtype, shape, 1, True)} - {name}", 2)
    k.e.indices.remove(variable)
    k.e.values.append(Value(name, dtype, shape))


def while_loop(k):
    shape, name, count = inner_shape(k), k.fresh("h"), k.fresh("n")
    k.emit(f"{name} = {k.e.exactly('i32', shape, 1, True)}")
    k.emit(f"{count} = i32({k.rng.randrange(4)})")
    more = f" and {k.rng.choice(('max', 'min'))}({name}) < 40" if not k.pointwise and k.chance(0.5) else ""
    k.emit_key(f'- while: "{count} > 0{more}"')
    k.emit_key("  do:")
    k.emit(f"{name} = {name} * 2 + {count}", 1)
    k.emit(f"{count} = {count} - 1", 1)
    k.e.values.append(Value(name, "i32", shape))


def masked_load(k):
    found = [v for v in k.e.values if v.ref and len(v.shape) == 1]
    if not found or k.pointwise:
        return bind(k)
    v, n, name = k.rng.choice(found), k.shape()[-1], k.fresh("v")
    place = f"iota(i32, [{n}], 0)"
    mask = f"{place} < {min(n, v.shape[0])}"
    if k.chance(0.5):
        mask += f" and {k.e.exactly('bool', (n,), 1, True)}"
    k.emit(f"{name} = load({v.text}, {place}, mask={mask}, other={k.literal(v.dtype)})")
    k.e.values.append(Value(name, v.dtype, (n,)))


def scoped(k):
    """A buffer for a few statements, written and read in parts."""
    if k.pointwise or len(k.shape()) > 2:
        return bind(k)
    dtype, shape = k.rng.choice(("f32", "i32", "bf16", "f64")), k.shape()
    name, buffer = k.fresh("v"), k.fresh("buf")
    k.emit(f"{name} = {k.e.exactly(dtype, shape, 1, True)}")
    dims = ", ".join(map(str, shape))
    k.emit_key(f'- scope: {{{buffer}: {{type: "{dtype}[{dims}]", space: {k.rng.choice(("smem", "reg"))}}}}}')
    k.emit_key("  do:")
    k.emit(f"{buffer}[...] = {k.e.value(dtype, shape, 1, True)}", 1)
    if shape[0] > 1:
        rest = ", :" * (len(shape) - 1)
        k.emit(f"{buffer}[0:1{rest}] = {k.e.value(dtype, (1,) + shape[1:], 1, True)}", 1)
    k.emit(f"{name} = {buffer}[...] + {name}", 1)
    k.e.values.append(Value(name, dtype, shape))


def counted(k):
    """Atomics on shared memory: old values if each element is updated once, sums if the order does not show."""
    if k.pointwise or k.gridless:
        return bind(k)
    dtype, n = k.rng.choice(("i32", "u32", "i64")), k.shape()[-1]
    seen = k.fresh("seen")
    size = 1 << max(0, n.bit_length() - 1)
    k.lines["scratch"].append(f'  {seen}: {{type: "{dtype}[{size}]", space: smem}}')
    k.emit(f"{seen}[...] = {k.e.value(dtype, (size,), 1, True)}")
    operation = k.rng.choice(("add", "max", "min", "and", "or", "xor"))
    value = k.e.exactly(dtype, (size,), 1, True)
    if k.chance(0.5):
        old = k.fresh("v")
        name = k.rng.choice((operation, "xchg"))
        k.emit(f"{old} = atomic_{name}({seen}, iota(i32, [{size}], 0), {value})")
        k.e.values.append(Value(old, dtype, (size,)))
    else:
        places = f"({k.e.exactly('i32', (size,), 1, True)}) & {size - 1}"
        k.emit(f"atomic_{operation}({seen}, {places}, {value}, mask={k.e.exactly('bool', (size,), 1, True)})")
    kept = k.fresh("v")
    k.emit(f"{kept} = {seen}[...]")
    k.e.values.append(Value(kept, dtype, (size,)))


def asserted(k):
    k.emit_key(f'- assert: "{k.rng.choice(k.e.indices) if k.e.indices else 1} >= 0"')
    k.emit_key(f'  message: "no axis is negative"')
    bind(k)


def printed(k):
    """Prints a line of scalars: places, and the result of a row of values."""
    args = k.rng.sample(k.e.indices, min(2, len(k.e.indices)))
    if not k.pointwise:
        dtype, kind = k.rng.choice((("i32", "sum"), ("u64", "max"), ("f32", "min"), ("bf16", "max"), ("bool", "any")))
        args.append(f"{kind}({k.e.exactly(dtype, k.shape()[-1:], 1, True)})")
    if not args:
        return bind(k)
    depth = k.chance(0.4)
    if depth:
        k.emit_when(on_data(k))
    k.emit_key(f'- print: "{k.fresh("p")}:{" {}" * len(args)}"', depth)
    k.emit_key("  args: [" + ", ".join(f'"{arg}"' for arg in args) + "]", depth)


def looked_up(k):
    """An index that the array may lack: a check finds it."""
    if "oob" not in k.keys.get("checks", "") or k.pointwise or any("& 15" in line for line in k.body):
        return bind(k)
    found = [v for v in k.e.values if v.ref and v.dtype == "i32" and len(v.shape) == 1]
    vectors = [v for v in k.e.values if v.ref and v.shape == (16,)]
    if not found or not vectors:
        return bind(k)
    v, t, name = k.rng.choice(found), k.rng.choice(vectors), k.fresh("v")
    k.emit(f"{name} = {t.text}[{v.text} + {k.rng.choice((7, 8, 8, 8, 9))}]")
    k.e.values.append(Value(name, t.dtype, v.shape))


def tabled(k):
    """An array of scalars that may be too short for the grid, in an index map, a let or the body: a check finds it."""
    if k.gridless:
        return
    rng, pages = random.Random(f"{k.seed} pages"), 4  # its own generator, so that it changes no other draw
    axis = rng.choice(k.axes)
    length = max(1, axis.tiles() - rng.choice((0, 0, 1, 1, 2)))
    k.scalar_array("pages", rng.choice(("i32", "u32", "i64")), [rng.randrange(pages) for _ in range(length)])
    page = f"pages[{axis.name}]"
    if rng.random() < 0.4:
        k.lines["let"].append(f'  page: "{page}"')
        page = "page"
    if rng.random() < 0.6:
        k.e.values.append(k.ref("inputs", "xp", "f32", [str(pages * axis.block)], [axis.entry], [page], ", fill: 0", (axis.block,)))
        return
    name = k.fresh("v")
    k.emit(f"{name} = f32({page})")
    k.e.scalars.append(Value(name, "f32", ()))


def moved_in_place(k):
    """Stores to scratch elements from elsewhere in it, under a mask; those that it leaves out may be out of range."""
    if k.pointwise or k.gridless:
        return bind(k)
    dtype, n = k.rng.choice(("f32", "i32", "i64", "u8", "i8", "bf16")), k.shape()[-1]
    buffer, to, kept, by = k.fresh("buf"), k.fresh("to"), k.fresh("v"), k.rng.randrange(-2, 4)
    k.lines["scratch"].append(f'  {buffer}: {{type: "{dtype}[{n}]", space: smem}}')
    k.emit(f"{buffer}[...] = {k.e.value(dtype, (n,), 1, True)}")
    k.emit(f"{to} = iota(i32, [{n}], 0) + {by}")
    mask = f"{to} >= 0 and {to} < {n} and {k.e.exactly('bool', (n,), 1, True)}"
    if k.chance(0.3):
        mask += f" and {buffer}[...] != {k.literal(dtype)}"
    k.emit(f"store({buffer}, [{to}], {buffer}[{n - 1} - iota(i32, [{n}], 0)], mask={mask})")
    k.emit(f"{kept} = {buffer}[...]")
    k.e.values.append(Value(kept, dtype, (n,)))


STATEMENTS = [(1, moved_in_place), (8, bind), (2, part), (2, conditional), (2, loop), (1, while_loop), (1, masked_load), (1, scoped), (1, counted),
              (0.5, asserted), (0.5, printed), (1, looked_up)]


def add(k):
    weighted(k.rng, STATEMENTS)(k)
