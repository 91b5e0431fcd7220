#pragma once

#include <string>

namespace pallasgen::test {

// Indents lines of a role's work on a tile.
inline std::string in_tile(const std::string& lines) {
  std::string out = "    for tile in work(i):\n      ";
  for (char c : lines) out += c == '\n' ? "\n      " : std::string(1, c);
  return out + "\n";
}

// Returns the text of a kernel with these roles on each tile of an axis i with x and o in blocks of 8, and an axis k of
// 3 steps. `channels`: a line each.
inline std::string two_roles(const std::string& channels, const std::string& producer, const std::string& consumer) {
  return "tile 1 k sm_90a after roles\n"
         "dim N, M\n"
         "axis i parallel cdiv(N, 8)\n"
         "axis k sequential 3\n"
         "ref x: f32[N] {in, block [8], at [i]}\n"
         "ref o: f32[N] {out, block [8], at [i]}\n"
         "kernel k:\n" +
         channels + "  role producer {warps 1}:\n" + in_tile(producer) + "  role consumer:\n" + in_tile(consumer);
}

// The same text with the roles in the other order.
inline std::string consumer_first(const std::string& text) {
  const size_t producer = text.find("  role producer"), consumer = text.find("  role consumer");
  return text.substr(0, producer) + text.substr(consumer) + text.substr(producer, consumer - producer);
}

}  // namespace pallasgen::test
