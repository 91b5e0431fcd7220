#include "drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "style.h"

namespace pallasgen {

namespace {

constexpr double kMargin = 8;                     // around the picture of a file
constexpr double kAscent = 0.8, kDescent = 0.24;  // parts of a line's height, relative to its size

}  // namespace

bool areas_overlap(const Area& a, const Area& b) {
  constexpr double kEdge = 0.01;
  return a.x + kEdge < b.right() && b.x + kEdge < a.right() && a.y + kEdge < b.bottom() && b.y + kEdge < a.bottom();
}

Look wide_look() { return {1080, "w", true, "wide"}; }
Look narrow_look() { return {540, "n", true, "narrow"}; }
Look file_look() { return {1080, "", false, ""}; }

std::string coordinate(double value) {
  const double cents = std::round(value * 100);
  std::string text = fmt::format("{:.2f}", cents == 0 ? 0.0 : cents / 100);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

Drawing::Drawing(std::string name, Look look) : name_(std::move(name)), look_(std::move(look)) {}

std::string Drawing::id_of(std::string_view part) const {
  return look_.suffix.empty() ? std::string(part) : fmt::format("{}-{}", part, look_.suffix);
}

void Drawing::reach(double y) { height_ = std::max(height_, y); }

void Drawing::add(std::string_view element, std::string_view attributes, std::string_view title) {
  elements_ += title.empty()
                   ? fmt::format("<{} {}/>\n", element, attributes)
                   : fmt::format("<{0} {1}><title>{2}</title></{0}>\n", element, attributes, escaped_text(title));
}

void Drawing::rect(const Area& area, std::string_view classes, std::string_view title, double radius) {
  const std::string round = radius > 0 ? fmt::format(" rx=\"{}\"", coordinate(radius)) : "";
  add("rect",
      fmt::format("class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}", classes, coordinate(area.x),
                  coordinate(area.y), coordinate(std::max(area.width, 0.0)), coordinate(std::max(area.height, 0.0)),
                  round),
      title);
  reach(area.bottom());
}

void Drawing::fill(const Area& area, Tone tone, std::string_view title, double radius) {
  rect(area, fmt::format("tone {}", name_of(tone)), title, std::min({radius, area.width / 2, area.height / 2}));
}

void Drawing::hatch(const Area& area, Tone tone, std::string_view title) {
  fill(area, tone, {}, 0);
  add("rect",
      fmt::format("fill=\"url(#{})\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", id_of(name_ + "-hatch"),
                  coordinate(area.x), coordinate(area.y), coordinate(std::max(area.width, 0.0)),
                  coordinate(std::max(area.height, 0.0))),
      title);
}

void Drawing::line(double x1, double y1, double x2, double y2, std::string_view classes) {
  add("line",
      fmt::format("class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"", classes, coordinate(x1), coordinate(y1),
                  coordinate(x2), coordinate(y2)),
      {});
  reach(std::max(y1, y2));
}

void Drawing::path(const std::vector<std::pair<double, double>>& points, std::string_view classes) {
  std::string data;
  for (const auto& [x, y] : points) {
    data += fmt::format("{}{} {}", data.empty() ? "M" : " L", coordinate(x), coordinate(y));
    reach(y);
  }
  add("path", fmt::format("class=\"{}\" d=\"{}\"", classes, data), {});
}

void Drawing::dot(double x, double y, double radius, std::string_view classes, std::string_view title) {
  add("circle",
      fmt::format("class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"", classes, coordinate(x), coordinate(y),
                  coordinate(radius)),
      title);
  reach(y + radius);
}

bool Drawing::text(double x, double y, std::string_view text, const TextStyle& style, double room) {
  const double left = style.anchor == Anchor::start ? x : 0, right = style.anchor == Anchor::end ? x : width();
  room = std::min(room, style.anchor == Anchor::middle ? 2 * std::min(x, width() - x) : right - left);
  const std::string line = fitted(text, room, style.size);
  if (line.empty()) return false;
  const double wide = text_width(line, style.size);
  const double begin = style.anchor == Anchor::start ? x : style.anchor == Anchor::end ? x - wide : x - wide / 2;
  lines_.push_back({line, {begin, y - kAscent * style.size, wide, (kAscent + kDescent) * style.size}});
  const char* anchor = style.anchor == Anchor::start ? "" : style.anchor == Anchor::end ? " end" : " middle";
  const std::string title = line == text ? "" : fmt::format("<title>{}</title>", escaped_text(text));
  elements_ += fmt::format("<text class=\"{}{}{}\" x=\"{}\" y=\"{}\" font-size=\"{}\">{}{}</text>\n", style.classes,
                           style.classes.empty() ? "t" : " t", anchor, coordinate(x), coordinate(y),
                           coordinate(style.size), title, escaped_text(line));
  reach(y + kDescent * style.size);
  return true;
}

bool Drawing::text_inside(const Area& area, std::string_view text, TextStyle style) {
  constexpr double kSides = 2;  // left free at both sides together
  if (text_width(text, style.size) > area.width - kSides || style.size > area.height) return false;
  style.anchor = Anchor::middle;
  return this->text(area.x + area.width / 2, area.y + area.height / 2 + 0.34 * style.size, text, style, area.width);
}

void Drawing::open_part(std::string_view part) { elements_ += fmt::format("<g id=\"{}\">\n", id_of(part)); }
void Drawing::close_part() { elements_ += "</g>\n"; }

void Drawing::open_link(std::string_view part, std::string_view title) {
  elements_ += look_.linked ? fmt::format("<a href=\"#{}\"><title>{}</title>\n", id_of(part), escaped_text(title))
                            : std::string("<g>\n");
}
void Drawing::close_link() { elements_ += look_.linked ? "</a>\n" : "</g>\n"; }

std::string Drawing::body(std::string_view attributes, std::string_view style, std::string_view title,
                          std::string_view description) const {
  const std::string hatch = id_of(name_ + "-hatch"), label = id_of(name_ + "-title"), words = id_of(name_ + "-words");
  std::string text = fmt::format("<svg {} role=\"img\" aria-labelledby=\"{} {}\">\n", attributes, label, words);
  text += fmt::format("<title id=\"{}\">{}</title>\n<desc id=\"{}\">{}</desc>\n", label, escaped_text(title), words,
                      escaped_text(description));
  text += style;
  text += fmt::format(
      "<defs><pattern id=\"{}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><line class=\"hatching\" x1=\"0\" y1=\"0\" x2=\"0\" "
      "y2=\"6\"/></pattern></defs>\n",
      hatch);
  return text + elements_ + "</svg>\n";
}

std::string Drawing::element(std::string_view title, std::string_view description) const {
  return body(fmt::format("class=\"{}\" viewBox=\"-1 -1 {} {}\"", look_.css, coordinate(width() + 2),
                          coordinate(std::ceil(height_) + 2)),
              "", title, description);
}

std::string Drawing::file(std::string_view title, std::string_view description) const {
  const double wide = width() + 2 * kMargin, high = std::ceil(height_) + 2 * kMargin;
  const std::string attributes =
      fmt::format("xmlns=\"http://www.w3.org/2000/svg\" width=\"{1}\" height=\"{2}\" viewBox=\"{0} {0} {1} {2}\"",
                  coordinate(-kMargin), coordinate(wide), coordinate(high));
  const std::string style =
      fmt::format("<style>\n{}</style>\n<rect class=\"paper\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                  picture_style(), coordinate(-kMargin), coordinate(-kMargin), coordinate(wide), coordinate(high));
  return body(attributes, style, title, description);
}

}  // namespace pallasgen
