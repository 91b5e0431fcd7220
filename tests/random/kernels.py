"""Random well-typed blocked specs. `make(seed)` returns one: its text, settings under which its bits must be the same,
and the arrays that it names. Everything depends on the seed alone."""
from frame import Kernel, weighted
import accumulators
import attention
import batches
import families
import renaming
import settings

NAMED = 3  # one spec in so many has other names


class Spec:
    def __init__(self, kernel, odd):
        self.name, self.files, self.schedule = kernel.name, kernel.files, kernel.schedule
        self.text = kernel.text() + kernel.tests()
        self.settings = [{}, *settings.choices(kernel)]
        self.names = renaming.table(self.text, odd, kernel.seed) if odd and kernel.seed % NAMED == 0 else {}
        outputs = [line.split(":")[0].strip() for line in kernel.lines["outputs"]]
        self.outputs = [self.names.get(name, name) for name in outputs]

    def text_with(self, number):
        """Returns (name, text) under the settings of that number, a kernel with its own name; other names stay."""
        name = self.name + (f"s{number}" if number else "")
        text = self.text.replace(f"kernel: {self.name}\n", f"kernel: {name}\n")
        return name, settings.text_with(text, self.schedule, self.settings[number])


def families_named(names):
    """Returns all rows of the tables, or those of these functions."""
    tables = families.FAMILIES + accumulators.FAMILIES + attention.FAMILIES + batches.FAMILIES
    return [row for row in tables if not names or row[1].__name__ in names]


def make(seed, odd=(), only=()):
    """Returns a random spec. `odd`: lists of words that some specs have as names; `only`: the allowed families."""
    kernel = Kernel(seed)
    kernel.keys["target"] = weighted(kernel.rng, [(80, "sm_90a"), (5, "sm_80"), (5, "sm_86"), (3, "sm_89"), (7, "sm_120a")])
    if kernel.chance(0.05):
        kernel.keys["math"] = "{approx: true}"
    weighted(kernel.rng, families_named(only))(kernel)
    return Spec(kernel, odd)
