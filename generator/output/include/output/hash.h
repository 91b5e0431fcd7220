#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pallasgen {

// 64-bit FNV-1a of the bytes: stable everywhere; it tells accidents and edits, it is no defence.
uint64_t content_hash(std::string_view bytes);
// 16 lower-case hexadecimal digits.
std::string hash_text(uint64_t hash);

}  // namespace pallasgen
