"""Operands of a dot that threads compute from blocks `x` [m, k] and `y` [k, n], or from their transposes: in their
dtype, or in f32 and rounded."""
from frame import weighted


class Operand:
    """One of the two operands: its name, its dims in order, as axes of the tile or the depth of a step."""

    def __init__(self, p, name, dims):
        self.p, self.name, self.dims = p, name, dims
        self.shape = ", ".join(str(d) if isinstance(d, int) else d.entry for d in dims)

    def vector(self, dim, dtype):
        """Returns a vector along a dim of the operand, as `[:, None]` or `[None, :]` of it."""
        p, along = self.p, self.dims[dim]
        if isinstance(along, int):
            name = p.k.fresh("s")
            moves = p.k.steps and p.k.steps[0].size != "K"
            p.k.ref("inputs", name, dtype, ["K"] if moves else [str(along)], *([[str(along)], ["k"], ", fill: 0"] if moves else []))
        else:
            name = p.vector(along, dtype)
        return f"{name}[{':, None' if dim == 0 else 'None, :'}]"


def scaled(o):
    return f"{o.name} * {o.vector(o.p.k.rng.randrange(2), o.p.dtype)}"


def scaled_in_f32(o):
    axis = [i for i, d in enumerate(o.dims) if not isinstance(d, int)][0]
    return f"({o.name}.astype(f32) * {o.vector(axis, 'f32')}).astype({o.p.dtype})"


def masked(o):
    return f"where(iota(i32, [{o.shape}], {o.p.k.rng.randrange(2)}) % 3 == 1, {o.name}, 0.0)"


MADE = [(3, scaled), (2, scaled_in_f32), (1, masked), (1, lambda o: f"{o.name} * 0.5"), (1, lambda o: f"maximum({o.name}, 0)")]


def operands(p, depth, turned_a, turned_b):
    """Returns the texts of both."""
    a = Operand(p, "x", (depth, p.m) if turned_a else (p.m, depth))
    b = Operand(p, "y", (p.n, depth) if turned_b else (depth, p.n))
    return tuple(weighted(p.k.rng, MADE)(o) if p.k.chance(chance) else o.name for o, chance in ((a, 0.4), (b, 0.25)))
