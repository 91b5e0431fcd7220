"""The statements of a block of C++: enough of the grammar for generated kernels and the runtime's headers."""
import re

from editor import closing


def skip_space(code, at, end):
    while at < end and code[at].isspace():
        at += 1
    return at


def without_directives(code, at):
    """Returns where the statement at `at` continues after directives, such as a pragma, which belong to it."""
    while code[at:at + 1] == "#":
        at = skip_space(code, code.index("\n", at), len(code))
    return at


def statement_end(code, at, end):
    """Returns where the statement that begins at `at` ends."""
    at = without_directives(code, at)
    if code[at:at + 1] == "{":
        return closing(code, at) + 1
    head = re.compile(r"(if|for|while|switch)\b(?:\s+constexpr)?\s*\(").match(code, at)
    if head:
        body = skip_space(code, closing(code, head.end() - 1) + 1, end)
        after = statement_end(code, body, end)
        otherwise = re.compile(r"\s*else\b\s*").match(code, after)
        return statement_end(code, otherwise.end(), end) if head.group(1) == "if" and otherwise else after
    while at < end and code[at] != ";":
        at = closing(code, at) + 1 if code[at] in "([{" else at + 1
    return min(at + 1, end)


def statements(code, begin, end):
    """Returns the ranges of the statements of code[begin:end], the inside of a block."""
    found, at = [], skip_space(code, begin, end)
    while at < end:
        after = statement_end(code, at, end)
        found.append((at, after))
        at = skip_space(code, after, end)
    return found


def blocks(code):
    """Yields the insides of blocks of functions, loops and branches, not of classes, namespaces or lists of values."""
    for brace in re.finditer(r"(?:\)(?:\s*const)?|\belse|\bdo)\s*\{", code):
        yield brace.end(), closing(code, brace.end() - 1)
