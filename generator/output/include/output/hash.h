#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pallasgen {

// 64-bit FNV-1a of the bytes, equal on every machine. It detects edits and accidents, not attacks.
uint64_t content_hash(std::string_view bytes);
// The hash as 16 lower-case hexadecimal digits.
std::string hash_text(uint64_t hash);

}  // namespace pallasgen
