#include "memory_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plan/words.h"

namespace pallasgen {

namespace {

constexpr double kBarHeight = 44, kRow = 22, kText = 12, kSmall = 11;
constexpr double kUnseen = 6;  // narrower pieces are drawn again, enlarged
constexpr size_t kMostRows = 60;

std::string piece_title(const Plan& plan, const MemoryPiece& piece) {
  const std::string bytes =
      fmt::format("{} bytes, [{}, {})", grouped(piece.bytes()), grouped(piece.begin), grouped(piece.end));
  if (piece.kind == MemoryKind::hole) return "hole of an alignment: " + bytes;
  if (piece.kind == MemoryKind::padding) return "padding to the alignment of the whole: " + bytes;
  if (piece.kind == MemoryKind::free) return "free: " + bytes;
  const SharedField& field = plan.shared.fields[static_cast<size_t>(piece.field)];
  const std::string what = field.is_barrier ? "barrier " + field.name : field.purpose;
  return piece.slot >= 0 ? fmt::format("{}, slot {}: {}", what, piece.slot, bytes) : fmt::format("{}: {}", what, bytes);
}

Area area_of(const MemoryPiece& piece, const Area& bar, int64_t from, int64_t to) {
  const double scale = bar.width / static_cast<double>(to - from);
  const double left = bar.x + static_cast<double>(piece.begin - from) * scale;
  const double height = bar.height / piece.lanes;
  return {left, bar.y + piece.lane * height, static_cast<double>(piece.bytes()) * scale, height};
}

void draw_piece(Drawing& drawing, const MemoryPiece& piece, const std::string& title, const Area& area, bool labelled) {
  if (piece.kind == MemoryKind::free) {
    drawing.rect(area, "box dashed", title);
  } else if (piece.kind == MemoryKind::hole || piece.kind == MemoryKind::padding) {
    drawing.hatch(area, Tone::grey, title);
  } else {
    drawing.fill(area, piece.tone, title, 1);
  }
  if (!labelled || piece.kind == MemoryKind::hole) return;
  if (piece.kind == MemoryKind::padding || piece.kind == MemoryKind::free) return;
  const TextStyle style{kSmall, Anchor::middle, fmt::format("on-{}", name_of(piece.tone))};
  if (!drawing.text_inside(area, piece.label, style) && piece.slot >= 0)
    drawing.text_inside(area, std::to_string(piece.slot), style);
}

// Draws marks below a bar at multiples of a power of two, and at its end.
void draw_byte_axis(Drawing& drawing, const Area& bar, int64_t from, int64_t to) {
  const double scale = bar.width / static_cast<double>(to - from), y = bar.bottom();
  const auto x_of = [&](int64_t byte) { return bar.x + static_cast<double>(byte - from) * scale; };
  const TextStyle style{kSmall, Anchor::middle, "muted"};
  const double room = text_width("000,000", kSmall) + 16;
  int64_t apart = 8;
  while (static_cast<double>(apart) * scale < room) apart *= 2;
  const std::string last = grouped(to) + " bytes";
  const double end = bar.right() - text_width(last, kSmall) - 10;
  const auto mark = [&](int64_t byte) { drawing.line(x_of(byte), y, x_of(byte), y + 5, "rule"); };
  mark(from);
  drawing.text(bar.x, y + 17, grouped(from), {kSmall, Anchor::start, "muted"});
  const double begin = bar.x + text_width(grouped(from), kSmall) + 10;
  for (int64_t byte = (from / apart + 1) * apart; byte < to; byte += apart) {
    mark(byte);
    const double half = text_width(grouped(byte), kSmall) / 2;
    if (x_of(byte) - half > begin && x_of(byte) + half < end) drawing.text(x_of(byte), y + 17, grouped(byte), style);
  }
  mark(to);
  drawing.text(bar.right(), y + 17, last, {kSmall, Anchor::end, "muted"});
}

// The bytes of the whole field that the piece belongs to.
int64_t field_bytes(const Plan& plan, const MemoryPiece& piece) {
  return piece.field < 0 ? piece.bytes() : plan.shared.fields[static_cast<size_t>(piece.field)].bytes;
}

// The first byte after which everything in use is too narrow to be seen; the total if nothing is.
int64_t unseen_from(const Plan& plan, const std::vector<MemoryPiece>& pieces, double scale) {
  int64_t from = plan.shared.total;
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
    if (piece->kind == MemoryKind::free) continue;
    if (static_cast<double>(field_bytes(plan, *piece)) * scale >= kUnseen) break;
    from = std::min(from, piece->begin);
  }
  return from;
}

double draw_enlarged(Drawing& drawing, const Plan& plan, const std::vector<MemoryPiece>& pieces, const Area& bar,
                     double y) {
  const double scale = bar.width / static_cast<double>(plan.shared.limit);
  const int64_t from = unseen_from(plan, pieces, scale);
  int64_t used = from;
  for (const MemoryPiece& piece : pieces)
    if (piece.begin >= from && piece.field >= 0) used = std::max(used, piece.end);
  if (used == from) return y;
  // The padding after it is shown only in part.
  const int64_t to = std::min(plan.shared.total, used + std::max<int64_t>(8, (used - from) / 4));
  const Area large{bar.x, y + 20, std::min(bar.width, std::max(360.0, bar.width * 0.6)), kBarHeight * 0.75};
  const double left = bar.x + static_cast<double>(from) * scale, right = bar.x + static_cast<double>(to) * scale;
  drawing.path({{left, bar.bottom() + 22}, {large.x, large.y}}, "dashed");
  drawing.path({{right, bar.bottom() + 22}, {large.right(), large.y}}, "dashed");
  for (MemoryPiece piece : pieces) {
    if (piece.begin < from || piece.begin >= to || piece.kind == MemoryKind::free) continue;
    const std::string title = piece_title(plan, piece);
    piece.end = std::min(piece.end, to);
    draw_piece(drawing, piece, title, area_of(piece, large, from, to), true);
  }
  draw_byte_axis(drawing, large, from, to);
  return large.bottom() + 24;
}

struct Columns {
  double name, offset, bytes, bar;  // right ends of the numbers, left ends of the others
};

// Draws the table of fields.
class MemoryRows {
 public:
  MemoryRows(Drawing& drawing, const Plan& plan, double y)
      : drawing_(drawing),
        plan_(plan),
        pieces_(memory_pieces(plan)),
        columns_(drawing.look().narrow() ? Columns{20, 352, 428, 440} : Columns{20, 470, 560, 588}),
        y_(y) {}

  double run() {
    const TextStyle muted{kSmall, Anchor::end, "muted"};
    drawing_.text(columns_.offset, y_, "at byte", muted);
    drawing_.text(columns_.bytes, y_, "bytes", muted);
    y_ += 6;
    const std::vector<SharedField>& fields = plan_.shared.fields;
    for (size_t i = 0; i < fields.size() && i < kMostRows; ++i) add_field_row(static_cast<int>(i));
    if (fields.size() > kMostRows)
      add_row(Tone::grey,
              fmt::format("… and {} more", counted(static_cast<int64_t>(fields.size() - kMostRows), "field")), -1, -1,
              0);
    if (plan_.shared.padding > 0)
      add_row(Tone::grey, "padding and holes of alignments", -1, -1, plan_.shared.padding, true);
    drawing_.line(0, y_ + 4, drawing_.width(), y_ + 4, "faint");
    y_ += 6;
    add_total();
    return y_;
  }

 private:
  void add_field_row(int index) {
    const SharedField& field = plan_.shared.fields[static_cast<size_t>(index)];
    std::string name = field.is_barrier ? "barrier " + field.name : field.purpose;
    int ring = -1;
    for (size_t r = 0; r < plan_.rings.size(); ++r)
      for (const RingOperand& operand : plan_.rings[r].operands)
        if (operand.field == index && ring < 0) ring = static_cast<int>(r);
    if (ring >= 0) {
      const int64_t slots = plan_.rings[static_cast<size_t>(ring)].slots.value;
      name += fmt::format(": {} of {}", counted(slots, "stage"), grouped(field.bytes / std::max<int64_t>(1, slots)));
    }
    if (field.overlay >= 0) {
      std::vector<std::string> others;
      for (const SharedField& other : plan_.shared.fields)
        if (other.overlay == field.overlay && &other != &field) others.push_back(other.purpose);
      if (!others.empty()) name += ", at another time " + listed(others);
    }
    drawing_.open_part(fmt::format("field-{}", index));
    if (ring >= 0) drawing_.open_link(fmt::format("ring-{}", ring), "its row in the timeline");
    add_row(field_tone(plan_, index), name, index, field.offset, field.bytes);
    if (ring >= 0) drawing_.close_link();
    drawing_.close_part();
  }

  void add_row(Tone tone, const std::string& name, int field, int64_t offset, int64_t bytes, bool hatched = false) {
    const Area swatch{0, y_ + 5, 12, 12};
    hatched ? drawing_.hatch(swatch, tone) : drawing_.fill(swatch, tone);
    const double baseline = y_ + 15;
    const double room = columns_.offset - columns_.name - text_width("000,000", kText) - 10;
    drawing_.text(columns_.name, baseline, name, {kText}, room);
    const TextStyle number{kText, Anchor::end};
    if (offset >= 0) drawing_.text(columns_.offset, baseline, grouped(offset), number);
    if (bytes > 0) drawing_.text(columns_.bytes, baseline, grouped(bytes), number);
    // Each piece is drawn at its place below the limit; a hatched row has no place of its own, but holes and padding.
    const Area track{columns_.bar, y_ + 6, drawing_.width() - columns_.bar, 10};
    drawing_.rect(track, "void");
    const double scale = track.width / static_cast<double>(plan_.shared.limit);
    for (MemoryPiece piece : pieces_) {
      const bool unused = piece.kind == MemoryKind::hole || piece.kind == MemoryKind::padding;
      if (hatched ? !unused : field < 0 || piece.field != field) continue;
      // Slots too narrow to be distinguished are one bar.
      constexpr double kNarrowSlot = 3;
      if (piece.slot > 0 && static_cast<double>(piece.bytes()) * scale < kNarrowSlot) continue;
      if (piece.slot == 0 && static_cast<double>(piece.bytes()) * scale < kNarrowSlot)
        piece.end = piece.begin + field_bytes(plan_, piece);
      Area area = area_of(piece, track, 0, plan_.shared.limit);
      area.y = track.y, area.height = track.height, area.width = std::max(1.0, area.width);
      hatched ? drawing_.hatch(area, tone) : drawing_.fill(area, tone, {}, 1);
    }
    y_ += kRow;
  }

  void add_total() {
    const SharedMemory& shared = plan_.shared;
    const double baseline = y_ + 15;
    drawing_.text(columns_.name, baseline,
                  fmt::format("in use of {} bytes: {:.1f} %", grouped(shared.limit),
                              100.0 * static_cast<double>(shared.total) / static_cast<double>(shared.limit)),
                  {kText, Anchor::start, "strong"}, columns_.bytes - columns_.name - text_width("000,000", kText) - 10);
    drawing_.text(columns_.bytes, baseline, grouped(shared.total), {kText, Anchor::end, "strong"});
    const double wide = drawing_.width() - columns_.bar;
    drawing_.rect({columns_.bar, y_ + 6, wide, 10}, "box");
    if (shared.total > 0)
      drawing_.fill(
          {columns_.bar, y_ + 6, wide * static_cast<double>(shared.total) / static_cast<double>(shared.limit), 10},
          Tone::grey, {}, 1);
    y_ += kRow;
  }

  Drawing& drawing_;
  const Plan& plan_;
  const std::vector<MemoryPiece> pieces_;
  const Columns columns_;
  double y_;
};

}  // namespace

std::string memory_words(const Plan& plan) {
  if (plan.shared.fields.empty())
    return fmt::format("This kernel uses no shared memory; a CTA may have {} bytes.", grouped(plan.shared.limit));
  return fmt::format("A CTA uses {} of the {} bytes that it may have: {:.1f} %.", grouped(plan.shared.total),
                     grouped(plan.shared.limit),
                     100.0 * static_cast<double>(plan.shared.total) / static_cast<double>(plan.shared.limit));
}

void draw_memory_bar(Drawing& drawing, const Plan& plan, const Area& bar) {
  for (const MemoryPiece& piece : memory_pieces(plan))
    draw_piece(drawing, piece, piece_title(plan, piece), area_of(piece, bar, 0, plan.shared.limit), false);
}

void draw_memory(Drawing& drawing, const Plan& plan, double top) {
  const std::vector<MemoryPiece> pieces = memory_pieces(plan);
  const Area bar{0.5, top + 0.5, drawing.width() - 1, kBarHeight};
  if (plan.shared.limit <= 0) return;
  for (const MemoryPiece& piece : pieces) {
    const Area area = area_of(piece, bar, 0, plan.shared.limit);
    if (piece.field >= 0) drawing.open_link(fmt::format("field-{}", piece.field), piece_title(plan, piece));
    draw_piece(drawing, piece, piece_title(plan, piece), area, true);
    if (piece.field >= 0) drawing.close_link();
  }
  if (plan.shared.fields.empty()) drawing.text_inside(bar, "no shared memory in use", {kText, Anchor::middle, "muted"});
  draw_byte_axis(drawing, bar, 0, plan.shared.limit);
  double y = bar.bottom() + 24;
  if (plan.shared.fields.empty()) return drawing.reach(y);
  y = draw_enlarged(drawing, plan, pieces, bar, y);
  drawing.reach(MemoryRows(drawing, plan, y + 18).run());
}

}  // namespace pallasgen
