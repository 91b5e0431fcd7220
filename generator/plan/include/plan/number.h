#pragma once

#include <cstdint>
#include <string>

namespace pallasgen {

// A number of the plan with its C++ text in the generated file: names of constants ("bm", "kRowsPerConsumer",
// "bk / 16") or digits. Emit prints `text` and never computes.
struct Number {
  int64_t value = 0;
  std::string text;
  bool operator==(const Number&) const = default;
};

// The number as digits.
inline Number number(int64_t value) { return {value, std::to_string(value)}; }
// A constant of the file by name.
inline Number number(int64_t value, std::string text) { return {value, std::move(text)}; }

}  // namespace pallasgen
