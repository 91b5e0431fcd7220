"""Makes a failing spec smaller: leaves out entries of its sections and statements of its body one by one as long as it
still fails, in the same way."""
import re

SECTION = re.compile(r"^[a-z]\w*:")


def entries(lines):
    """Returns (first, last + 1) of parts that may be left out: an entry of a section, with its lines."""
    found = []
    for i, line in enumerate(lines):
        if re.match(r"  [\"\w-]", line):
            end = i + 1
            while end < len(lines) and re.match(r"    ", lines[end]):
                end += 1
            found.append((i, end))
        elif SECTION.match(line) and not line.rstrip().endswith(":") and not line.startswith(("pallasgen", "kernel")):
            found.append((i, i + 1))
    return found


def without_empty_sections(lines):
    kept = []
    for i, line in enumerate(lines):
        heads = SECTION.match(line) and line.rstrip().endswith(":")
        if not heads or (i + 1 < len(lines) and lines[i + 1].startswith(" ")):
            kept.append(line)
    return kept


def shrunk(text, fails, most=150):
    """Returns the smallest text found in `most` attempts of `fails(text)`."""
    lines, tried, shorter = text.splitlines(), 0, True
    while shorter:
        shorter = False
        for first, end in reversed(entries(lines)):
            candidate = without_empty_sections(lines[:first] + lines[end:])
            if candidate == lines or tried >= most:
                continue
            tried += 1
            if fails("\n".join(candidate) + "\n"):
                lines, shorter = candidate, True
                break
    return "\n".join(lines) + "\n"
