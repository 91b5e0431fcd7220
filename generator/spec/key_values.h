#pragma once

#include <string>
#include <string_view>

namespace pallasgen {

// What the schema says of a key beside its form: values as JSON text.
struct KeyValues {
  std::string_view table, key;
  std::string_view fallback;  // what its absence means; empty where no value means the same
  std::string_view example;
};

// The row of a key of a table; null where there is none, which a test refuses.
const KeyValues* key_values(std::string_view table, std::string_view key);
// For a note: "; such as dims: {M: {}, N: {multiple_of: 8}}", the example of the first key of that name whose value
// begins with that bracket; empty where there is none.
std::string example_text(std::string_view key, char bracket);

}  // namespace pallasgen
