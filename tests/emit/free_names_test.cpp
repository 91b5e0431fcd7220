#include "free_names.h"

#include <doctest/doctest.h>

using namespace pallasgen;

TEST_CASE("an identifier gives way to its name where the file has no other use of it") {
  const std::map<std::string, std::string> avoided = {{"j", "j_"}, {"s", "s_"}};
  CHECK(with_free_names("for (int j_ = 0; j_ < n; ++j_) f(smem.x[s], s_);  // step j_ of s_", avoided) ==
        "for (int j = 0; j < n; ++j) f(smem.x[s], s_);  // step j of s_");
  CHECK(with_free_names("g(aj_, j_2, j_);  // full[j_*]", avoided) == "g(aj_, j_2, j);  // full[j_*]");
}

TEST_CASE("members, comments and strings use no name") {
  const std::map<std::string, std::string> avoided = {{"row", "row_"}};
  CHECK(with_free_names("const int row_ = v.row(e) + p->row;  // the row\nfail(\"row\", row_);", avoided) ==
        "const int row = v.row(e) + p->row;  // the row\nfail(\"row\", row);");
  CHECK(with_free_names("print(\"row_ \\\" row_\", '\"', row_);", avoided) == "print(\"row_ \\\" row_\", '\"', row);");
  CHECK(with_free_names("f(row, row_);", avoided) == "f(row, row_);");
}
