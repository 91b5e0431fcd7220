#include "fold_lines.h"

#include <doctest/doctest.h>

#include <sstream>

using namespace pallasgen;

TEST_CASE("lines that fit stay, preferred breaks become blanks") {
  CHECK(fold_lines("f(a,\x1f"
                   "b);\n\n  g();",
                   20) == "f(a, b);\n\n  g();\n");
  CHECK(fold_lines("", 20).empty());
}

TEST_CASE("code goes on under what follows its innermost open bracket") {
  CHECK(fold_lines("  call(first, second, third);\n", 24) == "  call(first, second,\n       third);\n");
  CHECK(fold_lines("call(first, inner(x, y), third);\n", 27) == "call(first, inner(x, y),\n     third);\n");
  CHECK(fold_lines("call(inner(xxxx, yyyy), z);\n", 22) == "call(inner(xxxx,\n           yyyy), z);\n");
}

TEST_CASE("a preferred break is taken before others") {
  CHECK(fold_lines("f(aaaa, bbbb,\x1f"
                   "cccc, dddd);\n",
                   22) == "f(aaaa, bbbb,\n  cccc, dddd);\n");
  // If the part before the mark is itself too long, the line also breaks elsewhere.
  CHECK(fold_lines("f(aaaa, bbbb,\x1f"
                   "cccc, dddd);\n",
                   12) == "f(aaaa,\n  bbbb,\n  cccc,\n  dddd);\n");
}

TEST_CASE("strings are not broken and their brackets do not count") {
  CHECK(fold_lines("f(\"a, b, c (d\", e, g);\n", 19) == "f(\"a, b, c (d\", e,\n  g);\n");
  const std::string whole = "f(\"no, place, to, break\");\n";
  CHECK(fold_lines(whole, 12) == whole);
}

TEST_CASE("outside of brackets a line goes on four columns further in") {
  CHECK(fold_lines("  return alpha && beta && gamma;\n", 20) == "  return alpha\n      && beta\n      && gamma;\n");
}

TEST_CASE("a comment at the end moves above; comments go on under their first word") {
  CHECK(fold_lines("  wait(s);  // stage s holds a and b\n", 30) == "  // stage s holds a and b\n  wait(s);\n");
  CHECK(fold_lines("  //   one two three four five\n", 20) == "  //   one two three\n  //   four five\n");
  CHECK(fold_lines("f(\"http://x\", aaaa, bbbb);\n", 20) == "f(\"http://x\", aaaa,\n  bbbb);\n");
}

TEST_CASE("long random calls never pass the limit and lose nothing") {
  std::string call = "function(";
  for (int i = 0; i < 60; ++i)
    call += "argument_" + std::to_string(i * 7919 % 1000) + (i % 7 == 3 ? "(x, y)" : "") + ", ";
  call += "last);";
  const std::string folded = fold_lines(call + "\n", 120);
  std::istringstream lines(folded);
  std::string line, words;
  while (std::getline(lines, line)) {
    CHECK(line.size() <= 120);
    for (const char c : line) words += c == ' ' ? "" : std::string(1, c);
  }
  std::string expected;
  for (const char c : call) expected += c == ' ' ? "" : std::string(1, c);
  CHECK(words == expected);
}

TEST_CASE("what an if or a for governs goes below it before anything else is broken") {
  CHECK(fold_lines("  if (is(a) && b) store(c, d);\n", 24) == "  if (is(a) && b)\n    store(c, d);\n");
  CHECK(fold_lines("  for (int i = 0; i < n; ++i) add(i);\n", 30) == "  for (int i = 0; i < n; ++i)\n    add(i);\n");
  CHECK(fold_lines("  if (is(\")\") && b) {\n", 12).find("b) {\n") != std::string::npos);
}
