#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "spec/spec.h"

using namespace pallasgen;
using Json = nlohmann::json;

namespace {

void each_reference(const Json& node, std::vector<std::string>& out) {
  if (node.is_object() && node.contains("$ref")) out.push_back(node["$ref"]);
  for (const auto& child : node) {
    if (child.is_structured()) each_reference(child, out);
  }
}

std::set<std::string> keys_of(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

void each_key_set(const Json& node, std::set<std::set<std::string>>& out) {
  if (node.is_object()) out.insert(keys_of(node));
  for (const auto& child : node) {
    if (child.is_structured()) each_key_set(child, out);
  }
}

}  // namespace

TEST_CASE("every reference of the schema resolves") {
  Json schema = Json::parse(json_schema());
  CHECK(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema");
  std::vector<std::string> references;
  each_reference(schema, references);
  CHECK(references.size() > 50);
  for (const std::string& reference : references) {
    REQUIRE(reference.starts_with("#/"));
    CHECK_MESSAGE(schema.contains(Json::json_pointer(reference.substr(1))), reference);
  }
}

TEST_CASE("the schema has the keys that docs/language.md section 2 names, and `allow`") {
  Json schema = Json::parse(json_schema());
  for (const char* key :
       {"pallasgen", "kernel",  "doc",      "target",    "dims",   "consts",  "functions", "extern",
        "grid",      "mesh",    "let",      "skip",      "inputs", "outputs", "scratch",   "workspace",
        "aliases",   "scalars", "pipeline", "schedule",  "math",   "body",    "checks",    "reference",
        "tests",     "tune",    "vjp",      "partition", "allow"}) {
    CHECK_MESSAGE(schema["properties"].contains(key), key);
  }
  CHECK(schema["properties"].size() == 29);
  CHECK(schema["additionalProperties"] == false);
  CHECK(schema["required"] == Json{"pallasgen", "kernel", "body"});
  CHECK(schema["$defs"]["input"]["properties"].contains("fill"));
  CHECK(!schema["$defs"]["input"]["properties"].contains("reduce"));
  CHECK(schema["$defs"]["output"]["properties"].contains("reduce"));
}

TEST_CASE("every key of the tables is read and printed: none is lost on the way") {
  std::ifstream file(PALLASGEN_SOURCE_DIR "/tests/spec/everything.yaml");
  std::stringstream text;
  text << file.rdbuf();
  Sources sources;
  Diagnostics diagnostics;
  std::optional<Spec> spec = read_spec(sources.add("everything.yaml", text.str()), {}, sources, diagnostics);
  REQUIRE(spec);
  // The file has, for each table, a mapping with all of its keys; it must be printed with all of them.
  std::set<std::set<std::string>> printed;
  each_key_set(Json::parse(to_ops_json(*spec)), printed);
  Json schema = Json::parse(json_schema());
  Json tables = schema["$defs"];
  tables["spec"] = schema;
  for (const auto& [name, table] : tables.items()) {
    bool one_key_each = name == "transform";
    if (!table.contains("properties") || name == "tree") continue;
    std::set<std::string> keys = keys_of(table["properties"]);
    if (!one_key_each) CHECK_MESSAGE(printed.contains(keys), name);
    for (const std::string& key : keys) {
      if (one_key_each) CHECK_MESSAGE(printed.contains({key}), name, ": ", key);
    }
  }
}
