"""The productions of random expressions: each is a row of ROWS, with a weight, the dtypes of its result, and the
function that makes it. A new operation only needs a row."""
import math

from values import ALL, FLOATS, INTS, NARROW, SIGNED, SMALL, UNSIGNED, WIDE, NoValue, broadcasts


def unary(form):
    return lambda e, d, s, n, x: form.format(e.value(d, s, n, x))


def binary(form):
    return lambda e, d, s, n, x: form.format(e.value(d, s, n, x), e.value(d, s, n, x))


def from_other(e, dtype, shape, depth, exact):
    """A cast from any other dtype; floats become integers only if they are exact and small."""
    other = e.rng.choice([d for d in ("f32",) + ALL + SMALL if d != dtype])
    if dtype == "f8e8m0" and other not in UNSIGNED + ("bool", "u4"):  # it has no sign
        return f"(abs({e.value('f32', shape, depth, True)}) + 1.0).astype(f8e8m0)"
    return f"({e.value(other, shape, depth, exact or dtype not in WIDE)}).astype({dtype})"


def bits_of(e, dtype, shape, depth, exact):
    """The bits of a value of another dtype: never a NaN's, whose bits are unspecified."""
    of = {"i32": ("u32", "f32"), "u32": ("i32", "f32"), "i16": ("u16", "bf16"), "u16": ("i16", "f16"), "i64": ("u64", "f64"),
          "u64": ("i64",), "i8": ("u8",), "u8": ("i8",)}[dtype]
    of = e.rng.choice(of)
    inner = e.value(of, shape, depth, True)
    if of in INTS:
        return f"bitcast({inner}, {dtype})"
    return f"bitcast(where(isnan({inner}), 1.0, clamp(({inner}), -4.0, 4.0) + 8.5), {dtype})"


def called(e, dtype, shape, depth, exact):
    """A function of the spec's, or its derivative."""
    found = [f for f in e.functions if f[2] or not exact]
    if not found:
        raise NoValue
    name, parameters, _ = e.rng.choice(found)
    name = e.rng.choice((name, name, f"grad({name})", f"grad(grad({name}))" if parameters == 1 else f"grad({name}, 1)"))
    return f"{name}({', '.join(e.exactly(dtype, shape, depth, True) for _ in range(parameters))})"


def random_value(e, dtype, shape, depth, exact):
    if not shape or not e.indices:
        raise NoValue
    name = "random_bits" if dtype == "u32" else e.rng.choice(("uniform", "uniform", "normal")) if not exact else "uniform"
    counter = e.rng.choice((e.rng.choice(e.indices), f"[{e.rng.randrange(9)}, {e.rng.choice(e.indices)}]"))
    return f"{name}({e.rng.randrange(99)}, {counter}, [{', '.join(map(str, shape))}]" \
           f"{'' if dtype in ('u32', 'f32') else f', dtype={dtype}'})"


def conditional(e, dtype, shape, depth, exact):
    if not e.indices:
        raise NoValue
    condition = f"{e.rng.choice(e.indices)} % 2 == {e.rng.randrange(2)}"
    return f"({e.exactly(dtype, shape, depth, exact)} if {condition} else {e.exactly(dtype, shape, depth, exact)})"


def quantized(e, dtype, shape, depth, exact):
    scale = e.rng.choice(("0.5", "2.0", "0.125"))
    if dtype == "f32":
        of = e.rng.choice([d for d in SMALL + ("i8", "u8") if d != "f8e8m0"])
        return f"dequantize({e.value(of, shape, depth, True)}, {scale})"
    if dtype == "f8e8m0":
        raise NoValue
    return f"quantize({e.value('f32', shape, depth, True)}, {dtype}, {scale})"


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
        if math.prod(shape) <= 16 and e.rng.random() < 0.3:  # so many terms that warps share them
            extent = e.rng.choice((64, 70) if shape else (64, 70, 515, 600))
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


def permuted(e, dtype, shape, depth, exact):
    if len(shape) != 3:
        raise NoValue
    order = e.rng.choice(([0, 2, 1], [1, 0, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]))
    inner = [0] * 3
    for place, axis in enumerate(order):
        inner[axis] = shape[place]
    return f"transpose({e.exactly(dtype, inner, depth, exact)}, {order})"


def unit_axis(e, dtype, shape, depth, exact):
    """Removes a dim of one element, or inserts one."""
    if e.rng.random() < 0.5 or not shape:
        axis = e.rng.randrange(len(shape) + 1)
        return f"squeeze({e.exactly(dtype, shape[:axis] + (1,) + shape[axis:], depth, exact)}, axis={axis})"
    axis = e.rng.randrange(len(shape))
    return f"expand({e.exactly(dtype, shape[:axis] + shape[axis + 1:], depth, exact)}, {axis})"


def row_function(e, dtype, shape, depth, exact):
    """softmax keeps the shape, logsumexp removes an axis."""
    if not shape:
        raise NoValue
    if e.rng.random() < 0.4:
        return f"softmax({e.exactly(dtype, shape, depth, True)}, axis={e.rng.randrange(len(shape))})"
    if len(shape) > 2 or shape[0] * shape[-1] > 512:
        raise NoValue
    axis = e.rng.randrange(len(shape) + 1)
    inner = shape[:axis] + (e.rng.choice((2, 4, 16)),) + shape[axis:]
    return f"logsumexp({e.exactly(dtype, inner, depth, True)}, axis={axis})"


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
        at = e.rng.choice(e.indices) + f" % {have - want + 1}" if e.indices and e.rng.random() < 0.4 else first
        items.append(":" if have == want else f"{first}:{first + want}" if e.rng.random() < 0.6 else f"ds({at}, {want})")
    if v.ref and e.rng.random() < 0.4:
        return f"{v.text}.at[{', '.join(items)}][...]"
    text = v.text if v.text.isidentifier() else f"({v.text})"
    return f"{text}[{', '.join(items)}]"


def one_row(e, dtype, shape, depth, exact):
    """A row of an existing value that has one more dim."""
    found = [v for v in e.values if v.dtype == dtype and v.shape[1:] == tuple(shape) and len(v.shape) == len(shape) + 1 and
             (v.exact or not exact)]
    if not found or not shape:
        raise NoValue
    v = e.rng.choice(found)
    if e.rng.random() < 0.4:  # the values choose it
        mask = (1 << (v.shape[0].bit_length() - 1)) - 1
        text = v.text if v.text.isidentifier() else f"({v.text})"
        return f"{text}[max({e.exactly('i32', (4,), 1, True)}) & {mask}{', :' * len(shape)}]"
    row = f"{e.rng.choice(e.indices)} % {v.shape[0]}" if e.indices and e.rng.random() < 0.7 else e.rng.randrange(v.shape[0])
    text = v.text if v.text.isidentifier() else f"({v.text})"
    return f"{text}[{', '.join([str(row)] + [':'] * len(shape))}]"


def expanded(e, dtype, shape, depth, exact):
    """A vector along one dim, repeated along the others."""
    if len(shape) < 2:
        raise NoValue
    axis = e.rng.randrange(len(shape))
    inner = e.exactly(dtype, (shape[axis],), depth, exact)
    return f"({inner})[{', '.join(':' if a == axis else 'None' for a in range(len(shape)))}]"


def gathered(e, dtype, shape, depth, exact):
    found = [v for v in e.values if v.dtype == dtype and len(v.shape) == len(shape) and (v.exact or not exact) and
             shape and v.shape[1:] == shape[1:] and v.text.isidentifier()]
    if not found:
        raise NoValue
    v = e.rng.choice(found)
    rows = f"(iota(i32, [{shape[0]}], 0) * {e.rng.choice((1, 3, 5))} + {e.rng.randrange(4)}) % {v.shape[0]}"
    if e.rng.random() < 0.5:
        rows = f"({e.exactly('i32', shape[:1], depth, True)} & {(1 << (v.shape[0].bit_length() - 1)) - 1})"
    return f"{v.text}[{', '.join([rows] + [':'] * (len(shape) - 1))}]"


def product(e, dtype, shape, depth, exact):
    if len(shape) != 2 or shape[0] * shape[1] > 1024:
        raise NoValue
    of = {"f32": ("f32", "bf16", "f16", "f8e4m3", "f4e2m1"), "i32": ("i8", "u8", "i4"), "f64": ("f64",)}[dtype]
    of, k = e.rng.choice(of), e.rng.choice((1, 4, 8, 16))
    if e.rng.random() < 0.4:
        return f"({e.exactly(of, (shape[0], k), depth - 1, True)} @ {e.exactly(of, (k, shape[1]), depth - 1, True)})"
    ta, tb = e.rng.random() < 0.3, e.rng.random() < 0.3
    a = e.exactly(of, (k, shape[0]) if ta else (shape[0], k), depth - 1, True)
    b = e.exactly(of, (shape[1], k) if tb else (k, shape[1]), depth - 1, True)
    return f"dot({a}, {b}{', trans_a=true' if ta else ''}{', trans_b=true' if tb else ''})"


def choices_of_gathers(e, dtype, shape, depth, exact):
    """A choice inside an arm of a choice, whose arms look up the places of their elements."""
    if not e.indices:
        raise NoValue
    first, second = (f"{e.rng.choice(e.indices)} % {n} == {e.rng.randrange(n)}" for n in (2, 3))
    arms = [gathered(e, dtype, shape, depth, exact) for _ in range(3)]
    return f"({arms[0]} if {first} else ({arms[1]} if {second} else {arms[2]}))"


# weight, dtypes of the result, function, properties: `inexact` results, `moves` elements to other places
ROWS = [
    (4, FLOATS + INTS, binary("({} + {})"), {}),
    (3, FLOATS + INTS, binary("({} - {})"), {}),
    (3, FLOATS + INTS, binary("({} * {})"), {}),
    (2, FLOATS, binary("({} / (abs({}) + 1.0))"), {}),
    (3, FLOATS + INTS, binary("minimum({}, {})"), {}),
    (3, FLOATS + INTS, binary("maximum({}, {})"), {}),
    (2, FLOATS + SIGNED, unary("abs({})"), {}),
    (2, FLOATS + SIGNED, unary("(-{})"), {}),
    (1, FLOATS + SIGNED, unary("sign({})"), {}),
    (1, FLOATS, unary("relu({})"), {}),
    (1, FLOATS, unary("clamp({}, -1.0, 2.0)"), {}),
    (1, WIDE, unary("sqrt(abs({}))"), {}),
    (1, FLOATS, lambda e, d, s, n, x: f"fma({e.value(d, s, n, x)}, {e.value(d, s, n, x)}, {e.value(d, s, n, x)})", {}),
    (1, FLOATS, unary("identity({})"), {}),
    (4, FLOATS + INTS, lambda e, d, s, n, x: f"({e.value(d, s, n, x)} ** {e.rng.randrange(4)})", {"inexact": True}),
    (1, INTS, binary("cdiv({} & 63, ({} & 7) + 1)"), {}),
    (1, INTS, unary("(~{})"), {}),
    (1, INTS, unary("clz({})"), {}),
    (1, INTS, unary("popcount({})"), {}),
    (1, ("bool",), lambda e, d, s, n, x: f"{e.rng.choice(('isnan', 'isfinite'))}({e.value(e.rng.choice(FLOATS), s, n, True)})",
     {}),
    (3, FLOATS, lambda e, d, s, n, x: f"{e.rng.choice(('floor', 'ceil', 'round', 'trunc'))}({e.value(d, s, n, True)})", {}),
    (2, INTS, binary("({} // (({} & 7) + 1))"), {}),
    (2, INTS, binary("({} % (({} & 7) + 1))"), {}),
    (2, INTS, binary("({} & {})"), {}),
    (1, INTS, binary("({} | {})"), {}),
    (1, INTS, binary("({} ^ {})"), {}),
    (1, INTS, binary("({} << ({} & 3))"), {}),
    (1, INTS, binary("({} >> ({} & 3))"), {}),
    (4, ALL, choice, {}),
    (4, FLOATS + INTS, from_other, {}),
    (8, SMALL, from_other, {}),
    (1, SMALL, binary("minimum({}, {})"), {}),
    (1, SMALL, choice, {}),
    (1, ("bool",), from_other, {}),
    (1, ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"), bits_of, {}),
    (8, ("f32",), called, {}),
    (4, ("u32",) + WIDE + NARROW, random_value, {}),
    (1, ALL, conditional, {}),
    (1, ("f32", "i8", "u8") + SMALL, quantized, {}),
    (3, ("bool",), compared, {}),
    (1, ("bool",), binary("({} and {})"), {}),
    (1, ("bool",), binary("({} or {})"), {}),
    (1, ("bool",), unary("(not {})"), {}),
    (2, ("i32", "i64", "f32", "u32"), index_value, {}),
    (14, WIDE + NARROW, lambda e, d, s, n, x: f"{e.rng.choice(('tanh', 'logistic', 'sin', 'cos', 'erf'))}({e.value(d, s, n, x)})",
     {"inexact": True}),
    (8, WIDE + NARROW, lambda e, d, s, n, x: f"{e.rng.choice(('exp', 'exp2', 'expm1', 'tan'))}(clamp({e.value(d, s, n, x)}, "
     f"-1.0, 1.0))", {"inexact": True}),
    (8, WIDE + NARROW, lambda e, d, s, n, x: f"{e.rng.choice(('log', 'log2', 'log1p'))}(abs({e.value(d, s, n, x)}) + 1.0)",
     {"inexact": True}),
    (4, WIDE, binary("atan2({}, abs({}) + 1.0)"), {"inexact": True}),
    (4, WIDE + NARROW, unary("rsqrt(abs({}) + 1.0)"), {"inexact": True}),
    (10, WIDE, lambda e, d, s, n, x: f"{e.rng.choice(('gelu', 'silu', 'softplus', 'gelu_tanh'))}({e.value(d, s, n, x)})",
     {"inexact": True}),
    (8, FLOATS, reduced(("sum", "mean", "mean")), {"inexact": True, "moves": True}),
    (8, ("i32", "i64"), reduced(("sum", "prod")), {"moves": True}),
    (8, WIDE, row_function, {"inexact": True, "moves": True}),
    (8, FLOATS + INTS, reduced(("max", "min")), {"moves": True}),
    (4, ("i32",), reduced(("argmax", "argmin"), ("f32", "i32", "bf16")), {"moves": True}),
    (4, ("bool",), reduced(("any", "all")), {"moves": True}),
    (8, WIDE + ("i32", "i64"), scanned, {"moves": True, "inexact": True}),
    (8, ALL, transposed, {"moves": True}),
    (4, ALL, permuted, {"moves": True}),
    (4, FLOATS + INTS, unit_axis, {"moves": True}),
    (4, ALL, one_row, {"moves": True}),
    (4, FLOATS + INTS, reshaped, {"moves": True}),
    (4, FLOATS + INTS, joined, {"moves": True}),
    (8, FLOATS + INTS, sliced, {"moves": True}),
    (8, FLOATS + INTS, expanded, {"moves": True}),
    (4, FLOATS + INTS, gathered, {"moves": True}),
    (1, FLOATS + INTS, choices_of_gathers, {"moves": True}),
    (8, ("f32", "i32", "f64"), product, {"moves": True, "inexact": True}),
]
