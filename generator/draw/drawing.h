#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pallasgen {

// A rectangle. All lengths of drawings are pixels at the size for which they are laid out; y grows downwards.
struct Area {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};
// True if the areas have more than an edge in common.
bool areas_overlap(const Area& a, const Area& b);

// The layout of a drawing: a page shows one of two layouts of a picture, depending on its width.
struct Look {
  double width = 1080;
  std::string suffix;   // ends ids, so that a page may hold several layouts: "w"; empty for a file
  bool linked = false;  // true if parts link to those of other pictures on the page
  std::string css{};    // the element's class: a page shows "wide" or "narrow" ones
  bool narrow() const { return width < 800; }
};
Look wide_look();    // on a page
Look narrow_look();  // on a page narrower than 880 pixels
Look file_look();    // in a file

// Escapes text for XML and HTML, in elements and in attributes with double quotes. Characters that XML 1.0 cannot hold
// become U+FFFD.
std::string escaped_text(std::string_view text);

// Escapes a path for a link: bytes that have a meaning in links, or are not ASCII, become %XX.
std::string link_text(std::string_view path);

// An upper bound of the width of a line in the monospaced fonts of drawings.
double text_width(std::string_view text, double size);
// The line, cut with an ellipsis if it is wider than `room`; empty if not even that fits.
std::string fitted(std::string_view text, double room, double size);
// Breaks a paragraph between words into lines no wider than `room`; a longer word is cut.
std::vector<std::string> wrapped(std::string_view text, double room, double size);

// The names of colours in the style sheet (style.h). A tone fills an area; its text and its edge match it.
enum class Tone : uint8_t { blue, orange, green, purple, teal, rose, grey };
inline constexpr int kTones = 7;
std::string_view name_of(Tone tone);
// The tone of the n-th of several things; never grey.
Tone nth_tone(int n);

enum class Anchor : uint8_t { start, middle, end };
struct TextStyle {
  double size = 12;
  Anchor anchor = Anchor::start;
  std::string classes{};  // from the style sheet: "muted", "strong", "on-blue"
};

// An SVG picture: elements in the order in which they are drawn. Every line of text is kept with its largest area, so
// that tests can check that no two lines overlap.
class Drawing {
 public:
  Drawing(std::string name, Look look);

  const Look& look() const { return look_; }
  double width() const { return look_.width; }
  // The id of a part, different in each layout: "memory-field-2-w".
  std::string id_of(std::string_view part) const;

  // Draws a rectangle. A pointer that rests on the element shows `title`, which may be empty.
  void rect(const Area& area, std::string_view classes, std::string_view title = {}, double radius = 0);
  // Draws a rectangle filled with a tone.
  void fill(const Area& area, Tone tone, std::string_view title = {}, double radius = 2);
  // The same with hatching over it.
  void hatch(const Area& area, Tone tone, std::string_view title = {});
  void line(double x1, double y1, double x2, double y2, std::string_view classes);
  void path(const std::vector<std::pair<double, double>>& points, std::string_view classes);
  void dot(double x, double y, double radius, std::string_view classes, std::string_view title = {});
  // Draws a line of text with its baseline at y, cut to `room`, with the whole text as title. False if nothing fits.
  bool text(double x, double y, std::string_view text, const TextStyle& style, double room = 1e9);
  // Draws text in the middle of the area; false if it does not fit.
  bool text_inside(const Area& area, std::string_view text, TextStyle style);
  // Elements between open and close belong together; links lead to `part`, and have no target if parts are not linked.
  void open_part(std::string_view part);
  void close_part();
  void open_link(std::string_view part, std::string_view title);
  void close_link();
  // Makes the picture at least as high as `y`.
  void reach(double y);

  struct Line {
    std::string text;
    Area area;
  };
  const std::vector<Line>& lines() const { return lines_; }
  double height() const { return height_; }

  // The picture as an element of a page, with a name and a description for those who do not see it.
  std::string element(std::string_view title, std::string_view description) const;
  // The picture as a file of its own, with its style sheet.
  std::string file(std::string_view title, std::string_view description) const;

 private:
  void add(std::string_view element, std::string_view attributes, std::string_view title);
  std::string body(std::string_view attributes, std::string_view style, std::string_view title,
                   std::string_view description) const;

  std::string name_;
  Look look_;
  double height_ = 0;
  std::string elements_;
  std::vector<Line> lines_;
};

// A length or a coordinate in SVG, with at most two decimals.
std::string coordinate(double value);

}  // namespace pallasgen
