#pragma once

#include <string_view>

// What is fuzzed, each with one input. A function returns when all that must hold of the input holds; else it prints
// what does not and aborts. Inputs that are refused must be refused by a diagnostic.
namespace pallasgen::fuzz {

// Bytes as a spec file: read; what was read prints as JSON that reads back to the same JSON.
void reader(std::string_view input);
// Text as expression, list and statement: parsed; canonical text parses to the same tree and prints as itself.
void expression(std::string_view input);
// Text as a template: rendered with a small view.
void templates(std::string_view input);
// Bytes as a spec file: diagnostics, or the same text every time.
void generate(std::string_view input);

struct Target {
  std::string_view name;  // of the fuzzer and of its folder of the corpus
  void (*run)(std::string_view);
};
inline constexpr Target kTargets[] = {
    {"reader", reader}, {"expression", expression}, {"templates", templates}, {"generate", generate}};

// Aborts with `what` unless it holds.
void require(bool holds, const char* what);

}  // namespace pallasgen::fuzz
