"""The rooms of the checker and of the planner: what each includes of the others."""
import os
import re
import subprocess
import unittest
from pathlib import Path

GENERATOR = Path(__file__).resolve().parent.parent.parent / "generator"
BUILD = Path(os.environ.get("PALLASGEN", GENERATOR.parent / "build/pallasgen")).resolve().parent
# From the ground: a room includes headers of itself and of those before it (docs/architecture.md).
ORDER = {folder: tuple(rooms.split()) for folder, rooms in
         re.findall(r"pallasgen_rooms\((\w+)\s+ROOMS ([\w\s]+?)\s+DEPENDS", (GENERATOR / "CMakeLists.txt").read_text())}
MOST_FILES = 45


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


def symbols(archive):
    """The functions and data that a library defines, and those that it takes from elsewhere."""
    found = {"defined": set(), "called": set()}
    for line in subprocess.run(["nm", "-C", archive], text=True, stdout=subprocess.PIPE, check=True).stdout.splitlines():
        kind, name = line[17:18], line[19:]
        if kind and kind in "TDBRU":
            found["called" if kind == "U" else "defined"].add(name)
    return found


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
            self.assertEqual(upward(folder, sources(folder)), set(), folder)

    def test_no_function_is_called_before_its_room(self):
        """What a room declares in the library's headers is in no room after those that call it."""
        for folder, order in ORDER.items():
            names = {room: symbols(BUILD / f"generator/libpallasgen_{folder}_{room}.a") for room in order}
            for place, room in enumerate(order):
                for later in order[place + 1:]:
                    self.assertEqual(names[room]["called"] & names[later]["defined"], set(), f"{folder}: {room} calls {later}")

    def test_a_wrong_include_is_found(self):
        for folder, room, header in (("plan", "targets/a.cpp", "driver/plan_program.h"), ("plan", "homes/a.h", "rings/rings.h"),
                                     ("check", "kernel/a.cpp", "body/body.h"), ("check", "names/a.h", "expressions/calls.h")):
            self.assertEqual(upward(folder, [(room, f'#include "{header}"\n')]), {(room, header)})
        for folder, room, header in (("plan", "driver/a.cpp", "homes/homes.h"), ("plan", "driver/a.cpp", "plan/plan.h"),
                                     ("check", "body/a.cpp", "kernel/context.h"), ("check", "names/a.cpp", "check/kernel.h")):
            self.assertEqual(upward(folder, [(room, f'#include "{header}"\n')]), set())


if __name__ == "__main__":
    unittest.main()
