#!/usr/bin/env python3
"""Tests each rule that makes mutants on a short text: the mutants that it makes, and what it must leave unchanged."""
import sys
import unittest
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import headers  # noqa: E402
import judge  # noqa: E402
import operators  # noqa: E402
import run  # noqa: E402
import units  # noqa: E402
from editor import Editor, masked  # noqa: E402
from mutants import mutants_of  # noqa: E402
from statements import blocks, statements  # noqa: E402


def changes(rule, code):
    """Returns the bodies of function f that the rule makes of this one."""
    begin, end = "namespace {\nvoid f() {\n", "\n}\n}\n"
    edit = Editor(begin + code + end)
    rule(edit)
    return [" ".join(mutant.text[len(begin):-len(end)].split()) for mutant in edit.mutants()]


def names(rule, code):
    edit = Editor("namespace {\nvoid f() {\n" + code + "\n}\n}\n")
    rule(edit)
    return [mutant.name for mutant in edit.mutants()]


class Orders(unittest.TestCase):
    def test_each_weaker_order(self):
        self.assertEqual(changes(operators.weaken_orders, "add<MemoryOrder::kAcqRel>(p);"),
                         [f"add<MemoryOrder::{weaker}>(p);" for weaker in ("kAcquire", "kRelaxed", "kRelease")])
        self.assertEqual(changes(operators.weaken_orders, "v = load<MemoryOrder::kAcquire>(p);"),
                         ["v = load<MemoryOrder::kRelaxed>(p);"])
        self.assertEqual(changes(operators.weaken_orders, "v = load<MemoryOrder::kRelaxed>(p);"), [])

    def test_a_call_of_a_weaker_order(self):
        self.assertEqual(changes(operators.weaken_orders, "ptx::cluster_arrive_release();"),
                         ["ptx::cluster_arrive_relaxed();"])


class Scopes(unittest.TestCase):
    def test_scopes_that_are_named_or_left_out(self):
        self.assertEqual(changes(operators.narrow_scopes, "v = load<MemoryOrder::kAcquire, MemoryScope::kDevice>(p);"),
                         ["v = load<MemoryOrder::kAcquire, MemoryScope::kCta>(p);"])
        self.assertEqual(changes(operators.narrow_scopes, "v = load<MemoryOrder::kAcquire>(p);"),
                         ["v = load<MemoryOrder::kAcquire, MemoryScope::kCta>(p);"])

    def test_fences_and_waits(self):
        self.assertEqual(changes(operators.narrow_scopes, "__threadfence();"), ["__threadfence_block();"])
        self.assertEqual(changes(operators.narrow_scopes, "full.wait_cluster(phase);"), ["full.wait(phase);"])

    def test_fewer_threads_meet(self):
        self.assertEqual(changes(operators.narrow_scopes, "grid_sync(word);"), ["__syncthreads();"])
        self.assertEqual(changes(operators.narrow_scopes, "warpgroup_sync<kConsumers>(wg);"), ["__syncwarp();"])


class Launchers(unittest.TestCase):
    def test_streams(self):
        self.assertEqual(changes(operators.leave_streams, "return launch(k, grid, kThreads, 0, stream, x);"),
                         ["return launch(k, grid, kThreads, 0, nullptr, x);"])
        self.assertEqual(changes(operators.leave_streams, "fill_arrays(stream, filling(o, 0.0f, {N}));"),
                         ["fill_arrays(nullptr, filling(o, 0.0f, {N}));"])
        self.assertEqual(changes(operators.leave_streams, "f(stream);"), [])

    def test_alignments(self):
        self.assertEqual(changes(operators.halve_alignments, "PALLASGEN_REQUIRE(is_array(x, 16, {N}), m);"),
                         ["PALLASGEN_REQUIRE(is_array(x, (16) / 2, {N}), m);"])
        self.assertEqual(changes(operators.halve_alignments, "PALLASGEN_REQUIRE(is_array(x, 1, {N}), m);"), [])


class Spaces(unittest.TestCase):
    def test_the_other_space(self):
        self.assertEqual(changes(operators.swap_spaces, "fence_async_shared();"), ["ptx::fence_proxy_async_global();"])
        self.assertEqual(changes(operators.swap_spaces, "ptx::fence_proxy_async_global();"),
                         ["ptx::fence_proxy_async_shared();"])
        self.assertEqual(len(changes(operators.swap_spaces, "ptx::fence_proxy_async();")), 2)


class Moves(unittest.TestCase):
    def test_one_statement_up_and_down(self):
        self.assertEqual(changes(operators.move_synchronisations, "a = 1;\n__syncthreads();  // all\nb = 2;"),
                         ["__syncthreads(); a = 1; // all b = 2;", "a = 1; b = 2; // all __syncthreads();"])

    def test_past_a_whole_loop_and_its_directive(self):
        self.assertEqual(changes(operators.move_synchronisations,
                                 "#pragma unroll\nfor (int i = 0; i < 2; ++i) {\n  v[i] = i;\n}\n__syncthreads();"),
                         ["__syncthreads(); #pragma unroll for (int i = 0; i < 2; ++i) { v[i] = i; }"])

    def test_under_a_condition(self):
        self.assertEqual(names(operators.move_synchronisations, "a = 1;\nif (leader) smem.empty[s].arrive();"),
                         ["if (leader) smem.empty[s].arrive(); | moved above a = 1;"])

    def test_neither_initialisations_nor_what_gives_a_value(self):
        self.assertEqual(changes(operators.move_synchronisations, "full.init(1);\nempty.init(2);"), [])
        self.assertEqual(changes(operators.move_synchronisations, "a = 1;\nconst bool done = bar.wait(0) && a;"), [])

    def test_never_out_of_its_block(self):
        self.assertEqual(changes(operators.move_synchronisations, "for (;;) {\n  __syncthreads();\n}\na = 1;"), [])


class Checks(unittest.TestCase):
    def test_each_condition_and_the_whole_check(self):
        self.assertEqual(changes(operators.drop_checks, 'PALLASGEN_REQUIRE(M >= 0 && N >= 0, "k: negative");'),
                         ['PALLASGEN_REQUIRE(true && N >= 0, "k: negative");',
                          'PALLASGEN_REQUIRE(M >= 0 && true, "k: negative");'])
        self.assertEqual(changes(operators.drop_checks, 'PALLASGEN_REQUIRE(fits_int32(M, N), "k: below 2^31");'), [";"])

    def test_early_returns(self):
        self.assertEqual(changes(operators.drop_checks, "if (M == 0) return cudaSuccess;\na = 1;"), ["a = 1;"])
        self.assertEqual(changes(operators.drop_checks, "if (!maps.ok()) return maps.error();"), [""])
        self.assertEqual(changes(operators.drop_checks, 'if (n < 1) return fail(kWrong, "%d; no", n);\na = 1;'), ["a = 1;"])

    def test_other_branches_stay(self):
        self.assertEqual(changes(operators.drop_checks, "if (n < 1) return 0;"), [])


class Attributes(unittest.TestCase):
    def test_each(self):
        text = ("namespace {\nstruct alignas(128) Smem {};\n__global__ __launch_bounds__(kThreads, 1)\n"
                "void k(const __grid_constant__ TensorMap map_x) {}\nvoid f() { launch(k, Grid(2).cooperative()); }\n}\n")
        edit = Editor(text)
        operators.strip_attributes(edit)
        self.assertEqual([mutant.change for mutant in edit.mutants()],
                         [f"{what} -> nothing" for what in ("alignas(128)", "__launch_bounds__(kThreads, 1)",
                                                            "__grid_constant__", ".cooperative()")])
        self.assertIn("void k(const TensorMap map_x)", edit.mutants()[2].text)


class Floats(unittest.TestCase):
    def test_the_fourth_digit_that_counts(self):
        for number, changed in (("0.70710678", "0.70720678"), ("1.0", "1.001"), ("2.", "2.001"), ("0.5", "0.5001"),
                                ("2048.0", "2049.0"), ("1e-05", "1.001e-05"), ("0.99999", "0.99989"), ("0.0", None)):
            self.assertEqual(operators.with_other_fourth_digit(number), changed, number)

    def test_floats_and_nothing_else(self):
        self.assertEqual(changes(operators.change_floats, "x = y * 0.5f + 3 + v.x1 + 0.0f;"),
                         ["x = y * 0.5001f + 3 + v.x1 + 0.0f;"])
        self.assertEqual(changes(operators.change_floats, "x = 0x1e4;"), [])


class Roundings(unittest.TestCase):
    def test_narrow_types_are_cut(self):
        self.assertEqual(changes(operators.truncate_roundings, "y = cast<bf16>(x + 1.0f);"),
                         ["y = cast<bf16>(bitcast<float>(bitcast<uint32_t>(x + 1.0f) & 0xffff0000u));"])
        self.assertEqual(len(changes(operators.truncate_roundings, "y = __floats2half2_rn(a, b);")), 2)

    def test_integers(self):
        self.assertEqual(changes(operators.truncate_roundings, "y = rintf(x);"), ["y = truncf(x);"])

    def test_constants_stay(self):
        self.assertEqual(changes(operators.truncate_roundings, "y = cast<bf16>(-INFINITY); z = cast<f16>(0.0f);"), [])


class Texts(unittest.TestCase):
    def test_comments_and_strings_are_no_code(self):
        self.assertEqual(masked('a; // __syncthreads();\nb("0.5f");').split(), ["a;", "b(", ");"])
        self.assertEqual(changes(operators.change_floats, '// 0.5f\nf("0.5f");'), [])

    def test_statements_of_a_block(self):
        code = "{ a; if (b) { c; } else d; for (;;) e; }"
        begin, end = next(blocks("void f() " + code))
        found = statements("void f() " + code, begin, end)
        self.assertEqual([("void f() " + code)[a:b] for a, b in found], ["a;", "if (b) { c; } else d;", "for (;;) e;"])

    def test_mutants_differ_from_the_text_and_have_names_of_their_own(self):
        text = (HERE.parent.parent / "generated/pipeline/sum_of_planes.cu").read_text()
        made = mutants_of(text)
        self.assertNotIn(text, [mutant.text for mutant in made])
        self.assertEqual(len({mutant.name for mutant in made}), len(made))
        kinds = {"attribute", "bytes", "check", "count", "delete", "move", "parity", "scope"}
        self.assertLessEqual(kinds, {mutant.kind for mutant in made})


class Judge(unittest.TestCase):
    def test_truncation_is_seen_in_the_mean(self):
        unit = 2.0 ** -7
        values = [1 + i / 1000 for i in range(900)]
        want = [round(value / unit) * unit for value in values]
        cut = [int(value / unit) * unit for value in values]
        self.assertTrue(judge.is_biased("bf16", cut, want, 2 ** -7))
        self.assertFalse(judge.is_biased("bf16", want, want, 2 ** -7))
        self.assertFalse(judge.is_biased("bf16", cut[:200], want[:200], 2 ** -7))
        self.assertFalse(judge.is_biased("bf16", cut, want, 0.02))  # the test has its own tolerance
        self.assertFalse(judge.is_biased("float", cut, want, 2 ** -7))


class Headers(unittest.TestCase):
    def test_a_mutant_is_judged_by_kernels_that_use_its_function(self):
        header = "namespace p {\nvoid inner() {\n  a;\n}\nint outer(int x) {\n  inner();\n}\nvoid unused() {\n  b;\n}\n}\n"
        uses = headers.Uses([header], {"calls": "outer(2);", "does_not": "other();"})
        self.assertEqual(uses.judges(header, header.index("inner();")), ["calls"])
        self.assertEqual(uses.judges(header, header.index("a;")), ["calls"])
        self.assertEqual(uses.judges(header, header.index("b;")), [])

    def test_the_head_of_a_template_belongs_to_the_function_below_it(self):
        header = "template <int A>\nint first() {\n  a;\n}\n\ntemplate <int N = 4>\nint second() {\n  b;\n}\n"
        uses = headers.Uses([header], {"one": "first<1>();", "two": "second();"})
        self.assertEqual(uses.judges(header, header.index("4")), ["two"])
        self.assertEqual(uses.judges(header, header.index("a;")), ["one"])

    def test_a_member_is_judged_by_what_uses_its_struct(self):
        header = "template <int R>\nstruct Walk {\n  int size = 3;\n\n  int next() {\n    return 1;\n  }\n};\nint next(int x) {}\n"
        uses = headers.Uses([header], {"both": "Walk<2> walk; walk.next(); ", "struct": "Walk<2>", "other": "next(1)"})
        self.assertEqual(uses.judges(header, header.index("return")), ["both"])
        self.assertEqual(uses.judges(header, header.index("3")), ["struct", "both"])
        header += "void all(Walk<2> walk) {\n  walk.next();\n}\n"
        uses = headers.Uses([header], {"calls": "Walk<2> walk; all(walk)", "other": "next(1)", "struct": "Walk<2>"})
        self.assertEqual(uses.judges(header, header.index("return")), ["calls"])

    def test_the_unit_tests_of_the_header_come_first(self):
        header = "void f() {\n  a;\n}\n"
        uses = headers.Uses([header], {"tests/runtime/x_test.cpp": "f();", "tests/runtime/h_test.cpp": "f(); f();"})
        self.assertEqual([Path(name).stem for name in uses.judges(header, header.index("a;"), "h.cuh")],
                         ["h_test", "x_test"])


class Counts(unittest.TestCase):
    def test_few_of_the_counts_stay_and_all_others(self):
        text = "namespace {\n" + "".join(f"  const int a{i} = b;\n  wait{i}();\n" for i in range(200)) + "}\n"
        made = [run.Entry("kernel", mutant, "", ("kernel",)) for mutant in mutants_of(text)]
        kinds = Counter(entry.mutant.kind for entry in made)
        thin = run.thinned(made, 10)
        left = Counter(entry.mutant.kind for entry in thin)
        self.assertEqual(kinds["count"], 400)
        self.assertTrue(20 <= left["count"] <= 60)
        self.assertEqual({**left, "count": 400}, kinds)
        # Whether a mutant stays does not depend on the others.
        self.assertEqual(run.thinned(made[::3], 10), [entry for entry in made[::3] if entry in thin])
        self.assertEqual(run.thinned(made, 1), made)


class OneVerdict:
    """A judge with a fixed verdict."""

    def __init__(self, how):
        self.how = how

    def judge(self, mutant, header=""):
        return ["where" if self.how else "", self.how, 1]


class Judges(unittest.TestCase):
    def verdict(self, *how):
        names = tuple(str(i) for i in range(len(how)))
        entry = run.Entry("h", None, "h.cuh", names)
        return run.judged(dict(zip(names, map(OneVerdict, how))), entry)

    def test_the_first_that_finds_a_mutant_decides(self):
        self.assertEqual(self.verdict("", "failed test", "race"), ["where", "failed test", 2])
        self.assertEqual(self.verdict("", ""), ["", "", 2])
        self.assertEqual(self.verdict(), ["", run.NOT_USED, 0])

    def test_what_one_compiles_and_another_does_not_is_found(self):
        self.assertEqual(self.verdict(judge.DOES_NOT_COMPILE, "")[1], judge.DOES_NOT_COMPILE)
        self.assertEqual(self.verdict("", judge.DOES_NOT_COMPILE)[1], run.ASSERTED)

    def test_unit_tests_have_the_text_of_the_headers_beside_them(self):
        texts = units.texts()
        self.assertIn("__global__", texts["tests/runtime/reduce_test.cpp"])
        self.assertTrue(all(name.endswith("_test.cpp") for name in texts))


if __name__ == "__main__":
    unittest.main()
