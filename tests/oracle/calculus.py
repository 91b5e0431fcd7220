"""grad(f). Witness: jax.grad."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from oracle_case import rng, whole

WHY = "both round each step of the derivative to f32, in an order of their own"
ONE = {
    "tanh_of": ("x * tanh(x)", lambda x: x * jnp.tanh(x)),
    "rational": ("(x * x - 1) / (x * x + 2)", lambda x: (x * x - 1) / (x * x + 2)),
    "powers": ("x ** 3 + 0.5 * x ** 2 + (x * x + 1) ** 0.5", lambda x: x**3 + 0.5 * x**2 + (x * x + 1) ** 0.5),
    "roots": ("sqrt(x * x + 1) * rsqrt(x * x + 3)", lambda x: jnp.sqrt(x * x + 1) * lax.rsqrt(x * x + 3)),
    "exponentials": ("exp(0.3 * x) + exp2(x * 0.5) + expm1(x)",
                     lambda x: jnp.exp(0.3 * x) + jnp.exp2(x * 0.5) + jnp.expm1(x)),
    "logarithms": ("log(x * x + 1) + log2(x * x + 2) + log1p(x * x)",
                   lambda x: jnp.log(x * x + 1) + jnp.log2(x * x + 2) + jnp.log1p(x * x)),
    "angles": ("sin(x) * cos(x) + tan(0.3 * x)", lambda x: jnp.sin(x) * jnp.cos(x) + jnp.tan(0.3 * x)),
    "normal": ("erf(x) * logistic(x)", lambda x: lax.erf(x) * lax.logistic(x)),
    "pieces": ("abs(x) + maximum(x, 0.25 * x) - minimum(x, 1.0) + floor(x)",
               lambda x: jnp.abs(x) + jnp.maximum(x, 0.25 * x) - jnp.minimum(x, 1.0) + jnp.floor(x)),
    "clamped": ("clamp(x * x, 0.5, 2.0)", lambda x: lax.clamp(jnp.float32(0.5), x * x, jnp.float32(2.0))),
    "chosen": ("where(x > 0, x * x, -x)", lambda x: jnp.where(x > 0, x * x, -x)),
}


def cases():
    x = rng("grad").standard_normal(40).astype(np.float32) * 2
    y = rng("grad_y").standard_normal(40).astype(np.float32)
    out = [whole(f"grad_{name}", f"the derivative of {text}", ["o[...] = grad(f)(x)"], {"x": x},
                 {"o": np.asarray(jax.vmap(jax.grad(f))(x))}, f'functions: {{"f(x)": "{text}"}}\n', tolerance=4e-6,
                 why=WHY) for name, (text, f) in ONE.items()]

    def two(a, b):
        return jnp.arctan2(a, b * b + 1) + a * b

    functions = ('functions: {"two(a, b)": "atan2(a, b * b + 1) + a * b", "cube(x)": "x * x * x", '
                 '"outer(x)": "cube(x) * 2 + x"}\n')
    library = jax.vmap(jax.grad(lambda v: jax.nn.gelu(v, approximate=True)))(x)
    return out + [
        whole("grad_parameters", "by the first parameter and by the second",
              ["o[...] = grad(two)(x, y)", "p[...] = grad(two, 1)(x, y)"], {"x": x, "y": y},
              {"o": np.asarray(jax.vmap(jax.grad(two))(x, y)), "p": np.asarray(jax.vmap(jax.grad(two, 1))(x, y))},
              functions, tolerance=4e-6, why=WHY),
        whole("grad_twice", "second derivatives, and functions of functions",
              ["o[...] = grad(grad(outer))(x)", "p[...] = grad(outer)(x)"], {"x": x},
              {"o": 12 * x, "p": (6 * x.astype(np.float64) ** 2 + 1).astype(np.float32)}, functions, tolerance=4e-6,
              why=WHY),
        whole("grad_library", "of a function of the library and of an operation",
              ["o[...] = grad(gelu_tanh)(x)", "p[...] = grad(tanh)(x)"], {"x": x},
              {"o": np.asarray(library), "p": np.asarray(jax.vmap(jax.grad(jnp.tanh))(x))}, tolerance=4e-6, why=WHY),
        whole("grad_ties", "half a share where both operands of maximum are equal; 0 at the corner of abs",
              ["o[...] = grad(f)(x)"], {"x": np.array([-1, 0, 1], np.float32)},
              {"o": np.asarray(jax.vmap(jax.grad(lambda v: jnp.maximum(v, 0.0) + jnp.abs(v)))(
                  jnp.array([-1.0, 0.0, 1.0]))) - np.array([0, 1, 0], np.float32)},
              'functions: {"f(x)": "maximum(x, 0.0) + abs(x)"}\n'),
    ]
