"""Direct calls of exported kernels with arrays of NumPy, on the emulated device: values, given results, refusals.

  calls.py FOLDER

FOLDER has the package library_kernels (run.py), whose library is loaded here without its modules."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import numpy as np  # noqa: E402
import tvm_ffi  # noqa: E402
from report import Report  # noqa: E402

kernels = tvm_ffi.load_module(f"{sys.argv[1]}/library_kernels/_kernels.so")
report = Report()
expect, refused = report.expect, report.refused


def add():
    f = kernels.add_vectors_blocked
    x, y, z = np.arange(1000, dtype=np.int32), np.full(1000, 5, np.int32), np.empty(1000, np.int32)
    f(x, y, z)
    expect("sums", (z == x + 5).all())
    f(x[:0], y[:0], z[:0])
    refused("extent", ValueError, "z: expected shape (N) = (1000), got (999,)", f, x, y, z[:999])
    refused("dtype", TypeError, "y: expected dtype int32, got int64", f, x, y.astype(np.int64), z)
    refused("rank", ValueError, "x: expected 1 dimension, got shape (10, 100)", f, x.reshape(10, 100), y, z)
    refused("gaps", ValueError, "expected a contiguous row-major tensor, got strides (2,)", f, x[::2], y[::2], z[:500])
    refused("shared", ValueError, "z: expected memory of its own, got memory that x has too", f, x, y, x)


def strided():
    f = kernels.every_other_row
    x = np.arange(7 * 132, dtype=np.float32).reshape(7, 132)
    whole = np.zeros((7, 140), np.float32)
    f(x, whole[:, :132])
    expect("rows that lie apart", (whole[::2, :132] == 2 * x[::2]).all() and (whole[1::2, :132] == -1).all())
    expect("what lies between them", (whole[:, 132:] == 0).all())
    refused("factor", ValueError, "N must be a multiple of 4, got 130", f, x[:, :130].copy(), whole[:, :130])
    refused("alignment", ValueError, "o: expected memory at a multiple of 16 bytes, got it 4 bytes behind one", f, x,
            whole[:, 1:133])


def checked():
    table, y = np.ones((32, 64), np.float32), np.empty((3, 64), np.float32)
    legal, outside = np.array([0, 31, 7], np.int32), np.array([0, 40, 7], np.int32)
    kernels.gather_checked(table, legal, y)
    expect("logarithms of shares", np.allclose(y, np.log(1 / 64)))
    refused("a fault", RuntimeError, "oob: an index of 'table' is outside", kernels.gather_checked, table, outside, y)
    workspace = np.zeros(int(kernels.gather_checked_workspace_bytes(3)), np.uint8)
    kernels.gather_checked_with(table, outside, y, workspace)
    expect("a fault in the workspace", "oob" in str(kernels.gather_checked_status(workspace)))
    kernels.gather_checked_with(table, legal, y, workspace)
    expect("no fault", str(kernels.gather_checked_status(workspace)) == "")
    refused("a small workspace", ValueError, "workspace: expected", kernels.gather_checked_with, table, legal, y,
            workspace[:100])


def in_place():
    x, y = np.arange(13 * 132, dtype=np.float32).reshape(13, 132), np.full((13, 132), 2, np.float32)
    wanted = 0.5 * x + y
    kernels.scale_in_place(x, y, 0.5)
    expect("an array that is written in place", (x == wanted).all())
    refused("shared", ValueError, "memory of its own", kernels.scale_in_place, x, x, 0.5)


for part in (add, strided, checked, in_place):
    report.attempt(part.__name__, part)
report.end()
