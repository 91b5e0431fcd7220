"""The rooms of the planner: what each includes of the others."""
import re
import unittest
from pathlib import Path

PLAN = Path(__file__).resolve().parent.parent.parent / "generator/plan"
# From the ground: a room includes headers of itself and of those before it (docs/architecture.md).
ORDER = ("targets", "program", "model", "proofs", "questions", "prepare", "registers", "select", "homes", "size", "protocol", "order",
         "fragments", "elements", "rings", "tidy", "launch", "report", "driver")
MOST_FILES = 45
# Includes against the order that are still to go: none may come, and one that is gone leaves this list.
STILL = {
    ("elements/run_time_checks.cpp", "launch/declarations.h"),
    ("elements/scalar_array_checks.cpp", "launch/declarations.h"),
    ("homes/not_planned.cpp", "launch/work.h"),
    ("launch/interface.cpp", "report/plan_json.h"),
    ("program/memory.cpp", "questions/program_memory.h"),
    ("proofs/tensor_copies.h", "questions/instructions.h"),
    ("questions/crossed_stores.cpp", "rings/rings.h"),
    ("questions/crossed_stores.h", "rings/role_rings.h"),
    ("questions/cursors.cpp", "rings/role_rings.h"),
    ("questions/families.cpp", "select/batches.h"),
    ("questions/forms.cpp", "homes/placing.h"),
    ("questions/made_operands.cpp", "rings/rings.h"),
    ("questions/made_operands.cpp", "rings/role_rings.h"),
    ("questions/made_operands.h", "fragments/fragment_values.h"),
    ("questions/program_memory.cpp", "homes/homes.h"),
    ("questions/program_memory.cpp", "select/dot_remedies.h"),
    ("questions/staged_stores.cpp", "fragments/fragment_access.h"),
    ("questions/staged_stores.cpp", "fragments/values.h"),
    ("questions/staged_stores.cpp", "tidy/paragraphs.h"),
    ("questions/staged_stores.h", "fragments/fragment_values.h"),
    ("questions/staged_stores.h", "rings/role_rings.h"),
    ("registers/live_registers.cpp", "select/fma_blocks.h"),
    ("targets/dot_limits.cpp", "program/draft.h"),
    ("targets/dot_limits.cpp", "questions/families.h"),
    ("targets/registers.h", "program/draft.h"),
}


def upward(files):
    """(file, header) of each include of a room that comes behind, of files given as (path below plan, text)."""
    found = set()
    for path, text in files:
        for header in re.findall(r'^#include "([^"]+)"', text, re.M):
            room = Path(header).parts[0]
            if room in ORDER and (PLAN / header).exists() and ORDER.index(room) > ORDER.index(Path(path).parts[0]):
                found.add((path, header))
    return found


def sources():
    return [(str(path.relative_to(PLAN)), path.read_text()) for path in sorted(PLAN.rglob("*"))
            if path.suffix in (".h", ".cpp") and path.relative_to(PLAN).parts[0] != "include"]


class Rooms(unittest.TestCase):
    def test_every_file_stands_in_a_room(self):
        self.assertEqual({Path(path).parts[0] for path, _ in sources()}, set(ORDER))

    def test_rooms_stay_small(self):
        for room in ORDER:
            self.assertLessEqual(sum(Path(path).parts[0] == room for path, _ in sources()), MOST_FILES, room)

    def test_no_include_goes_up(self):
        self.assertEqual(upward(sources()), STILL)

    def test_a_wrong_include_is_found(self):
        for room, header in (("targets/a.cpp", "driver/plan_program.h"), ("homes/a.h", "rings/rings.h")):
            self.assertEqual(upward([(room, f'#include "{header}"\n')]), {(room, header)})
        self.assertEqual(upward([("driver/a.cpp", '#include "homes/homes.h"\n#include "plan/plan.h"\n')]), set())


if __name__ == "__main__":
    unittest.main()
