#pragma once

#include <string_view>

// Fuzz targets, each with one input. A function returns if all required properties of the input hold; else it prints
// the broken one and aborts. Refused inputs must be refused by a diagnostic.
namespace pallasgen::fuzz {

// Reads bytes as a spec file; the result prints as JSON that reads back to the same JSON.
void reader(std::string_view input);
// Parses text as expression, list and statement; canonical text parses to the same tree and prints as itself.
void expression(std::string_view input);
// Renders text as a template with a small view.
void templates(std::string_view input);
// Generates from bytes as a spec file: diagnostics, or the same text every time.
void generate(std::string_view input);

struct Target {
  std::string_view name;  // name of the fuzzer and of its folder of the corpus
  void (*run)(std::string_view);
};
inline constexpr Target kTargets[] = {
    {"reader", reader}, {"expression", expression}, {"templates", templates}, {"generate", generate}};

// Aborts with `what` unless it holds.
void require(bool holds, const char* what);

}  // namespace pallasgen::fuzz
