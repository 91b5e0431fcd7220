"""Kernels with two dots in each step, the first of which makes the operand of the second: forms of attention."""
from accumulators import tile
from families import declare
from frame import Steps


def attention(k):
    """Two dots in each step: scores, their use by threads, and the product of that with values."""
    m, _ = tile(k, (64, 64, 128, 128, 192), (8,), 1)
    k.axes = k.axes[:1]
    declare(k)
    k.warpgroups, k.rounded = m.block // 64, True
    if k.chance(0.3):
        k.keys["math"] = "{approx: true}"
    rng, dtype = k.rng, k.rng.choice(("bf16", "f16"))
    block, depth, width = (rng.choice(sizes) for sizes in ((16, 32, 64), (16, 32, 64), (8, 16, 32, 64)))
    k.declare_dim("T", rng.choice((5, 16, 40, 70)))
    k.steps_dim = "T"
    size = rng.choice((f"cdiv(T, {block})",) * 2 + (f"min(cdiv(({m.name} + 1) * {m.entry}, {block}), cdiv(T, {block}))",))
    k.declare_steps(Steps("k", size, 9, 0))
    k.ref("inputs", "q", dtype, [m.size, str(depth)], [m.entry, str(depth)], [m.name, "0"])
    rows, entry, place = "T", str(block), "k"
    if k.chance(0.5):  # rows after those that count
        rows, entry = "T + 7", f"bounded_slice({block})"
        place = f"ds(k * {block}, min({block}, T - k * {block}))"
    k.ref("inputs", "x", dtype, [rows, str(depth)], [entry, str(depth)], [place, "0"], rng.choice(("", ", fill: 0")))
    k.ref("inputs", "y", dtype, [rows, str(width)], [entry, str(width)], [place, "0"], ", fill: 0")
    k.rings += ["x", "y"]
    k.lines["scratch"] += [f'  acc: {{type: "f32[{m.entry}, {width}]", space: acc}}',
                           f'  l: {{type: "f32[{m.entry}]", space: reg}}']
    online = k.chance(0.6)
    k.emit_when("k == 0")
    k.emit("acc[...] = 0", 1)
    k.emit(f"l[...] = {rng.choice(('0', '0', '1'))}", 1)
    if online:
        k.lines["scratch"].append(f'  top: {{type: "f32[{m.entry}]", space: reg}}')
        k.emit("top[...] = -inf", 1)
    k.emit(f"s = dot({rng.choice(('q', 'q', 'q * 0.5'))}, x, trans_b=true)")
    scores(k, m, block)
    k.emit(f"c = s * {rng.choice(('0.125', '0.25'))}")
    if online:
        k.emit("new = maximum(top, max(c, axis=1))")
        k.emit("safe = where(new == -inf, 0.0, new)")
        k.emit("p = exp(c - safe[:, None])")
        k.emit("weight = exp(top - safe)")
        decay = "weight"
    else:
        k.emit(f"p = {rng.choice(('exp(minimum(c, 1.0))', 'relu(c)', 'logistic(c)'))}")
        decay = rng.choice(("", "0.5"))
    summed = f"sum(p, axis={1})"
    k.emit(f"l[...] = l{f' * {decay}' if decay else ''} + {summed}")
    kept = f"acc * {decay}{'[:, None]' if decay == 'weight' else ''}" if decay else "acc"
    k.emit(f"acc[...] = {kept} + dot(p.astype({dtype}), y)")
    if online:
        k.emit("top[...] = new")
    if k.chance(0.15):
        k.emit_key('- print: "step {} of {}"')
        k.emit_key(f"  args: [k, {m.name}]")
    k.emit_when("k == num_programs(k) - 1")
    to = rng.choice(("f32", dtype, dtype))
    k.emit("r = where(l == 0, 0.0, 1 / l)", 1)
    k.ref("outputs", "o", to, [m.size, str(width)], [m.entry, str(width)], [m.name, "0"])
    k.emit(f"o[...] = (acc * r[:, None]){'' if to == 'f32' else f'.astype({to})'}", 1)
    if k.chance(0.6):
        k.ref("outputs", "e", "f32", [m.size], [m.entry], [m.name])
        k.emit(f"e[...] = {rng.choice(('l', 'log(l + 1.0)') + (('where(l == 0, -inf, top + log(l))',) if online else ()))}", 1)


def scores(k, m, block):
    """A bias, and a mask in all steps or in those that need it."""
    if k.chance(0.2):
        k.ref("inputs", "b", "f32", ["T"], [str(block)], ["k"], ", fill: 0")
        k.emit("s = s + b[None, :]")
    if k.chance(0.15):
        k.ref("inputs", "b2", "f32", [m.size, "T"], [m.entry, str(block)], [m.name, "k"], ", fill: 0")
        k.emit("s = s + b2")
    causal = f" or (k + 1) * {block} > {m.name} * {m.entry} + 1" if k.chance(0.4) else ""
    depth = 0
    if k.chance(0.7):
        k.emit_when(f"(k + 1) * {block} > T{causal}")
        depth = 1
    k.emit(f"cols = k * {block} + iota(i32, [{m.entry}, {block}], 1)", depth)
    seen = "cols < T"
    if causal:
        k.emit(f"rows = {m.name} * {m.entry} + iota(i32, [{m.entry}, {block}], 0)", depth)
        seen += " and rows >= cols"
    k.emit(f"s = where({seen}, s, -inf)", depth)


FAMILIES = [(3, attention)]
