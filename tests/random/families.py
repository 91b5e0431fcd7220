"""Kernels whose whole body follows a form: each form is a row of FAMILIES."""
from frame import Steps, weighted
from values import Value
import operands
import outputs
import statements


def declare_steps(k):
    """Declares sequential axes: with sizes that are constants, dims, of other axes, of arrays."""
    outer = k.axes[0].name
    kind = weighted(k.rng, [(6, "constant"), (2, "dim"), (2, "axis"), (2, "array")])
    if kind == "constant":
        n = k.rng.choice((1, 2, 3, 5))
        k.declare_steps(Steps("k", str(n), n, n))
    elif kind == "dim":
        k.declare_dim("K", k.rng.choice((1, 2, 3)))
        k.declare_steps(Steps("k", "K", 9, 0))
    elif kind == "axis":
        size, most, least = k.rng.choice(((f"{outer} % 3", 2, 0), (f"{outer} % 2 + 1", 2, 1), (f"min({outer}, 3)", 3, 0)))
        k.declare_steps(Steps("k", size, most, least))
    else:
        k.scalar_array("counts", k.rng.choice(("i32", "i64")), [k.rng.randrange(5) for _ in range(40)])
        k.declare_steps(Steps("k", f"counts[{outer}]", 4, 0))
    if k.chance(0.35):
        size, most, least = k.rng.choice((("2", 2, 2), ("k + 1", k.steps[0].most, 1), ("2 - k % 2", 2, 1),
                                           ("k", k.steps[0].most, 0), ("(k + 1) % 2", 1, 0)))
        k.declare_steps(Steps("t", size, most, min(least, k.steps[0].least)))


def declare(k):
    """Declares the parts before the body, which any kernel may have."""
    k.declare_axes()
    if k.chance(0.15) and not k.gridless:
        place = f"({k.axes[0].name} + 1) % num_programs({k.axes[0].name})"
        k.lines["let"].append(f'  shift: "{place}"')
        k.e.indices.append("shift")
    k.declare_scalars()
    for name, parameters, body, exact in (("bend", "a1", "a1 * a1 * 0.5 - a1", True),
                                          ("mix", "a1, a2", "maximum(a1, a2) * a2 + where(a1 > 0.5, a1, 2.0)", True),
                                          ("soft", "a1", "tanh(a1 * 0.5) + logistic(a1)", False)):
        if k.chance(0.2):
            k.lines["functions"].append(f'  "{name}({parameters})": "{body}"')
            k.e.functions.append((name, parameters.count(",") + 1, exact))


def blocks(k):
    """A kernel of any inputs, statements and outputs."""
    if k.chance(0.12):
        k.keys["checks"] = k.rng.choice(("[oob]", "[nan]", "[oob, nan]"))
    declare(k)
    if not k.gridless and k.chance(0.45):
        declare_steps(k)
    if not k.gridless and k.chance(0.08):
        places = [f"{a.name} % 2 == 1" for a in k.axes] + [f"{k.axes[0].name} == {k.axes[-1].name}", f"{k.axes[-1].name} > 0"]
        k.keys["skip"] = f'"{k.rng.choice(places)}"'
    for n in range(k.rng.choice((0, 1, 1, 2, 2, 3))):
        operands.declare(k, "xyw"[n], operands.same_block if n == 0 and k.chance(0.6) else None)
    if "oob" in k.keys.get("checks", "") and not k.pointwise:
        if k.chance(0.7):
            k.e.values.append(k.ref("inputs", "xt", "f32", ["16"], shape=(16,)))
            axis = k.axes[-1]
            k.e.values.append(k.ref("inputs", "xi", "i32", [axis.size], [axis.entry], [axis.name], ", fill: 0", (axis.block,)))
            statements.looked_up(k)
        else:
            statements.tabled(k)
    for _ in range(k.rng.choice((0, 1, 2, 3, 4))):
        statements.add(k)
    for name in ("o", "p")[:k.rng.choice((1, 1, 1, 2))]:
        outputs.write(k, name)


def finish(k, total, dtype, shape):
    """Adds the rest of a body that has computed `total`, of the outputs' block or a part of it."""
    k.e.values = [v for v in k.e.values if v.exact]
    k.e.values.append(Value(total, dtype, shape, dtype[0] != "f"))
    k.output("o", dtype)
    k.emit(f"o[...] = {total}{k.rng.choice(('', ' * 2', f' + {total}'))}")


def slices(k):
    """A loop over slices of global memory, which is pipelined like a sequential axis."""
    k.pointwise = k.e.pointwise = k.gridless = False
    for axis in k.axes:
        if not axis.runtime and axis.extent < axis.block:
            axis.extent = axis.block
            axis.size = str(axis.extent)
    declare(k)
    inner, dtype = k.axes[-1], k.rng.choice(("f32", "i32", "bf16", "f64", "f16"))
    acc = {"bf16": "f32", "f16": "f32"}.get(dtype, dtype)
    first = k.chance(0.4)
    k.declare_dim("K", k.rng.choice((1, 2, 4, 7)))
    n = k.rng.choice((1, 2, 4, 8))
    bound = "K" if n == 1 else f"cdiv(K, {n})"
    turns = f"min(2, {bound}), {bound}" if first else k.rng.choice((f"0, {bound}", bound))
    if first and k.chance(0.7):
        k.declare_dim("first", 1)
        turns = f"first, {bound}"
    for _ in range(k.rng.choice((0, 0, 1))):
        operands.declare(k, "w")
        statements.bind(k)
    shape = k.shape()[-1:] if k.chance(0.5) or len(k.shape()) == 1 else k.shape()[-2:]
    part = f"ds({inner.name} * {inner.entry}, {inner.entry})"
    rows = "s" if n == 1 else f"ds(s * {n}, {n})"
    given = operands.filled(k, dtype)
    total = k.fresh("total")
    k.emit(f"{total} = zeros({acc}, [{', '.join(map(str, shape))}])")
    k.ref("inputs", "x", dtype, ["K", inner.size], more=", space: gmem" + given + k.strides(["K", inner.size], False))
    values = [Value(f"x[{rows}, {part}]", dtype, shape[-1:] if n == 1 else (n, inner.block))]
    k.emit_key("- for: s")
    k.emit_key(f'  range: "{turns}"')
    k.emit_key("  do:")
    contracted = n > 1 and len(shape) == 2
    if contracted:
        outer = k.axes[-2]
        k.ref("inputs", "y", dtype, [outer.size, "K"], more=", space: gmem, fill: 0")
        a = f"y[ds({outer.name} * {outer.entry}, {outer.entry}), {rows}]"
        exact = dtype != "i32"
        k.emit(f"{total} = {total} + dot({a}, {values[0].text})" if exact else
               f"{total} = {total} + sum(({a})[:, :, None] * ({values[0].text})[None, :, :], axis=1)", 1)
        k.lines["inputs"] = [line.replace(given, ", fill: 0") if line.startswith("  x:") else line
                             for line in k.lines["inputs"]]
    else:
        value = values[0].text if acc == dtype else f"({values[0].text}).astype({acc})"
        if n > 1:
            value = f"{k.rng.choice(('sum', 'max'))}({value}, axis=0)"
        if k.chance(0.4):
            k.ref("inputs", "y", acc, ["K" if n == 1 else "1", inner.size], more=", space: gmem" + operands.filled(k, acc))
            value += f" * y[{'s' if n == 1 else 0}, {part}]"
        if k.chance(0.3):
            held = k.fresh("v")
            k.emit(f"{held} = {value}", 1)
            value = f"where({held} > 0, {held}, {k.e.literal(acc)})"
        if k.chance(0.2):
            k.emit_when("s % 2 == 0", 1)
            k.emit(f"{total} = {total} + {value}", 2)
        else:
            k.emit(f"{total} = {total} + {value}", 1)
    for _ in range(k.rng.choice((0, 0, 1))):
        statements.bind(k)
    finish(k, total, acc, shape)


def rows(k):
    """Rows of one block reduced: softmax and the like, in registers if rows are whole."""
    k.axes = k.axes[:1]
    k.gridless = k.pointwise = k.e.pointwise = False
    if k.chance(0.3):
        k.keys["checks"] = "[nan]"
    declare(k)
    m, n = k.axes[0], k.rng.choice((8, 32, 100, 128, 256, 1024, 3000))
    if n > 128:
        m.extent = min(m.extent, 6)
        if not m.runtime:
            k.lines["grid"] = [line.replace(f"cdiv({m.size},", f"cdiv({m.extent},") for line in k.lines["grid"]]
            m.size = str(m.extent)
        else:
            m.extent = k.test_dims[m.dim] = max(m.factor, m.extent // m.factor * m.factor)
    if k.chance(0.4):
        count = k.rng.choice((1, 2, 3))
        k.declare_steps(Steps("k", str(count), count, count))
    dtype = k.rng.choice(("f32", "f32", "bf16", "f16", "f64"))
    of = dtype if dtype == "f64" else "f32"
    sizes, entries, maps = [m.size, str(n)], [m.entry, str(n)], [m.name, "0"]
    step_dims = [(str(steps.most), "squeezed", steps.name) for steps in k.steps]
    of_x = [[row[i] for row in step_dims] for i in range(3)]
    k.ref("inputs", "x", dtype, of_x[0] + sizes, of_x[1] + entries, of_x[2] + maps,
          operands.filled(k, dtype) + ("" if step_dims else k.strides(sizes, False)))
    k.rings.append("x")
    value = "x" if dtype == of else f"x[...].astype({of})"
    if k.chance(0.4):
        k.ref("inputs", "w", of, [str(n)])
        value = f"{value} * w[None, :]"
    k.emit(f"v = {value}")
    top = k.rng.choice(("max", "min", "sum", "mean"))
    moved = k.rng.choice(("v - top[:, None]", "exp(minimum(v - top[:, None], 1.0))", "maximum(v, top[:, None])"))
    if top == "mean" and moved.startswith("v"):  # deviations add up to 0: only roundings are left
        moved = f"abs({moved})"
    k.emit(f"top = {top}(v, axis=1)")
    k.emit(f"moved = {moved}")
    k.emit(f"total = {k.rng.choice(('sum', 'sum', 'mean', 'max'))}(moved, axis=1)")
    k.ref("outputs", "p", of, [m.size], [m.entry], [m.name])
    if step_dims:
        k.emit_when(k.first())
        k.emit("p[...] = 0", 1)
        k.emit("p[...] += total")
        return
    k.emit("p[...] = total")
    if k.chance(0.7):
        k.ref("outputs", "o", dtype, sizes, entries, maps)
        made = "moved / (abs(total) + 1)[:, None]"
        k.emit(f"o[...] = {made if dtype == of else f'({made}).astype({dtype})'}")


def programs(k):
    return " * ".join(f"cdiv({a.size}, {a.entry})" for a in k.axes)


def of_vectors(k):
    """Starts a kernel of one axis with one input, whose programs communicate in memory."""
    k.axes = k.axes[:1]
    k.gridless = k.pointwise = k.e.pointwise = False
    k.producer = False
    declare(k)
    dtype = k.rng.choice(("i32", "i64"))
    axis = k.axes[0]
    value = k.ref("inputs", "x", dtype, [axis.size], [axis.entry], [axis.name], ", fill: 0", (axis.block,))
    k.e.values.append(value)
    if k.chance(0.5):
        statements.bind(k)
    return dtype, axis


def last_ticket(k):
    """The program that starts last waits for the others and combines their results."""
    dtype, axis = of_vectors(k)
    how = k.rng.choice(("sum", "max", "min"))
    k.lines["workspace"] += [f'  part: {{type: "{dtype}[{programs(k)}]"}}', '  done: {type: "i32[1]", init: 0}']
    k.lines["outputs"].append(f'  o: {{type: "{dtype}[1]", space: gmem, init: 0}}')
    k.emit(f"store(part, {axis.name}, {how}({k.e.exactly(dtype, (axis.block,), 1, True)}), order=relaxed)")
    k.emit("atomic_add(done, 0, 1, order=release)")
    k.emit_when(f"ticket() == num_programs({axis.name}) - 1")
    k.emit("seen = load(done, 0, order=acquire)", 1)
    k.emit_key(f'- while: "seen < num_programs({axis.name})"', 1)
    k.emit_key("  do:", 1)
    k.emit("seen = load(done, 0, order=acquire)", 2)
    k.emit(f"whole = {dtype}(0)", 1)
    k.emit_key("- for: q", 1)
    k.emit_key(f"  range: num_programs({axis.name})", 1)
    k.emit_key("  do:", 1)
    joined = {"sum": "whole + load(part, q, order=relaxed)", "max": "maximum(whole, load(part, q, order=relaxed))",
              "min": "minimum(whole, load(part, q, order=relaxed))"}[how]
    k.emit(f"whole = {joined}", 2)
    k.emit("o[0] = whole", 1)


def chain(k):
    """Each program waits for the one with the ticket before its own and passes its sum on."""
    dtype, axis = of_vectors(k)
    k.lines["workspace"] += [f'  running: {{type: "{dtype}[{programs(k)}]"}}',
                             f'  ready: {{type: "i32[{programs(k)}]", init: 0}}']
    k.lines["outputs"].append(f'  o: {{type: "{dtype}[1]", space: gmem, init: 0}}')
    k.emit(f"mine = sum({k.e.exactly(dtype, (axis.block,), 1, True)})")
    k.emit(f"before = {dtype}(0)")
    k.emit_when("ticket() > 0")
    k.emit("seen = load(ready, ticket() - 1, order=acquire)", 1)
    k.emit_key('- while: "seen == 0"', 1)
    k.emit_key("  do:", 1)
    k.emit("seen = load(ready, ticket() - 1, order=acquire)", 2)
    k.emit("before = load(running, ticket() - 1, order=relaxed)", 1)
    k.emit("store(running, ticket(), before + mine, order=relaxed)")
    k.emit("store(ready, ticket(), 1, order=release)")
    k.emit_when(f"ticket() == num_programs({axis.name}) - 1")
    k.emit("o[0] = before + mine", 1)


def grid_wide(k):
    """All programs write, synchronise, and read what their neighbours wrote; perhaps in several steps."""
    k.gridless = k.pointwise = k.e.pointwise = False
    k.producer = False
    k.axes = k.axes[:2]
    for n, axis in enumerate(k.axes):  # so few programs that all are resident, also in the largest test
        axis.runtime = axis.runtime and n == 0
        while axis.factor > axis.block:
            axis.factor //= 2
        axis.extent = max(axis.factor, min(axis.extent, axis.block) // axis.factor * axis.factor)
        axis.size = axis.dim if axis.runtime else str(axis.extent)
    if k.chance(0.15):
        k.keys["checks"] = "[nan]"
    declare(k)
    if k.chance(0.3):
        n = k.rng.choice((1, 2, 3))
        k.declare_steps(Steps("k", str(n), n, n))
    k.schedule = {"cooperative": "true"}
    for n in range(k.rng.choice((1, 2))):
        operands.declare(k, "xy"[n], operands.same_block if n == 0 else None)
    dtype = k.rng.choice(("f32", "i32", "bf16", "f64"))
    part = k.chance(0.5)
    sizes = [f"cdiv({a.size}, {a.entry})" for a in k.axes] + ([str(n) for n in k.shape()] if part else [])
    k.lines["workspace"].append(f'  ws: {{type: "{dtype}[{", ".join(sizes)}]"}}')
    rest = [":"] * len(k.axes) if part else []
    here = [a.name for a in k.axes]
    there = [f"({a.name} + 1) % num_programs({a.name})" for a in k.axes]
    value = k.e.value(dtype, k.shape(), 2, True) if part else f"max({k.e.exactly(dtype, k.shape(), 1, True)})"
    k.emit(f"ws[{', '.join(here + rest)}] = {value}")
    k.emit("grid_sync()")
    name = k.fresh("v")
    k.emit(f"{name} = ws[{', '.join(there + rest)}]")
    if k.steps:
        k.emit("grid_sync()")
    k.e.values.append(Value(name, dtype, k.shape() if part else ()))
    if k.steps:
        return outputs.accumulated(k, "o")
    k.output("o", dtype)
    k.emit(f"o[...] = {k.e.value(dtype, k.shape(), 1, True)} + {name}")


def shared_rows(k):
    """Rows that the CTAs of a cluster share, together with narrower ones that one CTA has whole. Their results are
    exact, so that any order of a reduction gives the same bits."""
    k.axes = k.axes[:1]
    k.gridless = k.pointwise = k.e.pointwise = k.producer = False
    m = k.axes[0]
    m.runtime, m.block, m.factor, m.extent, m.size, m.const, m.halved = True, 1, 1, k.rng.choice((1, 2)), m.dim, None, False
    k.declare_axes()
    dtype = k.rng.choice(("i32", "i32", "f32"))
    kinds = ("sum", "max", "min") if dtype == "i32" else ("max", "min")
    wide = k.rng.choice((50000, 65536))
    k.ref("inputs", "x", dtype, ["M", str(wide)], ["1", str(wide)], ["i", "0"], shape=(1, wide))
    made = [f"top = {k.rng.choice(kinds)}(x, axis=1)", f"q = where(x > {k.literal(dtype)}, x - top[:, None], x)",
            f"best = {k.rng.choice(kinds)}(q, axis=1)"]
    for name, to in (("z", "p"), ("w", "r"))[:k.rng.choice((1, 2))]:
        rows, columns = k.rng.choice(((8, 4096), (4, 2048), (16, 1024)))
        k.ref("inputs", name, dtype, ["M", str(rows), str(columns)], ["squeezed", str(rows), str(columns)], ["i", "0", "0"])
        k.ref("outputs", to, dtype, ["M", str(rows)], ["squeezed", str(rows)], ["i", "0"])
        made.insert(k.rng.randrange(len(made) + 1), f"{to}[...] = {k.rng.choice(kinds)}({name}, axis=1)")
    for statement in made:
        k.emit(statement)
    k.ref("outputs", "o", dtype, ["M", str(wide)], ["1", str(wide)], ["i", "0"])
    k.emit("o[...] = maximum(q, best[:, None])")


FAMILIES = [(70, blocks), (6, rows), (10, slices), (2, last_ticket), (2, chain), (5, grid_wide), (1, shared_rows)]
