#include "global_memory.h"

#include <pallasgen/emulator/instructions.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>

#include "current.h"
#include "poison.h"
#include "race.h"
#include "report.h"

namespace pallasgen::emulator {
namespace {

constexpr size_t kAlignment = 256;
constexpr size_t kRedZone = 5 * kAlignment;  // so that an array is aligned to 256 bytes and no more
constexpr unsigned char kRedZoneFill = 0xa5;
constexpr unsigned char kFill = 0xff;

struct Allocation {
  char* mapping;
  size_t bytes;
  size_t behind;  // bytes of the red zone behind it
};

std::map<char*, Allocation>& allocations() {
  static std::map<char*, Allocation> map;
  return map;
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

}  // namespace

void* allocate_global(size_t bytes) {
  const size_t behind = kRedZone + (kAlignment - bytes % kAlignment) % kAlignment;
  void* mapping = nullptr;
  if (bytes > SIZE_MAX / 2 || posix_memalign(&mapping, 4 * kAlignment, kRedZone + bytes + behind) != 0) return nullptr;
  char* start = static_cast<char*>(mapping);
  char* p = start + kRedZone;
  std::memset(start, kRedZoneFill, kRedZone);
  std::memset(p, kFill, bytes);
  std::memset(p + bytes, kRedZoneFill, behind);
  poison::poison(start, kRedZone);
  poison::poison(p + bytes, behind);
  allocations()[p] = {start, bytes, behind};
  return p;
}

bool free_global(void* p) {
  const auto found = allocations().find(static_cast<char*>(p));
  if (found == allocations().end()) return false;
  if (const std::string what = damage(found->first, found->second); !what.empty()) rule_broken("%s", what.c_str());
  const Allocation& allocation = found->second;
  poison::unpoison(allocation.mapping, kRedZone + allocation.bytes + allocation.behind);
  std::free(allocation.mapping);
  allocations().erase(found);
  return true;
}

std::string damaged_red_zone() {
  for (const auto& [p, allocation] : allocations())
    if (const std::string what = damage(p, allocation); !what.empty()) return what;
  return "";
}

void check_global(const void* p, size_t bytes, const char* what) {
  char* start = static_cast<char*>(const_cast<void*>(p));
  auto next = allocations().upper_bound(start);
  if (next != allocations().end() && start + bytes > next->second.mapping && start < next->first)
    rule_broken("%s: %zu bytes at %p begin before an array of global memory", what, bytes, p);
  if (next == allocations().begin()) return;
  const auto& [first, allocation] = *--next;
  if (start < first + allocation.bytes + allocation.behind && start + bytes > first + allocation.bytes)
    rule_broken("%s: %zu bytes from byte %td of an array of %zu bytes leave it", what, bytes, start - first,
                allocation.bytes);
}

std::string describe_global(const void* p) {
  char* byte = static_cast<char*>(const_cast<void*>(p));
  auto next = allocations().upper_bound(byte);
  if (next == allocations().begin()) return "";
  const auto& [first, allocation] = *--next;
  if (byte >= first + allocation.bytes) return "";
  return text("byte %td of an array of %zu bytes in global memory", byte - first, allocation.bytes);
}

void* global_vector(const void* p, size_t bytes) {
  current_thread("vector access");
  if (reinterpret_cast<uintptr_t>(p) % bytes != 0)
    rule_broken("vector access to global memory: %p is not aligned to %zu bytes", p, bytes);
  check_global(p, bytes, "vector access to global memory");
  return const_cast<void*>(p);
}

}  // namespace pallasgen::emulator
