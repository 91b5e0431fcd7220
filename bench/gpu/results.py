"""The rows of a run: each is written to disk at once, so that no later failure can lose it."""
import os
import re
import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

PASSED, FAILED, SKIPPED = "passed", "FAILED", "skipped"


@dataclass
class Row:
    phase: str
    name: str
    verdict: str
    seconds: float = 0.0
    detail: str = ""


class Results:
    """Appends rows to OUT/results.txt, tab-separated: phase, name, verdict, seconds, detail."""

    def __init__(self, out: Path):
        out.mkdir(parents=True, exist_ok=True)
        self.out, self.rows, self.lock = out, [], threading.Lock()
        self.file = (out / "results.txt").open("w")

    def add(self, phase, name, verdict, seconds=0.0, detail=""):
        row = Row(phase, name, verdict, seconds, " ".join(detail.split())[:600])
        with self.lock:
            self.rows.append(row)
            self.file.write(f"{phase}\t{name}\t{verdict}\t{seconds:.2f}\t{row.detail}\n")
            self.file.flush()
            os.fsync(self.file.fileno())
            if verdict == FAILED:
                print(f"FAILED {phase} {name}: {row.detail[:300]}", flush=True)

    def failed(self):
        return [row for row in self.rows if row.verdict == FAILED]

    def times(self):
        """Returns a line for each row of times; the times of PyTorch follow the kernel that does the same, with their
        ratio to the kernel's time measured in turn with them."""
        rows = {row.name: row.detail for row in self.rows if row.phase == "times" and row.verdict == PASSED}
        ours = {name: detail for name, detail in rows.items() if ":" not in name}
        for name, detail in rows.items():
            rival, _, kernel = name.partition(":")
            if kernel in ours:
                in_turn = re.search(r", ours (\S+) us in turn$", detail)
                ratio = float(detail.split()[0]) / float(in_turn.group(1) if in_turn else rows[kernel].split()[0])
                ours[kernel] += f"; {rival} {detail}, {ratio:.2f}x"
        return [f"{name:44} {detail}" for name, detail in ours.items()]

    def table(self, header):
        """Returns a line for each phase, the times, the host's times by operators and the rows that failed."""
        phases = list(dict.fromkeys(row.phase for row in self.rows))
        lines = [header, f"{'phase':10} {'passed':>7} {'failed':>7} {'skipped':>8} {'seconds':>8}"]
        for phase in phases:
            rows = [row for row in self.rows if row.phase == phase]
            counts = Counter(row.verdict for row in rows)
            lines.append(f"{phase:10} {counts[PASSED]:7} {counts[FAILED]:7} {counts[SKIPPED]:8} "
                         f"{sum(row.seconds for row in rows):8.1f}")
        lines += self.times()
        lines += [f"{row.name:44} {row.detail}" for row in self.rows
                  if row.phase == "operators" and row.verdict == PASSED and row.detail]
        lines += [f"{row.verdict} {row.phase} {row.name}: {row.detail[:160]}" for row in self.failed()[:40]]
        text = "\n".join(lines) + "\n"
        (self.out / "table.txt").write_text(text)
        return text
