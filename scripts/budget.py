"""The CPU time that the parts of `make test` may take, and the check of a run against it."""

# CPU minutes of a machine that compiles scripts/yardstick.cpp in YARDSTICK seconds; slower ones have more.
YARDSTICK = 2.0
SHARES = {"build": 11, "units": 1.5, "nvcc": 4.5, "plain": 5, "asan": 5, "tsan": 7.5, "mutations": 2.5, "random": 3.2,
          "names": 0.5, "bindings": 3.8, "rest": 5.5}
# Allowance for noise: a part may take so many times its share, as long as all parts together keep their sum.
TOLERANCE = 1.25


def total():
    return sum(SHARES.values())


def exceeded(taken):
    """Returns (what, why) of each limit that a run exceeds. `taken` has (part, CPU minutes, how many times slower the
    machine was) of every part that ran; a part without a share is not counted."""
    found, together = [], 0
    for part, minutes, slower in taken:
        if part not in SHARES:
            continue
        share, most = SHARES[part], SHARES[part] * TOLERANCE
        together += minutes / slower
        if minutes > most * slower:
            found.append((f"budget of {part}", f"took {minutes:.2f} CPU minutes; its share is {share}, with tolerance "
                          f"{most:g}, on this machine {most * slower:.2f}"))
    if together > total():
        found.append(("budget of all parts", f"took {together:.1f} CPU minutes of a reference machine, of {total():g}"))
    return found
