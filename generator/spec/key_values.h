#pragma once

#include <string>
#include <string_view>

namespace pallasgen {

// Facts of the schema about the values of a key, as JSON text.
struct KeyValues {
  std::string_view table, key;
  std::string_view fallback;  // the value that its absence means; empty if there is none
  std::string_view example;
};

// The row of a key of a table; null if there is none, which a test refuses.
const KeyValues* key_values(std::string_view table, std::string_view key);
// An example for a note: "; such as dims: {M: {}, N: {multiple_of: 8}}". It is that of the first key of this name whose
// example begins with `bracket`; empty if there is none.
std::string example_text(std::string_view key, char bracket);

}  // namespace pallasgen
