#include "output/hash.h"

#include <fmt/format.h>

namespace pallasgen {

uint64_t content_hash(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

std::string hash_text(uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace pallasgen
