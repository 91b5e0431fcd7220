"""Makes the mutants of a generated .cu file: each differs from it in one place.

delete   a synchronisation: a statement that calls something named wait, arrive, fence, commit, sync, init, expect or
         release
count    an integer one larger or smaller: numbers of stages and buffers, local values, loops' starts and ends, template
         arguments, first arguments of init, sizes and coordinates in braces, comparisons with literals, CTAs. Not
         the constants that all the rest follows from (a tile's sides, threads, consumers: another plan, as right as
         this one), and not the widths of vectors. Where one thread of several acts, another one is as right: it
         becomes none, number -1
parity   the phase of a wait flipped
bytes    a number of bytes halved
"""
import hashlib
import re
from dataclasses import dataclass

SYNCHRONISES = r"\w*(?:wait|arrive|fence|commit|sync|init|expect|release)\w*"


@dataclass(frozen=True)
class Mutant:
    kind: str
    line: str    # the line that changes, without its comment
    change: str  # "E -> (E) + 1"
    number: int  # among those of the file with this line and change, from 1
    text: str    # of the whole file

    @property
    def name(self):
        return f"{self.line} | {self.change}" + (f" (place {self.number})" if self.number > 1 else "")

    @property
    def order(self):
        return hashlib.sha256(self.name.encode()).hexdigest()


def masked(text):
    """The text with comments and strings blanked, character for character."""
    return re.sub(r"//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", lambda found: " " * len(found.group()), text)


def closing(code, at):
    """The place of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(code)):
        depth += code[i] in "([{"
        depth -= code[i] in ")]}"
        if depth == 0:
            return i
    return len(code)


def parts(code, begin, end):
    """The ranges between the commas of code[begin:end] that stand in no bracket, stripped."""
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


class Editor:
    def __init__(self, text):
        self.text, self.code = text, masked(text)
        self.first = self.code.index("namespace {")
        self.edits = {}  # (begin, end, replacement): kind; one that two rules make is one
        for found in re.finditer(r"\b(?:PALLASGEN_REQUIRE|static_assert)\s*\(", self.code):
            end = closing(self.code, found.end() - 1)
            self.code = self.code[:found.start()] + " " * (end - found.start()) + self.code[end:]

    def replace(self, kind, begin, end, replacement):
        if begin >= self.first and self.text[begin:end] != replacement:
            self.edits.setdefault((begin, end, replacement), kind)

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
        for (begin, end, replacement), kind in sorted(self.edits.items()):
            line_begin = self.text.rfind("\n", 0, begin) + 1
            line = self.text[line_begin:self.text.find("\n", begin)]
            line = " ".join(re.sub(r"\s*//.*", "", line).split())
            old = " ".join(self.text[begin:end].split())
            change = f"{old} -> {replacement or 'nothing'}"
            seen[line, change] = seen.get((line, change), 0) + 1
            text = self.text[:begin] + replacement + self.text[end:]
            result.append(Mutant(kind, line, change, seen[line, change], text))
        return result


def delete_synchronisations(edit):
    for found in re.finditer(rf"(?:[\w.\[\]:]|->)*\b{SYNCHRONISES}(?:<[^;(){{}}]*>)?\(", edit.code):
        end = closing(edit.code, found.end() - 1) + 1
        before = edit.code[:found.start()].rstrip()[-4:]
        if edit.code[end:].lstrip()[:1] == ";" and (before[-1:] in "{;})" or before == "else"):
            edit.replace("delete", found.start(), end, "")


def change_constants(edit):
    for found in re.finditer(r"\b(?:constexpr|const) (?:int|uint32_t|int64_t) (\w+ = [^;]*);", edit.code):
        is_plan = edit.code[found.start():].startswith("constexpr")
        for begin, end in parts(edit.code, found.start(1), found.end(1)):
            name = re.match(r"(\w+) = ", edit.code[begin:])
            begin += name.end() if name else 0
            if not is_plan or (name and re.search(r"Stages|Buffers|Bytes", name.group(1))):
                edit.off_by_one(begin, end)
            if "Bytes" in edit.code[found.start():begin]:
                edit.replace("bytes", begin, end, f"({edit.text[begin:end]}) / 2")


def change_loops(edit):
    for found in re.finditer(r"\bfor \(", edit.code):
        head = edit.code[found.end():closing(edit.code, found.end() - 1)]
        start = re.match(r"int \w+ = ([^;]*);", head)
        if start:
            edit.off_by_one(found.end() + start.start(1), found.end() + start.end(1))
        bound = re.search(r"; ?\w+ <=? ([^;]*);", head)
        if bound:
            edit.off_by_one(found.end() + bound.start(1), found.end() + bound.end(1))


def change_arguments(edit):
    for found in re.finditer(r"\.init\(", edit.code):
        begin, end = parts(edit.code, found.end(), closing(edit.code, found.end() - 1))[0]
        edit.off_by_one(begin, end)
    names = r"\b(?!load|store|\w*Tiles)\w+"
    for found in re.finditer(names + r"<((?:\d+|k[A-Z]\w*)(?: [-+] \d+)?)>", edit.code):
        edit.off_by_one(found.start(1), found.end(1))
    for found in re.finditer(r"[(,] ?\{", edit.code):
        for begin, end in parts(edit.code, found.end(), closing(edit.code, found.end() - 1)):
            edit.off_by_one(begin, end)
    acts = r"(threadIdx\.x |\(thread |warp_of_warpgroup\(\) )?"
    for found in re.finditer(acts + r"(?:[!=]=|[<>]=?) (\d+)\b(?!\.)", edit.code):
        if found.group(1):
            edit.replace("count", found.start(2), found.end(2), "-1")
        else:
            edit.off_by_one(found.start(2), found.end(2))
    for found in re.finditer(r"\blaunch\(", edit.code):
        for begin, end in parts(edit.code, found.end(), closing(edit.code, found.end() - 1))[1:2]:
            counts = re.match(r"\w*[Gg]rid\w*\(", edit.code[begin:end])
            inside = begin + (counts.end() if counts else 0)
            for first, last in parts(edit.code, inside, closing(edit.code, inside - 1)) if counts else [(begin, end)]:
                edit.off_by_one(first, last)


def flip_parities(edit):
    for found in re.finditer(r"(?:\.|\b)\w*wait\w*\(", edit.code):
        ranges = parts(edit.code, found.end(), closing(edit.code, found.end() - 1))
        for begin, end in ranges:
            if re.search(r"phase|parity", edit.code[begin:end]):
                edit.replace("parity", begin, end, f"({edit.text[begin:end]}) ^ 1")


def halve_bytes(edit):
    for found in re.finditer(r"\w*(?:expect_tx|bulk_\w*|cp_async\w*)\(", edit.code):
        for begin, end in parts(edit.code, found.end(), closing(edit.code, found.end() - 1)):
            if re.search(r"Bytes|bytes|sizeof|^\d+$", edit.code[begin:end]):
                edit.replace("bytes", begin, end, f"({edit.text[begin:end]}) / 2")
    for found in re.finditer(r"\blaunch\([^;]*?(sizeof\(\w+\))", edit.code):
        edit.replace("bytes", found.start(1), found.end(1), f"{edit.text[found.start(1):found.end(1)]} / 2")


def mutants_of(text):
    """All mutants of the text, in the order of their places."""
    edit = Editor(text)
    for rule in (delete_synchronisations, change_constants, change_loops, change_arguments, flip_parities, halve_bytes):
        rule(edit)
    return edit.mutants()
