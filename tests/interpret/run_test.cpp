#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "specs.h"
#include "values.h"

using namespace pallasgen;
using namespace pallasgen::interpreter;

// Behaviour of small kernels that no array from outside shows: undefined values, the order of events, printed text.
// (The oracle cases test values.)

namespace {

Array array_of(DType dtype, Shape shape, const Reals& elements) {
  Array array = Array::zeros(dtype, std::move(shape));
  for (size_t i = 0; i < elements.size(); ++i) array.set(static_cast<int64_t>(i), elements[i]);
  return array;
}

struct Ran {
  std::map<std::string, Array> outputs;
  std::string said, printed;
};

Ran run(const std::string& body, Arguments arguments, ProgramOrder order = ProgramOrder::row_major, uint64_t seed = 0) {
  const auto checked = check_text("test.yaml", "pallasgen: 1\nkernel: test\n" + body);
  Ran ran;
  std::ostringstream printed;
  if (checked->kernel && complete_arguments(*checked->kernel, arguments, checked->diagnostics)) {
    auto outputs = interpret(*checked->kernel, arguments, {order, seed, &printed}, checked->diagnostics);
    if (outputs) ran.outputs = std::move(*outputs);
  }
  ran.said = render(checked->diagnostics, ErrorFormat::text, false);
  ran.printed = printed.str();
  return ran;
}

const char* kShow = R"yaml(
grid: [{axis: i, size: 2}, {axis: j, size: 3}, {axis: k, size: i + 1, semantics: sequential}]
outputs: {o: {type: "i32[2, 3]", block: [1, 1], index_map: [i, j]}}
body:
  - print: "{} {} {} of {}"
    args: [i, j, k, num_programs(k)]
  - o[...] = k
)yaml";

}  // namespace

TEST_CASE("programs run in order, and so do the steps of each") {
  const Ran ran = run(kShow, {});
  CHECK(ran.said.find("error:") == std::string::npos);  // the warning is that the last step's value stays
  CHECK(ran.printed ==
        "0 0 0 of 1\n0 1 0 of 1\n0 2 0 of 1\n1 0 0 of 2\n1 0 1 of 2\n1 1 0 of 2\n1 1 1 of 2\n1 2 0 of 2\n1 2 1 of 2\n");
  CHECK(numbers_of(ran.outputs.at("o")) == Reals{0, 0, 0, 1, 1, 1});
  CHECK(run(kShow, {}, ProgramOrder::reversed).printed ==
        "1 2 0 of 2\n1 2 1 of 2\n1 1 0 of 2\n1 1 1 of 2\n1 0 0 of 2\n1 0 1 of 2\n0 2 0 of 1\n0 1 0 of 1\n0 0 0 of 1\n");
}

TEST_CASE("doubled braces are braces") {
  CHECK(run(R"yaml(
outputs: {o: {type: "i32[1]"}}
body:
  - {print: "{{}} {{{}}} }}{{ {}", args: [7, true]}
  - {print: "{ % }", args: []}
  - o[0] = 1
)yaml",
            {})
            .printed == "{} {7} }{ true\n{ % }\n");
}

TEST_CASE("what is printed may break a rule, whoever reads it") {
  const auto checked = check_text("test.yaml", R"yaml(pallasgen: 1
kernel: test
inputs: {n: {type: "i32[1]"}, x: {type: "i32[2]"}}
outputs: {o: {type: "i32[1]"}}
body:
  - print: "{}"
    args: ["x[n[0]]"]
  - o[0] = 1
)yaml");
  Arguments arguments;
  arguments.arrays = {{"n", array_of(DType::i32, {1}, {5})}, {"x", array_of(DType::i32, {2}, {1, 2})}};
  REQUIRE(complete_arguments(*checked->kernel, arguments, checked->diagnostics));
  CHECK(!interpret(*checked->kernel, arguments, {}, checked->diagnostics));
  CHECK(render(checked->diagnostics, ErrorFormat::text, false).find("run-index-range") != std::string::npos);
}

TEST_CASE("a random order is the same for the same seed, and every program runs once") {
  const std::string first = run(kShow, {}, ProgramOrder::random, 1).printed;
  CHECK(first == run(kShow, {}, ProgramOrder::random, 1).printed);
  CHECK(first != run(kShow, {}).printed);
  CHECK(first != run(kShow, {}, ProgramOrder::random, 2).printed);
  CHECK(std::count(first.begin(), first.end(), '\n') == 9);
}

TEST_CASE("scratch starts undefined in every program") {
  const Ran ran = run(R"yaml(
grid: [{axis: i, size: 2}]
outputs: {o: {type: "f32[2]", block: [1], index_map: [i]}, n: {type: "i8[2]", block: [1], index_map: [i]}}
scratch: {s: {type: "f32[2]", space: reg}, t: {type: "i8[2]", space: reg}}
body:
  - s[0] = 1
  - t[0] = 1
  - o[...] = s[1:2]
  - n[...] = t[1:2]
  - s[1] = 2
  - t[1] = 2
)yaml",
                      {});
  CHECK(ran.said.find("warning: element [1] of 's' is read before it is written [run-undefined-scratch]") !=
        std::string::npos);
  for (int64_t i : {0, 1}) {
    CHECK(std::isnan(ran.outputs.at("o").at(i)));
    CHECK(ran.outputs.at("n").at(i) == -128);
  }
}

TEST_CASE("what no program writes is as init says, or an error that says so") {
  const auto skipping = [](const std::string& output) {
    return run("scalars: {from: i32}\nskip: i < from\ngrid: [{axis: i, size: 2}]\noutputs:\n  o: {" + output +
                   "}\nbody:\n  - o[...] = 1\n",
               [] {
                 Arguments arguments;
                 arguments.scalars["from"] = int64_t{1};
                 return arguments;
               }());
  };
  const std::string block = "block: [2], index_map: [i]";
  CHECK(numbers_of(skipping("type: \"f32[4]\", init: 5, " + block).outputs.at("o")) == Reals{5, 5, 1, 1});
  const auto told = [&](const std::string& output, const char* element) {
    const std::string said = skipping(output).said;
    CHECK(said.find(std::string("no program writes element [") + element + "] of 'o' [run-unwritten]") !=
          std::string::npos);
  };
  told("type: \"f32[4]\", " + block, "0");
  told("type: \"i32[4]\", " + block, "0");
  told("type: \"f32[5]\", block: [3], index_map: [1 - i]", "3");
  told("type: \"f32[4]\", block: element(2), index_map: [2 - 2 * i]", "2");
  told("type: \"f32[3, 4]\", block: [squeezed, 2], index_map: [1, i]", "0, 0");
  told("type: \"f32[4]\", space: gmem, " + block, "0");
}

TEST_CASE("a program without steps runs its first and last guards and nothing else") {
  const char* body = R"yaml(
dims: {K: {}}
grid: [{axis: i, size: 2}, {axis: k, size: K, semantics: sequential}]
outputs: {o: {type: "f32[2]", block: [1], index_map: [i]}}
scratch: {s: {type: "f32[1]", space: reg}}
body:
  - print: "always"
  - when: k == 0
    do:
      - print: "first {}"
        args: [k]
      - s[...] = 7
  - when: k == 1
    do:
      - print: "second"
  - s[...] += 1
  - when: k == num_programs(k) - 1
    do:
      - print: "last"
      - o[...] = s[...] + i
)yaml";
  Arguments arguments;
  arguments.dims["K"] = 0;
  const Ran none = run(body, arguments);
  CHECK(none.said == "");
  CHECK(none.printed == "first 0\nlast\nfirst 0\nlast\n");
  CHECK(numbers_of(none.outputs.at("o")) == Reals{7, 8});
  arguments.dims["K"] = 2;
  const Ran two = run(body, arguments);
  CHECK(two.printed == "always\nfirst 0\nalways\nsecond\nlast\nalways\nfirst 0\nalways\nsecond\nlast\n");
  CHECK(numbers_of(two.outputs.at("o")) == Reals{9, 10});
}

TEST_CASE("an output with init that no guard of a program without steps writes keeps it") {
  Arguments arguments;
  arguments.dims["K"] = 0;
  arguments.arrays["x"] = array_of(DType::f32, {0}, {});
  const Ran ran = run(R"yaml(
dims: {K: {}}
grid: [{axis: k, size: "cdiv(K, 4)", semantics: sequential}]
inputs: {x: {type: "f32[K]", block: [4], index_map: [k], fill: 0}}
outputs: {o: {type: "f32[4]", init: 3}}
body:
  - o[...] = x
)yaml",
                      arguments);
  CHECK(ran.said.find("error:") == std::string::npos);  // the warning is that the last step's value stays
  CHECK(numbers_of(ran.outputs.at("o")) == Reals{3, 3, 3, 3});
}

TEST_CASE("an output aliased to an input starts as the input's block") {
  Arguments arguments;
  arguments.arrays["x"] = array_of(DType::f32, {5}, {1, 2, 3, 4, 5});
  const Ran ran = run(R"yaml(
grid: [{axis: i, size: 3}]
inputs: {x: {type: "f32[5]", block: [2], index_map: [i]}}
outputs: {o: {type: "f32[5]", block: [2], index_map: [i]}}
aliases: {o: x}
body:
  - o[0] += 10
)yaml",
                      arguments);
  CHECK(ran.said == "");
  CHECK(numbers_of(ran.outputs.at("o")) == Reals{11, 2, 13, 4, 15});
}

TEST_CASE("minimum and maximum of blocks") {
  Arguments arguments;
  arguments.arrays["x"] = array_of(DType::f32, {3, 2}, {4, -1, 2, std::nan(""), 9, 0});
  const Ran ran = run(R"yaml(
grid: [{axis: i, size: 3}]
inputs: {x: {type: "f32[3, 2]", block: [squeezed, 2], index_map: [i, 0]}}
outputs:
  a: {type: "f32[2]", block: [2], index_map: [0], init: inf, reduce: min}
  b: {type: "f32[2]", block: [2], index_map: [0], init: -inf, reduce: max}
body:
  - a[...] = x
  - b[...] = x
)yaml",
                      arguments);
  CHECK(ran.said == "");
  CHECK(ran.outputs.at("a").at(0) == 2);
  CHECK(ran.outputs.at("b").at(0) == 9);
  CHECK(std::isnan(ran.outputs.at("a").at(1)));
  CHECK(std::isnan(ran.outputs.at("b").at(1)));
}

TEST_CASE("x + dot(a, b) is one accumulation, in whatever statement it stands") {
  Arguments arguments;
  arguments.arrays["a"] = array_of(DType::f32, {1, 2}, {1, 1});
  arguments.arrays["x"] = array_of(DType::f32, {1, 1}, {0x1p24});
  const Ran ran = run(R"yaml(
inputs: {a: {type: "f32[1, 2]"}, x: {type: "f32[1, 1]"}}
outputs: {p: {type: "f32[1, 1]"}, q: {type: "f32[1, 1]"}, r: {type: "f32[1, 1]"}, s: {type: "f32[1, 1]"}}
scratch: {acc: {type: "f32[2, 1]", space: reg}}
body:
  - p[...] = x + dot(a, a, trans_b=true)
  - q[...] = x
  - q[...] += dot(a, a, trans_b=true)
  - acc[1:2, :] = x
  - acc[1:2, :] += dot(a, a, trans_b=true)
  - r[...] = acc[1:2, :]
  - both = dot(a, a, trans_b=true) * 1.0
  - s[...] = x + both
)yaml",
                      arguments);
  CHECK(ran.said == "");
  // 2^24 + 1 is 2^24 in f32, twice; the products alone give 2.
  for (const char* name : {"p", "q", "r"}) CHECK(ran.outputs.at(name).at(0) == 0x1p24);
  CHECK(ran.outputs.at("s").at(0) == 0x1p24 + 2);
}

TEST_CASE("only the arm that is taken is evaluated") {
  const Ran ran = run(R"yaml(
grid: [{axis: k, size: 3, semantics: sequential}]
outputs: {o: {type: "f32[2]"}}
body:
  - o[...] = 1 if k == 0 else o[...] * 2
  - "assert": "k == 0 or 4 // k > 1"
)yaml",
                      {});
  CHECK(ran.said == "");
  CHECK(numbers_of(ran.outputs.at("o")) == Reals{4, 4});
}

TEST_CASE("print shows scalars and arrays") {
  const Ran ran = run(R"yaml(
outputs: {o: {type: "f32[2, 3]"}}
body:
  - o[...] = iota(f32, [2, 3], 1) / 4
  - print: "{{o}} = {} {} {} {}"
    args: [o, i8(-3), true, "o[0, 1] > 1.0"]
  - print: "{}"
    args: ["iota(i32, [2, 1, 2], 0)"]
)yaml",
                      {});
  CHECK(ran.said == "");
  CHECK(ran.printed == "{o} = [[0 0.25 0.5]\n [0 0.25 0.5]] -3 true false\n[[[0 0]]\n [[1 1]]]\n");
}

TEST_CASE("arrays without elements") {
  Arguments arguments;
  arguments.dims["N"] = 0;
  arguments.arrays["x"] = array_of(DType::f32, {0}, {});
  const Ran ran = run(R"yaml(
dims: {N: {}}
grid: [{axis: i, size: 2}]
inputs: {x: {type: "f32[N]", block: [2], index_map: [0], fill: 3}}
outputs: {o: {type: "f32[4]", block: [2], index_map: [i]}}
body:
  - o[...] = where(valid(x), 1.0, x)
)yaml",
                      arguments);
  CHECK(ran.said == "");
  CHECK(numbers_of(ran.outputs.at("o")) == Reals{3, 3, 3, 3});
}

TEST_CASE("dims follow from shapes, and what is said when they do not fit") {
  Arguments arguments;
  arguments.arrays["x"] = array_of(DType::f32, {3, 7}, Reals(21, 1));
  const char* body = R"yaml(
dims: {M: {}, N: {}}
grid: [{axis: m, size: M}]
inputs: {x: {type: "f32[M, 2 * N + 1]", block: [1, 8], index_map: [m, 0], fill: 0}}
outputs: {o: {type: "f32[M]", block: [1], index_map: [m]}}
body:
  - o[...] = sum(x, axis=1) + N
)yaml";
  CHECK(numbers_of(run(body, arguments).outputs.at("o")) == Reals{10, 10, 10});
  arguments.arrays["x"] = array_of(DType::f32, {3, 8}, Reals(24, 1));
  CHECK(run(body, arguments).said.find("the dim 'N' has no value") != std::string::npos);
  arguments.dims["N"] = 3;
  CHECK(run(body, arguments).said.find("dim 1 has 8 elements") != std::string::npos);
}

TEST_CASE("an array of another dtype than the spec's is refused; files are refused before") {
  Arguments arguments;
  arguments.arrays["x"] = Array::zeros(DType::f16, {4});
  const Ran ran = run("inputs: {x: {type: \"bf16[4]\"}}\noutputs: {o: {type: \"bf16[4]\"}}\nbody:\n  - o[...] = x\n",
                      std::move(arguments));
  CHECK(ran.said.find("the array given for 'x' is f16[4], and the spec says bf16[4] [argument-type]") !=
        std::string::npos);
}
