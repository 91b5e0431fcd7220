"""The ways in which a random body writes its outputs: each is a row of OUTPUTS. A way that does not apply to the kernel
stores the whole block, and one that may have no step to store it in keeps a sum."""
from frame import HALVES, weighted
from values import Value


def with_init(k):
    dtype = k.stored()
    return dtype if dtype not in HALVES else "u8"


def whole(k, name):
    if k.may_be_empty() and k.chance(0.7) and not k.first_may_be_missing():
        return accumulated(k, name)
    dtype = with_init(k) if k.may_be_empty() else k.stored()
    exact = k.chance(0.35)
    k.output(name, dtype, f", init: {k.literal(dtype)}" if k.may_be_empty() else "")
    k.emit(f"{name}[...] = {k.e.value(dtype, k.shape(), 3, exact)}")


def parts(k, name):
    rows = k.shape()[0]
    if rows < 2 or k.pointwise or k.may_be_empty():
        return whole(k, name)
    dtype = k.stored()
    k.output(name, dtype)
    cut = k.rng.randrange(1, rows)
    for part, n in ((f"0:{cut}", cut), (f"{cut}:{rows}", rows - cut)):
        index = ", ".join([part] + [":"] * (len(k.shape()) - 1))
        k.emit(f"{name}[{index}] = {k.e.value(dtype, (n,) + k.shape()[1:], 2, True)}")


def scattered(k, name):
    rows = k.shape()[0]
    if k.pointwise or k.may_be_empty():
        return whole(k, name)
    dtype = k.stored()
    k.output(name, dtype)
    index = ", ".join([f"{rows - 1} - iota(i32, [{rows}], 0)"] + [":"] * (len(k.shape()) - 1))
    k.emit(f"{name}[{index}] = {k.e.value(dtype, k.shape(), 2, True)}")


def masked(k, name):
    """Stores all of it, then some elements again."""
    if k.pointwise or k.may_be_empty() or len(k.shape()) > 2:
        return whole(k, name)
    dtype, shape = k.stored(), k.shape()
    k.output(name, dtype)
    k.emit(f"{name}[...] = {k.e.value(dtype, shape, 2, True)}")
    index = [f"iota(i32, [{shape[0]}], 0)"] + [f"ds(0, {n})" for n in shape[1:]]
    place = index[0] if len(index) == 1 else f"[{', '.join(index)}]"
    k.emit(f"store({name}, {place}, {k.e.exactly(dtype, shape, 2, True)}, mask={k.e.exactly('bool', shape, 2, True)})")


def in_steps(k, acc, dtype, name):
    """Makes `acc` accumulate a value in every step; stores its final value unless it is the output itself."""
    k.emit_when(k.first())
    k.emit(f"{acc}[...] = {k.e.literal(dtype)}", 1)
    operator = k.rng.choice(("+=", "+=", "+=", "-=") + (("^=", "|=") if dtype[0] == "i" else ()))
    value = k.e.value(dtype, k.shape(), 2, True)
    if k.chance(0.2):
        k.emit_when(f"{k.rng.choice(k.steps).name} % 2 == 0")
        k.emit(f"{acc}[...] {operator} {value}", 1)
    else:
        k.emit(f"{acc}[...] {operator} {value}")
    if acc != name:
        k.emit_when(k.last())
        k.emit(f"{name}[...] = {acc}[...]{k.rng.choice(('', ' * 2', ' + 1'))}", 1)


def accumulated(k, name):
    """A sum over the sequential axes, in scratch or in the output itself."""
    if not k.steps:
        return whole(k, name)
    if k.first_may_be_missing():
        return guarded_steps(k, name)
    dtype = k.rng.choice(("f32", "i32", "f64", "i64"))
    k.output(name, dtype)
    acc = name
    if k.chance(0.6):
        acc = k.fresh("acc")
        shape = ", ".join(axis.entry for axis in k.axes)
        k.lines["scratch"].append(f'  {acc}: {{type: "{dtype}[{shape}]", space: {k.rng.choice(("reg", "smem"))}}}')
    in_steps(k, acc, dtype, name)


def moving(k, name):
    """A block for each step, or for every other one."""
    if not k.steps or k.gridless:
        return whole(k, name)
    dtype, steps = with_init(k), k.steps[0]
    half = k.chance(0.3)
    place = f"{steps.name} // 2" if half else steps.name
    sizes = [str(steps.most)] + [a.size for a in k.axes]
    if len(k.steps) > 1 and steps.least == steps.most and not half and k.chance(0.5):
        sizes.insert(1, str(k.steps[1].most))
        place += f", {k.steps[1].name}"
    entries = ["squeezed"] * (len(sizes) - len(k.axes)) + [a.entry for a in k.axes]
    # Blocks of steps that a program does not have keep their content.
    more = f", init: {k.literal(dtype)}" + k.strides(sizes, True)
    k.ref("outputs", name, dtype, sizes, entries, place.split(", ") + [a.name for a in k.axes], more, k.shape())
    k.emit(f"{name}[...] = {k.e.value(dtype, k.shape(), 2, True)}")


def fills_blocks(axis):
    """True if no block reaches past the end, where its content is unspecified."""
    return not axis.runtime and axis.extent % axis.block == 0


def in_place(k, name):
    """Writes to the buffer of an input; under a guard, the input's block stays as it is elsewhere."""
    fitting = []
    for line in k.lines["inputs"]:
        of, dtype, sizes = line.split(":")[0].strip(), line.split('"')[1].split("[")[0], [a.size for a in k.axes]
        plain = f'"{dtype}[{", ".join(sizes)}]", block: "{", ".join(a.entry for a in k.axes)}", ' \
                f'index_map: "{", ".join(a.name for a in k.axes)}"'
        strides = line[line.index(", strides"):].rstrip("}") if ", strides" in line else ""
        repeats = "[0," in strides or "[0]" in strides
        if plain in line and not repeats and "gmem" not in line and dtype not in ("bool",) + HALVES:
            fitting.append((of, dtype, strides))
    if not fitting or k.lines["aliases"] or k.gridless:
        return whole(k, name)
    of, dtype, strides = k.rng.choice(fitting)
    k.ref("outputs", name, dtype, [a.size for a in k.axes], [a.entry for a in k.axes], [a.name for a in k.axes], strides,
          k.shape())
    k.lines["aliases"].append(f"  {name}: {of}")
    value = k.e.value(dtype, k.shape(), 2, True)
    # A read before the write gets the input.
    operator = k.rng.choice(("=", "+=", "-=")) if dtype[0] in "iu" or dtype in ("f32", "f64") else "="
    if operator == "=" and k.chance(0.4) and fills_blocks(k.axes[0]) and not k.pointwise:
        value = f"{name}[{k.shape()[0] - 1} - iota(i32, [{k.shape()[0]}], 0){', :' * (len(k.shape()) - 1)}]"
    if k.chance(0.4):
        k.emit_when(f"{k.rng.choice(k.e.indices)} % 2 == 0")
        k.emit(f"{name}[...] {operator} {value}", 1)
    else:
        k.emit(f"{name}[...] {operator} {value}")


def in_view(k, name):
    """Writes a program's part of a buffer of global memory that is also an input's; it reads this part before."""
    if k.no_view() or k.lines["aliases"] or k.may_be_empty():
        return whole(k, name)
    dtype, sizes = k.rng.choice(("f32", "i32", "f64", "i64", "i8", "u8", "bf16")), [a.size for a in k.axes]
    given = k.fresh("z")
    k.ref("inputs", given, dtype, sizes, more=f", space: gmem, fill: {k.literal(dtype)}")
    k.ref("outputs", name, dtype, sizes, more=", space: gmem")
    k.lines["aliases"].append(f"  {name}: {given}")
    own = [f"ds({a.name} * {a.entry}, {a.entry})" for a in k.axes]
    held = k.fresh("v")
    k.emit(f"{held} = {given}[{', '.join(own)}]")
    turned = own
    if not k.pointwise and len(k.axes) < 3 and fills_blocks(k.axes[0]):
        first = k.axes[0]
        turned = [f"{first.name} * {first.entry} + {first.block - 1} - iota(i32, [{first.block}], 0)"] + own[1:]
    k.emit(f"{name}[{', '.join(own)}] = {k.rng.choice((given, name))}[{', '.join(turned)}]")
    k.e.values.append(Value(held, dtype, k.shape()))
    whole(k, k.fresh("q"))


def guarded_steps(k, name):
    """Guards of the first and the last step, one of which may not exist if sizes of axes depend on steps of others."""
    if not k.steps or k.no_view():
        return whole(k, name)
    dtype, sizes = k.rng.choice(("i32", "i64")), [a.size for a in k.axes]
    k.ref("outputs", name, dtype, sizes, more=f", space: gmem, init: {k.literal(dtype)}")
    own = f"{name}[{', '.join(f'ds({a.name} * {a.entry}, {a.entry})' for a in k.axes)}]"
    for condition, operator, operand in ((k.first(), "+=", 100), (None, "*=", 3), (k.last(), "-=", 7)):
        if condition:
            k.emit_when(condition)
        k.emit(f"{own} {operator} {operand}", 1 if condition else 0)


def in_memory(k, name):
    """Global memory, of which the body writes a part."""
    if k.no_view() or k.may_be_empty():
        return whole(k, name)
    dtype = with_init(k)
    sizes = [a.size for a in k.axes]
    k.ref("outputs", name, dtype, sizes,
          more=f", space: gmem, init: {k.literal(dtype)}" + k.strides(sizes, True))
    starts = [f"ds({a.name} * {a.entry}, {a.entry})" for a in k.axes]
    k.emit(f"{name}[{', '.join(starts)}] = {k.e.value(dtype, k.shape(), 2, True)}")


def histogram(k, name):
    """Atomics on integers and extrema, whose order does not show."""
    if k.pointwise:
        return whole(k, name)
    operation = k.rng.choice(("add", "max", "min", "and", "or", "xor", "cas", "xchg"))
    floats = ("f32", "f64", "f16", "bf16") if operation in ("max", "min") else ()
    dtype = k.rng.choice(("i32", "u32", "i64", "u64") + floats)
    n = k.shape()[-1]
    k.lines["outputs"].append(f"  {name}: {{type: \"{dtype}[8]\", space: gmem, init: {k.rng.choice((0, 1))}}}")
    places = f"({k.e.exactly('i32', (n,), 1, True)}) & 7"
    values = k.e.exactly(dtype, (n,), 1, True)
    if operation == "cas":
        k.emit(f"atomic_cas({name}, {places}, 0, {dtype}({places}) + 1)")
    elif operation == "xchg":
        k.emit(f"atomic_xchg({name}, {places}, {dtype}({places}) + 1)")
    else:
        more = k.rng.choice(("", "", ", order=release", ", order=acq_rel", ", scope=system"))
        if more.startswith(", order"):
            k.producer = False
        if k.chance(0.5):
            more += f", mask={k.e.exactly('bool', (n,), 1, True)}"
        k.emit(f"atomic_{operation}({name}, {places}, {values}{more})")


def combined(k, name):
    """Blocks of all programs combined into one."""
    if k.steps or k.pointwise:
        return whole(k, name)
    how = k.rng.choice(("add", "min", "max"))
    dtype = k.rng.choice(("i32", "i64", "u32") + (("f32", "f64") if how != "add" else ()))
    shape = [str(n) for n in k.shape()]
    maps = None
    if len(k.axes) > 1 and k.chance(0.5):  # one for each program along the first axis
        shape[0], maps = k.axes[0].size, [k.axes[0].name] + ["0"] * (len(shape) - 1)
    k.ref("outputs", name, dtype, shape, [str(n) for n in k.shape()] if maps else None, maps, f", reduce: {how}, init: 5")
    k.emit(f"{name}[...] = {k.e.value(dtype, k.shape(), 2, True)}")


def through_workspace(k, name):
    """Writes to memory that is the program's own, and reads it back."""
    if k.gridless or k.may_be_empty():
        return whole(k, name)
    dtype = k.rng.choice(("f32", "i32", "bf16", "i64", "f16"))
    place = ", ".join([a.name for a in k.axes] + [":"] * len(k.axes))
    sizes = ", ".join([f"cdiv({a.size}, {a.entry})" for a in k.axes] + [a.entry for a in k.axes])
    part = k.fresh("ws")
    k.lines["workspace"].append(f'  {part}: {{type: "{dtype}[{sizes}]"{k.rng.choice(("", ", init: 1"))}}}')
    k.emit(f"{part}[{place}] = {k.e.value(dtype, k.shape(), 2, True)}")
    k.output(name, dtype)
    value = k.e.value(dtype, k.shape(), 1, True)
    if not k.pointwise and k.shape()[0] > 1 and k.chance(0.5):
        back = place.replace(":", f"{k.shape()[0] - 1} - iota(i32, [{k.shape()[0]}], 0)", 1)
        back = back if len(k.axes) < 3 else place
    else:
        back = place
    k.emit(f"{name}[...] = {part}[{back}] + ({value})")


OUTPUTS = [(1.5, in_view), (2, guarded_steps), (8, whole), (1, parts), (1, scattered), (1, masked), (4, accumulated), (2, moving), (4.5, in_place),
           (1.5, in_memory), (5, histogram), (4, combined), (1, through_workspace)]


def write(k, name):
    weighted(k.rng, OUTPUTS)(k, name)


