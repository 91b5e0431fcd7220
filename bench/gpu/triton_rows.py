"""Kernels of rows in Triton, one program a row, as its users write them: pallasgen's are timed against them if Triton
is installed. Warps grow with the row: 4, 8, 16 and 32 from 2,048, 8,192 and 32,768 columns on. A kernel's result is
compared with PyTorch's before it is timed.
"""
import triton
import triton.language as tl

MOST_COLUMNS = 65536  # columns of a row that one program holds


@triton.jit
def softmax_kernel(x, y, lse, columns: tl.constexpr, block: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, block)
    inside = at < columns
    v = tl.load(x + row * columns + at, mask=inside, other=-float("inf"))
    top = tl.max(v, axis=0)
    p = tl.exp(v - top)
    total = tl.sum(p, axis=0)
    tl.store(y + row * columns + at, p / total, mask=inside)
    tl.store(lse + row, top + tl.log(total))


@triton.jit
def layer_norm_kernel(x, gamma, beta, y, scale, eps, columns: tl.constexpr, block: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, block)
    inside = at < columns
    v = tl.load(x + row * columns + at, mask=inside, other=0).to(tl.float32)
    centred = tl.where(inside, v - tl.sum(v, axis=0) / columns, 0)
    factor = 1 / tl.sqrt(tl.sum(centred * centred, axis=0) / columns + eps)
    weight = tl.load(gamma + at, mask=inside, other=0)
    bias = tl.load(beta + at, mask=inside, other=0)
    tl.store(y + row * columns + at, (centred * factor * weight + bias).to(tl.bfloat16), mask=inside)
    tl.store(scale + row, factor)


@triton.jit
def rms_norm_kernel(x, gamma, y, eps, columns: tl.constexpr, block: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, block)
    inside = at < columns
    v = tl.load(x + row * columns + at, mask=inside, other=0)
    factor = 1 / tl.sqrt(tl.sum(v * v, axis=0) / columns + eps)
    weight = tl.load(gamma + at, mask=inside, other=0)
    tl.store(y + row * columns + at, v * factor * weight, mask=inside)


@triton.jit
def cross_entropy_kernel(x, label, loss, lse, columns: tl.constexpr, block: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, block)
    inside = at < columns
    v = tl.load(x + row * columns + at, mask=inside, other=-float("inf")).to(tl.float32)
    top = tl.max(v, axis=0)
    of_all = top + tl.log(tl.sum(tl.exp(v - top), axis=0))
    chosen = tl.load(x + row * columns + tl.load(label + row)).to(tl.float32)
    tl.store(loss + row, of_all - chosen)
    tl.store(lse + row, of_all)


@triton.jit
def greedy_tokens_kernel(x, token, p, columns: tl.constexpr, block: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, block)
    inside = at < columns
    v = tl.load(x + row * columns + at, mask=inside, other=-float("inf")).to(tl.float32)
    tl.store(token + row, tl.argmax(v, axis=0))
    tl.store(p + row, 1 / tl.sum(tl.exp(v - tl.max(v, axis=0)), axis=0))


@triton.jit
def add_kernel(x, y, z, count, block: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * block + tl.arange(0, block)
    inside = at < count
    tl.store(z + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


def warps_of(columns):
    """Returns the number of warps of a program that has a row of so many columns."""
    return 4 if columns < 2048 else 8 if columns < 8192 else 16 if columns < 32768 else 32


def first_of_largest(torch, x):
    """Returns the first place of the largest element of each row."""
    places = torch.arange(x.shape[1], device="cuda", dtype=torch.int32)
    return torch.where(x == x.amax(dim=1, keepdim=True), places, x.shape[1]).amin(dim=1).int()


def function_of(torch, kernel, dims, columns, uniform):
    """Returns (Triton's function, PyTorch's for its first output) on own arrays; None if there is no such kernel."""
    kernel, rows = kernel.removesuffix("_wide"), dims.get("M", 0)
    if kernel == "add_matrices":
        x, y, z = (uniform(rows, dims["N"]) for _ in range(3))
        return lambda: (add_kernel[(triton.cdiv(z.numel(), 1024),)](x, y, z, z.numel(), 1024), z)[1], lambda: x + y
    if not 0 < columns <= MOST_COLUMNS:
        return None
    sizes = {"columns": columns, "block": triton.next_power_of_2(columns), "num_warps": warps_of(columns)}
    functional, each = torch.nn.functional, torch.empty(rows, device="cuda")
    if kernel == "softmax":
        x, y = uniform(rows, columns), uniform(rows, columns)
        return lambda: (softmax_kernel[(rows,)](x, y, each, **sizes), y)[1], lambda: torch.softmax(x, dim=1)
    if kernel == "layer_norm":
        x, y, gamma, beta = uniform(rows, columns).bfloat16(), uniform(rows, columns).bfloat16(), uniform(columns), uniform(columns)
        return (lambda: (layer_norm_kernel[(rows,)](x, gamma, beta, y, each, 1e-5, **sizes), y)[1],
                lambda: functional.layer_norm(x.float(), (columns,), gamma, beta, 1e-5).bfloat16())
    if kernel == "rms_norm":
        x, y, gamma = uniform(rows, columns), uniform(rows, columns), uniform(columns)
        return (lambda: (rms_norm_kernel[(rows,)](x, gamma, y, 1e-5, **sizes), y)[1],
                lambda: functional.rms_norm(x, (columns,), gamma, 1e-5))
    x = uniform(rows, columns).bfloat16()
    if kernel == "cross_entropy":
        label, loss = torch.randint(0, columns, (rows,), device="cuda", dtype=torch.int32), torch.empty_like(each)
        return (lambda: (cross_entropy_kernel[(rows,)](x, label, loss, each, **sizes), loss)[1],
                lambda: functional.cross_entropy(x.float(), label.long(), reduction="none"))
    if kernel == "greedy_tokens":
        token = torch.empty(rows, device="cuda", dtype=torch.int32)
        return (lambda: (greedy_tokens_kernel[(rows,)](x, token, each, **sizes), token)[1],
                lambda: first_of_largest(torch, x))
    return None


def checked(torch, pair):
    """Returns Triton's function; AssertionError unless it agrees with PyTorch: places exactly, floats as bf16 does."""
    run, expected = pair
    result = run()
    relative, absolute = (2e-2, 2e-3) if result.is_floating_point() else (0, 0)
    torch.testing.assert_close(result, expected(), rtol=relative, atol=absolute)
    return run
