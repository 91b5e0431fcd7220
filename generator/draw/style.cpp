#include "style.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace pallasgen {

namespace {

constexpr std::string_view kMonospaced =
    "ui-monospace, \"SF Mono\", Menlo, Consolas, \"DejaVu Sans Mono\", \"Liberation Mono\", monospace";

// Rules that do not depend on the theme.
constexpr std::string_view kShapes = R"css(.t { stroke: none; }
.middle { text-anchor: middle; }
.end { text-anchor: end; }
.strong { font-weight: 600; }
.tone { stroke-width: 1; }
.rule { stroke-width: 1; fill: none; }
.faint { stroke-width: 1; fill: none; }
.dashed { stroke-dasharray: 4 3; fill: none; }
.chosen { stroke-width: 2.5; fill: none; pointer-events: none; }
.box { fill: none; stroke-width: 1; }
.roof { stroke-width: 2; fill: none; }
.hatching { stroke-width: 2.5; }
.clear { fill: transparent; }
.halo { paint-order: stroke; stroke-width: 3px; stroke-linejoin: round; }
)css";

double channel(std::string_view colour, size_t at) {
  int value = 0;
  std::from_chars(colour.data() + at, colour.data() + at + 2, value, 16);
  const double part = value / 255.0;
  return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
}
double luminance(std::string_view colour) {
  return 0.2126 * channel(colour, 1) + 0.7152 * channel(colour, 3) + 0.0722 * channel(colour, 5);
}

std::string colours(const Theme& theme) {
  std::string css = fmt::format(
      ".t {{ fill: {0}; }}\n.muted {{ fill: {1}; }}\n.paper {{ fill: {2}; }}\n.rule, .box, .dashed {{ stroke: {3}; }}\n"
      ".faint {{ stroke: {4}; }}\n.chosen {{ stroke: {5}; }}\n.point {{ fill: {5}; stroke: {2}; stroke-width: 2; }}\n"
      ".hatching {{ stroke: {3}; stroke-opacity: 0.55; }}\n.void {{ fill: {4}; }}\n.halo {{ stroke: {2}; }}\n"
      "a:hover .tone, a:focus .tone {{ stroke: {5}; stroke-width: 2; }}\ng:target .t {{ font-weight: 700; "
      "text-decoration: underline; }}\n",
      theme.ink, theme.muted, theme.paper, theme.edge, theme.grid, theme.accent);
  for (int i = 0; i < kTones; ++i) {
    const auto& [fill, ink, edge] = theme.tones[static_cast<size_t>(i)];
    const std::string_view name = name_of(static_cast<Tone>(i));
    css += fmt::format(
        ".tone.{0} {{ fill: {1}; stroke: {3}; }}\n.on-{0} {{ fill: {2}; }}\n.roof.{0}, .rule.{0}, .dashed.{0} {{ "
        "stroke: {3}; }}\n.ink-{0} {{ fill: {3}; }}\n",
        name, fill, ink, edge);
  }
  return css;
}

}  // namespace

std::string_view name_of(Tone tone) {
  constexpr std::array<std::string_view, kTones> kNames = {"blue", "orange", "green", "purple", "teal", "rose", "grey"};
  return kNames[static_cast<size_t>(tone)];
}

Tone nth_tone(int n) { return static_cast<Tone>(n % static_cast<int>(Tone::grey)); }

const Theme& light_theme() {
  static const Theme theme{.paper = "#ffffff",
                           .raised = "#f5f7f9",
                           .ink = "#1b2229",
                           .muted = "#57606a",
                           .edge = "#848d97",
                           .grid = "#e3e7eb",
                           .accent = "#1b2229",
                           .tones = {{{"#cfe2f7", "#0b2f57", "#2a6db3"},
                                      {"#fbe0c0", "#4d2a00", "#b3660a"},
                                      {"#cdebd6", "#0c3a1d", "#2b8a4b"},
                                      {"#e5d8f5", "#35165c", "#7b4bb8"},
                                      {"#c8eaea", "#07393b", "#1b8487"},
                                      {"#f8d7de", "#560f20", "#b8405c"},
                                      {"#eaedf0", "#24292f", "#77818b"}}}};
  return theme;
}

const Theme& dark_theme() {
  static const Theme theme{.paper = "#0f1419",
                           .raised = "#181f26",
                           .ink = "#e3e8ee",
                           .muted = "#9aa5b1",
                           .edge = "#6b7681",
                           .grid = "#27303a",
                           .accent = "#f4f7fa",
                           .tones = {{{"#1c4576", "#e6f1fd", "#63a5e8"},
                                      {"#61400f", "#fff0db", "#e0a04a"},
                                      {"#1a5232", "#e3f8ea", "#57bf7e"},
                                      {"#482d74", "#f3ecfd", "#b491e4"},
                                      {"#145053", "#def6f6", "#4dbabd"},
                                      {"#672437", "#fdeaee", "#e28299"},
                                      {"#323a42", "#e6eaee", "#8b949e"}}}};
  return theme;
}

double contrast(std::string_view a, std::string_view b) {
  const double first = luminance(a) + 0.05, second = luminance(b) + 0.05;
  return first > second ? first / second : second / first;
}

std::string picture_style() {
  return fmt::format("svg {{ font-family: {}; }}\n{}{}@media (prefers-color-scheme: dark) {{\n{}}}\n", kMonospaced,
                     kShapes, colours(light_theme()), colours(dark_theme()));
}

}  // namespace pallasgen
