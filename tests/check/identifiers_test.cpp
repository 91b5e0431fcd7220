// The C++ names of a spec's names.
#include <set>
#include <sstream>

#include "checked.h"

using namespace pallasgen;

namespace {

Checked spec(const std::string& consts, const std::string& body = "  - o[...] = x\n") {
  return Checked("pallasgen: 1\nkernel: k\nconsts: {" + consts +
                 "}\ninputs: {x: {type: \"f32[8]\"}, switch: {type: \"f32[8]\"}}\n"
                 "outputs: {o: {type: \"f32[8]\"}}\nbody:\n" +
                 body);
}

}  // namespace

TEST_CASE("every word of the toolkit's headers is found, and no part of one") {
  std::istringstream words(
#include "names/toolkit_words.inc"
  );
  int count = 0;
  for (std::string word; words >> word; ++count) {
    CHECK_MESSAGE(is_reserved_word(word, NamePlace::file), word);
    CHECK_MESSAGE(!is_reserved_word(word + "_9", NamePlace::file), word);
  }
  CHECK(count > 2000);
  CHECK(is_reserved_word("zero_element", NamePlace::function));
  CHECK(!is_reserved_word("zero_elemen", NamePlace::function));
  CHECK(!is_reserved_word("", NamePlace::file));
}

TEST_CASE("a name keeps its spelling unless it is reserved, and two names never get one identifier") {
  const Checked made = spec("new: 1, new_: 2, new_2: 3, M_PI: 4, random: 5, sine: 6, copy_bulk: 7, bm: 8, index: 9");
  REQUIRE_MESSAGE(made.kernel, made.errors());
  const Identifiers& names = made.kernel->identifiers;
  CHECK(names.of("bm") == "bm");
  CHECK(names.of("new_") == "new_");
  CHECK(names.of("new_2") == "new_2");
  CHECK(names.of("new") == "new_3");
  std::set<std::string> seen;
  for (const KernelConst& constant : made.kernel->consts) {
    const std::string name = names.of(constant.name);
    CHECK_MESSAGE(seen.insert(name).second, constant.name);
    CHECK_MESSAGE(!is_reserved(name, NamePlace::file), name);
    CHECK(names.of(name) == name);
  }
}

TEST_CASE("made-up names evade those of the spec and end in no double underscore") {
  const Checked made = spec("x_at: 1, x_at_: 2, tiles_m: 3, k_kernel: 4");
  REQUIRE_MESSAGE(made.kernel, made.errors());
  const Identifiers& names = made.kernel->identifiers;
  CHECK(names.derived("x_at") == "x_at_2");
  CHECK(names.derived("switch_at") == "switch_at");
  CHECK(names.derived("tiles_m") == "tiles_m_");
  CHECK(names.derived("tiles_n") == "tiles_n");
  CHECK(names.of("k_kernel") == "k_kernel_");
}

TEST_CASE("a function of the toolkit hides no local, but no const of the file can have its name") {
  CHECK(is_reserved("gamma", NamePlace::file));
  CHECK_FALSE(is_reserved("gamma", NamePlace::function));
  CHECK(is_reserved("fabsf", NamePlace::function));
}

TEST_CASE("a value that the language names evades the names of the body") {
  const Checked made = spec("d: 1", "  - softmax_x = x * 2\n  - o[...] = softmax(x + 1) + softmax_x\n");
  REQUIRE_MESSAGE(made.kernel, made.errors());
  std::set<std::string> seen;
  for_each_statement(made.kernel->body, [&](const KernelStmt& statement) {
    if (const auto* bind = std::get_if<BindStmt>(&statement.node))
      CHECK_MESSAGE(seen.insert(bind->name).second, bind->name);
  });
}
