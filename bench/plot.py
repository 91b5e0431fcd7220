#!/usr/bin/env python3
"""Draws the kernels that memory bounds, from the results of a run on a GPU: the bytes that each problem needs divided
by the time of the kernel, PyTorch, torch.compile and Triton, and the rate of a copy.

  bench/plot.py RESULTS.txt… OUT.svg     later files replace rows of earlier ones. Needs matplotlib
"""
import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

SERIES = (("pallasgen", "#1f6f8b"), ("torch.compile", "#99a8b2"), ("PyTorch", "#d4b483"), ("Triton", "#8a5a83"))


def rows_of(paths):
    """Returns {kernel and sizes: detail} of the rows of times."""
    rows = {}
    for path in paths:
        for line in Path(path).read_text().splitlines():
            phase, name, verdict, _, detail = line.split("\t")
            if phase == "times" and verdict == "passed":
                rows[name] = detail
    return rows


def rates_of(rows):
    """Returns [(kernel and sizes, {series: GB/s}, GB/s of the copy)] of the kernels that are timed against a copy."""
    found = []
    for name, detail in rows.items():
        copy = re.search(r"a copy ([\d.]+) us", detail)
        ours = re.match(r"([\d.]+) us .*?([\d.]+) GB/s", detail)
        if ":" in name or not copy or not ours:
            continue
        time, rate = float(ours[1]), float(ours[2])
        rates = {"pallasgen": rate}
        for rival, series in (("torch", "PyTorch"), ("torch_compiled", "torch.compile"), ("triton", "Triton")):
            if f"{rival}:{name}" in rows:
                rates[series] = rate * time / float(rows[f"{rival}:{name}"].split()[0])
        found.append((name, rates, rate * time / float(copy[1])))
    return found


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    found = rates_of(rows_of(sys.argv[1:-1]))
    if not found:
        sys.exit(f"{' '.join(sys.argv[1:-1])}: no kernel is timed beside a copy")
    matplotlib.rcParams["svg.hashsalt"] = "pallasgen"  # the same figures give the same file
    figure, axes = pyplot.subplots(figsize=(9, 0.42 * len(found) + 1.2))
    height = 0.8 / len(SERIES)
    for series, (label, color) in enumerate(SERIES):
        aside = (series - (len(SERIES) - 1) / 2) * height
        places = [(i + aside, rates[label]) for i, (_, rates, _) in enumerate(found) if label in rates]
        if places:
            axes.barh([place for place, _ in places], [rate for _, rate in places], height, label=label, color=color)
    most = max(rate for _, rates, _ in found for rate in rates.values())
    for i, (_, _, copy) in enumerate(found):
        axes.plot([copy, copy], [i - 0.45, i + 0.45], color="black", linewidth=1.2, label="a copy" if i == 0 else None)
    axes.set_yticks(range(len(found)), [name for name, _, _ in found], fontsize=7)
    axes.set_xlim(0, 1.12 * most)
    axes.set_xlabel("GB/s of the bytes that the problem needs")
    axes.set_ylim(len(found) - 0.4, -0.6)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=len(SERIES) + 1, fontsize=8, frameon=False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.tight_layout()
    figure.savefig(sys.argv[-1], metadata={"Date": None})


if __name__ == "__main__":
    main()
