"""Counts of the generator's structure that may fall and must not rise: what each names, and how often at most."""
import re
import unittest
from pathlib import Path

GENERATOR = Path(__file__).resolve().parent.parent.parent / "generator"
AHEAD_OF_EMIT = ("plan", "schedule", "infer")
# What is counted, the pattern, the folders, and the most matches ("files": the most files that have one).
COUNTS = (
    ("roles found by their place in the list", r"roles\.(front|back)\(\)|roles\.size\(\) [=>]|roles\[[01]\]",
     ("plan", "schedule", "infer", "tile", "emit", "draw", "interpret", "verify"), 1),
    ("questions to a dot that are about its product's name", r"by_unit\(\)", (".",), 0),
    ("functions of a block and a place, which read neighbours", r"\(const tile::Block& block, size_t at\)", ("plan",), 0),
    ("files that name shape operations", r"Op::(expand_dims|squeeze|transpose)\b", AHEAD_OF_EMIT, "files 0"),
    ("files that allocate shared memory", r"\b(add_field|add_tile|add_slots)\(", ("plan",), "files 13"),
    ("files that choose homes or layouts", r"\b(choose_homes|assign_layouts)\(", ("plan",), "files 3"),
    ("lowerings of a kernel, all of them in the driver", r"= lower\(|return lower\(", ("plan", "cli"), 4),
    ("warps of a warpgroup as a number", r"kWarpsOfGroup|kGroupThreads|threads\(\) / 128",
     ("plan", "schedule", "infer", "tile"), 30),
    ("lists of names because two programs have statements of the same names", r"Not all of (`tile`|either)",
     ("plan", "schedule", "infer", "tile"), 17),
)


def sources(folders):
    return {path: path.read_text() for folder in folders for path in sorted((GENERATOR / folder).rglob("*"))
            if path.suffix in (".cpp", ".h")}


def kinds(header, first):
    """The number of statements of a program form: the members of the variant that begins with `first`."""
    members = re.search(rf"std::variant<({first}.*?)>\s*node", (GENERATOR / header).read_text(), re.S).group(1)
    return len(re.findall(r"\w+", members))


class Structure(unittest.TestCase):
    def test_counts_do_not_rise(self):
        for what, pattern, folders, most in COUNTS:
            found = {path: len(re.findall(pattern, text)) for path, text in sources(folders).items()
                     if re.search(pattern, text)}
            if isinstance(most, str):
                found = {path: 1 for path in found if path.suffix == ".cpp" and path.name != "memory.cpp"}
            limit = int(str(most).removeprefix("files "))
            with self.subTest(what=what):
                self.assertLessEqual(sum(found.values()), limit, [str(path.relative_to(GENERATOR)) for path in found])

    def test_kinds_of_statements_do_not_rise(self):
        self.assertLessEqual(kinds("tile/include/tile/program.h", "Assign"), 34)
        self.assertLessEqual(kinds("plan/include/plan/program.h", "ForTiles"), 63)

    def test_only_the_driver_lowers(self):
        for path, text in sources(("plan",)).items():
            if re.search(r"= lower\(|return lower\(", text):
                self.assertEqual(path.parent.name, "driver", path)


if __name__ == "__main__":
    unittest.main(verbosity=2)
