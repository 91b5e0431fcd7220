"""What is run of each generated kernel: sizes, inputs, PyTorch's answer, what moves, and whom it is timed beside."""
import itertools

import torch

RAGGED = [1, 8, 64, 72, 128, 136, 200, 256, 520, 1000]


def normal(*shape, dtype=torch.float32, seed=0):
    generator = torch.Generator(device="cuda").manual_seed(seed)
    return torch.randn(*shape, generator=generator, device="cuda", dtype=torch.float32).to(dtype)


class Kernel:
    """One generated kernel. `name`: the launcher; `sources`: below generated/."""
    name, source = "", ""
    tolerance = 0.0
    timed = ()   # sizes, as dicts of dims
    beside = ""  # what is timed in the same rounds

    def checked(self):
        """Sizes to check."""
        return []

    def inputs(self, dims, seed=0):
        raise NotImplementedError

    def outputs(self, dims):
        raise NotImplementedError

    def want(self, dims, inputs):
        raise NotImplementedError

    def rival(self, dims, inputs):
        """A function to time, or None."""
        return None

    def work(self, dims):
        """(floating-point operations, bytes that must move)."""
        return 0, 0


class Add(Kernel):
    beside = "torch.add"
    timed = ({"M": 4096, "N": 4096}, {"M": 16384, "N": 16384})

    def __init__(self, name):
        self.name, self.source = name, f"elementwise/{name}.cu"

    def checked(self):
        return [{"M": m, "N": n} for m, n in itertools.product([0, 1, 5, 37, 128, 1000], [0, 4, 12, 128, 204, 1028])]

    def inputs(self, dims, seed=0):
        return [normal(dims["M"], dims["N"], seed=seed), normal(dims["M"], dims["N"], seed=seed + 1)]

    def outputs(self, dims):
        return [torch.full((dims["M"], dims["N"]), float("nan"), device="cuda")]

    def want(self, dims, inputs):
        return [inputs[0] + inputs[1]]

    def rival(self, dims, inputs):
        out = torch.empty_like(inputs[0])
        return lambda: torch.add(inputs[0], inputs[1], out=out)

    def work(self, dims):
        return dims["M"] * dims["N"], 12 * dims["M"] * dims["N"]


class Matmul(Kernel):
    beside = "torch.matmul (cuBLASLt)"
    timed = tuple({"M": n, "N": n, "K": n} for n in (1024, 2048, 4096, 8192)) + (
        {"M": 4096, "N": 2112, "K": 7168}, {"M": 4096, "N": 7168, "K": 2048}, {"M": 128, "N": 7168, "K": 4096})

    def __init__(self, name, transposed, after=lambda x: x, tolerance=1e-2):
        self.name, self.source = name, f"matmul/{name}.cu"
        self.transposed, self.after, self.tolerance = transposed, after, tolerance

    def checked(self):
        sizes = [{"M": m, "N": n, "K": k} for m, n, k in itertools.product([1, 127, 200, 1000], [8, 136, 1000],
                                                                           [8, 104, 1000])]
        return sizes + [{"M": 0, "N": 8, "K": 8}, {"M": 8, "N": 0, "K": 8}, {"M": 129, "N": 264, "K": 0},
                        {"M": 4096, "N": 4096, "K": 4096}]

    def inputs(self, dims, seed=0):
        b = (dims["N"], dims["K"]) if self.transposed else (dims["K"], dims["N"])
        return [normal(dims["M"], dims["K"], dtype=torch.bfloat16, seed=seed),
                normal(*b, dtype=torch.bfloat16, seed=seed + 1)]

    def outputs(self, dims):
        return [torch.full((dims["M"], dims["N"]), float("nan"), device="cuda", dtype=torch.bfloat16)]

    def want(self, dims, inputs):
        b = inputs[1].float().T if self.transposed else inputs[1].float()
        return [self.after(inputs[0].float() @ b).bfloat16()]

    def rival(self, dims, inputs):
        out = torch.empty(dims["M"], dims["N"], device="cuda", dtype=torch.bfloat16)
        b = inputs[1].T if self.transposed else inputs[1]
        return lambda: torch.matmul(inputs[0], b, out=out)

    def work(self, dims):
        m, n, k = dims["M"], dims["N"], dims["K"]
        return 2 * m * n * k, 2 * (m * k + n * k + m * n)


class Rows(Kernel):
    """Rows of one length, each reduced and written back."""
    columns, dtype, scales = 256, torch.float32, 0
    timed = ({"M": 4096}, {"M": 65536})

    def __init__(self, name, beside, tolerance):
        self.name, self.source, self.beside, self.tolerance = name, f"rows/{name}.cu", beside, tolerance

    def checked(self):
        return [{"M": m} for m in (0, 1, 3, 8, 13, 128, 1000)]

    def inputs(self, dims, seed=0):
        x = normal(dims["M"], self.columns, dtype=self.dtype, seed=seed)
        return [x] + [normal(self.columns, seed=seed + i + 1) for i in range(self.scales)]

    def outputs(self, dims):
        return [torch.full((dims["M"], self.columns), float("nan"), device="cuda", dtype=self.dtype)]

    def per_row(self, dims):
        return torch.full((dims["M"],), float("nan"), device="cuda")

    def work(self, dims):
        elements = dims["M"] * self.columns
        return elements, 2 * elements * torch.finfo(self.dtype).bits // 8


class Softmax(Rows):
    def outputs(self, dims):
        return super().outputs(dims) + [self.per_row(dims)]

    def want(self, dims, inputs):
        return [torch.softmax(inputs[0], dim=1), torch.logsumexp(inputs[0], dim=1)]

    def rival(self, dims, inputs):
        return lambda: torch.softmax(inputs[0], dim=1)


class LayerNorm(Rows):
    columns, dtype, scales = 768, torch.bfloat16, 2

    def outputs(self, dims):
        return super().outputs(dims) + [self.per_row(dims)]

    def want(self, dims, inputs):
        x, gamma, beta = (t.float() for t in inputs)
        y = torch.nn.functional.layer_norm(x, (self.columns,), gamma, beta, 1e-5)
        return [y.bfloat16(), (x.var(dim=1, unbiased=False) + 1e-5).rsqrt()]

    def rival(self, dims, inputs):
        gamma, beta = inputs[1].bfloat16(), inputs[2].bfloat16()
        return lambda: torch.nn.functional.layer_norm(inputs[0], (self.columns,), gamma, beta, 1e-5)


class RmsNorm(Rows):
    columns, scales = 2048, 1

    def want(self, dims, inputs):
        x, gamma = inputs
        return [x * (x.square().mean(dim=1, keepdim=True) + 1e-5).rsqrt() * gamma]

    def rival(self, dims, inputs):
        return lambda: torch.nn.functional.rms_norm(inputs[0], (self.columns,), inputs[1], 1e-5)


class Iota(Kernel):
    name, source = "iota8", "basics/iota8.cu"

    def checked(self):
        return [{}]

    def inputs(self, dims, seed=0):
        return []

    def outputs(self, dims):
        return [torch.full((8,), -1, device="cuda", dtype=torch.int32)]

    def want(self, dims, inputs):
        return [torch.arange(8, device="cuda", dtype=torch.int32)]


def all_kernels():
    gelu = torch.nn.functional.gelu
    return [Iota(), Add("add_matrices"), Add("add_matrices_pipelined"), Matmul("matmul", transposed=False),
            Matmul("matmul_gelu", transposed=True, after=gelu), Softmax("softmax", "torch.softmax", 1e-5),
            LayerNorm("layer_norm", "torch layer_norm", 2e-2), RmsNorm("rms_norm", "torch rms_norm", 1e-4)]
