#pragma once

#include <array>
#include <string>
#include <string_view>

#include "drawing.h"

namespace pallasgen {

// Colours of a tone as #rrggbb: the filled area, the text on it, and its edge, which is also the colour of lines.
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

// The style sheet of pictures, for both themes; the reader's preference chooses.
std::string picture_style();
// The style sheet of pages, which includes that of pictures.
std::string page_style();

}  // namespace pallasgen
