"""Guards of the step around parts of a step."""
import random


def in_some_steps(k, emit):
    """Puts the statements of `emit` under a guard of the step in one of five kernels; other draws do not change."""
    rng = random.Random(f"guard {k.seed}")
    if rng.random() >= 0.2 or not k.steps:
        return emit()
    step = k.steps[-1].name
    k.lines["scalars"] += ["  lo: i32", "  hi: i32"]
    k.test_scalars.update(lo=rng.choice((-1, 0, 1, 2)), hi=rng.choice((0, 1, 2, 9)))
    condition = rng.choice((f"{step} >= lo", f"{step} < hi", f"{step} >= lo and {step} < hi", f"not ({step} < lo)", "turn > lo",
                            f"{step} % 2 == 0", f"{step} != lo", f"{step} < lo or {step} >= hi"))
    if condition.startswith("turn"):
        k.emit(f"turn = {step} * 2")
    k.emit_when(condition)
    begin = len(k.body)
    emit()
    k.body[begin:] = ["    " + line for line in k.body[begin:]]
