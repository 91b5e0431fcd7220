#include "global_memory.h"

#include <pallasgen/emulator/instructions.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>

#include "current.h"
#include "host_call.h"
#include "poison.h"
#include "race.h"
#include "report.h"

namespace pallasgen::emulator {
namespace {

constexpr size_t kAlignment = 256;
constexpr size_t kRedZone = 5 * kAlignment;  // so that an array is aligned to 256 bytes and no more
constexpr unsigned char kRedZoneFill = 0xa5;
constexpr unsigned char kFill = 0xff;
// An allocation from this size on uses memory only where it is written, and starts as 0.
constexpr size_t kSparse = size_t{1} << 30;

struct Allocation {
  char* mapping;
  size_t bytes;
  size_t behind;  // bytes of the red zone after it
};

std::map<char*, Allocation>& allocations() {
  static std::map<char*, Allocation> map;
  return map;
}

// An array inside an allocation.
struct Part {
  size_t bytes, behind;
};

std::map<char*, Part>& parts() {
  static std::map<char*, Part> map;
  return map;
}

/// Returns the last entry that begins at or before `p`, or null.
template <class Map>
typename Map::value_type* last_before(Map& map, const char* p) {
  auto next = map.upper_bound(const_cast<char*>(p));
  return next == map.begin() ? nullptr : &*--next;
}

constexpr size_t kUnknown = SIZE_MAX;

// The distance from a pointer to the end of its array, from a recent check_reach.
struct Reach {
  const void* p = nullptr;
  size_t bytes = kUnknown;
};
Reach known_reaches[64];

void forget_reaches() { std::fill(std::begin(known_reaches), std::end(known_reaches), Reach{}); }

size_t bytes_from(const char* p) {
  if (const auto* part = last_before(parts(), p); part != nullptr && p < part->first + part->second.bytes)
    return static_cast<size_t>(part->first + part->second.bytes - p);
  if (const auto* array = last_before(allocations(), p); array != nullptr && p < array->first + array->second.bytes)
    return static_cast<size_t>(array->first + array->second.bytes - p);
  return kUnknown;
}

long first_other_than(const char* p, size_t bytes, unsigned char fill) {
  const char* end = p + bytes;
  const char* found = std::find_if(p, end, [=](char c) { return static_cast<unsigned char>(c) != fill; });
  return found == end ? -1 : found - p;
}

std::string damage(char* p, const Allocation& allocation) {
  if (poison::enabled()) return "";
  if (const long at = first_other_than(allocation.mapping, kRedZone, kRedZoneFill); at >= 0)
    return text("global memory was written %ld bytes before an array of %zu bytes", static_cast<long>(kRedZone) - at,
                allocation.bytes);
  if (const long at = first_other_than(p + allocation.bytes, allocation.behind, kRedZoneFill); at >= 0)
    return text("global memory was written %ld bytes behind the end of an array of %zu bytes", at, allocation.bytes);
  return "";
}

std::string damage(char* p, const Part& part) {
  if (poison::enabled()) return "";
  const long at = first_other_than(p + part.bytes, part.behind, kRedZoneFill);
  return at < 0 ? ""
                : text("global memory was written %ld bytes behind a part of %zu bytes of a workspace", at, part.bytes);
}

/// Maps memory for an allocation of `bytes`, `all` of them with the red zones; returns null if there is none.
void* map_memory(size_t bytes, size_t all) {
  void* mapping = nullptr;
  if (bytes < kSparse) return posix_memalign(&mapping, 4 * kAlignment, all) == 0 ? mapping : nullptr;
  mapping = mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return mapping == MAP_FAILED ? nullptr : mapping;
}

}  // namespace

void* allocate_global(size_t bytes) {
  const size_t behind = kRedZone + (kAlignment - bytes % kAlignment) % kAlignment;
  if (bytes > SIZE_MAX / 2) return nullptr;
  void* mapping = map_memory(bytes, kRedZone + bytes + behind);
  if (mapping == nullptr) return nullptr;
  char* start = static_cast<char*>(mapping);
  char* p = start + kRedZone;
  std::memset(start, kRedZoneFill, kRedZone);
  if (bytes < kSparse) std::memset(p, kFill, bytes);
  std::memset(p + bytes, kRedZoneFill, behind);
  poison::poison(start, kRedZone);
  poison::poison(p + bytes, behind);
  allocations()[p] = {start, bytes, behind};
  forget_reaches();
  return p;
}

bool free_global(void* p) {
  const auto found = allocations().find(static_cast<char*>(p));
  if (found == allocations().end()) return false;
  const std::string what = damage(found->first, found->second);
  const Allocation& allocation = found->second;
  poison::unpoison(allocation.mapping, kRedZone);
  poison::unpoison(found->first + allocation.bytes, allocation.behind);
  if (allocation.bytes < kSparse)
    std::free(allocation.mapping);
  else
    munmap(allocation.mapping, kRedZone + allocation.bytes + allocation.behind);
  allocations().erase(found);
  forget_reaches();
  if (!what.empty()) rule_broken("%s", what.c_str());  // if nothing of it is left: the program may go on
  return true;
}

void add_part(void* p, size_t bytes, size_t behind) {
  if (bytes == 0) return;
  char* start = static_cast<char*>(p);
  std::memset(start + bytes, kRedZoneFill, behind);
  poison::poison(start + bytes, behind);
  parts()[start] = {bytes, behind};
  forget_reaches();
}

void remove_parts(void* p, size_t bytes) {
  char* start = static_cast<char*>(p);
  const auto first = parts().lower_bound(start), last = parts().lower_bound(start + bytes);
  std::string what;
  for (auto part = first; part != last; ++part) {
    if (what.empty()) what = damage(part->first, part->second);
    poison::unpoison(part->first + part->second.bytes, part->second.behind);
  }
  parts().erase(first, last);
  forget_reaches();
  if (!what.empty()) rule_broken("%s", what.c_str());
}

std::string damaged_red_zone() {
  for (const auto& [p, allocation] : allocations())
    if (const std::string what = damage(p, allocation); !what.empty()) {
      std::memset(allocation.mapping, kRedZoneFill, kRedZone);  // each damage is reported once
      std::memset(p + allocation.bytes, kRedZoneFill, allocation.behind);
      return what;
    }
  for (const auto& [p, part] : parts())
    if (const std::string what = damage(p, part); !what.empty()) {
      std::memset(p + part.bytes, kRedZoneFill, part.behind);
      return what;
    }
  return "";
}

void check_global(const void* p, size_t bytes, const char* what) {
  char* start = static_cast<char*>(const_cast<void*>(p));
  auto next = allocations().upper_bound(start);
  if (next != allocations().end() && start + bytes > next->second.mapping && start < next->first)
    rule_broken("%s: %zu bytes at %p begin before an array of global memory", what, bytes, p);
  if (const auto* part = last_before(parts(), start)) {
    char* end = part->first + part->second.bytes;
    if (start < end + part->second.behind && start + bytes > end)
      rule_broken("%s: %zu bytes from byte %td of a part of %zu bytes of a workspace leave it", what, bytes,
                  start - part->first, part->second.bytes);
  }
  if (next == allocations().begin()) return;
  const auto& [first, allocation] = *--next;
  if (start < first + allocation.bytes + allocation.behind && start + bytes > first + allocation.bytes)
    rule_broken("%s: %zu bytes from byte %td of an array of %zu bytes leave it", what, bytes, start - first,
                allocation.bytes);
}

std::string describe_global(const void* p) {
  char* byte = static_cast<char*>(const_cast<void*>(p));
  auto next = allocations().upper_bound(byte);
  if (const auto* part = last_before(parts(), byte); part != nullptr && byte < part->first + part->second.bytes)
    return text("byte %td of a part of %zu bytes of a workspace", byte - part->first, part->second.bytes);
  if (next == allocations().begin()) return "";
  const auto& [first, allocation] = *--next;
  if (byte >= first + allocation.bytes) return "";
  return text("byte %td of an array of %zu bytes in global memory", byte - first, allocation.bytes);
}

void check_global_reach(const void* p, uint64_t bytes, const char* what) {
  Reach& known = known_reaches[reinterpret_cast<uintptr_t>(p) / 16 % std::size(known_reaches)];
  if (known.p != p) known = {p, bytes_from(static_cast<const char*>(p))};
  if (bytes > known.bytes)
    rule_broken("%s goes on for %llu bytes from %s, which ends %llu bytes before", what,
                static_cast<unsigned long long>(bytes), describe_global(p).c_str(),
                static_cast<unsigned long long>(bytes - known.bytes));
}

void check_reach(const void* array, int64_t elements, int element_bits) {
  if (elements <= 0) return;
  const uint64_t bytes = (static_cast<uint64_t>(elements) * static_cast<uint64_t>(element_bits) + 7) / 8;
  const auto check = [&] { check_global_reach(array, bytes, "an array with these extents"); };
  if (Thread* thread = current_thread_or_null()) {
    thread->pc = __builtin_return_address(0);
    check();
  } else {
    host_call_without_result(check);
  }
}

void* global_vector(const void* p, size_t bytes) {
  current_thread("vector access");
  if (reinterpret_cast<uintptr_t>(p) % bytes != 0)
    rule_broken("vector access to global memory: %p is not aligned to %zu bytes", p, bytes);
  check_global(p, bytes, "vector access to global memory");
  return const_cast<void*>(p);
}

}  // namespace pallasgen::emulator
