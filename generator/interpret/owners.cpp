#include "owners.h"

#include <fmt/format.h>

namespace pallasgen::interpreter {

namespace {

std::string name_of(int64_t program) { return fmt::format("program {} of the grid", program - 1); }

}  // namespace

Owners::Owners(int64_t elements) : writers_(static_cast<size_t>(elements)), readers_(static_cast<size_t>(elements)) {}

std::optional<Owners::Conflict> Owners::write(int64_t element, int64_t count, int64_t program, bool atomic) {
  if (!watch()) return std::nullopt;
  const int64_t own = program + 1, me = atomic ? -1 : own;
  for (int64_t i = element; i < element + count; ++i) {
    int64_t& writer = writers_[static_cast<size_t>(i)];
    if (writer != 0 && writer != me && !(atomic && writer == own))
      return Conflict{i, "is written here and by " + (writer < 0 ? "atomics" : name_of(writer))};
    const int64_t reader = readers_[static_cast<size_t>(i)];
    if (reader != 0 && reader != own && !atomic)
      return Conflict{i,
                      fmt::format("is written here and read by {}", reader < 0 ? "other programs" : name_of(reader))};
    writer = me;
  }
  return std::nullopt;
}

std::optional<Owners::Conflict> Owners::read(int64_t element, int64_t count, int64_t program) {
  if (!watch()) return std::nullopt;
  const int64_t own = program + 1;
  for (int64_t i = element; i < element + count; ++i) {
    const int64_t writer = writers_[static_cast<size_t>(i)];
    if (writer > 0 && writer != own) return Conflict{i, fmt::format("is read here, and {} writes it", name_of(writer))};
    int64_t& reader = readers_[static_cast<size_t>(i)];
    reader = reader == 0 || reader == own ? own : -1;
  }
  return std::nullopt;
}

}  // namespace pallasgen::interpreter
