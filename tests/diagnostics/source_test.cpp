#include "diagnostics/source.h"

#include <doctest/doctest.h>

using namespace pallasgen;

TEST_CASE("positions count lines and code points from 1") {
  SourceText source("f", "ab\n\xC3\xA9x\r\n\nend");
  auto at = [&](uint32_t offset) {
    auto [line, column] = source.position(offset);
    return line * 100 + column;
  };
  CHECK(at(0) == 101);
  CHECK(at(2) == 103);
  CHECK(at(3) == 201);
  CHECK(at(5) == 202);  // after the two bytes of é
  CHECK(at(8) == 301);
  CHECK(at(9) == 401);
  CHECK(at(12) == 404);
  CHECK(at(1000) == 404);
  CHECK(source.line_at(4) == "\xC3\xA9x");
  CHECK(source.line_at(8) == "");
  CHECK(source.line_at(99) == "end");
  CHECK(SourceText("f", "").line_at(0) == "");
  CHECK(SourceText("f", "a\n").position(2).line == 2);
}

TEST_CASE("spans join within one source") {
  SourceText a("a", "0123456789"), b("b", "");
  Span joined = join({&a, 5, 7}, {&a, 1, 3});
  CHECK(joined.begin == 1);
  CHECK(joined.end == 7);
  CHECK(join({&a, 5, 7}, {&b, 0, 0}).source == &a);
  CHECK(join({&a, 5, 7}, {&b, 0, 0}).begin == 5);
  CHECK(Span{&a, 4, 8}.sub(1, 3).begin == 5);
  CHECK(Span{&a, 4, 8}.sub(1, 3).end == 7);
}

TEST_CASE("sources stay where they are") {
  Sources sources;
  const SourceText* first = &sources.add("a", "x");
  for (int i = 0; i < 1000; ++i) sources.add("b", "y");
  CHECK(first->path() == "a");
  CHECK(first->text() == "x");
}
