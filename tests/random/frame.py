"""The parts of a random spec's file: its axes, refs, statements and tests, and the text they make."""
import random

from productions import ROWS
from values import FLOATS, SMALL, Expressions, Value

PARALLEL, EXTENTS = "ijl", "MNL"
HALVES = ("i4", "u4", "f4e2m1")  # two share a byte
SECTIONS = ("dims", "consts", "scalars", "functions", "grid", "inputs", "outputs", "scratch", "workspace", "aliases", "let")


def weighted(rng, rows):
    return rng.choices([row[1] for row in rows], [row[0] for row in rows])[0]


class Axis:
    """One dim of the outputs: an array extent, a block of it, the grid's axis over it."""

    def __init__(self, rng, number, small, whole):
        self.block = weighted(rng, [(1, 1), (2, 2), (1, 3), (4, 4), (1, 5), (4, 8), (1, 12), (4, 16), (0 if small else 3, 32),
                                    (0 if small else 1, 64)])
        self.runtime = not whole and rng.random() < 0.5
        blocks = 1 if whole else rng.choice((1, 1, 2, 3))
        ragged = rng.random() < 0.5 and not whole
        self.extent = self.block * blocks - (rng.randrange(self.block) if ragged else 0)
        self.factor = rng.choice((1, 1, 2, 4, 8)) if self.runtime else 1
        if rng.random() < 0.08 and not small and not whole:  # a constant extent that its only block does not fill
            self.runtime, self.factor, self.block = False, 1, rng.choice((16, 64, 70, 100))
            self.extent = self.block - rng.randrange(1, self.block)
        self.extent = max(self.factor, self.extent // self.factor * self.factor)
        self.dim, self.name = EXTENTS[number], PARALLEL[number]
        self.size = self.dim if self.runtime else str(self.extent)
        self.const = f"b{self.name}" if rng.random() < 0.3 else None
        self.halved = bool(self.const) and self.block % 2 == 0 and self.extent % 3 == 0  # a product with its const

    @property
    def entry(self):
        """Returns the size of a block as the spec writes it."""
        return f"({self.const} * 2)" if self.halved else self.const or str(self.block)

    def tiles(self):
        return -(-self.extent // self.block)


class Steps:
    """A sequential axis: the text of its size, the most and least steps that it has."""

    def __init__(self, name, size, most, least):
        self.name, self.size, self.most, self.least = name, size, most, least
        self.last = f"num_programs({name}) - 1"


class Kernel:
    def __init__(self, seed):
        self.seed = seed
        self.rng = rng = random.Random(seed)
        self.name = f"random{seed}"
        self.lines = {section: [] for section in SECTIONS}
        self.keys = {}      # keys on one line: target, skip, checks, math
        self.body = []
        self.test_dims, self.test_scalars, self.test_inputs = {}, {}, {}
        self.steps_dim = ""  # the dim whose value 0 leaves every tile without steps
        self.pitches = {}   # dims that are strides: (size, the multiple that it is rounded up to)
        self.files = {}     # name: (dtype, values) of an array
        self.schedule = {}  # keys that the body needs
        self.rings = []     # inputs that may have stages of their own
        self.producer = True  # whether the kernel may have a producer
        self.warpgroups = 0  # the most that can share the rows of an accumulator
        self.rounded = False  # whether an intermediate value is rounded, so that a bit's change shows in many results
        self.names = 0
        self.steps = []
        self.pointwise = rng.random() < 0.3
        self.gridless = rng.random() < 0.04
        rank = weighted(rng, [(3, 1), (6, 2), (2, 3)])
        self.axes = [Axis(rng, n, rank == 3, self.gridless) for n in range(rank)]
        self.e = Expressions(rng, self.pointwise, ROWS)

    def chance(self, share):
        return self.rng.random() < share

    def shape(self):
        return tuple(axis.block for axis in self.axes)

    def fresh(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def declare_axes(self):
        for axis in self.axes:
            if axis.const:
                self.lines["consts"].append(f"  {axis.const}: {axis.block // 2 if axis.halved else axis.block}")
            if axis.runtime:
                self.declare_dim(axis.dim, axis.extent, axis.factor)
            if not self.gridless:
                self.lines["grid"].append(f'  - {{axis: {axis.name}, size: "cdiv({axis.size}, {axis.entry})"}}')
                self.e.indices.append(axis.name)

    def declare_dim(self, name, size, factor=1):
        self.lines["dims"].append(f"  {name}: {{{f'multiple_of: {factor}' if factor > 1 else ''}}}")
        self.test_dims[name] = size

    def declare_steps(self, steps):
        size = steps.size
        named = random.Random(f"{self.seed} {steps.name}")  # its own generator, so that it changes no other draw
        if named.random() < 0.2:
            size = f"count_{steps.name}"
            self.lines["let"].append(f'  {size}: "{steps.size}"')
            steps.last = f"{size} - 1" if named.random() < 0.5 else steps.last
        self.steps.append(steps)
        self.lines["grid"].append(f'  - {{axis: {steps.name}, size: "{size}", semantics: sequential}}')
        self.e.indices.append(steps.name)

    def declare_scalars(self):
        for name, dtype, value in (("alpha", "f32", 0.75), ("beta", "i32", 3)):
            if self.chance(0.15):
                self.lines["scalars"].append(f"  {name}: {dtype}")
                self.test_scalars[name] = value
                self.e.scalars.append(Value(name, dtype, ()))

    def scalar_array(self, name, dtype, values):
        """An array of scalars whose values the spec depends on."""
        self.lines["scalars"].append(f'  {name}: "{dtype}[{len(values)}]"')
        path = f"{self.name}.{name}.npy"
        self.test_inputs[name] = path
        self.files[path] = (dtype, values)

    def first_may_be_missing(self):
        """True if a program with steps may have none where all sequential axes are 0."""
        return any(steps.size in ("k", "(k + 1) % 2") for steps in self.steps[1:])

    def may_be_empty(self):
        """True if a program may have no step."""
        return any(steps.least == 0 for steps in self.steps)

    def no_view(self):
        """True if a slice of a block's size would be longer than an array of constant extents."""
        return self.gridless or any(not axis.runtime and axis.extent < axis.block for axis in self.axes)

    def first(self):
        return " and ".join(f"{steps.name} == 0" for steps in self.steps)

    def last(self):
        return " and ".join(f"{steps.name} == {steps.last}" for steps in self.steps)

    def dtype(self):
        return weighted(self.rng, [(10, "f32"), (3, "bf16"), (3, "f16"), (1, "f64"), (5, "i32"), (2, "i64"), (2, "i8"),
                                   (2, "u8"), (1, "i16"), (1, "u16"), (1, "u32"), (1, "u64"), (1, "bool"),
                                   (2.5, self.rng.choice(SMALL))])

    def literal(self, dtype):
        """Returns a value for elements past the end of an array, or for its initial content."""
        if dtype == "bool":
            return self.rng.choice(("true", "false"))
        if dtype == "f8e8m0":
            return self.rng.choice(("1.0", "2.0"))
        return self.rng.choice(("0", "1.5", "-2.0") if dtype in FLOATS or dtype.startswith("f") else ("0", "1", "3"))

    def ref(self, section, name, dtype, sizes, entries=None, maps=None, more="", shape=()):
        """Declares a ref and returns the value that reads it whole. No `entries`: the whole array."""
        text = f'  {name}: {{type: "{dtype}[{", ".join(sizes)}]"'
        if entries and not self.gridless:
            text += f', block: "{", ".join(entries)}", index_map: "{", ".join(maps)}"'
        self.lines[section].append(text + more + "}")
        value = Value(name, dtype, shape)
        value.ref = True
        return value

    def strides(self, sizes, is_output):
        """Chooses strides: gaps between rows, every other element, for an input also rows that repeat."""
        if not self.chance(0.2) or not sizes:
            return ""
        repeat = not is_output and self.chance(0.3)
        if len(sizes) == 1:
            return ", strides: [0]" if repeat else ", strides: [2]"
        kind = self.rng.choice(("gap", "other") if repeat and len(sizes) == 2 else ("gap", "dim", "other"))
        pitch = f"{sizes[-1]} + {self.rng.choice((1, 4, 16))}"
        if kind == "other":
            pitch = f"2 * {sizes[-1]}"
        if kind == "dim":
            pitch = "P" if not is_output else "Q"
            if pitch not in self.pitches:
                factor = self.rng.choice((1, 4, 8))
                self.lines["dims"].append(f"  {pitch}: {{multiple_of: {factor}}}")
                self.pitches[pitch] = ([], factor)
            self.pitches[pitch][0].append(sizes[-1])
        strides = ["2" if kind == "other" else "_"]
        for size in sizes[-2:0:-1]:
            strides.insert(0, pitch)
            pitch = f"({size}) * ({pitch})"
        strides.insert(0, "0" if repeat else pitch)
        quoted = [f'"{stride}"' if stride not in "_02" else stride for stride in strides]
        return f", strides: [{', '.join(quoted)}]"

    def output(self, name, dtype, more=""):
        """Declares an output with the block that each program owns."""
        sizes = [axis.size for axis in self.axes]
        more += self.strides(sizes, True) if dtype not in HALVES else ""
        if self.may_be_skipped() and "init" not in more:
            assert dtype not in HALVES
            more += f", init: {self.literal(dtype)}"
        return self.ref("outputs", name, dtype, sizes, [a.entry for a in self.axes], [a.name for a in self.axes], more,
                        self.shape())

    def stored(self):
        """Chooses a dtype for an output. Halves of bytes are stored in words, which so short an array does not have."""
        dtype = self.dtype()
        last = self.axes[-1]
        words = last.extent % 8 == 0 and (not last.runtime or last.factor == 8) and not self.may_be_skipped()
        return dtype if words or dtype not in HALVES else "i32"

    def may_be_skipped(self):
        return "skip" in self.keys

    def emit(self, text, depth=0):
        # Statements are quoted, as YAML would read some expressions as its own syntax.
        self.body.append("  " + "    " * depth + f'- "{text}"')

    def emit_key(self, text, depth=0):
        self.body.append("  " + "    " * depth + text)

    def emit_when(self, condition, depth=0):
        self.emit_key(f'- when: "{condition}"', depth)
        self.emit_key("  do:", depth)

    def text(self):
        text = f"pallasgen: 1\nkernel: {self.name}\n"
        text += "".join(f"{key}: {value}\n" for key, value in self.keys.items())
        for section, lines in self.lines.items():
            if lines:
                text += f"{section}:\n" + "\n".join(lines) + "\n"
        return text + "body:\n" + "\n".join(self.body) + "\n"

    def tests(self):
        cases = [self.test_dims]
        if self.test_dims:
            cases += [{name: size * factor for name, size in self.test_dims.items()}
                      for factor in (2, self.rng.choice((0, 3)))]
        if self.steps_dim:
            # No steps, and more tiles than the emulator's SMs take at once.
            cases.append({name: 0 if name == self.steps_dim else size * 7 for name, size in self.test_dims.items()})
        lines = []
        for dims in cases:
            dims = dict(dims)
            for pitch, (sizes, factor) in self.pitches.items():
                most = max(dims.get(size) if size in dims else int(size) for size in sizes)
                dims[pitch] = -(-(most + 5) // factor) * factor
            # Inexact results differ by some roundings of intermediate values, which are below a thousand or so.
            entry = f"seed: {self.seed % 7}, tolerance: {self.tolerance()}"
            for key, table in (("dims", dims), ("scalars", self.test_scalars), ("inputs", self.test_inputs)):
                if table:
                    entry += f", {key}: {{{', '.join(f'{name}: {value}' for name, value in table.items())}}}"
            lines.append(f"  - {{{entry}}}")
        return "tests:\n" + "\n".join(lines) + "\n"

    def tolerance(self):
        text = self.text()
        return "0.05" if "approx" in text or self.rounded else "0.02" if "f16" in text else "0.001"
