"""The inputs of a random spec: each form is a row of FORMS. A form declares a ref and returns the values that the body
may read of it.

In a pointwise kernel, where elements stay apart, elements past the end of an array may be unspecified: they reach only
elements past the end of an output. Elsewhere a form gives them a value."""
from frame import weighted
from values import Value


def filled(k, dtype):
    return f", fill: {k.literal(dtype)}"


def same_block(k, name, dtype):
    """The block that the outputs have, perhaps one for each step."""
    entries, maps, sizes = [a.entry for a in k.axes], [a.name for a in k.axes], [a.size for a in k.axes]
    if k.steps and k.chance(0.65):
        steps = k.rng.sample(k.steps, k.rng.randrange(1, len(k.steps) + 1))
        place, most = steps[0].name, steps[0].most
        if len(steps) == 2:
            place, most = f"{steps[0].name} + {steps[1].name}", steps[0].most + steps[1].most
        elif k.chance(0.2):
            place = f"{most - 1} - {place}" if k.chance(0.5) else f"{place} // 2"
        sizes.insert(0, str(max(1, most)))
        entries.insert(0, "squeezed")
        maps.insert(0, place)
        k.rings.append(name)
    elif not k.steps:
        k.rings.append(name)
    given = "" if k.gridless or k.chance(0.6 if k.pointwise else 0.1) else filled(k, dtype)
    value = k.ref("inputs", name, dtype, sizes, entries, maps, given + k.strides(sizes, False), k.shape())
    if given or k.pointwise or k.gridless:
        return [value]
    kept = k.fresh("v")
    k.emit(f"{kept} = where(valid({name}), {name}, {k.e.literal(dtype)})")
    return [Value(kept, dtype, k.shape())]


def vector(k, name, dtype):
    """The blocks of one dim, in their order or another."""
    axis = k.rng.choice(k.axes)
    tiles = f"num_programs({axis.name})"
    places = [axis.name] * 4 + [f"{tiles} - 1 - {axis.name}", f"min({axis.name} + 1, {tiles} - 1)", f"{axis.name} // 2",
                                f"({axis.name} + 1) % {tiles}", "0"]
    if any(line.startswith("  shift") for line in k.lines["let"]) and axis is k.axes[0]:
        places += ["shift"] * 6
    sizes = [axis.size]
    return [k.ref("inputs", name, dtype, sizes, [axis.entry], [k.rng.choice(places)],
                  filled(k, dtype) + k.strides(sizes, False), (axis.block,))]


def window(k, name, dtype):
    """Blocks that overlap; the array is as long as the grid needs, or is padded on either side."""
    axis = k.rng.choice(k.axes)
    n = axis.block
    if axis.runtime or n < 2 or k.chance(0.3):
        value = k.ref("inputs", name, dtype, [axis.size], [f"element({n + 2}, 1, {n + 1})"], [f"{axis.name} * {n}"],
                      filled(k, dtype), (n + 2,))
        return [value] + [Value(f"{name}[{first}:{first + n}]", dtype, (n,)) for first in range(3)]
    if k.chance(0.5):
        half = max(1, n // 2)
        extent = n + (axis.tiles() - 1) * half + 1
        return [k.ref("inputs", name, dtype, [str(extent)], [f"element({n})"], [f"{half} * {axis.name}"], filled(k, dtype), (n,))]
    extent = max(1, axis.tiles() * n - 2)
    return [k.ref("inputs", name, dtype, [str(extent)], [f"element({n}, 1, 1)"], [f"{n} * {axis.name}"], filled(k, dtype),
                  (n,))]


def bounded(k, name, dtype):
    """Slices whose size is known at run time."""
    axis = k.rng.choice(k.axes)
    n = axis.entry
    start = f"{n} * {axis.name}"
    size = k.rng.choice((f"min({n}, {axis.size} - {start})", f"min({n}, {axis.size} - {start}) // 2",
                         f"min({axis.name} + 1, min({n}, {axis.size} - {start}))"))
    sizes, entries, maps, shape = [axis.size], [f"bounded_slice({n})"], [f"ds({start}, {size})"], (axis.block,)
    if k.chance(0.5):
        offsets = next((line for line in k.lines["scalars"] if line.startswith("  offsets:")), None)
        if not offsets:
            values = [0]
            for _ in range(40):
                values.append(min(64, values[-1] + k.rng.randrange(min(3, min(a.block for a in k.axes)) + 1)))
            k.scalar_array("offsets", k.rng.choice(("i32", "i64")), values)
        sizes = ["64"]
        maps = [f"ds(offsets[{axis.name}], offsets[{axis.name} + 1] - offsets[{axis.name}])"]
    if len(k.axes) > 1 and axis is k.axes[0] and k.chance(0.5):
        other = k.axes[1]
        sizes, entries, maps = sizes + [other.size], entries + [other.entry], maps + [other.name]
        shape += (other.block,)
    return [k.ref("inputs", name, dtype, sizes, entries, maps, filled(k, dtype), shape)]


def grouped(k, name, dtype):
    """A row of the group that contains a program."""
    axis = k.rng.choice(k.axes)
    if not any(line.startswith("  starts:") for line in k.lines["scalars"]):
        values = [0]
        for _ in range(3):
            values.append(values[-1] + k.rng.randrange(3))
        k.scalar_array("starts", "i32", values)
        k.lines["let"].append(f'  group: "searchsorted(starts, {axis.name}) - 1"')
    other = k.axes[-1]
    return [k.ref("inputs", name, dtype, ["4", other.size], ["squeezed", other.entry], ["group", other.name],
                  filled(k, dtype), (other.block,))]


def view(k, name, dtype):
    """Global memory, of which the body reads a part."""
    if k.no_view():
        return same_block(k, name, dtype)
    sizes = [a.size for a in k.axes]
    given = "" if k.pointwise and k.chance(0.5) else filled(k, dtype)
    strides = k.strides(sizes, False)
    if k.chance(0.3):
        entries = [a.entry for a in k.axes]
        k.ref("inputs", name, dtype, sizes, entries, [a.name for a in k.axes], ", space: gmem" + given + strides, k.shape())
        return [Value(f"{name}[{', '.join(':' for _ in k.axes)}]", dtype, k.shape())]
    k.ref("inputs", name, dtype, sizes, None, None, ", space: gmem" + given + strides)
    starts = [f"ds({a.name} * {a.entry}, {a.entry})" for a in k.axes]
    found = [Value(f"{name}[{', '.join(starts)}]", dtype, k.shape())]
    if len(k.axes) > 1 and not k.pointwise:
        row = f"min({k.axes[0].name} * {k.axes[0].entry} + {k.rng.randrange(k.axes[0].block)}, {k.axes[0].size} - 1)"
        found.append(Value(f"{name}[{', '.join([row] + starts[1:])}]", dtype, k.shape()[1:]))
    return found


def numbered_rows(k, name, dtype):
    """Rows of global memory by their numbers, which follow a pattern or are data."""
    if k.no_view():
        return same_block(k, name, dtype)
    inner, count = k.axes[-1], k.rng.choice((4, 8, 16))
    rows = k.axes[0].block if len(k.axes) > 1 else k.rng.choice((2, 4, 8))
    sizes = [str(count), inner.size]
    k.ref("inputs", name, dtype, sizes, more=", space: gmem" + filled(k, dtype) + k.strides(sizes, False))
    numbers = f"(iota(i32, [{rows}], 0) * {k.rng.choice((1, 3, 5))} + {k.rng.randrange(4)}) % {count}"
    if k.chance(0.6):
        numbers = f"({k.e.exactly('i32', (rows,), 2, True)} & {count - 1})"
    return [Value(f"{name}[{numbers}, ds({inner.name} * {inner.entry}, {inner.entry})]", dtype, (rows, inner.block))]


def whole(k, name, dtype):
    axis = k.rng.choice(k.axes)
    if k.chance(0.3):
        return [k.ref("inputs", name, dtype, ["1"], shape=(1,))]
    n = k.rng.choice((1, 3, 4, 8, 16))
    return [k.ref("inputs", name, dtype, [str(n), str(axis.block)], more=k.strides([str(n), str(axis.block)], False),
                  shape=(n, axis.block))]


def table(k, name, dtype):
    """A short vector for lookups."""
    n = k.rng.choice((4, 8, 16))
    return [k.ref("inputs", name, dtype, [str(n)], shape=(n,))]


def strip(k, name, dtype):
    """A block along the sequential axis, to be reduced or contracted."""
    axis = k.rng.choice(k.axes)
    steps = k.rng.choice(k.steps)
    n = k.rng.choice((2, 4, 8, 16))
    extent = max(1, steps.most * n - k.rng.choice((0, 0, 1)))
    k.rings.append(name)
    return [k.ref("inputs", name, dtype, [axis.size, str(extent)], [axis.entry, str(n)], [axis.name, steps.name],
                  filled(k, dtype), (axis.block, n))]


# Weight, form, and where it is allowed: `anywhere`, `apart` (not if pointwise), `steps` (with a sequential axis).
FORMS = [(10, same_block, "anywhere"), (2, view, "anywhere"), (4, vector, "apart"), (3, window, "apart"),
         (2, bounded, "apart"), (1, grouped, "apart"), (2, whole, "apart"), (2, numbered_rows, "apart"), (1, table, "apart"), (2, strip, "steps")]


def declare(k, name, form=None):
    dtype = k.dtype()
    if form is None:
        rows = [row for row in FORMS if row[2] == "anywhere" or (not k.pointwise and (row[2] == "apart" or k.steps))]
        if k.gridless:
            rows = [row for row in rows if row[1] in (same_block, whole, table)]
        form = weighted(k.rng, rows)
    k.e.values += form(k, name, dtype)
