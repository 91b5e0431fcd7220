"""Random well-typed blocked specs: arrays, blocks, index maps, bodies, settings. `make(seed)` gives the text of one spec
and of settings under which it must give the same bits. Everything follows from the seed."""
import random

from values import ALL, FLOATS, INTS, NARROW, Expressions, Value

PARALLEL, SEQUENTIAL = ("i", "j", "l"), ("k", "t")


def weighted(rng, rows):
    return rng.choices([row[1] for row in rows], [row[0] for row in rows])[0]


class Axis:
    """One dim of the outputs: an array extent, a block of it, the grid's axis that walks over it."""

    def __init__(self, rng, number, small):
        self.block = weighted(rng, [(1, 1), (2, 2), (1, 3), (4, 4), (1, 5), (4, 8), (1, 12), (4, 16), (0 if small else 3, 32),
                                    (0 if small else 1, 64)])
        self.runtime = rng.random() < 0.5
        blocks = rng.choice((1, 1, 2, 3))
        self.extent = self.block * blocks - (rng.randrange(self.block) if rng.random() < 0.5 else 0)
        self.factor = rng.choice((1, 1, 2, 4)) if self.runtime else 1
        self.extent = max(self.factor, self.extent // self.factor * self.factor)
        self.dim = "MNK"[number]
        self.name = PARALLEL[number]
        self.size = self.dim if self.runtime else str(self.extent)

    def tiles(self):
        return -(-self.extent // self.block)

    def ragged(self):
        return self.runtime or self.extent % self.block != 0


class Kernel:
    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.name = f"random{seed}"
        self.pointwise = rng.random() < 0.45
        rank = weighted(rng, [(2, 1), (6, 2), (2, 3)])
        self.axes = [Axis(rng, n, rank == 3) for n in range(rank)]
        self.steps = rng.choice((1, 2, 3, 5)) if rng.random() < 0.4 else 0  # of a sequential axis; 0: there is none
        self.e = Expressions(rng, self.pointwise)
        self.lines = {"dims": [], "grid": [], "inputs": [], "outputs": [], "scratch": [], "scalars": []}
        self.lets = {}
        self.tests = {"dims": {}, "scalars": {}}
        self.body = []
        self.names = 0
        self.inexact = False
        self.tolerances = []

    # --- the parts of the file

    def shape(self):
        return tuple(axis.block for axis in self.axes)

    def fresh(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def header(self):
        for axis in self.axes:
            if axis.runtime:
                facts = f"multiple_of: {axis.factor}" if axis.factor > 1 else ""
                self.lines["dims"].append(f"  {axis.dim}: {{{facts}}}")
                self.tests["dims"][axis.dim] = axis.extent
            self.lines["grid"].append(f'  - {{axis: {axis.name}, size: "cdiv({axis.size}, {axis.block})"}}')
            self.e.indices.append(axis.name)
        if self.steps:
            self.lines["grid"].append(f"  - {{axis: k, size: {self.steps}, semantics: sequential}}")
            self.e.indices.append("k")
        if self.rng.random() < 0.2:
            self.lets["shift"] = f"({self.axes[0].name} + 1) % {self.axes[0].size}" if not self.axes[0].runtime else "2"
            self.e.indices.append("shift")
        for name, dtype, value in (("alpha", "f32", 0.75), ("beta", "i32", 3)):
            if self.rng.random() < 0.15:
                self.lines["scalars"].append(f"  {name}: {dtype}")
                self.tests["scalars"][name] = value
                self.e.scalars.append(Value(name, dtype, ()))

    def dtype(self):
        return weighted(self.rng, [(10, "f32"), (3, "bf16"), (3, "f16"), (1, "f64"), (5, "i32"), (2, "i64"), (1, "i8"),
                                   (1, "u8"), (1, "i16"), (1, "u32"), (1, "bool")])

    def fill(self, dtype):
        if dtype == "bool":
            return self.rng.choice(("true", "false"))
        return self.rng.choice(("0", "1.5", "-2.0") if dtype in FLOATS else ("0", "1", "3"))

    def same_block(self, name, dtype):
        """The block that the outputs have: unspecified past the end where nothing moves elements."""
        entries = [str(axis.block) for axis in self.axes]
        maps = [axis.name for axis in self.axes]
        sizes = [axis.size for axis in self.axes]
        if self.steps and self.rng.random() < 0.6:  # a slab for each step
            sizes.insert(0, str(self.steps))
            entries.insert(0, "squeezed")
            maps.insert(0, "k")
        fill = "" if self.pointwise and self.rng.random() < 0.6 else f", fill: {self.fill(dtype)}"
        return sizes, entries, maps, fill, self.shape()

    def other_block(self, name, dtype):
        """A block that lies otherwise: transposed places, windows, padding, one row for all."""
        kind = weighted(self.rng, [(3, "vector"), (2, "moved"), (2, "window"), (1, "padded"), (2, "whole"), (1, "scalar")])
        axis = self.rng.choice(self.axes)
        tiles = f"num_programs({axis.name})"
        fill = f", fill: {self.fill(dtype)}"
        if kind in ("window", "padded") and (axis.runtime or axis.block < 2):
            kind = "vector"  # their arrays have constant extents, which must reach as far as the grid
        if kind == "vector":
            return [axis.size], [str(axis.block)], [axis.name], fill, (axis.block,)
        if kind == "moved":  # the blocks of one dim in another order
            place = self.rng.choice((f"{tiles} - 1 - {axis.name}", f"min({axis.name} + 1, {tiles} - 1)", f"{axis.name} // 2",
                                     f"({axis.name} + 1) % {tiles}", "0"))
            return [axis.size], [str(axis.block)], [place], fill, (axis.block,)
        if kind == "window":  # windows that overlap
            extent = axis.block + (axis.tiles() - 1) * max(1, axis.block // 2) + 1
            return [str(extent)], [f"element({axis.block})"], [f"{max(1, axis.block // 2)} * {axis.name}"], fill, (axis.block,)
        if kind == "padded":
            extent = max(1, axis.tiles() * axis.block - 2)
            return [str(extent)], [f"element({axis.block}, 1, 1)"], [f"{axis.block} * {axis.name}"], fill, (axis.block,)
        if kind == "whole":
            n = self.rng.choice((1, 3, 4, 8))
            return [str(n), str(axis.block)], None, None, "", (n, axis.block)
        return ["1"], None, None, "", (1,)

    def ref(self, section, name, dtype, sizes, entries, maps, more, shape):
        text = f'  {name}: {{type: "{dtype}[{", ".join(sizes)}]"'
        if entries:
            text += f', block: "{", ".join(entries)}", index_map: "{", ".join(maps)}"'
        self.lines[section].append(text + more + "}")
        value = Value(name, dtype, shape)
        value.ref = True
        return value

    def inputs(self):
        for n in range(self.rng.choice((0, 1, 1, 2, 2, 3))):
            name, dtype = "xyw"[n], self.dtype()
            # Windows, vectors and the like reach other elements than the output's: only where what is past the end is given.
            form = self.same_block if n == 0 or self.rng.random() < 0.5 else self.other_block
            self.e.values.append(self.ref("inputs", name, dtype, *form(name, dtype)))

    def output(self, name, dtype, more=""):
        return self.ref("outputs", name, dtype, [a.size for a in self.axes], [str(a.block) for a in self.axes],
                        [a.name for a in self.axes], more, self.shape())

    # --- statements: each a row of STATEMENTS

    def emit(self, text, depth=0):
        # YAML would take some of what begins or is inside an expression for its own: statements are quoted.
        self.body.append("  " + "    " * depth + f'- "{text}"')

    def emit_key(self, text, depth=0):
        self.body.append("  " + "    " * depth + text)

    def inner_shape(self):
        return self.rng.choice([self.shape(), self.shape(), self.shape()[1:], self.shape()[:1]]) if not self.pointwise \
            else self.shape()

    def bind(self):
        dtype, shape = self.dtype(), self.inner_shape()
        exact = dtype in NARROW or self.rng.random() < 0.5
        text = self.e.exactly(dtype, shape, 2, exact)
        name = self.fresh("v")
        self.emit(f"{name} = {text}")
        self.e.values.append(Value(name, dtype, shape, exact or dtype not in FLOATS))

    def conditional(self):
        """A value that a guard rebinds."""
        names = [v for v in self.e.values if not getattr(v, "ref", False) and v.exact and v.shape]
        if not names or not self.e.indices:
            return self.bind()
        v = self.rng.choice(names)
        self.emit_key(f'- when: "{self.rng.choice(self.e.indices)} % 2 == {self.rng.randrange(2)}"')
        self.emit_key("  do:")
        self.emit(f"{v.text} = {self.e.exactly(v.dtype, v.shape, 1, True)}", 1)
        if self.rng.random() < 0.5:
            self.emit_key("  else:")
            self.emit(f"{v.text} = {self.e.exactly(v.dtype, v.shape, 1, True)}", 1)

    def loop(self):
        dtype, shape = self.rng.choice(("f32", "i32", "f64", "i64")), self.inner_shape()
        name, variable = self.fresh("h"), self.fresh("r")
        self.emit(f"{name} = {self.e.exactly(dtype, shape, 1, True)}")
        self.emit_key(f'- for: {variable}')
        self.emit_key(f'  range: "{self.rng.choice(("0, 3", "4", "0, 5, 2", "0, 0", "3, 0, -1"))}"')
        self.emit_key("  do:")
        self.e.indices.append(variable)
        self.emit(f"{name} = {name} + {self.e.exactly(dtype, shape, 1, True)}", 1)
        self.e.indices.remove(variable)
        self.e.values.append(Value(name, dtype, shape))

    def while_loop(self):
        shape, name, count = self.inner_shape(), self.fresh("h"), self.fresh("n")
        self.emit(f"{name} = {self.e.exactly('i32', shape, 1, True)}")
        self.emit(f"{count} = i32({self.rng.randrange(4)})")
        self.emit_key(f'- while: "{count} > 0"')
        self.emit_key("  do:")
        self.emit(f"{name} = {name} * 2 + {count}", 1)
        self.emit(f"{count} = {count} - 1", 1)
        self.e.values.append(Value(name, "i32", shape))

    def gather_masked(self):
        found = [v for v in self.e.values if getattr(v, "ref", False) and len(v.shape) == 1]
        if not found or self.pointwise:
            return self.bind()
        v, n, name = self.rng.choice(found), self.shape()[-1], self.fresh("v")
        self.emit(f"{name} = load({v.text}, iota(i32, [{n}], 0), mask=iota(i32, [{n}], 0) < {min(n, v.shape[0])}, "
                  f"other={self.fill(v.dtype)})")
        self.e.values.append(Value(name, v.dtype, (n,)))

    # --- outputs: each a row of OUTPUTS

    def store_whole(self, name):
        dtype = self.dtype()
        exact = self.rng.random() < 0.5
        self.output(name, dtype)
        self.emit(f"{name}[...] = {self.e.value(dtype, self.shape(), 3, exact)}")

    def store_parts(self, name):
        dtype, rows = self.dtype(), self.shape()[0]
        if rows < 2 or self.pointwise:
            return self.store_whole(name)
        self.output(name, dtype)
        cut = self.rng.randrange(1, rows)
        for part, n in ((f"0:{cut}", cut), (f"{cut}:{rows}", rows - cut)):
            index = ", ".join([part] + [":"] * (len(self.shape()) - 1))
            self.emit(f"{name}[{index}] = {self.e.value(dtype, (n,) + self.shape()[1:], 2, True)}")

    def scattered(self, name):
        dtype, rows = self.dtype(), self.shape()[0]
        if self.pointwise:
            return self.store_whole(name)
        self.output(name, dtype)
        index = ", ".join([f"{rows - 1} - iota(i32, [{rows}], 0)"] + [":"] * (len(self.shape()) - 1))
        self.emit(f"{name}[{index}] = {self.e.value(dtype, self.shape(), 2, True)}")

    def accumulated(self, name):
        """A sum over the sequential axis, in scratch or in the output itself."""
        if not self.steps:
            return self.store_whole(name)
        dtype = self.rng.choice(("f32", "i32", "f64", "i64"))
        self.output(name, dtype)
        acc = name
        if self.rng.random() < 0.6:
            acc = self.fresh("acc")
            shape = ", ".join(map(str, self.shape()))
            self.lines["scratch"].append(f'  {acc}: {{type: "{dtype}[{shape}]", space: {self.rng.choice(("reg", "smem"))}}}')
        self.emit_key('- when: "k == 0"')
        self.emit_key("  do:")
        self.emit(f"{acc}[...] = {self.e.literal(dtype)}", 1)
        self.emit(f"{acc}[...] += {self.e.value(dtype, self.shape(), 2, True)}")
        if acc != name:
            self.emit_key('- when: "k == num_programs(k) - 1"')
            self.emit_key("  do:")
            self.emit(f"{name}[...] = {acc}[...]{self.rng.choice(('', ' * 2', ' + 1'))}", 1)

    def counted(self, name):
        """A histogram by atomics: integers, so that the order does not show."""
        if self.pointwise:
            return self.store_whole(name)
        self.lines["outputs"].append(f'  {name}: {{type: "i32[8]", space: gmem, init: 0}}')
        n = self.shape()[-1]
        where = self.e.exactly("i32", (n,), 1, True)
        self.emit(f"{self.rng.choice(('atomic_add', 'atomic_max'))}({name}, ({where}) & 7, {self.e.exactly('i32', (n,), 1, True)})")

    def combined(self, name):
        """Blocks of all programs combined into one."""
        if self.steps or self.pointwise:
            return self.store_whole(name)
        how = self.rng.choice(("add", "min", "max"))
        shape = ", ".join(map(str, self.shape()))
        self.lines["outputs"].append(f'  {name}: {{type: "i32[{shape}]", reduce: {how}, init: 5}}')
        self.emit(f"{name}[...] = {self.e.value('i32', self.shape(), 2, True)}")

    def write(self):
        self.header()
        self.inputs()
        for _ in range(self.rng.choice((0, 1, 1, 2, 3))):
            weighted(self.rng, STATEMENTS)(self)
        for name in ("o", "p")[:self.rng.choice((1, 1, 1, 2))]:
            weighted(self.rng, OUTPUTS)(self, name)
        text = f"pallasgen: 1\nkernel: {self.name}\n"
        for section, lines in self.lines.items():
            if lines:
                text += f"{section}:\n" + "\n".join(lines) + "\n"
        if self.lets:
            text += "let: {" + ", ".join(f'{name}: "{value}"' for name, value in self.lets.items()) + "}\n"
        return text + "body:\n" + "\n".join(self.body) + "\n"


STATEMENTS = [(8, Kernel.bind), (2, Kernel.conditional), (2, Kernel.loop), (1, Kernel.while_loop), (1, Kernel.gather_masked)]
OUTPUTS = [(10, Kernel.store_whole), (1, Kernel.store_parts), (1, Kernel.scattered), (4, Kernel.accumulated),
           (1, Kernel.counted), (1, Kernel.combined)]


def settings(rng, steps):
    """Legal settings, the plainest first."""
    axis = {"tile_order": "column"}
    made = [{"pipeline": {"stages": 0}}, {"schedule": {"persistent": "true"}}, {"schedule": axis}]
    producer = {"warp_specialized": "true"}
    beside = [{"pipeline": {"stages": n, "compute_warpgroups": g} | producer} for n in (1, 2, 4) for g in (1, 2)]
    beside += [{"pipeline": {"stages": 2} | producer, "schedule": {"persistent": "true"}}]
    if steps:
        made += [{"pipeline": {"stages": n}} for n in (1, 2, 3)]
        beside += [{"pipeline": {"stages": 2, "compute_warpgroups": 1, "delay_release": 1} | producer}]
    return [rng.choice(made), rng.choice(beside)]


def settings_text(chosen):
    return "".join(f"{section}: {{{', '.join(f'{k}: {v}' for k, v in keys.items())}}}\n" for section, keys in chosen.items())


def make(seed):
    """The spec's text without settings, and settings under which its bits must be the same."""
    kernel = Kernel(seed)
    text = kernel.write()
    dims, scalars = kernel.tests["dims"], kernel.tests["scalars"]
    entries = []
    cases = [dims] + ([{name: size * factor for name, size in dims.items()} for factor in (2, kernel.rng.choice((0, 3)))]
                      if dims else [])
    for sizes in cases:
        # What is inexact differs by some roundings of the values on the way, which are below a thousand or so.
        entry = f"seed: {seed % 7}, tolerance: {'0.02' if uses_narrow(text) else '0.001'}"
        if sizes:
            entry += f", dims: {{{', '.join(f'{k}: {v}' for k, v in sizes.items())}}}"
        if scalars:
            entry += f", scalars: {{{', '.join(f'{k}: {v}' for k, v in scalars.items())}}}"
        entries.append(f"  - {{{entry}}}")
    return text + "tests:\n" + "\n".join(entries) + "\n", settings(kernel.rng, kernel.steps)


def uses_narrow(text):
    return "bf16" in text or "f16" in text
