"""Makes the mutants of a generated .cu file, or of a header of the runtime: each differs from it in one place.

delete   a synchronisation: a statement that calls something named wait, arrive, fence, commit, sync, init, expect or
         release
count    an integer one larger or smaller: numbers of stages and buffers, local values, loops' starts and ends, template
         arguments, first arguments of init, sizes and coordinates in braces, comparisons with literals, CTAs. Not
         the constants that all the rest follows from (a tile's sides, threads, consumers: another plan, as right as
         this one), and not the widths of vectors. Where one thread of several acts, another one is as right: it
         becomes none, number -1
parity   the phase of a wait flipped
bytes    a number of bytes halved

and those of operators.py: order, scope, space, move, check, attribute, float, round, stream and alignment.
"""
import re

from editor import SYNCHRONISES, Editor, closing, is_declaration, parts
from operators import OPERATORS


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
            if re.search(r"phase|parity", edit.code[begin:end]) and not is_declaration(edit.code[begin:end]):
                edit.replace("parity", begin, end, f"({edit.text[begin:end]}) ^ 1")


def halve_bytes(edit):
    for found in re.finditer(r"\w*(?:expect_tx|bulk_\w*|cp_async\w*)\(", edit.code):
        for begin, end in parts(edit.code, found.end(), closing(edit.code, found.end() - 1)):
            counted = edit.code[begin:end]
            if re.search(r"Bytes|bytes|sizeof|^\d+$", counted) and not is_declaration(counted):
                edit.replace("bytes", begin, end, f"({edit.text[begin:end]}) / 2")
    for found in re.finditer(r"\blaunch\([^;]*?(sizeof\(\w+\))", edit.code):
        edit.replace("bytes", found.start(1), found.end(1), f"{edit.text[found.start(1):found.end(1)]} / 2")


COUNTS = (delete_synchronisations, change_constants, change_loops, change_arguments, flip_parities, halve_bytes)


def mutants_of(text):
    """Returns all mutants of the text, in the order of their places."""
    edit = Editor(text)
    for rule in (*COUNTS, *OPERATORS):
        rule(edit)
    return edit.mutants()
