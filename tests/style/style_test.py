"""Promises of the source tree: small files, formatted code, layers that cannot be crossed, rules with their pages."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("PALLASGEN", ROOT / "build/pallasgen")).resolve().parent
sys.path.insert(0, str(ROOT / "scripts"))
sys.path.insert(1, str(ROOT / "tests/oracle"))
import library_specs  # noqa: E402
import make_error_docs  # noqa: E402
import make_wgmma  # noqa: E402


def tracked(*patterns):
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns], cwd=ROOT,
                            text=True, capture_output=True, check=True).stdout
    return [ROOT / line for line in listed.splitlines() if (ROOT / line).is_file()]


class Files(unittest.TestCase):
    def test_hand_written_files_are_short(self):
        generated = {folder / file for file in make_wgmma.FILES for folder in (make_wgmma.DEVICE, make_wgmma.HOST)}
        long = []
        for path in tracked("*.h", "*.cpp", "*.cuh", "*.py", "*.in", "scripts/*"):
            lines = path.read_text().count("\n")
            if path not in generated and "generated/" not in str(path.relative_to(ROOT)) and lines > 400:
                long.append(f"{path.relative_to(ROOT)}: {lines} lines")
        self.assertEqual(long, [])

    def test_classes_are_short_over_all_their_files(self):
        lines_of = Counter()  # by folder and name: a folder has its own classes
        for path in tracked("generator/*.h", "generator/*.cpp"):
            lines = path.read_text().split("\n")
            for i, line in enumerate(lines):
                named = (re.match(r"(?:class|struct) (\w+)[^;]*$", line) or
                         re.match(r"[^\s#/}].*?\b([A-Z]\w+)::~?\w+\(", line))
                if named:
                    ends = (j for j in range(i, len(lines)) if lines[j].startswith("}"))
                    lines_of[path.parent.name, named.group(1)] += next(ends, i) - i + 1
        self.assertEqual([f"{name}: {lines} lines" for name, lines in lines_of.items() if lines > 400], [])

    def test_sources_are_formatted(self):
        files = tracked("generator/*.h", "generator/*.cpp", "tests/*.h", "tests/*.cpp", "runtime/runner/*")
        done = subprocess.run(["clang-format-19", "--dry-run", "-Werror", *files], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])

    def test_only_ptx_holds_assembly(self):
        holding = [str(p.relative_to(ROOT)) for p in tracked("runtime/pallasgen/*", "templates/*", "generated/*.cu")
                   if re.search(r"\basm\b\s*(volatile)?\s*\(", p.read_text()) and "/ptx/" not in str(p)]
        self.assertEqual(holding, [])

    def test_generated_lines_are_short_and_loops_unrolled(self):
        for path in tracked("generated/*.cu", "generated/*.h"):
            lines = path.read_text().splitlines()
            self.assertEqual([line for line in lines if len(line) > 120], [], path)
            for before, line in zip(lines, lines[1:]):
                if re.search(r"for \(int \w+ = 0; \w+ < \w+\.size;", line):
                    self.assertIn("#pragma unroll", before, f"{path}: {line}")


class Readme(unittest.TestCase):
    def test_generated_code_is_quoted_as_it_is(self):
        made = "".join(path.read_text() for path in tracked("generated/matmul/matmul_gelu.*"))
        quoted = re.findall(r"```cpp\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
        self.assertGreaterEqual(len(quoted), 2)
        for excerpt in quoted:
            self.assertTrue(excerpt in made, f"README.md quotes what is not generated:\n{excerpt}")


class Layers(unittest.TestCase):
    def test_an_illegal_include_does_not_compile(self):
        """Each library sees the headers of those it depends on, and no others."""
        commands = json.loads((BUILD / "compile_commands.json").read_text())
        order = ["diagnostics", "expression", "spec", "check", "plan", "emit"]
        headers = {"diagnostics": "diagnostics/diagnostic.h", "expression": "expression/typed.h", "spec": "spec/spec.h",
                   "check": "check/kernel.h", "plan": "plan/plan.h", "emit": "emit/emit.h"}
        for level, library in enumerate(order):
            command = next(c for c in commands if re.search(rf"pallasgen_{library}(_\w+)?\.dir/", c["command"]))
            flags = [w for w in command["command"].split() if w.startswith("-I") or w.startswith("-std")]
            for other_level, other in enumerate(order):
                with tempfile.NamedTemporaryFile("w", suffix=".cpp") as source:
                    source.write(f'#include "{headers[other]}"\n')
                    source.flush()
                    done = subprocess.run(["g++", "-fsyntax-only", *flags, source.name], capture_output=True, text=True)
                if other_level <= level:
                    self.assertEqual(done.returncode, 0, f"{library} should see {other}: {done.stderr[-500:]}")
                else:
                    self.assertNotEqual(done.returncode, 0, f"{library} sees {other}")


class Rules(unittest.TestCase):
    def test_every_rule_has_a_bad_spec(self):
        rules = make_error_docs.rules(ROOT)
        self.assertGreater(len(rules), 40)
        missing = [name for name in rules if not make_error_docs.cases(ROOT, name) and
                   name not in make_error_docs.WITHOUT_SPEC]
        self.assertEqual(missing, [])

    def test_rules_that_no_spec_breaks_are_broken_by_other_tests(self):
        tests = "".join(p.read_text() for p in [*(ROOT / "tests").glob("cli/*.py"), *(ROOT / "tests").glob("*/*_test.cpp")])
        self.assertLessEqual(make_error_docs.WITHOUT_SPEC, set(make_error_docs.rules(ROOT)))
        self.assertEqual([name for name in make_error_docs.WITHOUT_SPEC if f"[{name}]" not in tests], [])

    def test_rules_have_names_that_files_may_have_each_once(self):
        names = [name for name, _, _ in make_error_docs.rows(ROOT)]
        self.assertEqual(sorted(set(names)), sorted(names))
        self.assertEqual([name for name in names if not re.fullmatch(r"[a-z0-9-]+", name)], [])
        declared = subprocess.run(["git", "grep", "-hE", r"\bRule k[A-Z][A-Za-z]*\{", "generator"], cwd=ROOT, text=True,
                                  capture_output=True, check=True).stdout.splitlines()
        self.assertEqual(len(declared), len(names), "a rule that make_error_docs does not see")

    def test_every_rule_is_reported_somewhere(self):
        sources = "".join(p.read_text() for p in tracked("generator/*.cpp"))
        constants = re.findall(r"\bRule (k[A-Z]\w*)\{", "".join(p.read_text() for p in tracked("generator/*.h")))
        self.assertEqual([name for name in constants if not re.search(rf"\b{name}\b", sources)], [])

    def test_every_expectation_names_its_rule(self):
        rules = make_error_docs.rules(ROOT)
        for expected in sorted((ROOT / "tests/errors").glob("*.expected")):
            named = re.findall(r": (?:error|warning): .*\[([a-z0-9-]+)\]$", expected.read_text(), re.M)
            self.assertTrue(named, expected)
            for name in named:
                self.assertIn(name, rules, expected)

    def test_the_page_of_errors_is_current(self):
        self.assertEqual((ROOT / "docs/errors.md").read_text(), make_error_docs.page(ROOT), "run scripts/make_error_docs.py")


class Oracle(unittest.TestCase):
    def test_cases_of_library_specs_have_them_as_they_are(self):
        specs = sorted((path.stem for path in library_specs.SPECS.glob("*.yaml")), key=len, reverse=True)
        held = 0
        for case in sorted((ROOT / "tests/oracle/cases").glob("attention_*/spec.yaml")):
            of = next((name for name in specs if case.parent.name.startswith(name)), None)
            if of:
                held += 1
                self.assertEqual(library_specs.HEAD.sub("", case.read_text()).strip(), library_specs.kernel_of(of).strip(),
                                 f"{case} is old: tests/oracle/make_cases.py")
        self.assertGreaterEqual(held, 9)


class Plans(unittest.TestCase):
    """Comparisons of a plan's statements compare all their members (generator/plan/program/same_statements.cpp)."""

    def members(self, text, struct):
        found = re.search(rf"^( *)struct {struct}\b[^;{{]*\{{(.*?)^\1\}};", text, re.S | re.M)
        self.assertTrue(found, f"struct {struct} is in no header of the plan")
        body = re.sub(r"struct \w+ \{.*?\n  \};", "", found.group(2), flags=re.S)
        while re.search(r"<[^<>]*>|\{[^{}]*\}", body):
            body = re.sub(r"<[^<>]*>|\{[^{}]*\}", "", body)
        names = set()
        for declaration in body.split(";"):
            declared = re.sub(r"=[^,]*", "", declaration)
            if declared.strip() and not re.search(r"\(|\boperator\b", declared):
                first, *others = declared.split(",")
                names |= {first.split()[-1], *(other.strip() for other in others)}
        return names

    def test_statements_are_compared_by_all_members(self):
        headers = "".join(path.read_text() for path in tracked("generator/plan/include/plan/*.h"))
        headers = re.sub(r"//[^\n]*", "", headers)
        source = (ROOT / "generator/plan/program/same_statements.cpp").read_text()
        listed = re.findall(r"members\(const ([\w:]+)& x\) \{\s*return std::tie\((.*?)\);", source, re.S)
        self.assertGreater(len(listed), 30)
        for struct, members in listed:
            self.assertEqual(set(re.findall(r"x\.(\w+)", members)), self.members(headers, struct.split("::")[-1]), struct)


if __name__ == "__main__":
    unittest.main(verbosity=2)
