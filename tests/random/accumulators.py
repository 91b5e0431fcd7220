"""Kernels whose values lie in the accumulators of matrix instructions, if the target has them: the operands of a dot,
the way a step adds to the accumulator, and the use of its final value are rows of tables."""
import computed
from families import declare
from frame import Axis, Steps, weighted
from guards import in_some_steps


def tile(k, rows, columns, aligned):
    """Makes two axes of whole tiles: rows by warpgroups, columns by instructions."""
    k.axes = [*k.axes, Axis(k.rng, 1, False, False)][:2]
    k.gridless = k.pointwise = k.e.pointwise = False
    m, n = k.axes
    for axis, sizes in ((m, rows), (n, columns)):
        axis.runtime, axis.size, axis.factor = True, axis.dim, 8 if k.chance(aligned) else 1
        if sizes:
            axis.block, axis.halved = k.rng.choice(sizes), False
            axis.extent += k.rng.choice((0, 0, axis.block // 2, axis.block, axis.block - axis.extent % axis.block))
        axis.extent = max(axis.factor, axis.extent // axis.factor * axis.factor)
    return m, n


def contraction(k):
    """A matmul: operands in any order of their dims, sizes that tensor cores take and sizes that they do not."""
    cores = k.chance(0.75)
    m, n = tile(k, (64, 64, 128), (8, 16, 16, 32, 32, 80), 0.9) if cores else tile(k, None, None, 0.5)
    declare(k)
    if cores and n.block % 16 == 0 and k.chance(0.3):  # more warpgroups than rows allow: they share columns
        k.warpgroups = m.block // 32
    dtype = k.rng.choice(("bf16", "f16", "bf16", "f16", "i8") if cores else ("bf16", "f16", "f32", "i8", "f64", "f8e4m3"))
    bytewise = cores and dtype == "i8"  # instructions then read rows of both operands
    acc = {"i8": "i32", "f64": "f64"}.get(dtype, "f32")
    depth = k.rng.choice((32, 64) if bytewise else (16, 32, 64)) if cores else k.rng.choice((3, 8, 16))
    unit = 16 if bytewise else 8
    k.declare_dim("K", k.rng.choice((unit, 2 * unit, 5 * unit)), unit if k.chance(0.9 if cores else 0.5) else 1)
    k.declare_steps(Steps("k", f"cdiv(K, {depth})", 9, 0))
    ta, tb = (False, True) if bytewise else (k.chance(0.3), k.chance(0.4))
    for name, sizes, entries, maps, flip in (("x", [m.size, "K"], [m.entry, str(depth)], [m.name, "k"], ta),
                                             ("y", ["K", n.size], [str(depth), n.entry], ["k", n.name], tb)):
        order = -1 if flip else 1
        k.ref("inputs", name, dtype, sizes[::order], entries[::order], maps[::order], ", fill: 0")
        k.rings.append(name)
    bias = k.chance(0.4)
    if bias:
        k.ref("inputs", "w", acc, [n.size], [n.entry], [n.name])
    product = f"dot(x, y{', trans_a=true' if ta else ''}{', trans_b=true' if tb else ''})"
    space = k.rng.choice(("acc", "acc", "reg"))
    k.lines["scratch"].append(f'  acc: {{type: "{acc}[{m.entry}, {n.entry}]", space: {space}}}')
    k.emit_when("k == 0")
    k.emit(f"acc[...] = {k.rng.choice(('0', '0', '0', '1') if cores else ('0', '0', '1'))}", 1)
    in_some_steps(k, lambda: k.emit(f"acc[...] += {product}"))
    to = k.rng.choice((acc, "bf16", "f16")) if acc == "f32" else acc
    k.output("o", to)
    value = "acc[...]" if not bias else "(acc[...] + w[None, :])"
    if acc == "f32" and k.chance(0.4):
        value = f"{k.rng.choice(('relu', 'silu', 'gelu'))}({value})"
    k.emit_when("k == num_programs(k) - 1")
    for part in k.rng.sample(("scale", "beside", "row", "column", "place"), k.rng.choice((0, 0, 1, 1, 2, 3))):
        value = with_part(k, part, value, acc, to)
    if k.chance(0.2):
        k.ref("outputs", "t", acc, [m.size, f"cdiv({n.size}, {n.entry})"], [m.entry, "1"], [m.name, n.name])
        k.emit("t[...] = max(acc[...], axis=1)[:, None]", 1)
    k.emit(f"o[...] = {value}{'' if to == acc else f'.astype({to})'}", 1)


def with_part(k, part, value, acc, to):
    """Combines an accumulator's value with a vector, a matrix, a maximum of rows or columns, or positions."""
    m, n = k.axes
    if part == "scale":
        k.ref("inputs", "s", acc, [m.size], [m.entry], [m.name])
        return f"({value} * s[:, None])"
    if part == "beside":
        k.ref("inputs", "r", to, [m.size, n.size], [m.entry, n.entry], [m.name, n.name])
        return f"({value} + r{'' if to == acc else f'.astype({acc})'})"
    if part == "place":
        dim = k.rng.choice((0, 1))
        return f"({value} + (iota(i32, [{m.entry}, {n.entry}], {dim}) % 3).astype({acc}))"
    axis, where = (1, ":, None") if part == "row" else (0, "None, :")
    name = k.fresh("best")
    k.emit(f"{name} = max(acc[...], axis={axis})", 1)
    return f"({value} - {name}[{where}])"


class Parts:
    """The parts of an `epilogue` kernel so far: its kernel, axes, the name of the accumulator, dtypes."""

    def __init__(self, k, m, n, dtype):
        self.k, self.m, self.n, self.dtype, self.acc = k, m, n, dtype, "f32"
        self.vectors = []     # the existing ones: (axis, dtype, place, name)
        self.operands = {}    # declarations of `x` and `y`, if they move with the steps
        self.flags, self.depth = "", 0  # flags of their dot, and the depth of a block
        self.value = "acc[...]"

    def vector(self, axis, dtype="f32", place=None):
        """Returns an input along one dim of the tile, perhaps one that is read elsewhere too."""
        known = [name for *key, name in self.vectors if key == [axis, dtype, place]]
        if known and self.k.chance(0.4):
            return self.k.rng.choice(known)
        name = self.k.fresh("s")
        self.vectors.append((axis, dtype, place, name))
        self.k.ref("inputs", name, dtype, [axis.size], [axis.entry], [place or axis.name], f", fill: {self.k.literal(dtype)}")
        return name

    def sibling(self, name):
        """Returns another operand with the layout of `x` or `y`."""
        other = self.k.fresh(name)
        self.k.ref("inputs", other, self.dtype, *self.operands[name], ", fill: 0")
        self.k.rings.append(other)
        return other

    def rows_out(self, value):
        """Stores a value for each row of each tile."""
        n, m, tiles = self.n, self.m, f"cdiv({self.n.size}, {self.n.entry})"
        if self.k.chance(0.5):
            return f"{self.out('q', 'f32', [m.size, tiles], [m.entry, '1'], [m.name, n.name])}[...] = {value}[:, None]"
        return f"{self.out('q', 'f32', [tiles, m.size], ['squeezed', m.entry], [n.name, m.name])}[...] = {value}"

    def out(self, stem, dtype, sizes, entries, maps, more=""):
        name = self.k.fresh(stem)
        self.k.ref("outputs", name, dtype, sizes, entries, maps, more)
        return name


# Ways in which a step adds its product.
def added(p, product):
    p.k.emit(f"acc[...] += {product}")


def decayed(p, product):
    p.k.emit(f"acc[...] = acc * {p.k.rng.choice(('0.5', f'{p.vector(p.m)}[:, None]', f'{p.vector(p.n)}[None, :]'))} + {product}")


def anew(p, product):
    y = p.k.fresh("y")
    p.k.emit(f"{y} = {product}")
    p.k.emit(f"acc[...] += {p.k.rng.choice((f'{y} * 0.5', f'maximum({y}, 0)', f'tanh({y})'))}")


def less_its_maximum(p, product):
    y, top = p.k.fresh("y"), p.k.fresh("top")
    p.k.emit(f"{y} = {product}")
    axis, where = p.k.rng.choice(((1, ":, None"), (0, "None, :")))
    p.k.emit(f"{top} = max({y}, axis={axis})")
    p.k.emit(f"acc[...] += {y} - {top}[{where}]")


def rows_kept(p, product):
    """A sum and a maximum of rows, accumulated over the steps."""
    k, y = p.k, p.k.fresh("y")
    k.emit(f"{y} = {product}")
    k.emit(f"acc[...] += {y}")
    for name, first, text in k.rng.sample((("sums", "0", f"sums + sum({y}, axis=1)"),
                                           ("sums", "1", f"sums * 0.5 + sum(exp(minimum({y}, 1.0)), axis=1)"),
                                           ("tops", "-inf", f"maximum(tops, max({y}, axis=1))")), 2):
        if any(line.startswith(f"  {name}:") for line in k.lines["scratch"]):
            continue
        k.lines["scratch"].append(f'  {name}: {{type: "f32[{p.m.entry}]", space: reg}}')
        p.starts.append(f"{name}[...] = {first}")
        k.emit(f"{name}[...] = {text}")
        p.ends.append(p.rows_out(k.rng.choice((name, f"({name} * 2)", f"{name}[...]"))))


def told(p, product):
    p.k.emit_key(f'- print: "{p.k.fresh("p")}: {{}} {{}}"')
    p.k.emit_key(f'  args: [k, {p.m.name}]')
    added(p, product)


def inlined(p, product):
    p.k.emit(f"acc[...] {p.k.rng.choice(('+=', '-='))} " + p.k.rng.choice((product, f"{product} * 0.5", f"maximum({product}, 0)",
                                                                        f"-{product}", f"tanh({product}) * 2")))


def shared_operand(p, product):
    """Another dot of the step reads one of the operands too, or the same one in the other order of its dims."""
    added(p, product)
    if not p.operands:
        return
    square = p.depth == p.n.block
    other = p.k.rng.choice(("x", "y", "turned"))
    if other == "turned" and square:
        flags = p.flags.replace(", trans_b=true", "") if "trans_b" in p.flags else p.flags + ", trans_b=true"
        return inlined(p, f"dot(x, y{flags})")
    x, y = (p.sibling("x"), "y") if other == "x" else ("x", p.sibling("y"))
    inlined(p, f"dot({x}, {y}{p.flags})")


def two_sums(p, product):
    """A second accumulator, with the same first operand."""
    added(p, product)
    if not p.operands:
        return
    p.k.lines["scratch"].append(f'  gate: {{type: "f32[{p.m.entry}, {p.n.entry}]", space: acc}}')
    p.starts.append("gate[...] = 0")
    p.k.emit(f"gate[...] += dot(x, {p.sibling('y')}{p.flags})")
    p.value = p.k.rng.choice(("acc * tanh(gate)", "relu(gate) + acc", "maximum(acc, gate)"))


def read_by_threads(p, product):
    """Threads read an operand of instructions."""
    added(p, product)
    if not p.operands:
        return
    ta, tb = "trans_a" in p.flags, "trans_b" in p.flags
    how, a, b = p.k.rng.choice(("sum", "max")), 0 if ta else 1, 1 if tb else 0
    first = f"x[{'0, :' if ta else ':, 0'}]" if p.k.chance(0.5) else f"where(valid(x), x, 0).T[{':, 1' if ta else '1, :'}]"
    p.k.emit(f"acc[...] += " + p.k.rng.choice((f"{how}(x.astype(f32), axis={a})[:, None]", f"{how}(y.astype(f32), axis={b})[None, :]",
                                             f"{first}.astype(f32)[:, None]")))


STEPS = [(5, added), (3, decayed), (2, anew), (2, less_its_maximum), (3, rows_kept), (2, told), (3, inlined),
         (3, shared_operand), (2, two_sums), (3, read_by_threads)]


# Uses of the accumulator's final value `z`: statements, and the value that the next one takes.
def named(p, text):
    name = p.k.fresh("z")
    p.emit(f"{name} = {text}")
    return name


def row_value(p, z):
    how = p.k.rng.choice(("max", "min", "sum", "mean", "logsumexp"))
    r = named(p, f"{how}({z}, axis=1)")
    if p.k.chance(0.4):
        p.emit(p.rows_out(r))
    return p.k.rng.choice((f"{z} - {r}[:, None]", f"{z} / (abs({r}) + 1.0)[:, None]"))


def column_value(p, z):
    how = p.k.rng.choice(("max", "min", "sum", "mean"))
    r = named(p, f"{how}({z}, axis=0)")
    if p.k.chance(0.3):
        p.emit(f"{p.out('q', 'f32', [f'cdiv({p.m.size}, {p.m.entry})', p.n.size], ['squeezed', p.n.entry], [p.m.name, p.n.name])}"
               f"[...] = {r}")
    return p.k.rng.choice((f"{z} - {r}[None, :]", f"{z} / (abs({r}) + 1.0)[None, :]"))


def softmax_of(p, z):
    axis, where = p.k.rng.choice(((1, ":, None"), (1, ":, None"), (0, "None, :")))
    if p.k.chance(0.3):
        return f"softmax({z}, axis={axis})"
    top = named(p, f"max({z}, axis={axis})")
    e = named(p, f"{p.k.rng.choice(('exp', 'exp2'))}({z} - {top}[{where}])")
    return f"{e} / sum({e}, axis={axis})[{where}]"


def vectors(p, z):
    return p.k.rng.choice((f"{z} * {p.vector(p.m)}[:, None]", f"{z} + {p.vector(p.n)}[None, :]",
                           f"{z} * {p.vector(p.m)}[:, None] + {p.vector(p.n)}[None, :]"))


def matrix(p, z):
    name, dtype = p.k.fresh("r"), p.k.rng.choice(("f32", "bf16", "f16"))
    p.k.ref("inputs", name, dtype, [p.m.size, p.n.size], [p.m.entry, p.n.entry], [p.m.name, p.n.name],
            f", fill: {p.k.literal(dtype)}")
    return f"{z} {p.k.rng.choice('+*')} {name}{'' if dtype == 'f32' else '.astype(f32)'}"


def positions(p, z):
    inside = f"{p.n.name} * {p.n.entry} + iota(i32, [{p.m.entry}, {p.n.entry}], 1) < {p.n.size}"
    return p.k.rng.choice((f"where({inside}, {z}, -1.0)", f"where({inside}, {z}, 0.0)",
                           f"{z} + (iota(i32, [{p.m.entry}, {p.n.entry}], 0) % 3).astype(f32)"))


def function(p, z):
    # Where their results are subnormals a kernel may give 0, which an infinite factor would show.
    return f"{p.k.rng.choice(('relu', 'tanh'))}({z})" if p.k.chance(0.5) else \
        f"{p.k.rng.choice(('silu', 'gelu'))}(clamp({z}, -4.0, 4.0))"


def shown(p, z):
    p.emit_key(f'- print: "{p.k.fresh("p")}: {{}}"')
    p.emit_key(f'  args: [{p.m.name}]')
    return z


ENDS = [(3, row_value), (2, column_value), (2, softmax_of), (2, vectors), (2, matrix), (2, positions), (2, function),
        (1, shown)]


def stored(p, z):
    """Stores the value to one output or two, with other dtypes."""
    z = named(p, z) if p.k.chance(0.6) else f"({z})"
    for dtype in p.k.rng.sample(("f32", "bf16", "f16", "f32"), p.k.rng.choice((1, 1, 1, 2))):
        more = ", init: 0, reduce: add" if p.k.chance(0.2) else ""
        o = p.out("o", dtype, [p.m.size, p.n.size], [p.m.entry, p.n.entry], [p.m.name, p.n.name], more)
        p.emit(f"{o}[...] = {z}{'' if dtype == 'f32' else f'.astype({dtype})'}")


def second_dot(p, z):
    """Multiplies the value by a small operand that is the same for all tiles, in another dot, or stores it."""
    k = p.k
    if p.n.block % 16 or "math" in k.keys:  # large factors would show a tanh that rounds to the other neighbour
        return stored(p, z)
    z, columns = named(p, z), k.rng.choice((8, 16, 32, 64))
    w, h, y = k.fresh("w"), k.fresh("h"), k.fresh("y")
    k.ref("inputs", w, p.dtype, [p.n.size, str(columns)], [p.n.entry, str(columns)], [p.n.name, "0"], ", fill: 0")
    p.emit(f"{h} = tanh({z}).astype({p.dtype})")
    p.emit(f"{y} = dot({h}, {w})")
    o = p.out("o", "f32", [f"cdiv({p.n.size}, {p.n.entry})", p.m.size, str(columns)], ["squeezed", p.m.entry, str(columns)],
              [p.n.name, p.m.name, "0"])
    p.emit(f"{o}[...] = {k.rng.choice((y, f'{y} - max({y}, axis=1)[:, None]', f'{y} * 0.5'))}")


def epilogue(k):
    """Dots with anything before, between and after them that stays in registers."""
    m, n = tile(k, (64, 64, 128, 128, 192), (8, 16, 32, 64), 0.9)
    declare(k)
    k.warpgroups, k.rounded = m.block // 64, True
    if n.block % (16 * k.warpgroups) == 0 and k.chance(0.25):  # more warpgroups than rows allow: they share columns
        k.warpgroups *= 2
    dtype, depth = k.rng.choice(("bf16", "f16")), k.rng.choice((16, 32, 64))
    p = Parts(k, m, n, dtype)
    p.starts, p.ends = ["acc[...] = " + k.rng.choice(("0", "0", "0", "1"))], []
    kind = weighted(k.rng, [(8, "steps"), (1, "stays"), (1, "once")])
    if kind == "once":
        return once(p, depth)
    k.declare_dim("K", k.rng.choice((8, 16, 40)) if kind == "steps" else k.rng.choice((1, 2, 3)), 8 if kind == "steps" else 1)
    k.declare_steps(Steps("k", f"cdiv(K, {depth})" if kind == "steps" else "K", 9, 0))
    ta, tb = k.chance(0.2), k.chance(0.5)
    if kind == "steps":
        declared = (("x", [m.size, "K"], [m.entry, str(depth)], [m.name, "k"], ta),
                    ("y", ["K", n.size], [str(depth), n.entry], ["k", n.name], tb))
        for name, sizes, entries, maps, flip in declared:
            order = -1 if flip else 1
            k.ref("inputs", name, dtype, sizes[::order], entries[::order], maps[::order], ", fill: 0")
            k.rings.append(name)
            p.operands[name] = sizes[::order], entries[::order], maps[::order]
    else:
        ta, d = False, str(depth)
        k.ref("inputs", "x", dtype, ["K", m.size, d], ["squeezed", m.entry, d], ["k", m.name, "0"], ", fill: 0")
        sizes, entries, maps = [d, n.size], [d, n.entry], ["0", n.name]
        order = -1 if tb else 1
        k.ref("inputs", "y", dtype, sizes[::order], entries[::order], maps[::order], ", fill: 0")
        k.rings.append("x")
    k.lines["scratch"].append(f'  acc: {{type: "f32[{m.entry}, {n.entry}]", space: acc}}')
    body, k.body = k.body, []
    a, b = computed.operands(p, depth, ta, tb)
    p.depth = depth
    p.flags = f"{', trans_a=true' if ta else ''}{', trans_b=true' if tb else ''}"
    step = weighted(k.rng, STEPS)
    in_some_steps(k, lambda: step(p, f"dot({a}, {b}{p.flags})"))
    steps, k.body = k.body, body
    k.emit_when("k == 0")
    for start in p.starts:
        k.emit(start, 1)
    k.body += steps
    k.emit_when("k == num_programs(k) - 1")
    finish(p, p.value, 1)


def once(p, depth):
    """A kernel without steps: each tile is one dot."""
    k, d = p.k, str(depth)
    tb = k.chance(0.5)
    order = -1 if tb else 1
    k.ref("inputs", "x", p.dtype, [p.m.size, d], [p.m.entry, d], [p.m.name, "0"], ", fill: 0")
    k.ref("inputs", "y", p.dtype, [d, p.n.size][::order], [d, p.n.entry][::order], ["0", p.n.name][::order], ", fill: 0")
    k.rings += ["x", "y"]
    a, b = computed.operands(p, depth, False, tb)
    k.emit(f"acc = dot({a}, {b}{', trans_b=true' if tb else ''})")
    finish(p, "acc", 0)


def finish(p, z, depth):
    p.emit, p.emit_key = lambda text: p.k.emit(text, depth), lambda text: p.k.emit_key(text, depth)
    for end in p.ends:
        p.emit(end)
    for _ in range(p.k.rng.choice((0, 1, 1, 2, 2, 3))):
        z = weighted(p.k.rng, ENDS)(p, f"({z})" if " " in z else z)
    weighted(p.k.rng, [(5, stored), (1, second_dot)])(p, f"({z})" if " " in z else z)


FAMILIES = [(7, contraction), (12, epilogue)]
