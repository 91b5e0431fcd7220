#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pallasgen {

// All lengths of drawings are pixels at the size for which they are laid out; y grows downwards.
struct Area {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};
// Whether they have more than an edge in common.
bool areas_overlap(const Area& a, const Area& b);

// How a drawing is laid out: a page shows one of two layouts of the same picture, by the room that it has.
struct Look {
  double width = 1080;
  std::string suffix;   // of ids, so that a page may hold several layouts: "w"; empty: a file of its own
  bool linked = false;  // parts link to those of other pictures on the same page
  std::string css{};    // the element's class: pages show "wide" or "narrow" ones
  bool narrow() const { return width < 800; }
};
Look wide_look();    // of a page
Look narrow_look();  // of a page with less than 880 pixels
Look file_look();    // of a file

// Text as XML and HTML take it, in elements and in attributes with double quotes. What XML 1.0 cannot hold becomes
// U+FFFD.
std::string escaped_text(std::string_view text);

// A path as a link takes it: what has a meaning in links, or is no ASCII, by its bytes in percent.
std::string link_text(std::string_view path);

// An upper bound of the width of a line in the fonts of drawings, which are monospaced.
double text_width(std::string_view text, double size);
// The line, cut with an ellipsis where it is wider than `room`; empty where not even that fits.
std::string fitted(std::string_view text, double room, double size);
// A paragraph in lines no wider than `room`, cut between words where that is possible.
std::vector<std::string> wrapped(std::string_view text, double room, double size);

// Colours have names in the style sheet (style.h): a tone fills an area, and its text and its edge fit to it.
enum class Tone : uint8_t { blue, orange, green, purple, teal, rose, grey };
inline constexpr int kTones = 7;
std::string_view name_of(Tone tone);
// Of the n-th of things that are told apart; grey is none of them.
Tone nth_tone(int n);

enum class Anchor : uint8_t { start, middle, end };
struct TextStyle {
  double size = 12;
  Anchor anchor = Anchor::start;
  std::string classes{};  // of the style sheet: "muted", "strong", "on-blue"
};

// Elements of an SVG picture, in the order in which they are drawn. Every line of text is kept with the area that it
// may take, so that tests can ask whether any two of them meet.
class Drawing {
 public:
  Drawing(std::string name, Look look);

  const Look& look() const { return look_; }
  double width() const { return look_.width; }
  // The id of a part, apart in each layout: "memory-field-2-w".
  std::string id_of(std::string_view part) const;

  // `title` is what a pointer that rests on the element shows; may be empty.
  void rect(const Area& area, std::string_view classes, std::string_view title = {}, double radius = 0);
  // Filled with a tone.
  void fill(const Area& area, Tone tone, std::string_view title = {}, double radius = 2);
  // The same with hatching over it.
  void hatch(const Area& area, Tone tone, std::string_view title = {});
  void line(double x1, double y1, double x2, double y2, std::string_view classes);
  void path(const std::vector<std::pair<double, double>>& points, std::string_view classes);
  void dot(double x, double y, double radius, std::string_view classes, std::string_view title = {});
  // A line of text with its baseline at y, cut to `room`; the whole text is then its title. False where nothing fits.
  bool text(double x, double y, std::string_view text, const TextStyle& style, double room = 1e9);
  // In the middle of the area, or not at all where it does not fit.
  bool text_inside(const Area& area, std::string_view text, TextStyle style);
  // Elements between open and close belong together; `part` may be linked to. A link leads nowhere where parts are not
  // linked.
  void open_part(std::string_view part);
  void close_part();
  void open_link(std::string_view part, std::string_view title);
  void close_link();
  // The picture is at least so high.
  void reach(double y);

  struct Line {
    std::string text;
    Area area;
  };
  const std::vector<Line>& lines() const { return lines_; }
  double height() const { return height_; }

  // The picture as an element of a page, with a name and a description for those who do not see it.
  std::string element(std::string_view title, std::string_view description) const;
  // As a file of its own, with its style sheet.
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

// A length or a coordinate as SVG takes it: at most two decimals.
std::string coordinate(double value);

}  // namespace pallasgen
