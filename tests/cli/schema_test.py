"""The JSON Schema against an independent validator: right specs pass it, as do those whose mistake is one of meaning;
specs that break a rule which the schema claims do not."""
import json
import os
import re
import sys
import unittest

try:
    import jsonschema
    import yaml
except ImportError:
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])  # scripts/bootstrap installs both for this one

from errors_test import bad_specs
from harness import ROOT, run


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Reads scalars by YAML 1.2's core schema, as editors do."""

    yaml_implicit_resolvers = {}


for tag, form, first in (("bool", r"true|false", "tf"), ("null", r"~|null|", ["~", "n", ""]),
                         ("int", r"[-+]?(?:0|[1-9][0-9]*)", "-+0123456789"),
                         ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", "-+.0123456789")):
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{form})$"), list(first))

SCHEMA = json.loads(run("schema").stdout)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
CLAIMED = re.search(r"refused by it: (.*);", SCHEMA["$comment"]).group(1).split(", ")


def loaded(path):
    """Returns the spec, or None if YAML cannot read it as one document."""
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError):
        return None


def properties(schema):
    """Yields (place, schema) of every key."""
    for place, table in [("spec", SCHEMA), *schema["$defs"].items()]:
        for key, value in table.get("properties", {}).items():
            if place != "tree":
                yield f"{place}.{key}", value


class Schema(unittest.TestCase):
    def test_every_key_has_a_description_and_an_example_that_fits(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        count = 0
        for place, key in properties(SCHEMA):
            self.assertTrue(key.get("description"), place)
            self.assertEqual(len(key.get("examples", [])), 1, place)
            for value in key["examples"] + [key[word] for word in ("default",) if word in key]:
                VALIDATOR.evolve(schema={**key, "$defs": SCHEMA["$defs"]}).validate(value)
            count += 1
        self.assertGreater(count, 150)

    def test_specs_that_are_right_pass(self):
        specs = [path for folder in ("specs", "tests/corners", "docs/example/specs") for path in sorted((ROOT / folder).rglob("*.yaml"))]
        self.assertGreater(len(specs), 200)
        for path in [*specs, ROOT / "tests/spec/everything.yaml"]:
            errors = [error.message for error in VALIDATOR.iter_errors(loaded(path))]
            self.assertEqual(errors, [], path)

    def test_bad_specs_fail_by_the_rules_that_it_claims_and_pass_by_others(self):
        tried = {rule: 0 for rule in CLAIMED}
        for rule, _, path in bad_specs():
            spec = loaded(path)
            # A text that YAML reads as something else may have the form of a spec or not.
            if spec is None or rule.startswith("yaml-"):
                continue
            said = path.with_suffix(".expected").read_text()
            broken = [claimed for claimed in CLAIMED if f"[{claimed}]" in said]
            with self.subTest(spec=path.name):
                self.assertEqual(VALIDATOR.is_valid(spec), not broken, f"{said}\nthe schema claims {broken}")
            for claimed in broken:
                tried[claimed] += 1
        self.assertEqual([rule for rule, count in tried.items() if count == 0], [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
