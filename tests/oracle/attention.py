"""The attention kernels of the library, unchanged, on small inputs. Witness: the softmax of each row in f64, by NumPy;
gradients by JAX."""

import jax
import jax.numpy as jnp
import numpy as np

from library_specs import kernel_of
from oracle_case import Case, bf16, rng

SCALE = 0.125
WHY = "softmax weights are rounded to bf16 before the second product, and f32 sums are in another order"


def library(name, about, outputs, inputs, tolerance=0.01, why=WHY, **rest):
    """Returns a case of a spec of the library, without its first three keys, its reference and its tests."""
    return Case(name, about, kernel_of(name), outputs, inputs, tolerance=tolerance, why=why, **rest)


def normal(name, shape, dtype=bf16):
    return rng(name).standard_normal(shape).astype(dtype)


def attend(q, k, v, seen):
    """Returns o and log-sum-exp of rows q [S, d] over k and v [T, d], in f64; `seen` [S, T] is the mask of the rows."""
    x = np.where(seen, q.astype(np.float64) @ k.astype(np.float64).T * SCALE, -np.inf)
    e = np.exp(x)
    sums = e.sum(axis=1)
    with np.errstate(divide="ignore"):
        lse = np.log(sums)
    return (e / np.where(sums == 0, 1, sums)[:, None]) @ v.astype(np.float64), lse


def causal(rows, keys):
    return np.arange(rows)[:, None] + keys - rows >= np.arange(keys)[None, :]


def heads(q, k, v):
    """Returns causal attention of q [S, H, d] over k and v [T, G, d]."""
    o, lse = np.zeros(q.shape), np.zeros((q.shape[1], q.shape[0]))
    for h in range(q.shape[1]):
        g = h * k.shape[1] // q.shape[1]
        o[:, h], lse[h] = attend(q[:, h], k[:, g], v[:, g], causal(len(q), len(k)))
    return o, lse


def forward(name, rows, keys):
    q, k, v = normal(f"{name}_q", (1, rows, 2, 128)), normal(f"{name}_k", (1, keys, 1, 128)), normal(f"{name}_v", (1, keys, 1, 128))
    o, lse = heads(q[0], k[0], v[0])
    case = library("attention_fwd", "causal attention of two heads that share k and v, aligned at the end", {
        "o": o[None].astype(bf16), "lse": lse[None].astype(np.float32)}, {"q": q, "k": k, "v": v},
        dims={"B": 1, "H": 2, "G": 1, "S": rows, "T": keys}, scalars={"scale": SCALE})
    case.name = name
    return case


def lengths_vary():
    starts_q, starts_k = np.array([2, 72, 72, 100], np.int32), np.array([0, 90, 120, 129], np.int32)
    q, k, v = normal("varlen_q", (104, 2, 128)), normal("varlen_k", (130, 1, 128)), normal("varlen_v", (130, 1, 128))
    o, lse = np.zeros(q.shape), np.zeros((2, 104))
    for b in range(3):
        rows, keys = slice(*starts_q[b:b + 2]), slice(*starts_k[b:b + 2])
        o[rows], lse[:, rows] = heads(q[rows], k[keys], v[keys])
    return library("attention_varlen", "sequences of 70, 0 and 28 rows over 90, 30 and 9 keys: most of the last see nothing", {
        "o": o.astype(bf16), "lse": lse.astype(np.float32)}, {"q": q, "k": k, "v": v},
        dims={"B": 3, "L": 70, "S": 104, "T": 130, "H": 2, "G": 1},
        scalars={"scale": SCALE, "starts_q": starts_q, "starts_k": starts_k})


def paged():
    q = normal("paged_q", (3, 1, 5, 128))
    k, v = normal("paged_k", (3, 64, 1, 128)), normal("paged_v", (3, 64, 1, 128))
    lengths, table = np.array([100, 0, 64], np.int32), np.array([[2, 0], [1, 1], [0, 1]], np.int32)
    o, lse = np.zeros(q.shape), np.zeros((3, 1, 5))
    for b in range(3):
        keys, values = (x[table[b], :, 0].reshape(-1, 128)[:lengths[b]] for x in (k, v))
        o[b, 0], lse[b, 0] = attend(q[b, 0], keys, values, np.ones((5, len(keys)), bool))
    return library("attention_paged", "sequences of 100, 0 and 64 tokens in pages that are in no order", {
        "o": o.astype(bf16), "lse": lse.astype(np.float32)}, {"q": q, "k": k, "v": v},
        dims={"B": 3, "G": 1, "R": 5, "P": 3, "N": 2}, scalars={"scale": SCALE, "lengths": lengths, "table": table})


def split():
    q, k, v = normal("split_q", (1, 1, 9, 128)), normal("split_k", (1, 200, 1, 128)), normal("split_v", (1, 200, 1, 128))
    o, lse = np.zeros((3, 1, 1, 9, 128)), np.zeros((3, 1, 1, 9))
    for c in range(3):  # two blocks of 128 keys: one each for two parts, none for the last
        seen = np.broadcast_to(np.arange(200) // 128 == c, (9, 200))
        o[c, 0, 0], lse[c, 0, 0] = attend(q[0, 0], k[0, :, 0], v[0, :, 0], seen)
    return library("attention_split", "three parts of 200 keys, of which the last has none", {
        "o": o.astype(np.float32), "lse": lse.astype(np.float32)}, {"q": q, "k": k, "v": v},
        dims={"B": 1, "G": 1, "R": 9, "T": 200, "C": 3}, scalars={"scale": SCALE})


def join():
    parts, lses = normal("join_parts", (3, 20, 128), np.float32), normal("join_lses", (3, 20), np.float32)
    lses[1, 4:9], lses[:, 7] = -np.inf, -np.inf
    w = np.exp(lses.astype(np.float64))
    sums = w.sum(axis=0)
    o = (parts * w[:, :, None]).sum(axis=0) / np.where(sums == 0, 1, sums)[:, None]
    with np.errstate(divide="ignore"):
        lse = np.log(sums)
    return library("attention_join", "parts that saw nothing, and a row of which none saw anything", {
        "o": o.astype(bf16), "lse": lse.astype(np.float32)}, {"parts": parts, "lses": lses}, dims={"C": 3, "M": 20})


def delta():
    o, do = normal("delta_o", (1, 40, 2, 128)), normal("delta_do", (1, 40, 2, 128))
    sums = np.einsum("bshd,bshd->bhs", o.astype(np.float64), do.astype(np.float64))
    return library("attention_delta", "row sums of products, ragged", {"delta": sums.astype(np.float32)}, {"o": o, "do_": do},
                   dims={"B": 1, "S": 40, "H": 2})


def backward():
    """Returns the inputs of the backward kernels, and the gradients of q, k and v by JAX, in f64."""
    with jax.enable_x64(True):
        q, k, v, do = (normal(f"backward_{x}", (1, rows, heads_of, 128))
                       for x, rows, heads_of in (("q", 28, 2), ("k", 50, 1), ("v", 50, 1), ("do", 28, 2)))
        seen = causal(28, 50)

        def loss(q, k, v):
            x = jnp.where(seen, jnp.einsum("shd,td->hst", q, k) * SCALE, -jnp.inf)
            return (jnp.einsum("hst,td->shd", jax.nn.softmax(x, axis=-1), v) * do[0].astype(np.float64)).sum()

        dq, dk, dv = jax.grad(loss, (0, 1, 2))(*(x.astype(np.float64) for x in (q[0], k[0, :, 0], v[0, :, 0])))
    o, lse = heads(q[0], k[0], v[0])
    delta = np.einsum("shd,shd->hs", o, do[0].astype(np.float64))
    inputs = {"k": k, "v": v, "q": q, "do_": do, "lse": lse[None].astype(np.float32), "delta": delta[None].astype(np.float32)}
    outputs = {"dq": np.asarray(dq)[None], "dk": np.asarray(dk)[None, :, None], "dv": np.asarray(dv)[None, :, None]}
    return inputs, outputs


def gradients():
    inputs, outputs = backward()
    dims = {"dims": {"B": 1, "H": 2, "G": 1, "S": 28, "T": 50}, "scalars": {"scale": SCALE}}
    unscaled = {"dq": (outputs["dq"] / SCALE).astype(np.float32)}
    keys = {name: outputs[name].astype(bf16) for name in ("dk", "dv")}
    return [library("attention_bwd", "gradients by JAX, of two heads that share k and v", unscaled | keys, inputs,
                    tolerance=0.03, why="dq has no scale: its terms, rounded to bf16, are eight times as large", **dims),
            library("attention_dkv", "gradients of k and v by JAX", keys, inputs, **dims),
            library("attention_dq", "the gradient of q by JAX", {"dq": outputs["dq"].astype(bf16)}, inputs, **dims),
            library("attention_cast", "dq with its scale, in bf16", {"dq": (unscaled["dq"].reshape(-1) * np.float32(SCALE)).astype(bf16)},
                    {"sums": unscaled["dq"].reshape(-1)}, dims={"N": 28 * 2 * 128}, scalars={"scale": SCALE})]


def cases():
    return [forward("attention_fwd", 70, 130), forward("attention_fwd_unseen", 100, 40), lengths_vary(), paged(), split(), join(),
            delta(), *gradients()]
