#!/usr/bin/env python3
"""`interpret --at PASS`: the tile program after each pass computes the kernel's result, whichever role runs first.
`lower --from FILE`: the passes go on from a text that may have been edited."""
import os
import random
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness import ROOT, TOOL, pass_names, run

SPEC = ROOT / "specs/matmul/matmul_gelu.yaml"  # a producer and a consumer


class Passes(unittest.TestCase):
    def bits(self, folder, *more):
        out = Path(folder) / "c.npy"
        done = run("interpret", SPEC, "--test", 1, "--out", f"c={out}", *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return out.read_bytes()

    def test_each_pass_computes_the_same_bits(self):
        passes, _ = pass_names()
        self.assertIn("schedule", passes)
        self.assertIn("protocol", passes)
        with tempfile.TemporaryDirectory() as folder:
            wanted = self.bits(folder)
            for at in passes:
                with self.subTest(at=at):
                    self.assertEqual(self.bits(folder, "--at", at), wanted)
            for seed in range(3):
                with self.subTest(seed=seed):
                    self.assertEqual(self.bits(folder, "--at", "protocol", "--roles", "random", "--seed", seed), wanted)
            self.assertEqual(self.bits(folder, "--at", "protocol", "--roles", "reversed"), wanted)

    def test_the_passes_go_on_from_each_text(self):
        passes, _ = pass_names()
        last = run("lower", SPEC, "--to", passes[-1]).stdout
        with tempfile.TemporaryDirectory() as folder:
            text = Path(folder) / "k.tile"
            for name in passes:
                with self.subTest(name=name):
                    text.write_text(run("lower", SPEC, "--to", name).stdout)
                    done = run("lower", SPEC, "--from", text, "--to", passes[-1])
                    self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", last))

    def test_each_text_gives_the_same_file(self):
        passes, _ = pass_names()
        for place in ("matmul/matmul_gelu", "attention/attention_fwd", "attention/attention_bwd", "rows/layer_norm"):
            spec = ROOT / f"specs/{place}.yaml"
            wanted = (ROOT / f"generated/{place}.cu").read_text()
            self.assertEqual(run("lower", spec, "--to", "cu").stdout, wanted)
            with tempfile.TemporaryDirectory() as folder:
                text = Path(folder) / "k.tile"
                for name in passes:
                    with self.subTest(place=place, name=name):
                        text.write_text(run("lower", spec, "--to", name).stdout)
                        done = run("lower", spec, "--from", text, "--to", "cu")
                        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", wanted))

    def test_what_a_plan_takes_from_the_spec_is_not_edited_in_a_text(self):
        for at, was, now, said in (
                ("canonicalise", "ask schedule.persistent = true", "ask schedule.persistent = false", "the program has 'ask"),
                ("canonicalise", "const bm = 128", "const bm = 64", "where that of the spec has 'const bm = 128'"),
                ("protocol", "ref b: bf16", "ref b: f16", "the program has 'ref b: f16"),
                ("protocol", "strips m 8", "strips m 0", "'0' is less than 1"),
                ("protocol", "role producer", "role other", "between roles that are not there"),
                ("protocol", "role consumer {warps 8,", "role consumer {warps 4,", "the program has 'role consumer"),
                ("protocol", "wgmma.k16.f32.bf16", "wgmma.k16.f32.f16", "the program has 'family wgmma.k16.f32.f16'"),
                ("protocol", "slots 4, delay 1", "slots 0, delay 1", "'0' is less than 1"),
                ("protocol", "wait_mma 1", "wait_mma -1", "'-1' is less than 0"),
                ("protocol", "        wait_full ab\n", "        wait_free ab\n", "goes with channels that it fills"),
                ("protocol", "      wait_mma 0 acc\n", "      wait_mma 0 acc\n      sync filled(c_store)\n", "is none of these"),
                ("canonicalise", "a[m * bm +: bm?, k * bk +: bk?]", "a[m * bm +: bm?, k * bk +: 32?]", "another type than")):
            with self.subTest(said=said, was=was), tempfile.TemporaryDirectory() as folder:
                sound = run("lower", SPEC, "--to", at).stdout
                self.assertIn(was, sound)
                text = Path(folder) / "k.tile"
                text.write_text(sound.replace(was, now))
                done = run("lower", SPEC, "--from", text, "--to", "cu")
                self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
                self.assertIn(said, done.stderr)

    def test_each_step_prints_statements(self):
        _, steps = pass_names()
        self.assertEqual(steps[0], "lowering")
        for name in steps:
            with self.subTest(name=name):
                text = run("lower", SPEC, "--to", name).stdout
                self.assertEqual(re.findall(r"^role (\w+):$", text, re.MULTILINE), ["producer", "consumer"])
                self.assertIn("shared bf16 a[kStages][bm * bk]  // 65536 bytes", text)
                self.assertIn("wgmma_m64n256k16(acc, ", text)
        # A step that does something to these kernels prints other statements than the step before.
        for place, active in (("rows/layer_norm", {"loop_values"}), ("reductions/total", {"meetings", "role_heads"}),
                              ("attention/attention_fwd", {"role_heads", "loop_values", "joined_loops", "outlined_parts"})):
            spec = ROOT / f"specs/{place}.yaml"
            texts = [run("lower", spec, "--to", name).stdout for name in steps]
            changed = {name for name, text, before in zip(steps[1:], texts[1:], texts) if text != before}
            self.assertLessEqual(active, changed, place)
            # What the last step leaves is what the file has.
            file = " ".join(run("lower", spec, "--to", "cu").stdout.split())
            for line in texts[-1].splitlines():
                if line.startswith("  "):
                    self.assertIn(" ".join(line.split()), file, place)

    def test_times_name_all_passes_and_steps(self):
        passes, steps = pass_names()
        lines = [line.split(maxsplit=1) for line in run("lower", SPEC, "--times").stdout.splitlines()]
        self.assertEqual([name for _, name in lines], ["prepare", *passes, *steps, "emit"])
        self.assertTrue(all(float(time) >= 0 for time, _ in lines))
        retried = ROOT / "tests/corners/storer_without_room.yaml"  # a pass asks for another choice
        self.assertIn("without ", run("lower", retried, "--to", passes[-1]).stdout)
        self.assertEqual(run("lower", retried, "--times").returncode, 0)
        for more, code, said in ((("--to", "cu"), 2, "--times"), (("--from", SPEC), 2, "the spec's own programs")):
            done = run("lower", SPEC, "--times", *more)
            self.assertEqual((done.returncode, done.stdout), (code, ""))
            self.assertIn(said, done.stderr)

    def test_an_edited_text_is_planned_and_run(self):
        with tempfile.TemporaryDirectory() as folder:
            text = Path(folder) / "k.tile"
            text.write_text(run("lower", SPEC, "--to", "size").stdout.replace("slots 4, delay 1", "slots 2, delay 1"))
            self.assertIn("slots 2, delay 1", run("lower", SPEC, "--from", text, "--to", "protocol").stdout)
            wanted = self.bits(folder)
            self.assertEqual(self.bits(folder, "--from", text, "--at", "protocol"), wanted)
            # A wrong operand gives a wrong number.
            text.write_text(text.read_text().replace("gelu(acc[", "gelu(-acc["))
            self.assertNotEqual(self.bits(folder, "--from", text, "--at", "protocol"), wanted)

    def test_a_text_that_is_none_of_the_spec_is_refused(self):
        sized = run("lower", SPEC, "--to", "size").stdout
        with tempfile.TemporaryDirectory() as folder:
            text = Path(folder) / "k.tile"
            for was, now, to, code, said in (
                    ("matmul_gelu", "other", "homes", 1, "this is a program of kernel 'other'"),
                    ("sm_90a", "sm_100a", "homes", 1, "this is a program for 'sm_100a'"),
                    ("after size", "after sizes", "homes", 1, "'sizes' is no pass"),
                    ("        put ab[k].b <- b[", "        prefetch b[", "homes", 1, "channel 'ab' is filled"),
                    ("role producer {warps 1, registers 40}", "role producer", "homes", 1, "role 'producer' has no warps"),
                    ("<- c_store {path", "<- nothing {path", "homes", 1, "'nothing' is no value"),
                    ("after size", "after size", "select", 1, "the program is after 'size' already"),
                    ("after size", "after size", "ops", 2, "--to ops prints the spec")):
                with self.subTest(said=said):
                    self.assertIn(was, sized)
                    text.write_text(sized.replace(was, now))
                    done = run("lower", SPEC, "--from", text, "--to", to)
                    self.assertEqual((done.returncode, done.stdout), (code, ""))
                    self.assertIn(said, done.stderr)
            done = run("lower", SPEC, "--from", Path(folder) / "missing", "--to", "homes")
            self.assertEqual(done.returncode, 2)
            self.assertIn("does not exist", done.stderr)

    def test_no_text_crashes_the_tool(self):
        """Lines of texts are removed, repeated, exchanged, or get another word: each is a program or refused."""
        many = 1500 if os.environ.get("PALLASGEN_ALL") else 150
        draw, codes = random.Random(6), set()
        texts = [(ROOT / f"specs/{name}.yaml", run("lower", ROOT / f"specs/{name}.yaml", "--to", at).stdout.splitlines())
                 for name in ("matmul/matmul_gelu", "attention/attention_fwd", "rows/layer_norm")
                 for at in ("canonicalise", "roles", "size", "layouts", "protocol")]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "k.tile"
            for _ in range(many):
                spec, lines = draw.choice(texts)
                edited, at, other = list(lines), draw.randrange(1, len(lines)), draw.choice(lines[1:])
                way = draw.randrange(6)
                if way == 5:  # a statement of the protocol about any channel
                    channels = re.findall(r"^  channel (\w+)", "\n".join(lines), re.M)
                    word = draw.choice(("sync filled({})", "fence_proxy read({})", "wait_full {}", "release {}", "advance {}",
                                        "wait_free {}", "expect {}", "fill {}", "wait_copies 0 {}", "wait_stores 0 {}"))
                    indent = re.match(" *", lines[at]).group()
                    edited.insert(at, indent + word.format(draw.choice(channels or ["none"])))
                elif way == 0:
                    del edited[at]
                elif way == 1:
                    edited.insert(at, other)
                elif way == 2:
                    edited[at], edited[at - 1] = edited[at - 1], edited[at]
                else:
                    words = edited[at].split(" ")
                    words[draw.randrange(len(words))] = draw.choice(other.split(" ") if way == 3 else ["0", "-1", "{", "[]", ""])
                    edited[at] = " ".join(words)
                file.write_text("\n".join(edited) + "\n")
                done = run("lower", spec, "--from", file, "--to", "cu")
                self.assertIn(done.returncode, (0, 1), f"{done.stderr}\n{file.read_text()}")
                codes.add(done.returncode)
        self.assertEqual(codes, {0, 1})

    def test_the_commands_of_the_page(self):
        page = (ROOT / "docs/debugging.md").read_text()
        commands = re.findall(r"^    \$ (.*)$", page, re.M)
        self.assertEqual(len(commands), 13)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "specs").symlink_to(ROOT / "specs")
            (Path(folder) / "pallasgen").symlink_to(Path(TOOL).resolve())
            environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}")
            for command in commands:
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}")
            self.assertTrue((Path(folder) / "protocol.npy").exists())  # no pass was wrong
            self.assertIn("slots 2", (Path(folder) / "last.tile").read_text())
            self.assertIn("kStages = 2", (Path(folder) / "edited.cu").read_text())

    def test_the_program_of_the_page(self):
        page = (ROOT / "docs/tile-programs.md").read_text()
        printed = re.search(r"```tile\n(.*?)```", page, re.S).group(1)
        self.assertEqual(run("lower", SPEC, "--to", "canonicalise").stdout, printed)

    def test_an_unknown_pass_is_refused(self):
        done = run("interpret", SPEC, "--test", 1, "--at", "nothing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nothing not in {canonicalise", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
