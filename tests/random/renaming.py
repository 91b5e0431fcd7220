"""Other names for what a random spec declares: words that C++, the runtime, the templates or generated code have taken."""
import random
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/names"))
import words  # noqa: E402

DECLARED = [r"^  (\w+): [^|\n]", r'^  "(\w+)\((.*?)\)":', r"\{axis: (\w+)", r'^ *- "(\w+(?:, \w+)*) = ', r"^ *- for: (\w+)",
            r"^ *- scope: \{(\w+):"]
NOT_NAMES = ("range", "do", "else", "message", "args", "unroll")
# What passes call the values and loops that they make.
MADE = ["a", "b", "a_scale", "b_scale", "scaled", "goes_on", "a_high", "b_low", "part", "ahead", "indices", "bits", "scanned"]
VALUES = ("null", "true", "false")  # what YAML takes a word for that stands alone


def odd_words(tool, folder):
    """What names are drawn from: the words of generated files, all others, the short ones as often, and those of passes."""
    generated = set().union(*map(words.of_file, sorted((ROOT / "generated").rglob("*.cu"))))
    lists = [words.free(tool, folder, generated), words.free(tool, folder, words.of_everyone())]
    return lists + [[word for word in each if len(word) < 7] for each in lists] + [MADE]


def names_of(text):
    """The names that a random spec declares, in order."""
    text = text[:text.index("\ntests:\n")]
    found = [word for form in DECLARED for groups in re.findall(form, text, re.M)
             for word in re.findall(r"\w+", " ".join((groups,) if isinstance(groups, str) else groups))]
    return [name for name in dict.fromkeys(found) if name not in NOT_NAMES]


def table(text, odd, seed):
    """For each name of the spec another word."""
    rng = random.Random(f"names of {seed}")
    taken, chosen = set(re.findall(r"\w+", text)), {}
    for name in names_of(text):
        drawn = iter(lambda: rng.choice(rng.choice(odd)), None)
        word = next(word for word in drawn if word not in taken and word.lower() not in VALUES)
        taken.add(word)
        chosen[name] = word
    return chosen


def renamed(text, chosen):
    """The spec with the names of the table. Members, files and spaces keep theirs; a comment tells which is which."""
    if not chosen:
        return text
    names = re.compile(r"(?<![\w.])(?<!space: )(" + "|".join(chosen) + r")(?!\w)")
    told = ", ".join(f"{name} is {word}" for name, word in chosen.items())
    return f"# names: {told}\n" + names.sub(lambda found: chosen[found[1]], text)
