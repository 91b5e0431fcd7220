#pragma once

#include <array>
#include <string>
#include <string_view>

#include "drawing.h"

namespace pallasgen {

// Colours as #rrggbb. A tone: what it fills, the text on it, its edge, which also stands for it where it is a line.
struct ToneColours {
  std::string_view fill, ink, edge;
};
struct Theme {
  std::string_view paper, raised, ink, muted, edge, grid, accent;  // raised: boxes on the page; grid: faint lines
  std::array<ToneColours, kTones> tones;                           // by Tone
};
const Theme& light_theme();
const Theme& dark_theme();

// The contrast of two colours by WCAG 2.1: 1 to 21.
double contrast(std::string_view a, std::string_view b);

// The style sheet of pictures, for both themes, by what the reader prefers.
std::string picture_style();
// And of pages, which holds that of pictures.
std::string page_style();

}  // namespace pallasgen
