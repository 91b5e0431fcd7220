#!/usr/bin/env python3
"""`pallasgen test`: its table, its output when two evaluations differ, kernels that crash or hang."""
import concurrent.futures
import os
import re
import stat
import time
import unittest

from harness import ADD, ToolTest, run


class TestCommand(ToolTest):
    def run_test(self, *arguments, more="", tests="tests: [{dims: {N: 1028}}]", compiler=None):
        self.spec.write_text(f"{ADD}{more}\n{tests}\n")
        environment = dict(os.environ, **({"PALLASGEN_HOST_CXX": str(compiler)} if compiler else {}))
        return run("test", self.spec, "--work-dir", self.folder / "work", *arguments, env=environment)

    def compiler_of(self, program):
        """Returns a compiler whose programs are the shell script `program`."""
        path = self.folder / "compiler"
        path.write_text("#!/bin/sh\nfor word; do [ \"$previous\" = -o ] && out=$word; previous=$word; done\n"
                        f"cat > \"$out\" <<'END'\n#!/bin/sh\n{program}\nEND\nchmod +x \"$out\"\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def test_a_table(self):
        done = self.run_test("--policies", "late,random", "--schedules", "2", more='reference: {z: "x + y"}')
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for row in ("interpreter", "emulator plain late", "emulator plain random:1", "emulator plain random:2"):
            self.assertRegex(done.stdout, rf"ok +N=1028 +{row} +max error")
        self.assertEqual(len(re.findall(r"^  ok +N=1028 ", done.stdout, re.M)), 4, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^\d+ passed, 0 failed$")
        self.assertEqual(done.stderr, "")  # progress is for terminals

    def test_sizes_are_of_all_dims_and_of_no_others(self):
        for dims, said in (("M=3", "the dim 'N' has no value"), ("M=3", "the kernel has no dim 'M'"),
                           ("N=3,M=3", "the kernel has no dim 'M'")):
            with self.subTest(dims):
                done = self.run_test("--dims", dims)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn(said, done.stderr)
                self.assertIn("0 passed, 1 failed", done.stdout)

    def test_a_difference_tells_element_grid_point_and_values(self):
        done = self.run_test(more='reference: {z: "x + y * where(iota(i32, [N], 0) == 700, 3.0, 1.0)"}')
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"z\[700\] of grid point i=1: interpreter gives \S+, the reference gives \S+")

    def test_the_emulator_is_told_with_all_three_values(self):
        zeros = ('echo "$2" > /dev/null; while read -r word bytes file; do\n'
                 'case $word in out) head -c "$bytes" /dev/zero > "$file";; case) echo "done $bytes";; esac\n'
                 'done < "$2"')
        done = self.run_test("--policies", "late", more='reference: {z: "x + y"}',
                             compiler=self.compiler_of(zeros))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"z\[0\] of grid point i=0: emulator plain late gives 0, "
                                      r"the interpreter gives \S+, the reference \S+")

    def test_a_wrong_fourth_digit_behind_a_long_sum(self):
        spec = """\
pallasgen: 1
kernel: means
grid: [{axis: i, size: 8}]
inputs: {x: {type: "f32[8, 4096]", block: [squeezed, 4096], index_map: [i, 0]}}
outputs: {o: {type: "f32[8]", block: [squeezed], index_map: [i]}}
body: ["o[...] = sum(x) / 4096"]
tests: [{}]
"""
        for divisor, verdict in ((4096, "ok"), (4097, "FAILED")):
            with self.subTest(divisor):
                self.spec.write_text(f"{spec}reference: {{o: 'sum(x, axis=1) / {divisor}'}}\n")
                done = run("test", self.spec, "--work-dir", self.folder / "work", "--policies", "late",
                           env=dict(os.environ, PALLASGEN_HOST_CXX=str(self.compiler_of("exit 1"))))
                self.assertRegex(done.stdout, rf"{verdict} +\(no dims\) +interpreter", done.stdout + done.stderr)

    def test_kernels_that_count_sms_are_run_on_other_devices(self):
        self.spec.write_text("""\
pallasgen: 1
kernel: turns
dims: {N: {}}
grid: [{axis: p, size: num_sms}]
outputs: {o: {type: "i32[N]", space: gmem, init: 0}}
body:
  - for: i
    range: "p, N, num_sms"
    do: ["o[i] = i"]
reference: {o: "iota(i32, [N], 0)"}
tests: [{dims: {N: 7}}]
""")
        done = run("test", self.spec, "--work-dir", self.folder / "work", "--policies", "late")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for sms in (1, 1000):
            self.assertRegex(done.stdout, rf"ok +N=7, {sms} SMs +interpreter")
            self.assertRegex(done.stdout, rf"ok +N=7, {sms} SMs +emulator plain sms={sms}")

    def test_a_crash_is_a_report(self):
        for program, said in (("kill -SEGV $$", "ended by Segmentation fault"), ("kill -ABRT $$", "ended by Aborted"),
                              ("echo 'pallasgen emulator: deadlock'; exit 82", "exit code 82"),
                              ("exit 0", "was not written|exit code 0")):
            with self.subTest(program):
                done = self.run_test("--policies", "late", compiler=self.compiler_of(program))
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertRegex(done.stdout, said)
                # The test's launch, and every call that the launcher must refuse.
                self.assertRegex(done.stdout, r"(?m)^0 passed, [1-9]\d* failed$")
            (self.folder / "compiler").unlink()
            for made in (self.folder / "work").rglob("run"):
                made.unlink()

    def test_a_kernel_without_end_is_a_report(self):
        done = self.run_test("--policies", "late", "--seconds", "1", compiler=self.compiler_of("exec sleep 60"))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("no end within 1 s", done.stdout)

    def test_no_tests(self):
        done = self.run_test(tests="")
        self.assertEqual(done.returncode, 1)
        self.assertIn("'add' has no tests: nothing was run [no-tests]", done.stderr)
        said = re.search(r"`(tests: .*?)`", done.stderr).group(1)
        self.assertEqual(said, "tests: [{dims: {N: 128}}]")
        self.assertEqual(self.run_test("--policies", "late", tests=said).returncode, 0)

    def run_body(self, body, inputs="  x: {type: \"f32[512]\"}\n"):
        self.spec.write_text("pallasgen: 1\nkernel: specials\ninputs:\n" + inputs + "outputs:\n  o: {type: \"f32[512]\"}\n"
                             f"body:\n{body}tests: [{{seed: 1}}]\n")
        return run("test", self.spec, "--policies", "late", "--work-dir", self.folder / "work", "--modes", "plain")

    def test_special_values_that_cancel_may_differ_by_what_roundings_decide(self):
        inputs = "".join(f"  {name}: {{type: \"f32[512]\"}}\n" for name in "xrcs")
        done = self.run_body("  - o[...] = x * r + c - tanh(x) * s\n", inputs)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        # The error exceeds the tolerance of elements that do not cancel, so the allowance for roundings was needed.
        row = re.search(r"finite values +emulator plain late +max error (\S+), \S+ % of what tolerance (\S+) allows", done.stdout)
        self.assertGreater(float(row.group(1)), float(row.group(2)), done.stdout)

    def test_special_values_that_an_assert_refuses_are_left_out(self):
        done = self.run_body("  - assert: max(x) < 100\n    message: too large\n  - o[...] = x\n")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("finite values", done.stdout)

    def test_special_values_do_not_decide_how_long_a_loop_takes(self):
        for loop in ("  - for: i\n    range: max(abs(x)).astype(i32)\n    do:\n      - acc = acc + x\n",
                     "  - while: max(acc) < max(x)\n    do:\n      - acc = acc + 1\n"):
            with self.subTest(loop):
                start = time.monotonic()
                done = self.run_body("  - acc = zeros(f32, [512])\n" + loop + "  - o[...] = acc\n")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn("finite values", done.stdout)
                self.assertLess(time.monotonic() - start, 60)

    def test_keep(self):
        kept = self.folder / "kept"
        done = self.run_test("--policies", "late", "--keep", kept)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(len(list(kept.rglob("test0seed0.z"))), 1, sorted(os.listdir(kept)))

    def test_two_at_once_share_precompiled_headers(self):
        # Like clang, this one refuses precompiled headers whose source has changed since they were compiled.
        compiler = self.folder / "clang"
        compiler.write_text("""#!/bin/sh
for word; do
  case $previous in -o) out=$word;; -include-pch) headers=$word;; c++-header) header=$word;; esac
  previous=$word
done
if [ "$header" ]; then stat -c '%n %y %i' "$header" > "$out"; sleep 1; exit 0; fi
read -r name rest < "$headers"
[ "$(stat -c '%n %y %i' "$name")" = "$name $rest" ] || { echo "$name has been modified" >&2; exit 1; }
printf '#!/bin/sh\\nexit 3\\n' > "$out"; chmod +x "$out"
""")
        compiler.chmod(compiler.stat().st_mode | stat.S_IXUSR)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            first = pool.submit(self.run_test, "--policies", "late", compiler=compiler)
            time.sleep(0.5)
            second = pool.submit(self.run_test, "--policies", "late", compiler=compiler)
        for done in (first.result(), second.result()):
            self.assertIn("exit code 3", done.stdout, done.stderr)
            self.assertNotIn("has been modified", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
