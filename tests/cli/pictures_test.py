"""Pictures of plans: `explain --svg` and `--html`. tests/draw tests their content; here the files must be well formed,
load nothing, link to existing places, and be written all or not at all."""
import unittest
import xml.etree.ElementTree as tree

from harness import ROOT, ToolTest, run

# With two rings and links between pictures; with one block of data; without a ring.
SPECS = [ROOT / "specs" / name for name in ("attention/attention_fwd.yaml", "matmul/ragged_dot.yaml", "rows/softmax.yaml")]


class Pictures(ToolTest):
    def explain(self, *arguments):
        return run("explain", *arguments, "--to", self.out)

    def test_pages_and_pictures_of_several_specs(self):
        done = self.explain(*SPECS, "--svg", "--html")
        self.assertEqual(done.returncode, 0, done.stderr)
        files = self.snapshot()
        pictures = ("time", "bytes", "timeline", "memory", "blocks", "roofline")
        self.assertEqual(set(files), {"index.html"} |
                         {f"{spec.parent.name}/{spec.stem}.{end}" for spec in SPECS
                          for end in ("html", *(f"{name}.svg" for name in pictures))} - {"rows/softmax.timeline.svg"})
        self.assertTrue("No ring: nothing is copied ahead" in files["rows/softmax.html"].decode())
        for name, content in files.items():
            root = tree.fromstring(content)
            ids = [node.get("id") for node in root.iter() if node.get("id")]
            self.assertEqual(len(ids), len(set(ids)), name)
            for node in root.iter():
                for attribute, value in node.attrib.items():
                    self.assertNotRegex(value, r"^\w+:|^//", (name, attribute))     # nothing from elsewhere
                    if attribute.endswith("href") and value.startswith("#"):
                        self.assertIn(value[1:], ids, name)
                    elif attribute.endswith("href"):
                        self.assertIn(str((self.out / name).parent.joinpath(value).resolve().relative_to(self.out.resolve())),
                                      files, name)
        again = self.explain(*reversed(SPECS), "--svg", "--html")
        self.assertIn("nothing to do", again.stdout)
        self.assertEqual(self.snapshot(), files)

    def test_what_a_spec_says_is_escaped(self):
        text = self.spec.read_text().replace("dims:", 'doc: "a < b & c > \\"d\\" — 漢"\ndims:')
        self.spec.write_text(text + "# ]]> <script>\n")
        done = self.explain(self.spec, "--html", "--svg", "-D", "bn=256")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = tree.fromstring((self.out / "add.html").read_bytes())
        said = "".join(page.itertext())
        self.assertIn('a < b & c > "d" — 漢', said)
        self.assertIn("# ]]> <script>", said)
        self.assertIn("-D bn=256", said)

    def test_sizes_and_the_program_of_the_blocks(self):
        spec = ROOT / "specs/basics/show_program_ids.yaml"
        done = self.explain(spec, "--svg", "--dim", "M=7", "--dim", "N=5", "--program", "3,1")
        self.assertEqual(done.returncode, 0, done.stderr)
        said = "".join(tree.fromstring((self.out / "basics/show_program_ids.blocks.svg").read_bytes()).itertext())
        self.assertIn("Drawn for M = 7, N = 5. The grid (i, j) is 4 x 2", said)
        self.assertIn("program (i, j) = (3, 1)", said)
        self.assertIn("o[6:8, 3:6] of i = 3; j = 1; what is hatched lies outside the array", said)
        empty = self.explain(spec, "--svg", "--dim", "M=0")
        self.assertEqual(empty.returncode, 0, empty.stderr)
        said = "".join(tree.fromstring((self.out / "basics/show_program_ids.blocks.svg").read_bytes()).itertext())
        self.assertIn("no program runs", said)

    def test_what_cannot_be_drawn_writes_nothing(self):
        bad = self.folder / "specs/bad.yaml"
        bad.write_text(self.spec.read_text().replace("x + y", "x + w"))
        for arguments, code, says in (((self.spec, bad, "--html"), 1, "w"),
                                      ((self.spec, "--svg", "--dim", "K=4"), 2, "no dim of that name"),
                                      ((self.spec, "--svg", "--dim", "N=512", "--program", "9"), 2, "outside the grid"),
                                      ((self.spec,), 2, "give --svg or --html")):
            done = self.explain(*arguments)
            self.assertEqual(done.returncode, code, arguments)
            self.assertIn(says, done.stderr)
            self.assertFalse(self.out.exists())
        done = run("explain", self.spec, "--svg")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--to DIR says where", done.stderr)
        self.out.write_text("a file")
        done = self.explain(self.spec, "--html")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("[output-write]", done.stderr)
        self.assertEqual(self.out.read_text(), "a file")


if __name__ == "__main__":
    unittest.main(verbosity=2)
