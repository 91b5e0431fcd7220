#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "block_map.h"
#include "drawing.h"
#include "plan/words.h"

namespace pallasgen {

namespace {

constexpr double kGutter = 52, kHeader = 16, kMiddleSize = 10.5, kMarkSize = 10, kHeading = 12.5, kWords = 11;
constexpr double kLeastCell = 30, kMostCell = 112, kLeastRow = 20, kMostRow = 36, kMostHeight = 200, kEllipsis = 22;

// One axis of an array's picture: the blocks along it that are drawn, and the places of their elements.
struct Track {
  std::vector<int64_t> starts;  // first elements of the drawn blocks, ascending
  int64_t left_out = 0;         // blocks after them
  int64_t from = 0, to = 0;     // drawn elements, with those past the ends of the array
  int64_t extent = 0;           // the array's size along the axis
  bool ends = true;             // true if the end of the array, or of the last block, is drawn
  double origin = 0, scale = 1;
  double at(int64_t element) const {
    return origin + static_cast<double>(std::clamp(element, from, to) - from) * scale;
  }
};

Track track_of(std::vector<int64_t> starts, int64_t size, int64_t extent, double origin, double room, double least,
               double most) {
  Track track;
  track.extent = extent;
  size = std::max<int64_t>(1, size);
  track.from = std::min<int64_t>(0, starts.front());
  const int64_t end = std::max(extent, starts.back() + size);
  // The number of elements that fit if blocks have their least size.
  const auto fits = static_cast<int64_t>(std::max(1.0, std::floor((room - kEllipsis) / least))) * size;
  track.to = end - track.from <= static_cast<int64_t>(std::max(1.0, std::floor(room / least))) * size
                 ? end
                 : track.from + fits;
  track.ends = track.to == end;
  const auto regular = [&] {
    for (size_t i = 0; i < starts.size(); ++i)
      if (starts[i] != static_cast<int64_t>(i) * size) return false;
    return true;
  };
  for (const int64_t start : starts) (start < track.to ? track.starts.push_back(start) : void(++track.left_out));
  const double length = static_cast<double>(track.to - track.from) / static_cast<double>(size);
  // The grid may be drawn in part: regular blocks go on to the end of the array.
  if (!track.ends && regular()) track.left_out = (extent - track.to + size - 1) / size;
  track.origin = origin;
  track.scale = std::min(most, (room - (track.ends ? 0 : kEllipsis)) / length) / static_cast<double>(size);
  return track;
}

class ArrayPicture {
 public:
  ArrayPicture(Drawing& drawing, const Plan& plan, const ArrayMap& array, const Area& place)
      : drawing_(drawing), plan_(plan), array_(array), place_(place), y_(place.y) {}

  // Draws the array. Returns the height of the picture.
  double run() {
    write_heading();
    if (array_.cells.empty()) {
      write("Not drawn: " + array_.unknown + ".");
      return y_ - place_.y;
    }
    find_axes();
    write_words();
    lay_out();
    draw_array();
    for (const MapCell& cell : array_.cells)
      if (is_drawn(cell)) draw_cell(cell);
    draw_labels();
    draw_marks();
    return y_ - place_.y;
  }

 private:
  const Ref& ref() const { return plan_.kernel->refs[static_cast<size_t>(array_.ref)]; }
  const Axis& axis(size_t index) const { return plan_.kernel->axes[index]; }

  void write(const std::string& text) {
    for (const std::string& line : wrapped(text, place_.width, kWords)) {
      drawing_.text(place_.x, y_ + 12, line, {kWords, Anchor::start, "muted"}, place_.width);
      y_ += 15;
    }
  }

  void write_heading() {
    const char* role = ref().role == RefRole::input ? "in" : ref().role == RefRole::output ? "out" : "workspace";
    std::vector<std::string> extents;
    for (const int64_t extent : array_.extents) extents.push_back(extent < 0 ? "?" : grouped(extent));
    const std::string type = fmt::format("{}[{}] {}", name_of(ref().dtype), joined(extents, ", "), role);
    const double room = std::max(place_.width / 2, place_.width - text_width(type, kWords) - 12);
    drawing_.text(place_.x, y_ + 13, ref().name, {kHeading, Anchor::start, "strong"}, room);
    const double used = std::min(room, text_width(ref().name, kHeading)) + 10;
    drawing_.text(place_.x + used, y_ + 13, type, {kWords, Anchor::start, "muted"}, place_.width - used);
    y_ += 20;
  }

  // Finds the axes whose values distinguish blocks, and those with all their values at every block.
  void find_axes() {
    const size_t count = plan_.kernel->axes.size();
    std::vector<std::set<int64_t>> all(count);
    for (const MapCell& cell : array_.cells)
      for (size_t a = 0; a < count; ++a) all[a].insert(cell.values[a].begin(), cell.values[a].end());
    for (size_t a = 0; a < count; ++a) {
      const bool every = std::all_of(array_.cells.begin(), array_.cells.end(),
                                     [&](const MapCell& cell) { return cell.values[a].size() == all[a].size(); });
      if (!every)
        apart_.push_back(a);
      else if (all[a].size() > 1)
        every_.push_back(a);
    }
  }

  void write_words() {
    std::vector<std::string> block, names, every, fixed;
    for (size_t d = 0; d < array_.first.size(); ++d) {
      const auto dim = static_cast<int>(d);
      block.push_back(array_.first[d].squeezed ? "1" : grouped(array_.first[d].size));
      const bool moves = std::find(array_.apart.begin(), array_.apart.end(), dim) != array_.apart.end();
      if (moves && dim != array_.row_dim && dim != array_.column_dim)
        fixed.push_back(fmt::format("{} at {}", dim, array_.first[d].start));
    }
    for (const size_t a : apart_) names.push_back(axis(a).name);
    for (const size_t a : every_) every.push_back(axis(a).name);
    const bool whole = array_.cells.size() == 1 && array_.elsewhere == 0 && array_.cells[0].rows >= array_.rows &&
                       array_.cells[0].columns >= array_.columns;
    std::string text = array_.first.empty() ? "one element" : whole ? "one block" : "blocks of " + joined(block, " x ");
    if (overlap()) text += " that overlap";
    if (!names.empty()) text += ", labelled by " + listed(names);
    if (!every.empty()) text += fmt::format("{} the same for every {}", names.empty() ? "," : ";", listed(every));
    write(text);
    if (!fixed.empty())
      write(fmt::format("drawn: dim{} {} of {}; dim{}", array_.row_dim < 0 ? "" : "s",
                        array_.row_dim < 0 ? std::to_string(array_.column_dim)
                                           : fmt::format("{} and {}", array_.row_dim, array_.column_dim),
                        array_.extents.size(), (fixed.size() > 1 ? "s " : " ") + listed(fixed)));
    if (array_.elsewhere > 0) write(counted(array_.elsewhere, "block") + " more at other places of these");
  }

  // True if blocks have elements in common.
  bool overlap() const {
    const auto meet = [](const MapCell& a, const MapCell& b) {
      return a.row < b.row + b.rows && b.row < a.row + a.rows && a.column < b.column + b.columns &&
             b.column < a.column + a.columns;
    };
    const std::vector<MapCell>& cells = array_.cells;
    const size_t count = std::min<size_t>(cells.size(), 256);  // more than fit
    for (size_t i = 0; i < count; ++i)
      for (size_t j = i + 1; j < count && cells[j].row < cells[i].row + cells[i].rows; ++j)
        if (meet(cells[i], cells[j])) return true;
    return false;
  }

  void lay_out() {
    std::set<int64_t> rows, columns;
    int64_t high = 1, wide = 1;
    for (const MapCell& cell : array_.cells) {
      rows.insert(cell.row);
      columns.insert(cell.column);
      high = std::max(high, cell.rows);
      wide = std::max(wide, cell.columns);
    }
    const double gutter = array_.row_dim < 0 ? 0.5 : kGutter;
    y_ += 4;
    const double top = y_ + kHeader;
    columns_ = track_of({columns.begin(), columns.end()}, wide, array_.columns, place_.x + gutter,
                        place_.width - gutter - 1, kLeastCell, kMostCell);
    rows_ = track_of({rows.begin(), rows.end()}, high, array_.rows, top, kMostHeight, kLeastRow, kMostRow);
    y_ = rows_.at(rows_.to) + (rows_.ends ? 0 : kEllipsis);
  }

  bool is_drawn(const MapCell& cell) const { return cell.row < rows_.to && cell.column < columns_.to; }

  Area area_of(const MapCell& cell) const {
    const double x = columns_.at(cell.column), y = rows_.at(cell.row);
    return {x, y, columns_.at(cell.column + cell.columns) - x, rows_.at(cell.row + cell.rows) - y};
  }
  // The part of the block that lies in the array; may be empty.
  Area inside_of(const MapCell& cell) const {
    const double x = columns_.at(std::max<int64_t>(cell.column, 0)), y = rows_.at(std::max<int64_t>(cell.row, 0));
    return {x, y, columns_.at(std::min(cell.column + cell.columns, array_.columns)) - x,
            rows_.at(std::min(cell.row + cell.rows, array_.rows)) - y};
  }

  void draw_array() {
    const double x = columns_.at(0), y = rows_.at(0);
    drawing_.rect({x, y, columns_.at(array_.columns) - x, rows_.at(array_.rows) - y}, "void");
  }

  static Tone tone_of(const MapCell& cell) {
    if (cell.owner.empty()) return Tone::grey;
    int64_t sum = 0;
    for (size_t i = 0; i < cell.owner.size(); ++i) sum += cell.owner[i] * static_cast<int64_t>(i + 1);
    return nth_tone(static_cast<int>(sum % (kTones - 1)));
  }

  void draw_cell(const MapCell& cell) {
    const Area area = area_of(cell), inside = inside_of(cell);
    const std::string title = title_of(cell);
    if (inside.width < area.width - 0.01 || inside.height < area.height - 0.01) drawing_.hatch(area, Tone::grey, title);
    if (inside.width > 0 && inside.height > 0) drawing_.fill(inside, tone_of(cell), title, 0);
  }

  static std::string values_text(const std::vector<int64_t>& values) {
    if (values.size() == 1) return std::to_string(values.front());
    if (values.back() - values.front() + 1 == static_cast<int64_t>(values.size()))
      return fmt::format("{}-{}", values.front(), values.back());
    return fmt::format("{}, {}{}", values[0], values[1], values.size() > 2 ? ", …" : "");
  }

  std::string title_of(const MapCell& cell) const {
    std::vector<std::string> parts, who;
    if (array_.row_dim >= 0) parts.push_back(fmt::format("{}:{}", cell.row, cell.row + cell.rows));
    if (array_.column_dim >= 0) parts.push_back(fmt::format("{}:{}", cell.column, cell.column + cell.columns));
    for (size_t a = 0; a < cell.values.size(); ++a)
      who.push_back(fmt::format("{} = {}", axis(a).name, values_text(cell.values[a])));
    std::string text = fmt::format("{}[{}]", ref().name, parts.empty() ? "..." : joined(parts, ", "));
    if (!who.empty())
      text += fmt::format(" of {}{}", joined(who, "; "),
                          cell.product ? "" : fmt::format(" ({} of these)", counted(cell.points, "point")));
    const bool over = cell.row + cell.rows > array_.rows || cell.column + cell.columns > array_.columns ||
                      cell.row < 0 || cell.column < 0;
    return over ? text + "; what is hatched lies outside the array" : text;
  }

  // Values of axes that distinguish blocks: "m=0 k=1", shorter "0,1"; the number of points if they are no product.
  std::string label_of(const MapCell& cell, bool named) const {
    if (apart_.empty()) return every_.empty() ? "" : "all";
    if (!cell.product) return fmt::format("{} points", grouped(cell.points));
    std::vector<std::string> parts;
    for (const size_t a : apart_) parts.push_back((named ? axis(a).name + "=" : "") + values_text(cell.values[a]));
    return joined(parts, named ? " " : ",");
  }

  // Draws labels of one form for all blocks: the longest that fits into each.
  void draw_labels() {
    const auto fits = [&](bool named) {
      return std::all_of(array_.cells.begin(), array_.cells.end(), [&](const MapCell& cell) {
        return !is_drawn(cell) || text_width(label_of(cell, named), kMiddleSize) <= area_of(cell).width - 10;
      });
    };
    const bool named = fits(true);
    std::vector<Area> taken;
    for (const MapCell& cell : array_.cells) {
      if (!is_drawn(cell)) continue;
      const Area area = area_of(cell), inside = inside_of(cell);
      const std::string label = label_of(cell, named);
      const bool over = inside.width < area.width - 0.01 || inside.height < area.height - 0.01;
      const double wide = text_width(label, kMiddleSize) + 4;
      const bool in_array = wide <= inside.width && inside.height > kMiddleSize + 2;
      const Area& room = in_array ? inside : area;
      const Area ground{room.x + room.width / 2 - wide / 2, room.y + room.height / 2 - 7, wide, 14};
      const bool meets =
          std::any_of(taken.begin(), taken.end(), [&](const Area& other) { return areas_overlap(ground, other); });
      if (label.empty() || meets || ground.height > area.height || wide > area.width) continue;
      taken.push_back(ground);
      const Tone tone = over && !in_array ? Tone::grey : tone_of(cell);
      if (over && !in_array) drawing_.fill(ground, tone);
      drawing_.text_inside(
          {ground.x - 2, ground.y, ground.width + 4, ground.height}, label,
          {kMiddleSize, Anchor::middle, fmt::format("on-{}{}", name_of(tone), cell.chosen ? " strong" : "")});
    }
    for (const MapCell& cell : array_.cells) {
      if (!is_drawn(cell) || !cell.chosen) continue;
      const Area area = area_of(cell);
      drawing_.rect({area.x + 1.25, area.y + 1.25, area.width - 2.5, area.height - 2.5}, "chosen");
    }
    const double x = columns_.at(0), y = rows_.at(0);
    drawing_.rect({x, y, columns_.at(array_.columns) - x, rows_.at(array_.rows) - y}, "box");
  }

  // Draws element numbers at the edges of blocks and at the end of the array, unless they overlap.
  void draw_marks() {
    if (array_.column_dim >= 0) {
      const double base = rows_.at(rows_.from) - 5;
      const std::vector<int64_t> marks = marks_of(columns_);
      // The first and the last mark take precedence over those between.
      const double end = marks.back() == array_.columns
                             ? columns_.at(marks.back()) - text_width(grouped(marks.back()), kMarkSize)
                             : place_.right() + 6;
      double last = -1e9;
      for (const int64_t mark : marks) {
        const std::string text = grouped(mark);
        const double wide = text_width(text, kMarkSize), x = columns_.at(mark);
        const bool is_end = mark == marks.back() && mark == array_.columns;
        const double begin = is_end ? end : mark == marks.front() ? x : x - wide / 2;
        if (begin < last + 6 || (!is_end && begin + wide + 6 > end)) continue;
        drawing_.line(x, base + 2, x, base + 5, "rule");
        drawing_.text(begin, base, text, {kMarkSize, Anchor::start, "muted"});
        last = begin + wide;
      }
      if (!columns_.ends)
        drawing_.text(columns_.at(columns_.to) + 4, rows_.at(rows_.from) + 13, "…", {12, Anchor::start, "muted"});
    }
    if (array_.row_dim >= 0) {
      double last = -1e9;
      const double right = columns_.at(columns_.from) - 6;
      for (const int64_t mark : marks_of(rows_)) {
        const double y = rows_.at(mark) + 3.5;
        if (y - last < 13) continue;
        drawing_.text(right, y, grouped(mark), {kMarkSize, Anchor::end, "muted"}, right - place_.x);
        last = y;
      }
    }
    const int64_t more_rows = rows_.left_out, more_columns = columns_.left_out;
    if (!rows_.ends)
      drawing_.text(columns_.at(columns_.from) + 4, rows_.at(rows_.to) + 14, "…", {12, Anchor::start, "muted"});
    drawing_.reach(y_ + 4);
    y_ += 6;
    if (more_columns > 0) write(fmt::format("… and {} of blocks to the right", counted(more_columns, "column")));
    if (more_rows > 0) write(fmt::format("… and {} of blocks below", counted(more_rows, "row")));
    if (!columns_.ends || !rows_.ends) write(fmt::format("the array goes on to its end at {}", end_text()));
  }

  std::string end_text() const {
    std::vector<std::string> ends;
    if (array_.row_dim >= 0) ends.push_back(grouped(array_.rows));
    ends.push_back(grouped(array_.columns));
    return joined(ends, " x ");
  }

  std::vector<int64_t> marks_of(const Track& track) const {
    std::set<int64_t> marks(track.starts.begin(), track.starts.end());
    if (track.extent <= track.to) marks.insert(track.extent);
    return {marks.begin(), marks.end()};
  }

  Drawing& drawing_;
  const Plan& plan_;
  const ArrayMap& array_;
  const Area place_;
  double y_;
  std::vector<size_t> apart_, every_;  // axes that distinguish blocks, and those with all values at every block
  Track columns_, rows_;
};

}  // namespace

void draw_blocks(Drawing& drawing, const Plan& plan, const BlockMap& map, double top) {
  const int across = drawing.look().narrow() ? 2 : 3;
  constexpr double kBetween = 24;
  const double wide = (drawing.width() - kBetween * (across - 1)) / across;
  double y = top, tallest = 0;
  for (size_t i = 0; i < map.arrays.size(); ++i) {
    const auto place = static_cast<int>(i) % across;
    if (place == 0 && i > 0) y += tallest + kBetween, tallest = 0;
    const Area area{place * (wide + kBetween), y, wide, 0};
    tallest = std::max(tallest, ArrayPicture(drawing, plan, map.arrays[i], area).run());
  }
  drawing.reach(y + tallest);
}

}  // namespace pallasgen
