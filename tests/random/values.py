"""Random well-typed expressions. Each production is a row of ROWS: weight, for which dtypes, how it is made. A row that
adds an operation is all that a new operation needs.

A float value is *exact* when any right evaluation gives the same bits: made of arithmetic that rounds once. What depends
on the order of a sum or on a function of the C library is not, and must not decide anything (a comparison, a truncation),
nor go on in a narrow dtype, whose next rounding would make the error visible."""
import random

FLOATS, NARROW = ("f32", "f64", "f16", "bf16"), ("f16", "bf16")
SIGNED, UNSIGNED = ("i8", "i16", "i32", "i64"), ("u8", "u16", "u32", "u64")
INTS = SIGNED + UNSIGNED
ALL = FLOATS + INTS + ("bool",)


class NoValue(Exception):
    """A production that does not apply here; another is tried."""


class Value:
    """A value that exists: the text that reads it."""

    def __init__(self, text, dtype, shape, exact=True):
        self.text, self.dtype, self.shape, self.exact = text, dtype, tuple(shape), exact


class Expressions:
    def __init__(self, rng: random.Random, pointwise):
        self.rng = rng
        self.pointwise = pointwise  # only operations that keep elements apart: what is past the end stays there
        self.values = []            # Value: refs and names in scope
        self.indices = []           # texts of index values: axes, loop variables, small integer consts
        self.scalars = []           # Value of shape ()

    # --- leaves

    def literal(self, dtype):
        if dtype == "bool":
            return self.rng.choice(["true", "false"])
        if dtype in FLOATS:
            return self.rng.choice(["0.5", "1.0", "2.0", "0.25", "-1.5", "3.0"])
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
        """A value of exactly this dtype and shape out of nothing."""
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
        """An existing value of just this shape where there is one, else any."""
        fitting = [v for v in self.values if v.shape == tuple(shape) and v.dtype == dtype and (v.exact or not exact)]
        if fitting and self.rng.random() < 0.4:
            return self.rng.choice(fitting).text, tuple(shape)
        text = self.value(dtype, shape, depth, exact)
        if shape and self.rng.random() < 0.5:
            return text, None  # it may only broadcast to the shape
        return f"({text} + {self.made_up(dtype, shape)})" if dtype != "bool" else f"({text} or {self.made_up(dtype, shape)})", \
            tuple(shape)

    # --- any value

    def value(self, dtype, shape, depth, exact=False):
        """Text of dtype `dtype` whose shape broadcasts to `shape`."""
        shape = tuple(shape)
        if depth <= 0:
            return self.leaf(dtype, shape, exact)
        for _ in range(8):
            rows = [row for row in ROWS if dtype in row[1] and not (self.pointwise and row[3].get("moves")) and
                    not (exact and row[3].get("inexact"))]
            row = self.rng.choices(rows, [row[0] for row in rows])[0]
            # What a narrow value is made of is exact, so that nothing but its last operation can differ.
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
    return f"{text}[...].astype({dtype})" if getattr(value, "ref", False) else f"{text}.astype({dtype})"


def unary(form):
    return lambda e, d, s, n, x: form.format(e.value(d, s, n, x))


def binary(form):
    return lambda e, d, s, n, x: form.format(e.value(d, s, n, x), e.value(d, s, n, x))


def from_other(e, dtype, shape, depth, exact):
    """A cast from any other dtype; floats go to integers only where they are exact and small."""
    other = e.rng.choice([d for d in ("f32", "f16", "bf16", "f64", "i32", "i64", "i8", "u8", "i16", "u32", "bool")
                          if d != dtype])
    return f"({e.value(other, shape, depth, exact or dtype not in FLOATS or dtype in NARROW)}).astype({dtype})"


def choice(e, dtype, shape, depth, exact):
    return f"where({e.value('bool', shape, depth, True)}, {e.value(dtype, shape, depth, exact)}, " \
           f"{e.value(dtype, shape, depth, exact)})"


def compared(e, dtype, shape, depth, exact):
    of = e.rng.choice(("f32", "i32", "bf16", "i64", "u8", "f16"))
    operator = e.rng.choice(("<", "<=", ">", ">=", "==", "!="))
    return f"({e.value(of, shape, depth, True)} {operator} {e.value(of, shape, depth, True)})"


def index_value(e, dtype, shape, depth, exact):
    if not e.indices:
        raise NoValue
    return f"({e.value(dtype, shape, depth, exact)} + {e.rng.choice(e.indices)})"


def reduced(names, dtypes=None, result=None):
    """A reduction over one new or existing axis."""
    def make(e, dtype, shape, depth, exact):
        name = e.rng.choice(names)
        of = dtype if dtypes is None else e.rng.choice(dtypes)
        if len(shape) >= 3 or (len(shape) == 2 and shape[0] * shape[1] > 512):
            raise NoValue
        axis, extent = e.rng.randrange(len(shape) + 1), e.rng.choice((1, 2, 3, 4, 8))
        sources = [v for v in e.values if v.dtype == of and len(v.shape) == len(shape) + 1 and v.exact]
        if sources and e.rng.random() < 0.7:
            v = e.rng.choice(sources)
            axis = e.rng.randrange(len(v.shape))
            left = v.shape[:axis] + v.shape[axis + 1:]
            if not broadcasts(left, shape):
                raise NoValue
            return f"{name}({v.text}, axis={axis})"
        inner = shape[:axis] + (extent,) + shape[axis:]
        keep = e.rng.random() < 0.2 and axis < len(shape)
        if keep:
            inner = shape[:axis] + (extent,) + shape[axis + 1:]
        text = e.exactly(of, inner, depth, True)
        return f"{name}({text}, axis={axis}{', keepdims=true' if keep else ''})"
    return make


def scanned(e, dtype, shape, depth, exact):
    if not shape:
        raise NoValue
    return f"{e.rng.choice(('cumsum', 'cummax') if dtype in ('f32', 'f64', 'i32', 'i64') else ('cummax',))}(" \
           f"{e.exactly(dtype, shape, depth, True)}, axis={e.rng.randrange(len(shape))})"


def transposed(e, dtype, shape, depth, exact):
    if len(shape) != 2:
        raise NoValue
    return f"({e.exactly(dtype, shape[::-1], depth, exact)}).T"


def reshaped(e, dtype, shape, depth, exact):
    n = 1
    for extent in shape:
        n *= extent
    if not shape or n > 1024:
        raise NoValue
    split = e.rng.choice([f for f in (1, 2, 3, 4, 8) if n % f == 0])
    return f"reshape({e.exactly(dtype, (split, n // split), depth, exact)}, [{', '.join(map(str, shape))}])"


def joined(e, dtype, shape, depth, exact):
    axes = [a for a, extent in enumerate(shape) if extent > 1]
    if not axes:
        raise NoValue
    axis = e.rng.choice(axes)
    cut = e.rng.randrange(1, shape[axis])
    parts = [shape[:axis] + (n,) + shape[axis + 1:] for n in (cut, shape[axis] - cut)]
    return f"concatenate([{', '.join(e.exactly(dtype, part, depth, exact) for part in parts)}], axis={axis})"


def sliced(e, dtype, shape, depth, exact):
    """A part of an existing value."""
    found = [v for v in e.values if v.dtype == dtype and len(v.shape) == len(shape) and (v.exact or not exact) and
             all(a >= b for a, b in zip(v.shape, shape)) and v.shape != shape]
    if not found:
        raise NoValue
    v = e.rng.choice(found)
    items = []
    for have, want in zip(v.shape, shape):
        first = e.rng.randrange(have - want + 1)
        items.append(":" if have == want else f"{first}:{first + want}" if e.rng.random() < 0.6 else f"ds({first}, {want})")
    return f"{v.text}[{', '.join(items)}]"


def expanded(e, dtype, shape, depth, exact):
    """A vector along one dim, stretched over the others."""
    if len(shape) < 2:
        raise NoValue
    axis = e.rng.randrange(len(shape))
    inner = e.exactly(dtype, (shape[axis],), depth, exact)
    return f"({inner})[{', '.join(':' if a == axis else 'None' for a in range(len(shape)))}]"


def gathered(e, dtype, shape, depth, exact):
    found = [v for v in e.values if v.dtype == dtype and len(v.shape) == len(shape) and (v.exact or not exact) and
             shape and v.shape[1:] == shape[1:] and getattr(v, "ref", False)]
    if not found:
        raise NoValue
    v = e.rng.choice(found)
    rows = f"(iota(i32, [{shape[0]}], 0) * {e.rng.choice((1, 3, 5))} + {e.rng.randrange(4)}) % {v.shape[0]}"
    return f"{v.text}[{', '.join([rows] + [':'] * (len(shape) - 1))}]"


def product(e, dtype, shape, depth, exact):
    if len(shape) != 2 or shape[0] * shape[1] > 1024:
        raise NoValue
    of = {"f32": ("f32", "bf16", "f16"), "i32": ("i8", "u8"), "f64": ("f64",)}[dtype]
    of, k = e.rng.choice(of), e.rng.choice((1, 4, 8, 16))
    ta, tb = e.rng.random() < 0.3, e.rng.random() < 0.3
    a = e.exactly(of, (k, shape[0]) if ta else (shape[0], k), depth - 1, True)
    b = e.exactly(of, (shape[1], k) if tb else (k, shape[1]), depth - 1, True)
    return f"dot({a}, {b}{', trans_a=true' if ta else ''}{', trans_b=true' if tb else ''})"


WIDE = ("f32", "f64")
# weight, dtypes of the result, how, what it needs: `inexact` results, `moves` elements to other places
ROWS = [
    (8, FLOATS + INTS, binary("({} + {})"), {}),
    (5, FLOATS + INTS, binary("({} - {})"), {}),
    (5, FLOATS + INTS, binary("({} * {})"), {}),
    (2, FLOATS, binary("({} / (abs({}) + 1.0))"), {}),
    (3, FLOATS + INTS, binary("minimum({}, {})"), {}),
    (3, FLOATS + INTS, binary("maximum({}, {})"), {}),
    (2, FLOATS + SIGNED, unary("abs({})"), {}),
    (2, FLOATS + SIGNED, unary("(-{})"), {}),
    (1, FLOATS + SIGNED, unary("sign({})"), {}),
    (1, FLOATS, unary("relu({})"), {}),
    (1, FLOATS, unary("clamp({}, -1.0, 2.0)"), {}),
    (1, WIDE, unary("sqrt(abs({}))"), {}),
    (1, FLOATS, lambda e, d, s, n, x: f"{e.rng.choice(('floor', 'ceil', 'round', 'trunc'))}({e.value(d, s, n, True)})", {}),
    (2, INTS, binary("({} // (({} & 7) + 1))"), {}),
    (2, INTS, binary("({} % (({} & 7) + 1))"), {}),
    (2, INTS, binary("({} & {})"), {}),
    (1, INTS, binary("({} | {})"), {}),
    (1, INTS, binary("({} ^ {})"), {}),
    (1, INTS, binary("({} << ({} & 3))"), {}),
    (1, INTS, binary("({} >> ({} & 3))"), {}),
    (4, ALL, choice, {}),
    (4, FLOATS + INTS, from_other, {}),
    (3, ("bool",), compared, {}),
    (1, ("bool",), binary("({} and {})"), {}),
    (1, ("bool",), binary("({} or {})"), {}),
    (1, ("bool",), unary("(not {})"), {}),
    (2, ("i32", "i64", "f32", "u32"), index_value, {}),
    (2, WIDE + NARROW, lambda e, d, s, n, x: f"{e.rng.choice(('tanh', 'logistic', 'sin', 'cos', 'erf'))}({e.value(d, s, n, x)})",
     {"inexact": True}),
    (1, WIDE + NARROW, unary("exp(clamp({}, -2.0, 2.0))"), {"inexact": True}),
    (1, WIDE + NARROW, unary("log(abs({}) + 1.0)"), {"inexact": True}),
    (1, WIDE + NARROW, unary("rsqrt(abs({}) + 1.0)"), {"inexact": True}),
    (1, WIDE, lambda e, d, s, n, x: f"{e.rng.choice(('gelu', 'silu', 'softplus', 'gelu_tanh'))}({e.value(d, s, n, x)})",
     {"inexact": True}),
    (2, FLOATS, reduced(("sum", "mean")), {"inexact": True, "moves": True}),
    (2, ("i32", "i64"), reduced(("sum",)), {"moves": True}),
    (2, FLOATS + INTS, reduced(("max", "min")), {"moves": True}),
    (1, ("i32",), reduced(("argmax", "argmin"), ("f32", "i32", "bf16")), {"moves": True}),
    (1, ("bool",), reduced(("any", "all")), {"moves": True}),
    (1, WIDE + ("i32", "i64"), scanned, {"moves": True, "inexact": True}),
    (2, ALL, transposed, {"moves": True}),
    (1, FLOATS + INTS, reshaped, {"moves": True}),
    (1, FLOATS + INTS, joined, {"moves": True}),
    (2, FLOATS + INTS, sliced, {"moves": True}),
    (2, FLOATS + INTS, expanded, {"moves": True}),
    (1, FLOATS + INTS, gathered, {"moves": True}),
    (2, ("f32", "i32", "f64"), product, {"moves": True, "inexact": True}),
]
