"""Other names for a random spec's declarations: words that C++, the runtime, the templates or generated code use."""
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
# Names that passes give to values and loops.
MADE = ["a", "b", "a_scale", "b_scale", "scaled", "goes_on", "a_high", "b_low", "part", "ahead", "indices", "bits", "scanned"]
VALUES = ("null", "true", "false")  # words that YAML reads as other values


def odd_words(tool, folder):
    """Returns lists to draw names from: words of generated files, all others, the short ones of both, passes' words."""
    generated = set().union(*map(words.of_file, sorted((ROOT / "generated").rglob("*.cu"))))
    lists = [words.free(tool, folder, generated), words.free(tool, folder, words.of_everyone())]
    return lists + [[word for word in each if len(word) < 7] for each in lists] + [MADE]


def names_of(text):
    """Returns the names that a random spec declares, in order."""
    text = text[:text.index("\ntests:\n")]
    found = [word for form in DECLARED for groups in re.findall(form, text, re.M)
             for word in re.findall(r"\w+", " ".join((groups,) if isinstance(groups, str) else groups))]
    return [name for name in dict.fromkeys(found) if name not in NOT_NAMES]


def table(text, odd, seed):
    """Returns another word for each name of the spec."""
    rng = random.Random(f"names of {seed}")
    taken, chosen = set(re.findall(r"\w+", text)), {}
    for name in names_of(text):
        drawn = iter(lambda: rng.choice(rng.choice(odd)), None)
        word = next(word for word in drawn if word not in taken and word.lower() not in VALUES)
        taken.add(word)
        chosen[name] = word
    return chosen


def renamed(text, chosen):
    """Returns the spec with the table's names. Members, files and spaces keep theirs; a comment lists the names."""
    if not chosen:
        return text
    names = re.compile(r"(?<![\w.])(?<!space: )(" + "|".join(chosen) + r")(?!\w)")
    told = ", ".join(f"{name} is {word}" for name, word in chosen.items())
    return f"# names: {told}\n" + names.sub(lambda found: chosen[found[1]], text)
