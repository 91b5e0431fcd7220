"""Kernels whose blocks hold batches of matrices, which a dot multiplies one by one."""
from accumulators import tile
from families import declare
from frame import Axis, Steps
from guards import in_some_steps


def batches(k):
    """A matmul of several matrices, or of one, in each block."""
    m, n = tile(k, (64, 64, 128), (8, 16, 32, 48), 0.9)
    several = Axis(k.rng, 2, True, False)
    several.block, several.runtime, several.size, several.halved = k.rng.choice((1, 2, 2, 3)), True, several.dim, False
    several.extent = several.factor * k.rng.choice((1, 2, 3))
    k.axes = [several, m, n]
    declare(k)
    dtype = k.rng.choice(("bf16", "bf16", "f16", "i8", "f32"))
    acc = "i32" if dtype == "i8" else "f32"
    depth, unit = (32, 16) if dtype == "i8" else (16, 8)
    k.declare_dim("K", k.rng.choice((unit, 3 * unit, 5 * unit)), unit if k.chance(0.8) else 1)
    k.declare_steps(Steps("k", f"cdiv(K, {depth})", 9, 0))
    flip = dtype == "i8" or k.chance(0.4)
    order = -1 if flip else 1
    for name, sizes, entries, maps in (
            ("x", [m.size, "K"], [m.entry, str(depth)], [m.name, "k"]),
            ("y", ["K", n.size][::order], [str(depth), n.entry][::order], ["k", n.name][::order])):
        k.ref("inputs", name, dtype, [several.size, *sizes], [several.entry, *entries], [several.name, *maps], ", fill: 0")
        k.rings.append(name)
    k.lines["scratch"].append(f'  acc: {{type: "{acc}[{several.entry}, {m.entry}, {n.entry}]", space: acc}}')
    k.emit_when("k == 0")
    k.emit(f"acc[...] = {k.rng.choice(('0', '0', '1'))}", 1)
    product = f"dot(x, y{', trans_b=true' if flip else ''})"
    in_some_steps(k, lambda: k.emit(f"acc[...] {k.rng.choice(('+= ', '= acc + '))}{product}"))
    k.emit_when(f"k == {k.steps[-1].last}")
    value = "acc[...]"
    if k.chance(0.4):
        k.ref("inputs", "w", acc, [several.size, n.size], [several.entry, n.entry], [several.name, n.name])
        value = f"({value} + w[:, None, :])"
    if k.chance(0.3):
        axis = k.rng.choice((0, 1, 2))
        value = f"({value} + iota({acc}, [{several.entry}, {m.entry}, {n.entry}], {axis}))"
    if k.chance(0.3):
        k.ref("outputs", "t", acc, [several.size, m.size, f"cdiv({n.size}, {n.entry})"], [several.entry, m.entry, "1"],
              [several.name, m.name, n.name])
        k.emit(f"t[...] = {k.rng.choice(('max', 'min'))}(acc[...], axis=2)[:, :, None]", 1)
    if k.chance(0.3):
        name = k.fresh("z")
        k.emit(f"{name} = {value}", 1)
        value = f"where({name} > 0, {name}, {k.e.literal(acc)})"
    to = k.rng.choice((acc, "bf16", "f16")) if acc == "f32" else acc
    k.output("o", to)
    k.emit(f"o[...] = {value if to == acc else f'({value}).astype({to})'}", 1)


FAMILIES = [(1.5, batches)]
