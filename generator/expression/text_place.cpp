#include "text_place.h"

#include <algorithm>

namespace pallasgen {
namespace {

// Offsets in `source` of each byte of `text` and of its end; empty if the two do not match.
std::vector<uint32_t> line_up(std::string_view text, std::string_view source) {
  std::vector<uint32_t> offsets;
  offsets.reserve(text.size() + 1);
  size_t at = 0;
  for (char c : text) {
    if (is_space(c)) {
      // A folded line break matches any run of whitespace.
      if (at >= source.size() || !is_space(source[at])) return {};
      offsets.push_back(static_cast<uint32_t>(at));
      bool breaks = false;
      size_t end = at;
      for (; end < source.size() && is_space(source[end]); ++end) breaks = breaks || source[end] == '\n';
      at = breaks ? end : at + 1;
      continue;
    }
    while (at < source.size() && is_space(source[at])) ++at;
    // Escapes: `\"` and `\\` in double quotes, `''` in single ones.
    if (at + 1 < source.size() && (source[at] == '\\' || source[at] == '\'') && source[at + 1] == c &&
        (c == '"' || c == '\\' || c == '\'' || c == '/')) {
      offsets.push_back(static_cast<uint32_t>(at));
      at += 2;
      continue;
    }
    if (at >= source.size() || source[at] != c) return {};
    offsets.push_back(static_cast<uint32_t>(at++));
  }
  offsets.push_back(static_cast<uint32_t>(at));
  return offsets;
}

}  // namespace

TextPlace::TextPlace(std::string_view text, Span span) : span_(span), size_(text.size()) {
  if (span.source == nullptr) return;
  std::string_view all = span.source->text();
  size_t begin = std::min<size_t>(span.begin, all.size());
  std::string_view source = all.substr(begin, span.end > begin ? span.end - begin : 0);
  if (source == text) return;
  offsets_ = line_up(text, source);
  whole_ = offsets_.empty();
}

Span TextPlace::at(size_t begin, size_t end) const {
  if (whole_) return span_;
  begin = std::min(begin, size_);
  end = std::min(end, size_);
  if (offsets_.empty()) return span_.sub(static_cast<uint32_t>(begin), static_cast<uint32_t>(end));
  // The end is one past the last byte, not the start of what follows a folded break.
  uint32_t last = end > begin ? offsets_[end - 1] + 1 : offsets_[end];
  return span_.sub(offsets_[begin], last);
}

}  // namespace pallasgen
