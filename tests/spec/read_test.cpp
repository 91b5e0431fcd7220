#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

#include "spec/rules.h"
#include "spec/spec.h"

using namespace pallasgen;
namespace fs = std::filesystem;

namespace {

std::string file_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<fs::path> good_specs() {
  std::vector<fs::path> paths = {fs::path(PALLASGEN_SOURCE_DIR) / "tests/spec/everything.yaml"};
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(PALLASGEN_SOURCE_DIR) / "specs")) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
  }
  return paths;
}

struct Read {
  Sources sources;
  Diagnostics diagnostics;
  std::optional<Spec> spec;

  explicit Read(const std::string& text, const std::vector<Define>& defines = {}) {
    spec = read_spec(sources.add("t.yaml", text), defines, sources, diagnostics);
    CHECK(spec.has_value() != diagnostics.has_errors());
  }
  std::string errors() const { return render(diagnostics, ErrorFormat::text, false); }
  std::string text_at(Span span) const {
    return std::string(span.source->text().substr(span.begin, span.end - span.begin));
  }
};

const std::string kHead = "pallasgen: 1\nkernel: k\n";
const std::string kBody = "body:\n  - o[...] = 1\n";

}  // namespace

TEST_CASE("every spec of the library reads, and its trees read back to an equal spec") {
  std::vector<fs::path> specs = good_specs();
  CHECK(specs.size() >= 6);
  for (const fs::path& path : specs) {
    CAPTURE(path.string());
    Read read(file_text(path));
    REQUIRE_MESSAGE(read.spec, read.errors());
    CHECK(read.diagnostics.all().empty());
    std::string ops = to_ops_json(*read.spec);
    Read again(ops);
    REQUIRE_MESSAGE(again.spec, again.errors());
    CHECK(to_ops_json(*again.spec) == ops);
  }
}

TEST_CASE("spans are the bytes of the file, with a byte-order mark and CRLF too") {
  std::string text =
      "\xEF\xBB\xBFpallasgen: 1\r\nkernel: gr\r\nconsts: {bm: \"64 * 2\"}\r\ninputs:\r\n  x: {type: 'f32[bm, 8]', "
      "index_map: [i, 0]}\r\nbody:\r\n  - o[...] = x[0, 1] +\r\n      tanh(y)\r\n  - when: i == 0\r\n    do: []\r\n";
  Read read(text);
  REQUIRE_MESSAGE(read.spec, read.errors());
  const Spec& spec = *read.spec;
  CHECK(read.text_at(spec.kernel.span) == "gr");
  CHECK(read.text_at(spec.consts[0].span) == "bm");
  CHECK(read.text_at(spec.consts[0].value->as<BinaryExpr>()->left->span) == "64");
  CHECK(read.text_at(spec.refs[0].span) == "x");
  CHECK(read.text_at(spec.refs[0].type.dims[0]->span) == "bm");
  CHECK(read.text_at((*spec.refs[0].index_map)[1]->span) == "0");
  const auto& store = std::get<StoreSyntax>(std::get<StatementSyntax>(spec.body[0].node));
  CHECK(read.text_at(store.value->as<BinaryExpr>()->right->span) == "tanh(y)");
  CHECK(spec.body[0].text == "o[...] = x[0, 1] + tanh(y)");
  CHECK(read.text_at(std::get<WhenSyntax>(spec.body[1].node).condition->span) == "i == 0");
}

TEST_CASE("scalars are their text, whatever YAML's schema says") {
  Read read(kHead + "consts: {a: y, b: on, c: yes, d: n, e: 0x10, f: 1e-5, g: -inf, h: nan, i: True, j: 1e3}\n" +
            kBody);
  REQUIRE_MESSAGE(read.spec, read.errors());
  std::string values;
  for (const ConstSpec& constant : read.spec->consts) values += to_string(*constant.value) + " ";
  CHECK(values == "y on yes n 16 1e-5 -inf nan True 1e3 ");
  CHECK(read.spec->consts[0].value->as<NameExpr>() != nullptr);
  CHECK(read.spec->consts[5].value->as<FloatLiteral>() != nullptr);
  CHECK(Read(kHead + "consts: {a: 010, b: 1_000, c: .inf, d: ~}\n" + kBody).diagnostics.errors() == 4);
}

TEST_CASE("a key is its text, also where YAML has a meaning for the word") {
  Read read(kHead + "outputs: {null: {type: \"i32[8]\"}, true: {type: \"i32[8]\"}}\nbody:\n  - null[...] = 1\n");
  REQUIRE_MESSAGE(read.spec, read.errors());
  CHECK(read.spec->refs[0].name == "null");
  CHECK(read.spec->refs[1].name == "true");
}

TEST_CASE("a null value means {} for a dim") {
  Read read(kHead + "dims: {M:, N: {multiple_of: 8}, K: }\n" + kBody);
  REQUIRE_MESSAGE(read.spec, read.errors());
  CHECK(read.spec->dims.size() == 3);
  CHECK(Read("{\"pallasgen\": 1, \"kernel\": \"k\", \"dims\": {\"M\": null}, \"body\": [\"o[...] = 1\"]}").spec);
}

TEST_CASE("JSON and YAML give the same spec, and so do a list and one string with commas") {
  Read yaml(kHead + "inputs:\n  x: {type: \"f32[M, 8]\", block: \"element(4, 1, 1), 8\", index_map: [i, 0]}\n" + kBody);
  Read json(
      "{\"pallasgen\": 1, \"kernel\": \"k\", \"inputs\": {\"x\": {\"type\": \"f32[M, 8]\", "
      "\"block\": [\"element(4, 1, 1)\", 8], \"index_map\": \"i, 0\"}}, \"body\": [\"o[...] = 1\"]}");
  REQUIRE(yaml.spec);
  REQUIRE(json.spec);
  CHECK(to_ops_json(*yaml.spec) == to_ops_json(*json.spec));
}

TEST_CASE("a list of values and mappings has its items by their numbers") {
  Read read(kHead + "schedule: {tile_order: [{axis: h, width: 4}, -i, b]}\n" + kBody);
  REQUIRE_MESSAGE(read.spec, read.errors());
  const Setting& order = read.spec->schedule.front();
  REQUIRE(order.is_list());
  REQUIRE(order.entries.size() == 3);
  CHECK(order.entries[0].entries[1].name == "width");
  CHECK(to_string(*order.entries[1].value) == "-i");
  // A mapping by -D replaces it, and the JSON form reads back.
  Read defined(kHead + "schedule: {tile_order: [-i, b]}\n" + kBody,
               {{"schedule.tile_order.axis", "m"}, {"schedule.tile_order.width", "8"}});
  Read written(kHead + "schedule: {tile_order: {axis: m, width: 8}}\n" + kBody);
  REQUIRE_MESSAGE(defined.spec, defined.errors());
  CHECK(to_ops_json(*defined.spec) == to_ops_json(*written.spec));
  Read again(to_ops_json(*read.spec));
  REQUIRE_MESSAGE(again.spec, again.errors());
  CHECK(to_ops_json(*again.spec) == to_ops_json(*read.spec));
}

TEST_CASE("-D is put over consts and settings, and its place is the define's own text") {
  std::string text = kHead + "consts: {bm: 128}\npipeline: {stages: 4}\nschedule: {tile_order: row}\n" + kBody;
  Read read(text, {{"bm", "64"},
                   {"pipeline.stages", "auto"},
                   {"pipeline.warp_specialized", "true"},
                   {"schedule.tile_order.axis", "m"},
                   {"schedule.tile_order.width", "8"},
                   {"schedule.cluster.m", "2"},
                   {"schedule.take_turns", "s"},
                   {"math.approx", "true"}});
  REQUIRE_MESSAGE(read.spec, read.errors());
  Read written(
      kHead +
      "consts: {bm: 64}\npipeline: {stages: auto, warp_specialized: true}\nschedule: {tile_order: {axis: m, width: "
      "8}, cluster: {m: 2}, take_turns: [s]}\nmath: {approx: true}\n" +
      kBody);
  REQUIRE_MESSAGE(written.spec, written.errors());
  CHECK(to_ops_json(*read.spec) == to_ops_json(*written.spec));
  Span span = read.spec->consts[0].value->span;
  CHECK(span.source->path() == "-D");
  CHECK(read.text_at(span) == "64");
  CHECK(read.spec->consts[0].span.source->path() == "t.yaml");
}

namespace {

// Expects the text to be refused by the rule, and returns the seconds of CPU time that it takes.
double seconds_until_refused(const std::string& text, const Rule& rule) {
  const std::clock_t begin = std::clock();
  Read read(text);
  CHECK(!read.spec);
  const std::string errors = read.errors();
  CHECK(errors.size() < 2000);
  CHECK_MESSAGE(errors.find("[" + std::string(rule.name) + "]") != std::string::npos, errors.substr(0, 300));
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

std::string repeated(size_t times, const std::string& text) {
  std::string all;
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("too much of anything is refused fast") {
  // A text of ten times the length takes about ten times as long, not a hundred times.
  const auto refused = [](const std::function<std::string(size_t)>& text_of, const Rule& rule) {
    constexpr size_t kMega = 1000000;
    constexpr double kLeast = 0.01;  // shorter times are not compared
    const double tenth = seconds_until_refused(text_of(kMega / 10), rule);
    CHECK(seconds_until_refused(text_of(kMega), rule) < 40 * std::max(kLeast, tenth));
  };
  refused([](size_t n) { return std::string(n, '['); }, kYamlDepth);
  refused([](size_t n) { return std::string(n, '{'); }, kYamlKey);
  refused([](size_t n) { return repeated(n / 4, "{a: "); }, kYamlDepth);
  refused([](size_t n) { return repeated(n / 2, "- "); }, kYamlDepth);
  refused([](size_t n) { return kHead + "body: [\"" + std::string(n, '(') + "\"]\n"; }, Rule{"syntax-brackets", ""});
  refused(
      [](size_t n) {
        return kHead + "body: [\"x = " + std::string(n / 2, '(') + "1" + std::string(n / 2, ')') + "\"]\n";
      },
      Rule{"syntax-depth", ""});
  refused([](size_t n) { return kHead + "body: [\"x = " + std::string(n, '9') + "\"]\n"; },
          Rule{"syntax-integer-range", ""});
  refused([](size_t n) { return kHead + std::string(n, 'k') + ": 1\n"; }, kUnknownKey);
  seconds_until_refused(std::string((size_t{16} << 20) + 1, ' '), kFileSize);
  seconds_until_refused(kHead + "body: []\nskip: " + repeated(300, "{\"op\": \"neg\", \"args\": ["), kYamlDepth);
}

TEST_CASE("more than a million values are refused") {
  std::string text = kHead + "body: [";
  for (int i = 0; i < 1000001; ++i) text += "a,";
  Read read(text + "]");
  CHECK(read.errors().find("[file-size]") != std::string::npos);
}

TEST_CASE("deep trees read back") {
  std::string expression = "x";
  for (int i = 0; i < 190; ++i) expression = "-" + expression;
  Read read(kHead + "skip: \"" + expression + " == 1\"\n" + kBody);
  REQUIRE_MESSAGE(read.spec, read.errors());
  std::string ops = to_ops_json(*read.spec);
  Read again(ops);
  REQUIRE_MESSAGE(again.spec, again.errors());
  CHECK(to_ops_json(*again.spec) == ops);
}

TEST_CASE("nothing of libfyaml reaches stderr") {
  int saved = dup(2);
  FILE* caught = std::tmpfile();
  dup2(fileno(caught), 2);
  for (const char* text :
       {"a: [", "a: b: c", "\t- x", "a: *b", "%FOO bar\n---\nx", "\"", "{a: 1,, b}", "? [x]\n: y", "- a\nb: 1"}) {
    Read read(text);
  }
  dup2(saved, 2);
  close(saved);
  std::fseek(caught, 0, SEEK_END);
  CHECK(std::ftell(caught) == 0);
  std::fclose(caught);
}

TEST_CASE("changed bytes never crash and always say something") {
  std::mt19937 random(5);
  const std::string kBytes = "[]{}(),:#&*!|>%@`'\"-?\n \t~=.<\xC3\x80" + std::string(1, '\0') + "a0";
  for (const fs::path& path : good_specs()) {
    std::string original = file_text(path);
    for (int i = 0; i < 150; ++i) {
      std::string text = original;
      for (int n = 0; n < 3; ++n) {
        size_t at = random() % text.size();
        if (random() % 2) {
          text.insert(at, 1, kBytes[random() % kBytes.size()]);
        } else {
          text.erase(at, 1 + random() % 8);
        }
      }
      Read read(text);
      CHECK(read.errors().empty() == read.spec.has_value());
    }
  }
}
