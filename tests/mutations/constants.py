"""Compares the constants of a spec with those of its generated file, digit by digit: each number that the file computes
with is the nearest float of one in the spec, or of one that its operations imply, and the file has every float of the
spec's body. The generator takes no part: the spec is read as text, and folded by Python's arithmetic."""
import ast
import math
import re
import struct

from editor import masked

LITERAL = re.compile(r"(?<![\w.])((?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)(f?)(?![\w.])")
# Constants in the definitions of functions in docs/language.md.
BROUGHT = {
    "gelu": (0.5, math.sqrt(0.5), 1), "gelu_tanh": (0.5, math.sqrt(2 / math.pi), 0.044715, 1),
    "uniform": (2.0 ** -24, 2.0 ** -53, 2.0 ** -11, 2.0 ** -8),
    # for derivatives: of erf, exp2, log2, roots and equal operands of a maximum
    "grad": (2 / math.sqrt(math.pi), math.log(2), 1 / math.log(2), 0.5, -0.5, 2),
}
NAMED = {"pi": math.pi, "log2e": 1 / math.log(2), "ln2": math.log(2)}
EVERYWHERE = (0.0, 1.0)  # cleared accumulators, reciprocals
OPERATORS = {ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b, ast.Div: lambda a, b: a / b,
             ast.FloorDiv: lambda a, b: a // b, ast.Mod: lambda a, b: a % b, ast.Pow: lambda a, b: a ** b}
COMPARISONS = {ast.Eq: lambda a, b: a == b, ast.NotEq: lambda a, b: a != b, ast.Lt: lambda a, b: a < b,
               ast.LtE: lambda a, b: a <= b, ast.Gt: lambda a, b: a > b, ast.GtE: lambda a, b: a >= b}


def single(x):
    """Returns the f32 nearest to x."""
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def literals(text):
    """Returns (as written, value in its type, whether f32) of each float that a generated file computes with."""
    code = masked(text)
    code = code[code.find("namespace"):]
    return [(found.group(), single(float(found.group(1))) if found.group(2) else float(found.group(1)), bool(found.group(2)))
            for found in LITERAL.finditer(code)]


def sections(spec):
    """Returns the text of each top-level key, without comments."""
    spec = re.sub(r"(^|\s)#.*", r"\1", spec)
    return dict(re.findall(r"^(\w+):(.*(?:\n(?:[ \t].*|- .*|))*)", spec, re.M))


def value_of(text):
    words = {"true": True, "false": False, "inf": math.inf, "nan": math.nan}
    text = text.strip().strip("\"'")
    try:
        return words[text] if text in words else float(text) if re.search(r"[.eE]", text) else int(text, 0)
    except ValueError:
        return text


def constants_of(text):
    return {name: value_of(value) for name, value in re.findall(r"(\w+):\s*([^,{}\n]+)", text)}


class Reader:
    """Collects the numbers of expressions, with constant parts folded."""

    def __init__(self, constants):
        self.constants = constants
        self.numbers = set()

    def folded(self, node):
        """Returns the value of a constant node, else None; collects the constant parts."""
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, (int, float)) else None
        if isinstance(node, ast.Name):
            return self.constants.get(node.id, {"true": True, "false": False}.get(node.id))
        if isinstance(node, ast.UnaryOp):
            value = self.folded(node.operand)
            if isinstance(value, (int, float)):
                return -value if isinstance(node.op, ast.USub) else not value if isinstance(node.op, ast.Not) else value
            return None
        if isinstance(node, ast.IfExp):
            chosen = self.folded(node.test)
            if chosen is not None:
                return self.folded(node.body if chosen else node.orelse)
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARISONS:
            a, b = self.folded(node.left), self.folded(node.comparators[0])
            if a is not None and b is not None:
                return COMPARISONS[type(node.ops[0])](a, b)
            return self.took(a, b)
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            a, b = self.folded(node.left), self.folded(node.right)
            if isinstance(a, (int, float)) and isinstance(b, (int, float)):
                return OPERATORS[type(node.op)](a, b)
            return self.took(a, b)
        return self.took(*(self.folded(child) for child in ast.iter_child_nodes(node)))

    def took(self, *values):
        for value in values:
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                self.numbers.add(float(value))

    def read(self, text):
        text = re.sub(r"\b(?:if|not)\b(?=\s*$)", "", text.strip())
        for mode in ("exec", "eval"):
            try:
                tree = ast.parse(text, mode=mode)
            except (SyntaxError, ValueError):
                continue
            for node in tree.body if mode == "exec" else [tree.body]:
                self.took(self.folded(node))
            return


def expressions(text):
    """Yields texts of a piece of a spec that may be expressions or statements."""
    for line in text.splitlines():
        line = re.sub(r"^\s*(?:- )*", "", line)
        quoted = re.findall(r'"([^"]*)"', line)
        yield from quoted
        yield line.strip().strip("\"'")
        for piece in re.findall(r"(?:when|fill|init|size|value|return|do|for|while|let|\w+|\"[^\"]*\"): *(.*)", line):
            yield piece.strip().strip("[]{}\"'")
            yield piece


def products(spec, constants):
    """Returns the numbers of terms that a mean may have: products of the extents of a shape."""
    found = set()
    for shape in re.findall(r"\[([\w, ]+)\]", spec):
        extents = [constants.get(each.strip(), value_of(each)) for each in shape.split(",")]
        extents = [each for each in extents if isinstance(each, int)]
        for chosen in range(1, 2 ** len(extents)):
            found.add(float(math.prod(each for i, each in enumerate(extents) if chosen >> i & 1)))
    return found


def of_spec(spec):
    """Returns (floats in the body, all numbers that the file may have)."""
    parts = sections(spec)
    constants = NAMED | constants_of(parts.get("consts", ""))
    body, whole = Reader(constants), Reader(constants)
    for text in expressions(parts.get("body", "")):
        body.read(text)
    for name, text in parts.items():
        if name not in ("doc", "tests", "reference", "vjp", "consts"):
            for piece in expressions(text):
                whole.read(piece)
    used = set(re.findall(r"\w+", "\n".join(f"{name} {text}" for name, text in parts.items() if name not in ("doc", "tests"))))
    numbers = whole.numbers | body.numbers | set(EVERYWHERE)
    numbers |= {float(x) for name, x in constants.items() if isinstance(x, (int, float)) and name in used}
    # Numbers alone count too, where the reader finds no expression.
    for name, text in parts.items():
        if name not in ("doc", "tests", "reference", "vjp", "consts"):
            numbers |= {float(x) for x in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])", text)}
    functions = {name: set(values) for name, values in BROUGHT.items() if name in used or name in constants.values()}
    for values in functions.values():
        numbers |= values
    if "mean" in used:  # the terms of a mean
        terms = products(spec, constants)
        numbers |= terms | ({2 * each for each in terms} if "concatenate" in used else set())
    return {n for n in body.numbers if math.isfinite(n) and n != int(n)}, numbers


def mismatches(spec, generated):
    """Returns the numbers of a generated file that its spec lacks, and those of the spec's body that the file lacks."""
    floats, numbers = of_spec(spec)
    sizes = {abs(n) for n in numbers}
    singles = {single(n) for n in sizes}
    found = literals(generated)
    wrong = [f"{text} of the file is no number of the spec" for text, value, is_single in found
             if value not in (singles if is_single else sizes)]
    there = {value for _, value, _ in found}
    wrong += [f"{number} of the spec is not in the file" for number in sorted(floats)
              if abs(number) not in there and single(abs(number)) not in there]
    return wrong
