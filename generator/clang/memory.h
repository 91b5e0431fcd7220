#pragma once

#include <clang/AST/Type.h>
#include <clang/Basic/SourceLocation.h>
#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
class VarDecl;
}  // namespace clang

namespace pallasgen::vet {

struct Object;
struct MapInfo;

// A place in an object, in bytes. `low` and `high` bound the innermost array that contains it; if the place is not
// exact, it may be anywhere between them.
struct Pointer {
  Object* object = nullptr;
  int64_t offset = 0, low = 0, high = 0;
  bool is_exact = true;
};

// The value of an expression, as far as it is known.
struct Value {
  enum class Kind { unknown, integer, pointer, map, function };
  Kind kind = Kind::unknown;
  int64_t integer = 0;  // the bits of any integer type, sign- or zero-extended as its type requires
  Pointer pointer;
  const MapInfo* map = nullptr;
  const clang::FunctionDecl* function = nullptr;

  bool is_integer() const { return kind == Kind::integer; }
  bool is_pointer() const { return kind == Kind::pointer; }
  bool is_known() const { return kind != Kind::unknown; }
};

inline Value unknown() { return {}; }
inline Value integer(int64_t value) { return {Value::Kind::integer, value, {}, nullptr, nullptr}; }
inline Value address(const Pointer& pointer) { return {Value::Kind::pointer, 0, pointer, nullptr, nullptr}; }
inline Value map_value(const MapInfo* map) { return {Value::Kind::map, 0, {}, map, nullptr}; }

// A tensor map that the launcher has made.
struct MapInfo {
  std::string name;
  int64_t element_bytes = 0, elements_of_byte = 1;
  std::vector<int64_t> box;  // in elements, outermost first
  int64_t swizzle = 0;       // as in pallasgen::Swizzle
  clang::SourceLocation at;

  int64_t bytes() const {
    int64_t product = element_bytes;
    for (const int64_t extent : box) product *= extent;
    return product / elements_of_byte;
  }
};

// The known scalars of an object, by their offsets. Most objects have one.
class Cells {
 public:
  const Value* find(int64_t offset) const {
    const auto* at = std::lower_bound(cells_.begin(), cells_.end(), offset, before);
    return at != cells_.end() && at->first == offset ? &at->second : nullptr;
  }
  void set(int64_t offset, const Value& value) {
    auto* at = std::lower_bound(cells_.begin(), cells_.end(), offset, before);
    if (at != cells_.end() && at->first == offset)
      at->second = value;
    else
      cells_.insert(at, {offset, value});
  }
  void erase(int64_t from, int64_t to) {
    cells_.erase(std::lower_bound(cells_.begin(), cells_.end(), from, before),
                 std::lower_bound(cells_.begin(), cells_.end(), to, before));
  }
  // Replaces `size` bytes at `to` with those of `other` at `from`.
  void take(const Cells& other, int64_t from, int64_t to, int64_t size) {
    llvm::SmallVector<std::pair<int64_t, Value>, 4> taken;
    for (const auto* at = std::lower_bound(other.cells_.begin(), other.cells_.end(), from, before);
         at != other.cells_.end() && at->first < from + size; ++at)
      taken.emplace_back(at->first - from + to, at->second);
    erase(to, to + size);
    for (const auto& [offset, value] : taken) set(offset, value);
  }

 private:
  static bool before(const std::pair<int64_t, Value>& cell, int64_t offset) { return cell.first < offset; }
  llvm::SmallVector<std::pair<int64_t, Value>, 1> cells_;
};

// Memory of one variable with the known scalars at its offsets. Shared memory belongs to all threads, global memory to
// the caller; only places in them are tracked, not values.
struct Object {
  enum class Kind { local, shared, global };
  Kind kind = Kind::local;
  std::string name;
  clang::QualType type;
  int64_t size = 0;
  Cells cells;
  // Asynchronous instructions use these registers until this many groups of the thread are complete.
  int64_t busy_until = -1;
  bool is_written = false;  // instructions write the registers; otherwise they read them
  clang::SourceLocation busy_since;
  // The thread's count of fences when anything but an instruction last used these registers, and when an instruction
  // last did. `instruction` is that instruction's function; null if there was none.
  int64_t fences_at_touch = 0, fences_at_use = 0;
  const clang::FunctionDecl* instruction = nullptr;
};

}  // namespace pallasgen::vet
