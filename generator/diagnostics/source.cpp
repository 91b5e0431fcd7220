#include "diagnostics/source.h"

#include <algorithm>

namespace pallasgen {

SourceText::SourceText(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {
  line_starts_.push_back(0);
  for (size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(static_cast<uint32_t>(i + 1));
  }
}

SourceText::Position SourceText::position(uint32_t offset) const {
  offset = std::min<uint32_t>(offset, static_cast<uint32_t>(text_.size()));
  auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  uint32_t start = *(next - 1);
  // Bytes 10xxxxxx continue a code point.
  auto code_points = std::count_if(text_.begin() + start, text_.begin() + offset,
                                   [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return {static_cast<int>(next - line_starts_.begin()), static_cast<int>(code_points) + 1};
}

std::string_view SourceText::line_at(uint32_t offset) const {
  offset = std::min<uint32_t>(offset, static_cast<uint32_t>(text_.size()));
  auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  size_t start = *(next - 1);
  size_t end = next == line_starts_.end() ? text_.size() : *next - 1;
  if (end > start && text_[end - 1] == '\r') --end;
  return text().substr(start, end - start);
}

Span join(Span a, Span b) {
  if (a.source != b.source) return a;
  return {a.source, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

}  // namespace pallasgen
