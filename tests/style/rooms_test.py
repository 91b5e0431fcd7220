"""The rooms of the checker and of the planner: what each includes of the others."""
import re
import unittest
from pathlib import Path

GENERATOR = Path(__file__).resolve().parent.parent.parent / "generator"
# From the ground: a room includes headers of itself and of those before it (docs/architecture.md).
ORDER = {
    "check": ("kernel", "names", "expressions", "declarations", "body", "findings", "driver", "gradients"),
    "plan": ("targets", "program", "model", "proofs", "questions", "prepare", "registers", "select", "homes", "size", "protocol",
             "order", "fragments", "elements", "rings", "tidy", "launch", "report", "driver"),
}
MOST_FILES = 45
# Includes against the order that are still to go: none may come, and one that is gone leaves this list.
STILL = {
    "check": set(),
    "plan": {
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
    },
}


def upward(folder, files):
    """(file, header) of each include of a room that comes behind, of files given as (path below the folder, text)."""
    order, found = ORDER[folder], set()
    for path, text in files:
        for header in re.findall(r'^#include "([^"]+)"', text, re.M):
            room = Path(header).parts[0]
            exists = (GENERATOR / folder / header).exists()
            if room in order and exists and order.index(room) > order.index(Path(path).parts[0]):
                found.add((path, header))
    return found


def sources(folder):
    root = GENERATOR / folder
    return [(str(path.relative_to(root)), path.read_text()) for path in sorted(root.rglob("*"))
            if path.suffix in (".h", ".cpp", ".inc") and path.relative_to(root).parts[0] != "include"]


class Rooms(unittest.TestCase):
    def test_every_file_stands_in_a_room(self):
        for folder, order in ORDER.items():
            self.assertEqual({Path(path).parts[0] for path, _ in sources(folder)}, set(order), folder)

    def test_rooms_stay_small(self):
        for folder, order in ORDER.items():
            for room in order:
                files = sum(Path(path).parts[0] == room for path, _ in sources(folder))
                self.assertLessEqual(files, MOST_FILES, f"{folder}/{room}")

    def test_no_include_goes_up(self):
        for folder in ORDER:
            self.assertEqual(upward(folder, sources(folder)), STILL[folder], folder)

    def test_a_wrong_include_is_found(self):
        for folder, room, header in (("plan", "targets/a.cpp", "driver/plan_program.h"), ("plan", "homes/a.h", "rings/rings.h"),
                                     ("check", "kernel/a.cpp", "body/body.h"), ("check", "names/a.h", "expressions/calls.h")):
            self.assertEqual(upward(folder, [(room, f'#include "{header}"\n')]), {(room, header)})
        for folder, room, header in (("plan", "driver/a.cpp", "homes/homes.h"), ("plan", "driver/a.cpp", "plan/plan.h"),
                                     ("check", "body/a.cpp", "kernel/context.h"), ("check", "names/a.cpp", "check/kernel.h")):
            self.assertEqual(upward(folder, [(room, f'#include "{header}"\n')]), set())


if __name__ == "__main__":
    unittest.main()
