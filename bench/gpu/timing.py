"""Timing in rounds: ours and the rival's launches alternate, so that both see the same clocks and temperature; buffers
rotate so that inputs come from device memory, not from the L2 cache."""
import statistics

import torch

ROUNDS = 20
ROUND_MS = 20.0
L2_BYTES = 3 * 50e6


def copies_for(bytes_moved):
    return max(1, min(16, int(L2_BYTES // max(bytes_moved, 1)) + 1))


def launches_of(function):
    """How many launches fill a round."""
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    function(0)
    start.record()
    for i in range(5):
        function(i)
    end.record()
    end.synchronize()
    return max(20, int(ROUND_MS / max(start.elapsed_time(end) / 5, 1e-3)))


def one_round(function, launches):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for i in range(launches):
        function(i)
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / launches


def interleaved(functions, rounds=ROUNDS):
    """Milliseconds of one launch of each function: [{median, p10, p90}] over rounds that alternate between them."""
    launches = [launches_of(f) for f in functions]
    for _ in range(2):  # common warm-up
        for f, n in zip(functions, launches):
            one_round(f, n)
    samples = [[] for _ in functions]
    for _ in range(rounds):
        for i, (f, n) in enumerate(zip(functions, launches)):
            samples[i].append(one_round(f, n))
    result = []
    for values in samples:
        ordered = sorted(values)
        result.append({"median_ms": statistics.median(ordered), "p10_ms": ordered[len(ordered) // 10],
                       "p90_ms": ordered[len(ordered) * 9 // 10]})
    return result
