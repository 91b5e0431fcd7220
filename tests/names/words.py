"""The words that generated code or its headers use, and which of them specs may have as names."""
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import make_reserved_words  # noqa: E402


def of_everyone():
    """Returns every word that the runtime, the templates, C++ or the toolkit use, whoever reserves it."""
    words = make_reserved_words.template_names()
    for path in sorted((ROOT / "runtime").rglob("*.*h")):
        words |= set(re.findall(r"[A-Za-z_]\w*", make_reserved_words.without_comments(path.read_text())))
    for path in (make_reserved_words.FILE, make_reserved_words.TOOLKIT_FILE):
        words |= set(re.findall(r"\w+", path.read_text().split("\n", 2)[2]))
    reserved = (ROOT / "generator/check/names/reserved.cpp").read_text()
    words |= set(re.findall(r'"(\w+)"', reserved[reserved.index("kKeywords"):]))
    return words


def of_file(path):
    """Returns every word of a generated file."""
    return set(re.findall(r"\w+", make_reserved_words.without_comments(path.read_text())))


def free(tool, folder, words):
    """Returns the words that the language leaves to specs, in order: a const of that name is accepted."""
    words = sorted(word for word in words if re.fullmatch(r"[A-Za-z]\w*", word))
    taken = set()
    for at in range(0, len(words), 400):
        path = folder / "words.json"
        path.write_text(json.dumps({"pallasgen": 1, "kernel": "probe", "consts": {word: 1 for word in words[at:at + 400]},
                                    "outputs": {"o_": {"type": "i32[8]"}}, "body": ["o_[...] = 1"]}))
        said = subprocess.run([str(tool), "explain", str(path), "--error-format", "json"], text=True, capture_output=True,
                              timeout=120).stderr
        taken |= {re.match(r"'(\w+)'", entry["message"]).group(1) for entry in json.loads(said)
                  if entry["rule"] == "name-clash"}
    return [word for word in words if word not in taken]
