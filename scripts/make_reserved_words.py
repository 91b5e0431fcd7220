#!/usr/bin/env python3
"""Writes reserved_words.inc, macro_words.inc, toolkit_words.inc and library_words.inc in generator/check/names: the words that
names of a spec cannot be in generated code.

reserved_words.inc has words that no name can be: names at namespace scope of the runtime's headers, names in the
templates, functions that emitted expressions call, and the macros of all headers that a generated file includes.
macro_words.inc has these macros alone, which cannot be names of parameters. toolkit_words.inc has the other names at
namespace scope of those headers, as nvcc and the emulator's compiler see them: a file cannot declare them in its
namespace. library_words.inc has the other functions of the C library, which a launcher would replace, since its linkage
is C's. `--check` writes nothing and exits with 1 if a word of the runtime headers, the templates or the expressions is
missing; it needs no toolkit."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "generator/check/names/reserved_words.inc"
MACRO_FILE = ROOT / "generator/check/names/macro_words.inc"
TOOLKIT_FILE = ROOT / "generator/check/names/toolkit_words.inc"
LIBRARY_FILE = ROOT / "generator/check/names/library_words.inc"
TOOLKIT = Path(os.environ.get("CUDAToolkit_ROOT", "/usr/local/cuda"))
TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|[A-Za-z_]\w*|\.?\d[\w.\']*|::|->|\S')
NAME = re.compile(r"[A-Za-z]\w*$")
WIDTH = 118


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def is_word(text):
    """True if a spec can have the name, and no rule on the form of a name reserves it (reserved.cpp)."""
    return NAME.match(text) and "__" not in text and not re.match(r"k[A-Z]|cuda|CUDA|CU_|wgmma_m|PALLASGEN_", text)


def skip_angles(tokens, i):
    """Returns the index of the `>` that closes the `<` at `i`."""
    angle = paren = 0
    while i < len(tokens):
        paren += {"(": 1, ")": -1}.get(tokens[i], 0)
        if paren == 0:
            angle += {"<": 1, ">": -1}.get(tokens[i], 0)
        if angle == 0 or tokens[i] in "{;":
            return i
        i += 1
    return i


def namespace_names(text):
    """Returns the identifiers at namespace scope, outside parentheses, of the global namespace and of pallasgen."""
    names, scopes, depth = set(), [], 0
    seen, parameters = [], set()  # tokens of the current declaration, parameters of its template
    tokens = TOKEN.findall(text)

    def end_declaration():
        names.update(token for i, token in enumerate(seen)
                     if NAME.match(token) and token not in parameters and seen[i - 1 if i else 0] not in ("::", "."))
        # In `using std::signbit` and `namespace pallasgen::emulator` the declared name follows its scope.
        uses = seen[:1] == ["using"] and "=" not in seen and "namespace" not in seen
        if uses or ("namespace" in seen and "pallasgen" in seen and "=" not in seen and seen[0] != "using"):
            names.update(token for i, token in enumerate(seen) if i and seen[i - 1] == "::" and NAME.match(token))
        seen.clear()
        parameters.clear()

    i = 0
    while i < len(tokens):
        token = tokens[i]
        at_scope = depth == 0 and all(scope != "closed" for scope in scopes)
        if token == "<" and depth == 0 and i and (NAME.match(tokens[i - 1]) and tokens[i - 1] != "operator"):
            end = skip_angles(tokens, i)
            if tokens[end] == ">":
                if tokens[i - 1] == "template":
                    parameters.update(tokens[i:end])
                i = end + 1
                continue
        if token in ("(", "["):
            depth += 1
        elif token in (")", "]"):
            depth -= 1
        elif token == "{" and depth == 0:
            kind = "closed"
            if "namespace" in seen:
                kind = "open" if "pallasgen" in seen or scopes.count("pallasgen") or seen[-1] == "namespace" else "closed"
                kind = "pallasgen" if kind == "open" and "pallasgen" in seen else kind
            elif "extern" in seen and seen[-1].startswith('"'):
                kind = "open"
            elif "enum" in seen and "class" not in seen and "struct" not in seen and at_scope:
                kind = "open"  # its members are names of the enclosing scope
            if at_scope:
                end_declaration()
            scopes.append(kind)
        elif token == "}" and depth == 0:
            if at_scope:
                end_declaration()
            if scopes:
                scopes.pop()
            seen.clear()
        elif at_scope:
            if token == ";":
                end_declaration()
            else:
                seen.append(token)
        i += 1
    return names


def template_names():
    """Returns the identifiers of the templates of generated code that are neither members nor within comments, texts
    and insertions."""
    names = set()
    for path in [*sorted((ROOT / "templates/file").glob("*.in")), *sorted((ROOT / "templates/statement").glob("*.in"))]:
        if path.name.endswith(".py.in"):
            continue
        text = "\n".join(line for line in path.read_text().splitlines() if not line.startswith("$"))
        text = re.sub(r'\w*\$\{[^}]*\}\w*|"[^"\n]*"|#[^\n]*', " ", without_comments(text))
        tokens = TOKEN.findall(text)
        names |= {token for i, token in enumerate(tokens) if not (i and tokens[i - 1] in (".", "->"))}
    return {name for name in names if is_word(name)}


def runtime_names():
    """Returns the names at namespace scope of the runtime's headers."""
    text = "\n".join(re.sub(r"^\s*#(?:.*\\\n)*.*$", "", without_comments(path.read_text()), flags=re.M)
                     for path in sorted((ROOT / "runtime/pallasgen").rglob("*.*h")))
    macros = {name for path in (ROOT / "runtime").rglob("*.*h")
              for name in re.findall(r"^\s*#\s*define\s+(\w+)", path.read_text(), re.M)}
    return {name for name in namespace_names(text) | macros if is_word(name)}


def includes():
    """Returns the includes of generated files: those of the templates, and the headers that depend on a file's dots."""
    text = "".join((ROOT / f"templates/file/{name}").read_text() for name in ("header.h.in", "source.cu.in"))
    lines = re.findall(r"^#include <[^$]*>$", text, re.M)
    for header in sorted((ROOT / "runtime/pallasgen").glob("wgmma*.cuh")):
        line = f"#include <pallasgen/{header.name}>"
        lines += [] if line in lines else [line]
    return "\n".join(lines) + "\n"


def preprocessed(command, source):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "all.cu"
        path.write_text(source)
        done = subprocess.run([*command, str(path)], text=True, capture_output=True, check=True)
        return done.stdout


def emitted_names():
    """Returns the functions that emitted expressions call, and the types that they name."""
    names = set()
    for path in sorted((ROOT / "generator/emit").glob("*.*")):
        if path.name.startswith("python_"):
            continue
        for text in re.findall(r'"((?:[^"\\\n]|\\.)*)"', path.read_text()):
            names |= set(re.findall(r"(?<![\w.>])([A-Za-z]\w*)(?=\()", text))
            if re.fullmatch(r"[a-z]\w*(_t|f)", text):
                names.add(text)
    for name in re.findall(r'"([a-z]\w*)"', (ROOT / "generator/emit/cpp_operations.h").read_text()):
        names.add(name)
    return {name for name in names if is_word(name)}


def toolkit_names():
    """Returns the macros, and the names at namespace scope, of everything that a generated file includes."""
    nvcc = [str(TOOLKIT / "bin/nvcc"), "-std=c++20", "-gencode", "arch=compute_90a,code=sm_90a", f"-I{ROOT}/runtime", "-E"]
    host = ["clang++-19", "-std=c++20", "-w", "-x", "c++", f"-I{ROOT}/runtime/emulator/include", f"-I{ROOT}/runtime",
            "-isystem", str(TOOLKIT / "include"), "-E"]
    names, macros = set(), set()
    for command, definitions in ((nvcc, [*nvcc, "-Xcompiler", "-dM"]), (host, [*host, "-dM"])):
        text = re.sub(r"^#.*$", "", preprocessed(command, includes()), flags=re.M)
        names |= namespace_names(text)
        macros |= set(re.findall(r"^#define (\w+)", preprocessed(definitions, includes()), re.M))
    return {name for name in macros if is_word(name)}, {name for name in names if is_word(name)}


def library_names():
    """Returns the functions and variables of the C library, with those of the mathematics library."""
    names = set()
    for library in ("libc.so.6", "libm.so.6"):
        path = subprocess.run(["cc", f"-print-file-name={library}"], text=True, capture_output=True, check=True).stdout.strip()
        symbols = subprocess.run(["nm", "-D", "--defined-only", path], text=True, capture_output=True, check=True).stdout
        names |= {line.split()[2].split("@")[0] for line in symbols.splitlines()}
    return {name for name in names if is_word(name)}


def lines(words):
    line = ""
    for word in sorted(words):
        if len(line) + len(word) + 5 > WIDTH:
            yield f'"{line}"'
            line = ""
        line += word + " "
    yield f'"{line}"'


def write(path, words):
    path.write_text("// Made by scripts/make_reserved_words.py.\n// clang-format off\n" + "\n".join(lines(words)) + "\n")


def main():
    own = runtime_names() | template_names() | emitted_names()
    if sys.argv[1:] == ["--check"]:
        known = set(re.findall(r"\w+", FILE.read_text().split("\n", 2)[2]))
        missing = sorted(own - known)
        print("\n".join(missing))
        return 1 if missing else 0
    macros, names = toolkit_names()
    write(FILE, own | macros)
    write(MACRO_FILE, macros)
    write(TOOLKIT_FILE, names - own - macros)
    write(LIBRARY_FILE, library_names() - names - own - macros)
    return 0


if __name__ == "__main__":
    sys.exit(main())
