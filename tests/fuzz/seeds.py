#!/usr/bin/env python3
"""Makes the fuzzers' seeds from the specs of the repository, and selects finds for the corpus.

  tests/fuzz/seeds.py FOLDER                     writes FOLDER/<fuzzer>/…: specs, their expressions, the templates
  tests/fuzz/seeds.py --take FOUND SEEDS CORPUS  copies FOUND's small texts that are not seeds to CORPUS
"""
import hashlib
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MAX_BYTES = 2048  # per file of the corpus
MAX_FILES = 120   # per fuzzer, the smallest first


def name_of(content):
    return hashlib.sha256(content).hexdigest()[:16]


def write(folder, content):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name_of(content)).write_bytes(content)


def make(folder):
    shutil.rmtree(folder, ignore_errors=True)
    specs = [*ROOT.glob("specs/**/*.yaml"), *ROOT.glob("tests/errors/*.yaml"), *ROOT.glob("tests/oracle/cases/*/spec.yaml")]
    for path in specs:
        content = path.read_bytes()
        if len(content) > 4096:
            continue
        for fuzzer in ("reader", "generate"):
            write(folder / fuzzer, content)
        for line in content.decode(errors="replace").splitlines():
            found = re.match(r"\s*- ([^{].*)$", line) or re.search(r'"([^"]*)"', line)
            if found:
                write(folder / "expression", found.group(1).encode())
    for path in ROOT.glob("templates/**/*.in"):
        write(folder / "templates", path.read_bytes())


def is_text(content):
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return False
    return all(c.isprintable() or c == "\n" for c in text)


def take(found, seeds, corpus):
    known = {p.name for p in seeds.iterdir()}
    contents = sorted((p.read_bytes() for p in found.iterdir()), key=lambda c: (len(c), c))
    kept = [c for c in contents if 0 < len(c) <= MAX_BYTES and is_text(c) and name_of(c) not in known][:MAX_FILES]
    for content in kept:
        write(corpus, content)
    print(f"{len(kept)} of {len(contents)} inputs taken into {corpus}")


if __name__ == "__main__":
    if sys.argv[1] == "--take":
        take(*map(Path, sys.argv[2:5]))
    else:
        make(Path(sys.argv[1]))
