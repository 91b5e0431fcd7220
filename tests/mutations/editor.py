"""The text of a source file, the edits that rules make of it, and the resulting mutants: each differs from the file in
one place."""
import hashlib
import re
from dataclasses import dataclass

# The calls that synchronise threads have one of these words in their names.
SYNCHRONISES = r"\w*(?:wait|arrive|fence|commit|sync|init|expect|release)\w*"


@dataclass(frozen=True)
class Mutant:
    kind: str
    line: str    # the line that changes, without its comment
    change: str  # "E -> (E) + 1"
    number: int  # among those of the file with this line and change, from 1
    text: str    # the whole file's
    place: int = 0  # where the original changes

    @property
    def name(self):
        return f"{self.line} | {self.change}" + (f" (place {self.number})" if self.number > 1 else "")

    @property
    def order(self):
        return hashlib.sha256(self.name.encode()).hexdigest()


def masked(text):
    """Returns the text with comments and strings blanked, character for character."""
    return re.sub(r"//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", lambda found: " " * len(found.group()), text)


def closing(code, at):
    """Returns the place of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(code)):
        depth += code[i] in "([{"
        depth -= code[i] in ")]}"
        if depth == 0:
            return i
    return len(code)


def parts(code, begin, end):
    """Returns the ranges between the commas of code[begin:end] that are in no bracket, stripped."""
    found, depth, start, angle = [], 0, begin, 0
    for i in range(begin, end + 1):
        c = code[i] if i < end else ","
        if c == "," and depth == 0 and angle == 0:
            piece = code[start:i]
            left = start + len(piece) - len(piece.lstrip())
            found.append((left, left + len(piece.strip())))
            start = i + 1
        depth += c in "([{"
        depth -= c in ")]}"
        angle += bool(c == "<" and re.match(r"<[\w:, ]*>", code[i:]))
        angle -= c == ">" and angle > 0
    return [(a, b) for a, b in found if b > a]


def is_declaration(code):
    """True if an argument is a parameter of a definition: a type and a name."""
    return bool(re.fullmatch(r"(?:const )?\w+[&*]? \w+", code))


class Editor:
    """`code` is the text without comments, strings and the launcher's checks, `whole` is the code with these checks."""

    def __init__(self, text):
        self.text = text
        self.code = self.whole = masked(text)
        # The rules change nothing above the first namespace: those lines are includes and version checks.
        first = re.search(r"\bnamespace\b", self.code)
        self.first = first.start() if first else len(text)
        self.edits = {}  # two rules may make the same one
        for found in re.finditer(r"\b(?:PALLASGEN_REQUIRE|static_assert)\s*\(", self.code):
            end = closing(self.code, found.end() - 1)
            self.code = self.code[:found.start()] + " " * (end - found.start()) + self.code[end:]

    def replace(self, kind, begin, end, replacement, place=None, change=""):
        """Records that text[begin:end] becomes `replacement`. `place` is in the line that names the mutant, and
        `change` describes the change if the two texts would be too long."""
        if begin >= self.first and self.text[begin:end] != replacement:
            self.edits.setdefault((begin, end, replacement), (kind, begin if place is None else place, change))

    def line_at(self, place):
        """Returns the line at the place, without its comment."""
        begin = self.text.rfind("\n", 0, place) + 1
        line = self.text[begin:self.text.find("\n", place)]
        return " ".join(re.sub(r"\s*//.*", "", line).split())

    def off_by_one(self, begin, end, kind="count"):
        value = self.text[begin:end]
        if re.fullmatch(r"\d+", value):
            for changed in (int(value) + 1, int(value) - 1):
                self.replace(kind, begin, end, str(changed))
        else:
            for sign in "+-":
                self.replace(kind, begin, end, f"({value}) {sign} 1")

    def mutants(self):
        seen, result = {}, []
        for (begin, end, replacement), (kind, place, change) in sorted(self.edits.items()):
            line = self.line_at(place)
            old = " ".join(self.text[begin:end].split())
            change = change or f"{old} -> {' '.join(replacement.split()) or 'nothing'}"
            seen[line, change] = seen.get((line, change), 0) + 1
            text = self.text[:begin] + replacement + self.text[end:]
            result.append(Mutant(kind, line, change, seen[line, change], text, begin))
        return result
