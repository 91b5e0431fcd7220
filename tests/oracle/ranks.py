"""expand and where on arrays of every rank from 0 to 8, with ragged and with empty extents. Witness: NumPy."""

import numpy as np

from oracle_case import Case, rng

RANKS = range(9)
ROWS, COLUMNS = 4, 8  # sizes of a block


def axes(rank):
    return [f"d{i}" for i in range(rank)]


def extents(rank, empty):
    """Returns the extents of the result: the last two end within a block; `empty` is an axis of extent 0, or -1."""
    sizes = [2, 3, 2, 2, 2, 2][:max(rank - 2, 0)] + [5, 12][max(2 - rank, 0):]
    return [0 if i == empty else size for i, size in enumerate(sizes)]


def ref(name, dtype, rank, kept):
    """Returns an operand with the axes `kept` of the result's last ones; axes before the first of these are missing,
    others have one element."""
    dims = range(min(kept, default=rank), rank)
    shape = ", ".join(f"D{i}" if i in kept else "1" for i in dims)
    block = ", ".join("squeezed" if i < rank - 2 else size(i, rank) if i in kept else "1" for i in dims)
    index = ", ".join(f"d{i}" if i in kept else "0" for i in dims)
    return f'  {name}: {{type: "{dtype}[{shape}]", block: [{block}], index_map: [{index}]}}'


def size(axis, rank):
    return "bn" if axis == rank - 1 else "bm"


def spec(rank, inputs, dtype, value):
    """Returns the kernel of a result of all axes: a grid axis for each, blocks of the last two."""
    dims = ", ".join(f"D{i}: {{{'multiple_of: 4' if i == rank - 1 else ''}}}" for i in range(rank))
    grid = [f"  - {{axis: d{i}, size: {f'D{i}' if i < rank - 2 else quoted(f'cdiv(D{i}, {size(i, rank)})')}}}"
            for i in range(rank)]
    lines = [f"dims: {{{dims}}}", f"consts: {{bm: {ROWS}, bn: {COLUMNS}}}"] if rank else []
    lines += ["grid:", *grid] if rank else []
    lines += ["inputs:", *(ref(name, kind, rank, kept) for name, kind, kept in inputs)]
    lines += ["outputs:", ref("y", dtype, rank, list(range(rank))), "body:", f"  - {value}"]
    return "\n".join(lines) + "\n"


def quoted(text):
    return f'"{text}"'


def shape_of(sizes, kept):
    rank = len(sizes)
    return tuple(sizes[i] if i in kept else 1 for i in range(min(kept, default=rank), rank))


def expanded(rank, along, empty=-1):
    """Returns a case with x along every other axis; `along`: including the last one."""
    kept = [i for i in range(rank) if (rank - 1 - i) % 2 == (0 if along else 1)]
    sizes = extents(rank, empty)
    name = f"expand_rank_{rank}" + ("" if along else "_last") + ("_empty" if empty >= 0 else "")
    x = rng(name).integers(-99, 99, shape_of(sizes, kept)).astype(np.float32)
    block = ", ".join(size(i, rank) for i in range(max(rank - 2, 0), rank))
    return Case(name, f"an array that is expanded to rank {rank}"
                + (", one axis of which is empty" if empty >= 0 else ""),
                spec(rank, [("x", "f32", kept)], "f32", f"y[...] = broadcast_to(x, [{block}])"),
                {"y": np.broadcast_to(x, sizes)}, {"x": x}, {f"D{i}": n for i, n in enumerate(sizes)})


def chosen(rank, empty=-1):
    """Returns a case of three arrays that each have one axis in three, some of them the last one too."""
    sizes = extents(rank, empty)
    name = f"where_rank_{rank}" + ("_empty" if empty >= 0 else "")
    r = rng(name)
    kept = [[i for i in range(rank) if i % 3 == which or (i == rank - 1 and which > 0)] for which in range(3)]
    condition = r.integers(0, 2, shape_of(sizes, kept[0])).astype(bool)
    a, b = (r.integers(-99, 99, shape_of(sizes, k)).astype(np.float32) for k in kept[1:])
    inputs = [("c", "bool", kept[0]), ("a", "f32", kept[1]), ("b", "f32", kept[2])]
    return Case(name, f"where of three arrays that are broadcast together to rank {rank}"
                + (", one axis of which is empty" if empty >= 0 else ""),
                spec(rank, inputs, "f32", "y[...] = where(c, a, b)"),
                {"y": np.broadcast_to(np.where(condition, a, b), sizes)}, {"c": condition, "a": a, "b": b},
                {f"D{i}": n for i, n in enumerate(sizes)})


def cases():
    every = [expanded(rank, True) for rank in RANKS] + [expanded(rank, False) for rank in RANKS if rank > 0]
    return (every + [chosen(rank) for rank in RANKS]
            + [made for rank in (1, 4, 8) for made in (expanded(rank, True, rank // 2), chosen(rank, rank // 2))])
