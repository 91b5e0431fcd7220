"""Operators of PyTorch and calls of JAX under these frameworks' transformations: opcheck, torch.compile, torch.export,
gradients, jit, vmap, threads; and what they refuse.

  transforms.py FOLDER

FOLDER has the package library_kernels (run.py)."""
import os
import subprocess
import sys
import threading
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), sys.argv[1]]
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import library_kernels as lib  # noqa: E402
import numpy as np  # noqa: E402
import torch  # noqa: E402
from library_kernels._frameworks import kernels  # noqa: E402
from report import Report  # noqa: E402
from torch.nn.functional import gelu, layer_norm  # noqa: E402

report = Report()
ops = torch.ops.library_kernels
torch.manual_seed(1)
X, G = torch.randn(5, 768).bfloat16(), torch.randn(768)


def bf16(*shape):
    return torch.randn(*shape).bfloat16()


def near(got, want, tolerance=0.05):
    return bool((got.float() - want.float()).abs().max() <= tolerance)


def given_results():
    y, scale = torch.empty_like(X), torch.empty(5)
    returned = lib.layer_norm(X, G, G, y=y, scale=scale)
    report.expect("given results are returned", returned[0] is y and returned[1] is scale)
    report.expect("given results", torch.equal(y, lib.layer_norm(X, G, G)[0]))
    report.refused("one of two results", TypeError, "layer_norm: expected y and scale, or none of them; scale is missing",
                   lib.layer_norm, X, G, G, y=y)
    x = torch.arange(13 * 132, dtype=torch.float32).reshape(13, 132)
    wanted = 0.5 * x + 2
    report.expect("in place", lib.scale_in_place(x, torch.full_like(x, 2), 0.5) is x and torch.equal(x, wanted))


def refusals():
    for kind, text, call in (
        (TypeError, "layer_norm: x: expected dtype bfloat16, got float32", lambda: lib.layer_norm(X.float(), G, G)),
        (ValueError, "layer_norm: x: expected 2 dimensions, got shape (768,)", lambda: lib.layer_norm(X[0], G, G)),
        (ValueError, "x: expected shape (M, 768) = (5, 768), got (5, 760)",
         lambda: lib.layer_norm(X[:, :760].contiguous(), G, G)),
        (ValueError, "x: expected a contiguous row-major tensor, got strides (1, 5)",
         lambda: lib.layer_norm(X.T.contiguous().T, G, G)),
        (ValueError, "gamma: expected a contiguous row-major tensor, got strides (0,)",
         lambda: lib.layer_norm(X, G[:1].expand(768), G)),
        (ValueError, "gamma: expected memory at a multiple of 16 bytes, got it 4 bytes behind one",
         lambda: lib.layer_norm(X, torch.randn(769)[1:], G)),
        (ValueError, "scale: expected shape (M) = (5), got (4,)",
         lambda: lib.layer_norm(X, G, G, y=torch.empty_like(X), scale=torch.empty(4))),
        (ValueError, "y: expected memory of its own, got memory that x has too",
         lambda: lib.layer_norm(X, G, G, y=X, scale=torch.empty(5))),
        (ValueError, "activation_forward: N must be a multiple of 8, got 12", lambda: lib.activation_forward(bf16(12))),
        (RuntimeError, "gather_checked: oob: an index of 'table' is outside",
         lambda: lib.gather_checked(torch.rand(32, 64), torch.tensor([32], dtype=torch.int32))),
        (TypeError, "activation_forward: x: expected dtype bfloat16, got float32",
         lambda: lib.activation_forward(np.zeros(8, np.float32))),
        (RuntimeError, "scale_in_place: a tensor that requires gradients is given",
         lambda: lib.scale_in_place(torch.zeros(1, 4, requires_grad=True), torch.zeros(1, 4), 1.0)),
        (RuntimeError, "matmul_gelu has no gradient",
         lambda: lib.matmul_gelu(bf16(8, 8).requires_grad_(), bf16(8, 8)).sum().backward()),
        (TypeError, "activation_forward: expected an array, got list", lambda: lib.activation_forward([1.0] * 8)),
        (TypeError, "arrays of JAX cannot be written",
         lambda: lib.activation_forward(jnp.zeros(8, jnp.bfloat16), y=jnp.zeros(8, jnp.bfloat16))),
        (TypeError, "layer_norm: x: expected dtype bfloat16, got float32",
         lambda: lib.layer_norm(jnp.zeros((2, 768)), jnp.zeros(768), jnp.zeros(768))),
        (Exception, "N must be a multiple of 8, got 12",
         lambda: jax.block_until_ready(lib.activation_forward(jnp.zeros(12, jnp.bfloat16)))),
        (Exception, "oob: an index of 'table' is outside",
         lambda: jax.block_until_ready(lib.gather_checked(jnp.ones((32, 64)), jnp.array([1, 40], jnp.int32)))),
    ):
        report.refused(text, kind, text, call)


def negative_bit():
    x = torch._neg_view(torch.ones(8).bfloat16())
    report.expect("a negative bit", near(lib.activation_forward(x), gelu(x)))
    y = torch.empty(8, dtype=torch.bfloat16)
    report.expect("a negative bit, result given", near(lib.activation_forward(x, y=y), gelu(x)))


def written_in_place():
    """Checks that autograd notices a write to a tensor that it has saved."""
    w, x = torch.ones(1, 4, requires_grad=True), torch.full((1, 4), 2.0)
    z = (w * x).sum()
    lib.scale_in_place(x, torch.zeros(1, 4), 10.0)
    report.refused("a tensor that was saved and then written", RuntimeError, "modified by an inplace operation", z.backward)
    y = torch.empty(8, dtype=torch.bfloat16)
    before = y._version
    lib.activation_forward(torch.ones(8).bfloat16(), y=y)
    report.expect("the version of a given result", y._version == before + 1)


def cotangents():
    """Checks cotangents of torch.cat, which are parts of another tensor at any alignment."""
    x = bf16(16).requires_grad_()
    torch.cat([torch.zeros(1).bfloat16(), lib.activation_forward(x)]).float().sum().backward()
    y = x.detach().clone().requires_grad_()
    gelu(y).float().sum().backward()
    report.expect("a cotangent at an odd place", near(x.grad, y.grad, 0.01))
    report.refused("forward mode", RuntimeError, "activation_forward has no forward-mode derivative",
                   torch.func.jvp, lib.activation_forward, (bf16(8),), (bf16(8),))


def numpy_arrays():
    table, picks = np.random.rand(32, 64).astype(np.float32) + 0.1, np.frombuffer(np.array([1, 2], np.int32).tobytes(), np.int32)
    report.expect("an array that is read alone", lib.gather_checked(table, picks).shape == (2, 64))
    report.refused("NumPy beside PyTorch", TypeError, "layer_norm: expected arrays of one framework, got torch.Tensor, numpy.ndarray",
                   lib.layer_norm, X, G.numpy(), G)
    report.refused("PyTorch beside NumPy", TypeError, "expected arrays of one framework", lib.gather_checked, table,
                   torch.from_numpy(picks.copy()))
    report.refused("PyTorch beside a result of NumPy", TypeError, "expected arrays of one framework", lib.add_vectors_blocked,
                   torch.ones(8, dtype=torch.int32), np.ones(8, np.int32), z=np.empty(8, np.int32))
    buffer = np.arange(64, dtype=np.float32)
    rows, kept = buffer[:32].reshape(4, 8), lib.every_other_row
    report.refused("a result that is its input", ValueError, "expected memory of its own", kept, rows, o=rows)


def reports():
    """Checks that a later refusal does not repeat the report of a kernel that crashed."""
    report.refused("a crash", RuntimeError, "oob", lib.gather_checked, torch.rand(32, 64), torch.tensor([32], dtype=torch.int32))
    report.refused("a refusal behind it", ValueError, "N must be at most", lib.show_program_ids,
                   torch.empty(0, 2147483647, dtype=torch.int32))


def empty():
    report.expect("no rows", lib.layer_norm(bf16(0, 768), G, G)[0].shape == (0, 768))
    report.expect("no columns", lib.matmul_gelu(bf16(4, 8), bf16(0, 8)).shape == (4, 0))
    report.expect("no rows in JAX", lib.matmul_gelu(jnp.zeros((0, 8), jnp.bfloat16), jnp.zeros((8, 8), jnp.bfloat16)).shape
                  == (0, 8))


def threads():
    wrong = []

    def work(seed):
        for turn in range(10):
            x = bf16(3 + seed, 768)
            if not near(lib.layer_norm(x, G, G)[0], layer_norm(x.float(), (768,), G, G), 0.1):
                wrong.append("values")
            try:
                lib.gather_checked(torch.rand(32, 64), torch.tensor([seed, 32 * (turn % 2)], dtype=torch.int32))
                if turn % 2:
                    wrong.append("no fault")
            except RuntimeError:
                if turn % 2 == 0:
                    wrong.append("fault")

    workers = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    report.expect("four threads", not wrong, str(wrong[:3]))


def opcheck():
    for name, operator, arguments in (
        ("matmul_gelu", ops.matmul_gelu, (bf16(16, 64), bf16(24, 64))),
        ("matmul_gelu_no_grad", ops.matmul_gelu_no_grad, (bf16(16, 64), bf16(24, 64))),
        ("layer_norm", ops.layer_norm, (bf16(3, 768).requires_grad_(), G, G)),
        ("layer_norm_into", ops.layer_norm_into, (bf16(3, 768), G, G, bf16(3, 768), torch.randn(3))),
        ("activation_forward", ops.activation_forward, (bf16(16).requires_grad_(),)),
        ("scale_in_place", ops.scale_in_place, (torch.randn(3, 132), torch.randn(3, 132), 2.0)),
        ("gather_checked", ops.gather_checked, (torch.rand(32, 64), torch.tensor([0, 5], dtype=torch.int32))),
    ):
        if report.attempt(f"opcheck of {name}", lambda: torch.library.opcheck(operator, arguments)) is not None:
            report.expect(name, True)


def gradients():
    x = bf16(64).requires_grad_()
    lib.activation_forward(x).sum().backward()
    y = x.detach().clone().requires_grad_()
    gelu(y).sum().backward()
    report.expect("gradient of activation_forward", near(x.grad, y.grad, 0.01))
    arrays = [bf16(5, 768), torch.randn(768), torch.randn(768)]
    ours, theirs = ([each.clone().requires_grad_() for each in arrays] for _ in range(2))
    weight = torch.randn(5, 768)
    (lib.layer_norm(*ours)[0].float() * weight).sum().backward()
    (layer_norm(theirs[0].float(), (768,), theirs[1], theirs[2]) * weight).sum().backward()
    for name, a, b in zip(("x", "gamma", "beta"), ours, theirs):
        report.expect(f"gradient of layer_norm: {name}", near(a.grad, b.grad, 0.1 if name == "x" else 0.2))
    v = jnp.asarray(x.detach().float().numpy(), jnp.bfloat16)
    got = jax.jit(jax.grad(lambda v: lib.activation_forward(v).astype(jnp.float32).sum()))(v)
    report.expect("gradient in JAX", np.allclose(np.asarray(got, np.float32), y.grad.float().numpy(), atol=0.02))
    tensors = [jnp.asarray(each.detach().float().numpy(), jnp.bfloat16 if each.dtype == torch.bfloat16 else jnp.float32)
               for each in ours]
    made = jax.grad(lambda *t: (lib.layer_norm(*t)[0].astype(jnp.float32) * weight.numpy()).sum(), argnums=(0, 1, 2))(*tensors)
    for name, a, b in zip(("x", "gamma", "beta"), made, ours):
        report.expect(f"gradient of layer_norm in JAX: {name}",
                      np.allclose(np.asarray(a, np.float32), b.grad.float().numpy(), atol=0.05))


def compiled():
    def block(x, gamma):
        y, scale = lib.layer_norm(x * 2, gamma, gamma)
        return lib.activation_forward(y.view(-1)).float().sum() + scale.sum()

    function = torch.compile(block, fullgraph=True, dynamic=True)
    for rows in (3, 5):
        x = bf16(rows, 768)
        report.expect(f"torch.compile, {rows} rows", near(function(x, G), block(x, G), 1.0))
    x = bf16(64).requires_grad_()
    torch.compile(lambda x: lib.activation_forward(x * 2).sum(), fullgraph=True)(x).backward()
    y = x.detach().clone().requires_grad_()
    gelu(y * 2).sum().backward()
    report.expect("torch.compile with gradients", near(x.grad, y.grad))


AT_ONCE = """
wrong, together = [], threading.Barrier(8)
def work():
    together.wait()
    try:
        lib.activation_forward(torch.ones(8).bfloat16())
    except Exception as error:
        wrong.append(error)
workers = [threading.Thread(target=work) for _ in range(8)]
[worker.start() for worker in workers], [worker.join() for worker in workers]
assert not wrong, wrong"""


def first_calls():
    """Checks first calls in a process: one that torch.compile traces, and some by several threads at once."""
    for name, code in (
        ("torch.compile", """
import torch, library_kernels as lib
x = torch.nn.Parameter(torch.randn(64).bfloat16())
torch.compile(lambda x: lib.activation_forward(x * 2).sum(), fullgraph=True)(x).backward()
assert x.grad.shape == (64,)"""),
        ("threads", "import threading, torch\nimport library_kernels as lib" + AT_ONCE),
        ("threads, PyTorch imported later", "import threading, library_kernels as lib\nimport torch" + AT_ONCE),
    ):
        done = subprocess.run([sys.executable, "-c", code], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=dict(os.environ, PYTHONPATH=sys.argv[1]))
        report.expect(f"the first call: {name}", done.returncode == 0, done.stdout[-1500:])


def exported():
    class Block(torch.nn.Module):
        def forward(self, a, b):
            return lib.matmul_gelu(a, b)

    program = torch.export.export(Block(), (bf16(16, 64), bf16(24, 64)), dynamic_shapes=({0: torch.export.Dim("rows")}, None))
    report.expect("torch.export", program.module()(bf16(7, 64), bf16(24, 64)).shape == (7, 24))


def jax_transforms():
    v = jnp.asarray(np.random.default_rng(1).standard_normal(64), jnp.bfloat16)
    out = jax.vmap(lib.activation_forward)(jnp.stack([v, v * 2]))
    report.expect("vmap", bool((out[1] == lib.activation_forward(v * 2)).all()))
    x = jnp.arange(13 * 132, dtype=jnp.float32).reshape(13, 132)
    for name, call in (("eager", lib.scale_in_place), ("jit", jax.jit(lib.scale_in_place, static_argnums=2))):
        report.expect(f"in place, {name}", bool((call(x, jnp.full_like(x, 2), 0.5) == 0.5 * x + 2).all()) and float(x[0, 1]) == 1)


def docstrings():
    report.expect("a docstring", "x: bfloat16[M, 768], at a multiple of 16 bytes" in lib.layer_norm.__doc__)
    report.expect("annotations", lib.layer_norm.__annotations__["return"] == "tuple[Array, Array]")
    report.expect("all kernels have modules", len(kernels) >= 9)


for part in (given_results, refusals, negative_bit, written_in_place, cotangents, numpy_arrays, reports, empty, threads, opcheck, gradients, compiled, first_calls, exported, jax_transforms,
             docstrings):
    report.attempt(part.__name__, part)
report.end()
