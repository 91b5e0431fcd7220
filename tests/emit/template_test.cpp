#include "emit/template.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "template_folder.h"

using namespace pallasgen;
using Json = nlohmann::ordered_json;

namespace {

struct Result {
  std::string text;
  std::string error;  // empty when it rendered
};

Result render(const std::string& text, const Json& view) {
  TemplateFolder folder;
  folder.write("t.in", text);
  TemplateError error;
  const auto rendered = render_template(Templates(folder.path()), "t.in", view, error);
  return rendered ? Result{*rendered, ""} : Result{"", to_string(error)};
}

}  // namespace

TEST_CASE("text without directives is itself") {
  const std::string text =
      "int x[2][2] = {{1,2},{3,4}};\n"
      "asm volatile(\"{\\n .reg .pred p;\\n}\" :: \"r\"(x) : \"memory\");\n"
      "asm(\"mov {%0, %1}, %2;\" : \"+f\"(d));  // {{1,2}} {%0} costs $5, a$b\n\n";
  CHECK(render(text, Json::object()).text == text);
}

TEST_CASE("insertions") {
  const Json view = {{"name", "acc"}, {"ring", {{"stages", 4}, {"slot", {{"type", "int"}}}}}, {"none", ""}};
  CHECK(render("${ring.slot.type} ${name}[${ring.stages}] = {${ring.stages}};\n", view).text == "int acc[4] = {4};\n");
  CHECK(render("a${none}b\n", view).text == "ab\n");
  CHECK(render("-${name}${name}", view).text == "-accacc\n");  // no newline at the end of the template
}

TEST_CASE("a line that holds only an empty insertion vanishes") {
  const Json view = {{"none", ""}};
  CHECK(render("a\n  ${none}\nb\n${none}${none}\nc\n", view).text == "a\nb\nc\n");
  CHECK(render("\n  \n", view).text == "\n  \n");
}

TEST_CASE("a value of several lines continues at its column") {
  const Json view = {{"body", "for (;;) {\n  f();\n\n  g();\n}"}};
  CHECK(render("  ${body}\n", view).text == "  for (;;) {\n    f();\n\n    g();\n  }\n");
  CHECK(render("x = ${body};\n", view).text == "x = for (;;) {\n      f();\n\n      g();\n    };\n");
}

TEST_CASE("directives vanish whole, with their indentation") {
  const Json view = {{"on", true},  {"off", false}, {"text", "t"},
                     {"empty", ""}, {"list", {1}},  {"nothing", Json::array()}};
  CHECK(render("$if on\na\n$else\nb\n$end\nc\n", view).text == "a\nc\n");
  CHECK(render("$if off\na\n$else\nb\n$end\nc\n", view).text == "b\nc\n");
  CHECK(render("  $if text\n  a\n  $end\n  $# note ${undefined}\n$if empty\nb\n$end", view).text == "  a\n");
  CHECK(render("$if list\na\n$end\n$if nothing\nb\n$end\n", view).text == "a\n");
}

TEST_CASE("loops, with their variable innermost") {
  const Json view = {{"rows", {{{"name", "a"}, {"cols", {1, 2}}}, {{"name", "b"}, {"cols", Json::array()}}}}};
  CHECK(render("$for r in rows\n${r.name}:\n$for c in r.cols\n  ${r.name}${c}\n$end\n$end\n", view).text ==
        "a:\n  a1\n  a2\nb:\n");
}

TEST_CASE("escapes of the dollar sign") {
  const Json view = {{"x", "X"}};
  CHECK(render("$$if x\n  $$end\n$$${x} $${x} ${x}$\n$${x}\n$$$\n", view).text ==
        "$if x\n  $end\n$X ${x} X$\n${x}\n$$\n");
}

TEST_CASE("a line that begins with an insertion is text") {
  CHECK(render("${x}\n  ${x}\n", {{"x", "X"}}).text == "X\n  X\n");
}

TEST_CASE("carriage returns before newlines are dropped") {
  CHECK(render("$if x\r\n${x}\r\n$end\r\n", {{"x", "X"}}).text == "X\n");
}

TEST_CASE("included files see the same names and end their last line") {
  TemplateFolder folder;
  folder.write("t.in", "$for v in list\n$include \"part/p.in\"\n$end\nend\n");
  folder.write("part/p.in", "${name} ${v}");
  TemplateError error;
  CHECK(render_template(Templates(folder.path()), "t.in", {{"name", "n"}, {"list", {1, 2}}}, error) ==
        "n 1\nn 2\nend\n");
}

TEST_CASE("the template folder shadows by relative path") {
  REQUIRE_FALSE(embedded_template_paths().empty());
  const std::string path = embedded_template_paths().front();
  TemplateFolder folder;
  CHECK(Templates(folder.path()).find(path) == Templates().find(path));
  folder.write(path, "mine\n");
  CHECK(Templates(folder.path()).find(path) == "mine\n");
  folder.write("../" + std::filesystem::path(folder.path()).filename().string() + "/x.in", "x");
  CHECK(Templates(folder.path()).find("x.in") == "x");
  CHECK_FALSE(Templates(folder.path() + "/sub").find("../x.in"));
  CHECK_FALSE(Templates(folder.path()).find("."));  // a folder is no template
  CHECK_FALSE(Templates(folder.path()).find(folder.path() + "/x.in"));
}

TEST_CASE("mistakes name the template and the line") {
  const Json view = {{"x", "X"},     {"list", {1}}, {"object", {{"a", 1}}},
                     {"flag", true}, {"real", 1.5}, {"null", nullptr}};
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a\n${y}\n", "t.in:2: undefined name 'y'"},
      {"${x.y}\n", "t.in:1: undefined name 'x.y'"},
      {"${object.b}\n", "t.in:1: undefined name 'object.b'"},
      {"$if y\n$end\n", "t.in:1: undefined name 'y'"},
      {"$for v in y\n$end\n", "t.in:1: undefined name 'y'"},
      {"$for v in list\n$end\n${v}\n", "t.in:3: undefined name 'v'"},
      {"${object}\n", "t.in:1: 'object' is neither a text nor an integer"},
      {"${list}\n", "t.in:1: 'list' is neither a text nor an integer"},
      {"${flag}\n", "t.in:1: 'flag' is neither a text nor an integer"},
      {"${real}\n", "t.in:1: 'real' is neither a text nor an integer"},
      {"${null}\n", "t.in:1: 'null' is neither a text nor an integer"},
      {"$if object\n$end\n", "t.in:1: 'object' is neither a bool, a text nor a list"},
      {"$for v in x\n$end\n", "t.in:1: 'x' is not a list"},
      {"$for x in list\n$end\n", "t.in:1: the loop variable 'x' hides a name"},
      {"$for v in list\n$for v in list\n$end\n$end\n", "t.in:2: the loop variable 'v' hides a name"},
      {"$if x\n", "t.in:1: $if without $end"},
      {"$if x\n$else\n", "t.in:1: $if without $end"},
      {"$if x\n$else\n$else\n$end\n", "t.in:1: $if without $end"},
      {"$for v in list\na", "t.in:1: $for without $end"},
      {"$for v in list\n$else\n$end\n", "t.in:1: $for without $end"},
      {"a\n$end\n", "t.in:2: '$end' closes nothing"},
      {"a\n$else\n", "t.in:2: '$else' closes nothing"},
      {"$if x\n$end x\n", "t.in:2: '$end' takes no argument"},
      {"$\n", "t.in:1: unknown directive '$'"},
      {"$elsif x\n", "t.in:1: unknown directive '$elsif'"},
      {"$ if x\n", "t.in:1: unknown directive '$'"},
      {"$if\n", "t.in:1: write $if name"},
      {"$if not x\n$end\n", "t.in:1: write $if name"},
      {"$if x.\n$end\n", "t.in:1: write $if name"},
      {"$for v list\n$end\n", "t.in:1: write $for name in list"},
      {"$for v.w in list\n$end\n", "t.in:1: write $for name in list"},
      {"$include x\n", "t.in:1: write $include \"path\""},
      {"a\n$include \"missing.in\"\n", "t.in:2: no template 'missing.in'"},
      {"$include \"t.in\"\n", "t.in:1: includes nest too deep at 't.in'"},
      {"${x\n}\n", "t.in:1: '${' needs a name and a '}'; a literal '${' is '$${'"},
      {"${1}\n", "t.in:1: '${' needs a name and a '}'; a literal '${' is '$${'"},
      {"${ x }\n", "t.in:1: '${' needs a name and a '}'; a literal '${' is '$${'"},
      {"${}\n", "t.in:1: '${' needs a name and a '}'; a literal '${' is '$${'"},
      {"$if x\n$if x\n$if x\n$end\n$end\n$end\n", "t.in:3: more than two $if inside each other"},
      {"$if x\n$for v in list\n$if x\n$else\n$if v\n$end\n$end\n$end\n$end\n",
       "t.in:5: more than two $if inside each other"},
  };
  for (const auto& [text, message] : cases) {
    CAPTURE(text);
    CHECK(render(text, view).error == message);
  }
}

TEST_CASE("a template has at most 150 lines") {
  std::string lines;
  for (int i = 0; i < 150; ++i) lines += "x\n";
  CHECK(render(lines, Json::object()).error.empty());
  CHECK(render(lines + "x", Json::object()).error == "t.in:151: a template has at most 150 lines");
}

TEST_CASE("what loops in loops render has a limit") {
  std::string text, ends;
  for (char v = 'a'; v < 'a' + 12; ++v) {
    text += std::string("$for ") + v + " in list\n";
    ends += "$end\n";
  }
  const Result rendered = render(text + "line\n" + ends, {{"list", {1, 2, 3}}});
  CHECK(rendered.error.find("more than 100000 lines are rendered") != std::string::npos);
}

TEST_CASE("a missing template") {
  TemplateError error;
  CHECK_FALSE(render_template(Templates(), "no/such.in", Json::object(), error));
  CHECK(to_string(error) == "no/such.in:0: no template 'no/such.in'");
}
