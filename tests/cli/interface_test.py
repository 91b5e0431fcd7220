"""`interface` of .plan.json, of every kernel of the library: valid by the schema, and as its header declares."""
import json
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import jsonschema
except ImportError:
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])  # scripts/bootstrap installs it for this one

from harness import ROOT, run

SCHEMA = json.loads((ROOT / "docs/interface.schema.json").read_text())


class Interface(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        result = run("generate", ROOT / "specs", "--out", cls.folder.name, "--plan-json")
        if result.returncode:
            raise RuntimeError(result.stderr)
        cls.interfaces = {path: json.loads(path.read_text())["interface"]
                          for path in sorted(Path(cls.folder.name).rglob("*.plan.json"))}

    def test_all_kernels_have_one(self):
        self.assertEqual(len(self.interfaces), len(list((ROOT / "specs").rglob("*.yaml"))))

    def test_by_the_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        validator = jsonschema.Draft202012Validator(SCHEMA)
        for path, interface in self.interfaces.items():
            wrong = [f"{'/'.join(map(str, error.path))}: {error.message}" for error in validator.iter_errors(interface)]
            self.assertEqual(wrong, [], path.name)

    def test_arguments_are_those_of_the_header(self):
        for path, interface in self.interfaces.items():
            header = path.with_name(path.name.replace(".plan.json", ".h")).read_text()
            declared = re.search(rf"^cudaError_t {interface['function']}\(([^;]*)\);", header, re.M).group(1)
            names = [re.search(r"(\w+)$", each.strip()).group(1) for each in declared.split(",")]
            self.assertEqual([each["name"] for each in interface["arguments"]], names, path.name)
            for name in names[:-1]:
                self.assertRegex(header, rf"(?m)^//   {name} ", path.name)

    def test_gradients_name_arrays_that_are_there(self):
        with_gradients = 0
        for interface in self.interfaces.values():
            gradients = interface.get("gradients")
            if gradients is None:
                continue
            with_gradients += 1
            known = {each["name"] for each in interface["arguments"]} | set(gradients["cotangents"].values())
            for launch in gradients["launches"]:
                self.assertLessEqual(set(launch["inputs"].values()), known, launch["kernel"])
                known |= set(launch["outputs"].values())
            self.assertLessEqual(set(gradients["gradients"].values()), known)
        self.assertGreater(with_gradients, 3)


if __name__ == "__main__":
    unittest.main(verbosity=2)
