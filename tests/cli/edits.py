"""Edits of generated files, one to a file: `kernel` is the file below generated/, `change FROM ==> TO` replaces the
first text FROM, `change-last` the last, `change-all` each, `drop TEXT` removes the first line with the text. `\\n` is
the end of a line. Every other word is an attribute of the edit: what a check must find, and where."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class Edit:
    """One file: the changes, and what a check must find."""

    def __init__(self, path):
        self.name = path.stem
        self.changes = []
        self.kernel = self.line = self.rule = self.found = None
        for text in path.read_text().splitlines():
            if not text or text.startswith("#"):
                continue
            word, _, rest = text.partition(" ")
            if word in ("change", "change-all", "change-last"):
                before, _, after = rest.partition(" ==>")
                self.changes.append((word, unescape(before), unescape(after[1:])))
            elif word == "drop":
                self.changes.append((word, rest, ""))
            else:
                setattr(self, word, rest)

    def apply(self):
        text = (ROOT / "generated" / self.kernel).read_text()
        for word, before, after in self.changes:
            assert before in text, f"{self.name}: {before!r} is not in {self.kernel}"
            if word == "drop":
                text = re.sub(r"[^\n]*" + re.escape(before) + r"[^\n]*\n", "", text, count=1)
            elif word == "change-all":
                text = text.replace(before, after)
            elif word == "change-last":
                head, _, tail = text.rpartition(before)
                text = head + after + tail
            else:
                text = text.replace(before, after, 1)
        return text


def unescape(text):
    return text.replace("\\n", "\n")
