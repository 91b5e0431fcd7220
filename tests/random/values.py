"""Random well-typed expressions of the productions in `productions.py`.

A float value is *exact* if any right evaluation gives the same bits: made of arithmetic that rounds once. Values that
depend on the order of a sum or on a function of the C library are not, and must not decide anything (a comparison, a
truncation), nor continue in a narrow dtype, whose next rounding would make the error visible."""
import random

WIDE = ("f32", "f64")
FLOATS, NARROW = ("f32", "f64", "f16", "bf16"), ("f16", "bf16")
SIGNED, UNSIGNED = ("i8", "i16", "i32", "i64"), ("u8", "u16", "u32", "u64")
INTS = SIGNED + UNSIGNED
SMALL = ("f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1", "i4", "u4")  # stored in arrays and cast, hardly computed with
ALL = FLOATS + INTS + ("bool",)


class NoValue(Exception):
    """A production that does not apply here; another is tried."""


class Value:
    """A value that exists: the text that reads it."""
    ref = False  # whether it is a ref's name, read whole

    def __init__(self, text, dtype, shape, exact=True):
        self.text, self.dtype, self.shape, self.exact = text, dtype, tuple(shape), exact


class Expressions:
    def __init__(self, rng: random.Random, pointwise, productions):
        self.rng = rng
        self.productions = productions
        self.pointwise = pointwise  # only operations that keep elements apart: values past the end stay there
        self.values = []            # Value: refs and names in scope
        self.indices = []           # texts of index values: axes, loop variables, small integer consts
        self.scalars = []           # Value of shape ()
        self.functions = []         # (name, number of parameters, whether exact), of f32

    def literal(self, dtype):
        if dtype == "bool":
            return self.rng.choice(["true", "false"])
        if dtype in FLOATS:
            return self.rng.choice(["0.5", "1.0", "2.0", "0.25", "-1.5", "3.0"])
        if dtype in SMALL:
            return self.rng.choice(["1.0", "2.0", "4.0"] if dtype.startswith("f") else ["0", "1", "5"])
        return str(self.rng.choice([0, 1, 2, 3, 5, 7] + ([-1, -3] if dtype in SIGNED else [])))

    def leaf(self, dtype, shape, exact):
        fitting = [v for v in self.values + self.scalars if v.dtype == dtype and (v.exact or not exact) and
                   broadcasts(v.shape, shape)]
        if fitting and self.rng.random() < 0.85:
            return self.rng.choice(fitting).text
        near = [v for v in self.values if broadcasts(v.shape, shape) and v.exact and v.dtype != "bool" and dtype != "bool"]
        if near and self.rng.random() < 0.7:
            return cast(self.rng.choice(near), dtype)
        return self.made_up(dtype, shape)

    def made_up(self, dtype, shape):
        """A new value of exactly this dtype and shape."""
        dims = ", ".join(map(str, shape))
        if shape and dtype in ("i32", "i64", "u32") and self.rng.random() < 0.5:
            return f"iota({dtype}, [{dims}], {self.rng.randrange(len(shape))})"
        if not shape:
            return f"{dtype}({self.literal(dtype)})"
        return f"full({dtype}, [{dims}], {self.literal(dtype)})"

    def exactly(self, dtype, shape, depth, exact=True):
        """A value whose shape is `shape`, not one that only broadcasts to it."""
        text, got = self.sized(dtype, shape, depth, exact)
        if got == tuple(shape):
            return text
        return f"broadcast_to({text}, [{', '.join(map(str, shape))}])"

    def sized(self, dtype, shape, depth, exact):
        """An existing value of exactly this shape if there is one, else any."""
        fitting = [v for v in self.values if v.shape == tuple(shape) and v.dtype == dtype and (v.exact or not exact)]
        if fitting and self.rng.random() < 0.4:
            return self.rng.choice(fitting).text, tuple(shape)
        text = self.value(dtype, shape, depth, exact)
        if shape and self.rng.random() < 0.5:
            return text, None  # it may only broadcast to the shape
        return f"({text} + {self.made_up(dtype, shape)})" if dtype != "bool" else f"({text} or {self.made_up(dtype, shape)})", \
            tuple(shape)

    def value(self, dtype, shape, depth, exact=False):
        """Text of dtype `dtype` whose shape broadcasts to `shape`."""
        shape = tuple(shape)
        if depth <= 0:
            return self.leaf(dtype, shape, exact)
        for _ in range(8):
            rows = [row for row in self.productions if dtype in row[1] and not (self.pointwise and row[3].get("moves")) and
                    not (exact and row[3].get("inexact"))]
            row = self.rng.choices(rows, [row[0] for row in rows])[0]
            # The parts of a narrow value are exact, so that only its last operation can differ.
            inner = exact or dtype in NARROW
            try:
                return row[2](self, dtype, shape, depth - 1, inner)
            except NoValue:
                continue
        return self.leaf(dtype, shape, exact)


def broadcasts(shape, to):
    return len(shape) <= len(to) and all(a in (1, b) for a, b in zip(shape[::-1], to[::-1]))


def cast(value, dtype):
    if value.dtype == dtype:
        return value.text
    text = value.text if value.text.isidentifier() else f"({value.text})"
    return f"{text}[...].astype({dtype})" if value.ref else f"{text}.astype({dtype})"
