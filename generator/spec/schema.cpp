#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "diagnostics/assert.h"
#include "key_values.h"
#include "keys.h"
#include "spec/rules.h"
#include "spec/spec.h"

namespace pallasgen {
namespace {

using Json = nlohmann::ordered_json;

// The rules of form, which a validator checks as well.
constexpr const Rule* kSchemaRules[] = {&kUnknownKey, &kMissingKey, &kWrongKind,     &kUnknownChoice, &kFormatVersion,
                                        &kNullValue,  &kNameForm,   &kSignatureForm, &kMisplacedKey,  &kStatementForm};

constexpr std::string_view kNamePattern = "^[A-Za-z][A-Za-z0-9_]*$";

Json reference_to(std::string_view definition) { return {{"$ref", fmt::format("#/$defs/{}", definition)}}; }

// References have no spaces.
std::string definition_of(std::string_view table) {
  std::string out(table);
  for (char& c : out) c = c == ' ' ? '_' : c;
  return out;
}

Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Json map_of(Json values, std::string_view pattern = kNamePattern) {
  return {{"type", "object"}, {"propertyNames", {{"pattern", pattern}}}, {"additionalProperties", std::move(values)}};
}

Json either(Json a, Json b) { return {{"anyOf", Json::array({std::move(a), std::move(b)})}}; }

Json table_schema(std::string_view table) { return reference_to(definition_of(table)); }

Json choices_of(const KeyInfo& key) {
  Json words = Json::array();
  for (std::string_view word : key.choices) {
    if (word == "true" || word == "false") {
      words.push_back(word == "true");
    } else {
      words.push_back(word);
    }
  }
  return {{"enum", words}};
}

Json schema_of(const KeyInfo& key) {
  Json text{{"type", "string"}};
  switch (key.kind) {
    case ValueKind::version:
      return {{"const", 1}};
    case ValueKind::text:
      return either(text, {{"type", Json::array({"number", "boolean"})}});
    case ValueKind::name:
      return reference_to("name");
    case ValueKind::names:
      return either(text, list_of(either(reference_to("name"), reference_to("tree"))));
    case ValueKind::choice:
      return choices_of(key);
    case ValueKind::choices:
      return either(choices_of(key), list_of(choices_of(key)));
    case ValueKind::expression:
      return reference_to("expression");
    case ValueKind::expressions:
      return either(reference_to("expression"), list_of(reference_to("expression")));
    case ValueKind::value:
      return reference_to("value");
    case ValueKind::type:
      return reference_to("expression");
    case ValueKind::statements:
      return reference_to("statements");
    case ValueKind::expression_map:
      return map_of(reference_to("expression"));
    case ValueKind::text_map:
      return map_of(text);
    case ValueKind::name_map:
      return map_of(reference_to("name"));
    case ValueKind::value_map:
      return map_of(reference_to("value"));
    case ValueKind::values_map:
      return map_of(reference_to("value"), "^[A-Za-z][A-Za-z0-9_.]*$");
    case ValueKind::type_map:
      return map_of(reference_to("expression"));
    case ValueKind::signature_map:
      return map_of(reference_to("expression"), "^[A-Za-z][A-Za-z0-9_]*\\(.*\\)$");
    case ValueKind::table:
      return table_schema(key.table);
    case ValueKind::table_list:
      return list_of(table_schema(key.table));
    case ValueKind::table_map: {
      Json entry = table_schema(key.table);
      // A dim without a value means {}.
      return map_of(key.table == "dim" ? either(entry, {{"type", "null"}}) : entry);
    }
    case ValueKind::value_or_table:
      return either(either(reference_to("expression"), table_schema(key.table)),
                    list_of(either(reference_to("value"), table_schema(key.table))));
    case ValueKind::reference:
      return either(map_of(reference_to("expression")), reference_to("statements"));
    case ValueKind::transforms: {
      Json entry = table_schema(key.table);
      return list_of({{"allOf", Json::array({entry, {{"minProperties", 1}, {"maxProperties", 1}}})}});
    }
    case ValueKind::name_lists:
      return list_of(list_of(either(reference_to("name"), reference_to("tree"))));
  }
  PALLASGEN_ASSERT(false && "a kind of value without a schema");
}

Json schema_of(const Table& table) {
  Json properties = Json::object(), required = Json::array();
  for (const KeyInfo& key : table.keys) {
    Json property = schema_of(key);
    property["description"] = key.doc;
    if (const KeyValues* values = key_values(table.name, key.name)) {
      if (!values->fallback.empty()) property["default"] = Json::parse(values->fallback);
      property["examples"] = Json::array({Json::parse(values->example)});
    }
    properties[std::string(key.name)] = std::move(property);
    if (key.required) required.push_back(key.name);
  }
  Json out{{"description", table.doc}, {"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  if (!required.empty()) out["required"] = required;
  return out;
}

Json statement_schema() {
  Json forms = Json::array({{{"type", "string"}}, reference_to("tree")});
  for (const Table& table : key_tables()) {
    if (table.name.starts_with("statement ")) forms.push_back(table_schema(table.name));
  }
  return {{"anyOf", forms}};
}

}  // namespace

std::string json_schema() {
  const Table& top = key_tables()[0];
  std::vector<std::string_view> rules;
  for (const Rule* rule : kSchemaRules) rules.push_back(rule->name);
  Json out{
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "pallasgen kernel spec, version 1"},
      {"$comment", fmt::format("Specs that break these rules are refused by it: {}; what names, types and shapes mean "
                               "pallasgen alone checks.",
                               fmt::join(rules, ", "))}};
  out.update(schema_of(top));
  Json& defs = out["$defs"] = Json::object();
  defs["name"] = {{"type", "string"}, {"pattern", kNamePattern}};
  defs["tree"] = {{"type", "object"}, {"properties", {{"op", {{"type", "string"}}}}}, {"required", {"op"}}};
  defs["expression"] = {
      {"anyOf", Json::array({{{"type", Json::array({"string", "number", "boolean"})}}, reference_to("tree")})}};
  defs["value"] = either(reference_to("expression"), list_of(reference_to("value")));
  defs["statements"] = list_of(reference_to("statement"));
  defs["statement"] = statement_schema();
  for (const Table& table : key_tables()) {
    if (&table != &top) defs[definition_of(table.name)] = schema_of(table);
  }
  return out.dump(2) + "\n";
}

}  // namespace pallasgen
