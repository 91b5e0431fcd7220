#include "bytes_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plan/words.h"
#include "scale.h"

namespace pallasgen {

namespace {

constexpr size_t kMostTrafficRows = 24;
constexpr double kTextSize = 12, kKeySize = 11, kBar = 18, kRowPitch = 26;

// A part of an array's bar.
struct Share {
  double bytes;
  Tone tone;
  bool hatched;
  const char* what;
};
std::vector<Share> shares_of(const ArrayTraffic& moved) {
  return {{moved.memory, Tone::blue, false, "device memory"},
          {std::max(0.0, moved.wanted - moved.memory), Tone::teal, false, "again, by the L2 cache"},
          {std::max(0.0, moved.touched - moved.wanted), Tone::rose, true, "in sectors, not wanted"}};
}

// True if the L2 cache serves enough repeated reads to be mentioned.
bool is_read_again(const ArrayTraffic& moved) { return moved.memory > 0 && moved.wanted > 1.05 * moved.memory; }

double length_of(const ArrayTraffic& moved) { return std::max(moved.wanted, moved.touched); }

}  // namespace

std::vector<std::string> bytes_words(const std::vector<ArrayTraffic>& arrays) {
  double memory = 0, wanted = 0;
  for (const ArrayTraffic& moved : arrays) memory += moved.memory, wanted += moved.wanted;
  if (wanted <= 0) return {"The example moves no bytes of arrays."};
  std::string text = fmt::format("CTAs read and write {} in all", rate_text(wanted, "B"));
  text += std::any_of(arrays.begin(), arrays.end(), is_read_again)
              ? fmt::format("; device memory moves {} of them, the L2 cache has the others.", rate_text(memory, "B"))
              : ", each byte once.";
  if (arrays.size() > kMostTrafficRows)
    text += fmt::format(" The first {} of {} are drawn.", kMostTrafficRows,
                        counted(static_cast<int64_t>(arrays.size()), "array"));
  return {text};
}

void draw_bytes(Drawing& drawing, const Plan& plan, const std::vector<ArrayTraffic>& arrays, double top) {
  const double gutter = drawing.look().narrow() ? 148 : 176, right = 124, room = drawing.width() - gutter - right;
  double y = top, most = 0, x = 0;
  for (const ArrayTraffic& moved : arrays) most = std::max(most, length_of(moved));
  for (const Share& share : shares_of({})) {
    const auto meant = [&](const ArrayTraffic& moved) {
      for (const Share& of : shares_of(moved))
        if (of.tone == share.tone && of.bytes > 0) return true;
      return false;
    };
    if (std::none_of(arrays.begin(), arrays.end(), meant)) continue;
    const Area swatch{x, y + 1, 14, 12};
    share.hatched ? drawing.hatch(swatch, share.tone) : drawing.fill(swatch, share.tone);
    drawing.text(x + 20, y + 11, share.what, {kKeySize, Anchor::start, "muted"});
    x += 20 + text_width(share.what, kKeySize) + 18;
  }
  y += 26;
  for (size_t i = 0; i < arrays.size() && i < kMostTrafficRows; ++i) {
    const ArrayTraffic& moved = arrays[i];
    const std::string& name = plan.kernel->refs[static_cast<size_t>(moved.ref)].name;
    drawing.text(gutter - 10, y + 13, name, {kTextSize, Anchor::end}, gutter - 12);
    drawing.rect({gutter, y, room, kBar}, "void");
    double left = gutter;
    for (const Share& share : shares_of(moved)) {
      if (share.bytes <= 0 || most <= 0) continue;
      const Area area{left, y, std::max(1.0, room * share.bytes / most), kBar};
      const std::string title = fmt::format("{}: {} bytes, {}", name, grouped(std::llround(share.bytes)), share.what);
      share.hatched ? drawing.hatch(area, share.tone, title) : drawing.fill(area, share.tone, title, 1);
      left += room * share.bytes / most;
    }
    drawing.text(gutter + room + 10, y + 13,
                 rate_text(moved.wanted, "B") +
                     (is_read_again(moved) ? fmt::format(", {} x", three_digits(moved.wanted / moved.memory)) : ""),
                 {kTextSize}, right - 10);
    y += kRowPitch;
  }
  drawing.reach(y);
}

}  // namespace pallasgen
