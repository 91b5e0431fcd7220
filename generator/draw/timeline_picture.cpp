#include "timeline_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "memory_map.h"
#include "plan/words.h"
#include "scale.h"
#include "time_windows.h"

namespace pallasgen {

namespace {

constexpr double kLane = 20, kBetweenLanes = 4, kBetweenGroups = 12, kLabel = 11, kInside = 10;
constexpr int kMostSlots = 16;  // the most slots of a ring that have lanes

constexpr Tone kCopyTone = Tone::blue, kComputeTone = Tone::green, kEpilogueTone = Tone::teal,
               kStoreTone = Tone::purple, kWaitTone = Tone::grey, kReadyTone = Tone::orange;

std::string ring_name(const RingPlan& ring) {
  std::vector<std::string> names;
  for (const RingOperand& operand : ring.operands) names.push_back(operand.name);
  return joined(names, ", ");
}

// The uses of a slot. Each ends at the latest when the next one begins, even if nothing releases the slot in the
// simulation.
std::vector<SlotUse> uses_of(const Timeline& timeline, int ring, int slot) {
  std::vector<SlotUse> uses;
  for (const SlotUse& use : timeline.uses)
    if (use.ring == ring && use.slot == slot && use.arrived >= 0) uses.push_back(use);
  double end = timeline.seconds;
  for (auto use = uses.rbegin(); use != uses.rend(); ++use) {
    const auto until = [&](double time) { return time < 0 || time > end ? end : std::max(time, use->issued); };
    use->released = until(use->released);
    use->read = std::min(until(use->read), use->released);
    use->arrived = std::min(until(use->arrived), use->read);
    end = use->issued;
  }
  return uses;
}

// A piece of a lane, with a title for a pointer that rests on it, and a short label.
struct Bar {
  double begin = 0, end = 0;
  Tone tone = Tone::grey;
  bool hatched = false;
  std::string label, title;
};

class TimelinePicture {
 public:
  TimelinePicture(Drawing& drawing, const Plan& plan, const Timeline& timeline, double top)
      : drawing_(drawing),
        plan_(plan),
        timeline_(timeline),
        gutter_(drawing.look().narrow() ? 112 : 176),
        axis_(time_windows(timeline, drawing.look().narrow() ? 20 : 32), gutter_, drawing.width() - gutter_ - 1),
        y_(top) {}

  void run() {
    draw_key();
    const double top = y_;
    draw_lanes();
    draw_axis(top);
  }

 private:
  void draw_key() {
    struct Entry {
      Tone tone;
      bool hatched;
      const char* text;
      bool shown;
    };
    const Entry entries[] = {{kCopyTone, false, "copies under way", true},
                             {kReadyTone, false, "data waits in its slot", true},
                             {kComputeTone, false, "arithmetic", true},
                             {kEpilogueTone, false, "tile's end", has(ActivityKind::epilogue)},
                             {kStoreTone, false, "copies out", has(ActivityKind::copy_out)},
                             {kWaitTone, true, "a role waits", true},
                             {kComputeTone, true, "for the tensor cores", has(ActivityKind::wait_mma)}};
    double x = 0;
    for (const Entry& entry : entries) {
      if (!entry.shown) continue;
      const double wide = 20 + text_width(entry.text, kLabel) + 18;
      if (x + wide > drawing_.width()) x = 0, y_ += 20;
      const Area swatch{x, y_ + 1, 14, 12};
      entry.hatched ? drawing_.hatch(swatch, entry.tone) : drawing_.fill(swatch, entry.tone);
      drawing_.text(x + 20, y_ + 11, entry.text, {kLabel, Anchor::start, "muted"});
      x += wide;
    }
    y_ += 28;
  }

  bool has(ActivityKind kind) const {
    return std::any_of(timeline_.activities.begin(), timeline_.activities.end(),
                       [&](const Activity& activity) { return activity.kind == kind; });
  }

  std::vector<Bar> bars_of(const std::function<std::optional<Bar>(const Activity&)>& pick) const {
    std::vector<Bar> bars;
    for (const Activity& activity : timeline_.activities) {
      std::optional<Bar> bar = pick(activity);
      if (!bar) continue;
      // Pieces with one label that follow each other without a pause are one piece.
      const double close = 1e-6 * timeline_.seconds;
      if (!bars.empty() && bars.back().label == bar->label && bars.back().tone == bar->tone &&
          bars.back().hatched == bar->hatched && bar->begin - bars.back().end < close)
        bars.back().end = bar->end;
      else
        bars.push_back(std::move(*bar));
    }
    return bars;
  }

  void draw_lanes() {
    draw_roles(true);
    std::vector<Bar> copies = bars_of([](const Activity& activity) -> std::optional<Bar> {
      if (activity.kind != ActivityKind::copy_in) return std::nullopt;
      const std::string number = std::to_string(activity.use);
      return Bar{activity.begin, activity.end, kCopyTone, false, number, "copies of entry " + number};
    });
    if (!copies.empty() && copies.back().end < timeline_.seconds)
      copies.push_back({copies.back().end, timeline_.seconds, kWaitTone, true, "bubble",
                        "the pipeline drains: nothing to copy any more"});
    draw_lane("copies in", "the port that copies of this CTA share", copies);
    y_ += kBetweenGroups - kBetweenLanes;
    for (size_t ring = 0; ring < plan_.rings.size(); ++ring) draw_ring(static_cast<int>(ring));
    draw_roles(false);
    std::vector<Bar> arithmetic = bars_of([](const Activity& activity) -> std::optional<Bar> {
      const std::string number = std::to_string(activity.step);
      if (activity.kind == ActivityKind::epilogue)
        return Bar{activity.begin,          activity.end,
                   kEpilogueTone,           false,
                   "end of tile " + number, "what tile " + number + " does outside of its steps"};
      if (activity.kind != ActivityKind::compute) return std::nullopt;
      return Bar{activity.begin, activity.end, kComputeTone, false, number, "arithmetic of step " + number};
    });
    if (!arithmetic.empty() && arithmetic.front().begin > 0)
      arithmetic.insert(arithmetic.begin(), Bar{0, arithmetic.front().begin, kWaitTone, true, "bubble",
                                                "the pipeline fills: nothing to compute yet"});
    draw_lane("arithmetic", "of all roles", arithmetic);
    const std::vector<Bar> stores = bars_of([](const Activity& activity) {
      return activity.kind == ActivityKind::copy_out
                 ? std::optional(Bar{activity.begin, activity.end, kStoreTone, false, std::to_string(activity.step),
                                     "what step " + grouped(activity.step) + " stores"})
                 : std::nullopt;
    });
    if (!stores.empty()) draw_lane("copies out", "stores of a step, by the same port", stores);
  }

  void draw_ring(int index) {
    const RingPlan& ring = plan_.rings[static_cast<size_t>(index)];
    drawing_.open_part(fmt::format("ring-{}", index));
    const auto slots = static_cast<int>(ring.slots.value);
    // Data that threads make takes no time in the simulation, so there is nothing to draw.
    const bool seen = std::any_of(timeline_.uses.begin(), timeline_.uses.end(),
                                  [&](const SlotUse& use) { return use.ring == index && use.arrived > use.issued; });
    if (!seen) {
      drawing_.text(gutter_ - 10, y_ + 14, ring_name(ring), {kLabel, Anchor::end}, gutter_ - 12);
      drawing_.text(gutter_, y_ + 14,
                    fmt::format("{}: made by threads, without a time of its own", counted(slots, "slot")),
                    {kLabel, Anchor::start, "muted"});
      y_ += kLane + kBetweenLanes;
    }
    for (int slot = 0; seen && slot < std::min(slots, kMostSlots); ++slot) {
      drawing_.open_link(fmt::format("field-{}", ring.operands.front().field), "its place in shared memory");
      swatches(ring);
      const double right = 8 + 10 * static_cast<double>(ring.operands.size());
      // A long name is cut before the slot's number, which distinguishes lanes.
      const std::string number = fmt::format(" slot {}", slot);
      draw_lane(fitted(ring_name(ring), lane_room(right) - text_width(number, kLabel), kLabel) + number,
                fmt::format("slot {} of {} of the ring of {}", slot, slots, ring_name(ring)), slot_bars(index, slot),
                right);
      drawing_.close_link();
    }
    if (seen && slots > kMostSlots) {
      drawing_.text(gutter_, y_ + 12, fmt::format("… and {} like these", counted(slots - kMostSlots, "slot")),
                    {kLabel, Anchor::start, "muted"});
      y_ += kLane;
    }
    drawing_.close_part();
    y_ += kBetweenGroups - kBetweenLanes;
  }

  std::vector<Bar> slot_bars(int ring, int slot) const {
    const std::string name = ring_name(plan_.rings[static_cast<size_t>(ring)]);
    std::vector<Bar> bars;
    for (const SlotUse& use : uses_of(timeline_, ring, slot)) {
      const std::string number = std::to_string(use.use), what = fmt::format("entry {} of {}", grouped(use.use), name);
      bars.push_back({use.issued, use.arrived, kCopyTone, false, number, what + ": copies under way"});
      bars.push_back({use.arrived, use.read, kReadyTone, false, "", what + ": the data waits"});
      bars.push_back({use.read, use.released, kComputeTone, false, number, what + ": read"});
    }
    return bars;
  }

  void swatches(const RingPlan& ring) {
    double x = gutter_ - 10 * static_cast<double>(ring.operands.size()) - 4;
    for (const RingOperand& operand : ring.operands) {
      drawing_.fill({x, y_ + 6, 8, 8}, field_tone(plan_, operand.field), operand.name, 1);
      x += 10;
    }
  }

  // Draws the roles that copy for others, or all but these. The only role has no lane.
  void draw_roles(bool copying) {
    for (size_t role = 0; has_several_roles(plan_) && role < plan_.roles.size(); ++role) {
      if (plan_.roles[role].duties.copies == copying) draw_role(static_cast<int>(role));
    }
  }

  // Draws the waits of a role. The arithmetic has a lane of its own.
  void draw_role(int index) {
    const RolePlan& role = plan_.roles[static_cast<size_t>(index)];
    const std::vector<Bar> bars = bars_of([&](const Activity& activity) -> std::optional<Bar> {
      if (activity.role != index) return std::nullopt;
      const char* what = activity.kind == ActivityKind::wait_data   ? "waits for data"
                         : activity.kind == ActivityKind::wait_slot ? "waits for a free slot"
                         : activity.kind == ActivityKind::wait_mma  ? "waits for the tensor cores"
                                                                    : nullptr;
      if (!what) return std::nullopt;
      const bool tensor_cores = activity.kind == ActivityKind::wait_mma;
      return Bar{activity.begin,           activity.end, tensor_cores ? kComputeTone : kWaitTone, true,
                 tensor_cores ? "" : what, what};
    });
    const std::string name = role.name.empty() ? "threads" : role.name;
    draw_lane(name, fmt::format("{} ({}): {}", name, group_text(role), role.purpose), bars);
  }

  // The width for the name of a lane next to the swatches on its right.
  double lane_room(double right) const { return gutter_ - right - 6; }

  void draw_lane(const std::string& name, const std::string& title, const std::vector<Bar>& bars, double right = 6) {
    drawing_.text(gutter_ - right - 4, y_ + 14, name, {kLabel, Anchor::end}, lane_room(right));
    for (size_t w = 0; w < axis_.windows().size(); ++w) {
      const TimeWindow& window = axis_.windows()[w];
      const double left = axis_.x_of(w, window.begin), wide = axis_.x_of(w, window.end) - left;
      drawing_.rect({left, y_, wide, kLane}, "void", title);
      for (const Bar& bar : bars) draw_bar(w, window, bar);
    }
    y_ += kLane + kBetweenLanes;
  }

  void draw_bar(size_t w, const TimeWindow& window, const Bar& bar) {
    const double begin = std::max(bar.begin, window.begin), end = std::min(bar.end, window.end);
    const double left = axis_.x_of(w, begin), wide = axis_.x_of(w, end) - left;
    if (wide <= 0.05) return;
    const Area area{left, y_ + 1, wide, kLane - 2};
    const std::string title = fmt::format("{}: {}, from {} to {}", bar.title, time_text(bar.end - bar.begin, 1e-9),
                                          time_text(bar.begin, 1e-9), time_text(bar.end, 1e-9));
    bar.hatched ? drawing_.hatch(area, bar.tone, title) : drawing_.fill(area, bar.tone, title, 1);
    if (bar.label.empty()) return;
    TextStyle style{kInside, Anchor::middle, fmt::format("on-{}", name_of(bar.tone))};
    if (!bar.hatched) {
      drawing_.text_inside(area, bar.label, style);
      return;
    }
    // Text over hatching has a plain ground.
    const double room = text_width(bar.label, kInside) + 8;
    if (room > area.width - 8) return;
    drawing_.fill({area.x + area.width / 2 - room / 2, area.y + 2, room, area.height - 4}, bar.tone);
    drawing_.text_inside(area, bar.label, style);
  }

  void draw_axis(double top) {
    const double bottom = y_ + 2;
    const double apart = 60 / axis_.pixels_a_second();
    double last_right = gutter_ - 30;
    for (size_t w = 0; w < axis_.windows().size(); ++w) {
      const TimeWindow& window = axis_.windows()[w];
      const double left = axis_.x_of(w, window.begin), right = axis_.x_of(w, window.end);
      drawing_.line(left, bottom, right, bottom, "rule");
      const std::vector<double> ticks = round_ticks(window.begin, window.end, apart);
      const double distance = ticks.size() > 1 ? ticks[1] - ticks[0] : apart / 2;
      for (const double tick : ticks) {
        const double x = axis_.x_of(w, tick);
        drawing_.line(x, bottom, x, bottom + 5, "rule");
        const std::string text = time_text(tick, distance);
        const double wide = text_width(text, kLabel), begin = std::min(x - wide / 2, drawing_.width() - wide);
        if (begin < last_right + 8) continue;
        drawing_.text(begin, bottom + 17, text, {kLabel, Anchor::start, "muted"});
        last_right = begin + wide;
      }
      if (w + 1 < axis_.windows().size()) draw_break(right, axis_.windows()[w + 1].begin - window.end, top, bottom);
    }
    y_ = bottom + 22;
    drawing_.reach(y_);
  }

  void draw_break(double x, double seconds, double top, double bottom) {
    const double middle = x + TimeAxis::kGap / 2;
    drawing_.line(middle, top, middle, bottom, "dashed");
    drawing_.rect({x, top, TimeAxis::kGap, bottom - top}, "clear",
                  fmt::format("{} are left out", microseconds(seconds)));
  }

  Drawing& drawing_;
  const Plan& plan_;
  const Timeline& timeline_;
  const double gutter_;
  const TimeAxis axis_;
  double y_;
};

}  // namespace

void draw_timeline(Drawing& drawing, const Plan& plan, const Timeline& timeline, double top) {
  TimelinePicture(drawing, plan, timeline, top).run();
}

void draw_timeline_start(Drawing& drawing, const Plan& plan, const Timeline& timeline, const Area& area) {
  std::vector<std::pair<int, int>> lanes;
  for (size_t ring = 0; ring < plan.rings.size(); ++ring)
    for (int64_t slot = 0; slot < plan.rings[ring].slots.value; ++slot)
      lanes.emplace_back(static_cast<int>(ring), static_cast<int>(slot));
  constexpr size_t kMostLanes = 8;
  if (lanes.size() > kMostLanes) lanes.resize(kMostLanes);
  const double seconds = time_windows(timeline, 14).front().end;
  const double pitch = area.height / static_cast<double>(std::max<size_t>(lanes.size(), 1));
  const auto x_of = [&](double time) { return area.x + std::min(time / seconds, 1.0) * area.width; };
  for (size_t lane = 0; lane < lanes.size(); ++lane) {
    const double y = area.y + static_cast<double>(lane) * pitch, high = std::min(pitch - 2, 12.0);
    drawing.rect({area.x, y, area.width, high}, "void");
    for (const SlotUse& use : uses_of(timeline, lanes[lane].first, lanes[lane].second)) {
      if (use.issued >= seconds) break;
      const auto paint = [&](double begin, double end, Tone tone) {
        const double left = x_of(begin), wide = x_of(end) - left;
        if (wide > 0.2) drawing.fill({left, y, wide, high}, tone, {}, 0);
      };
      paint(use.issued, use.arrived, kCopyTone);
      paint(use.arrived, use.read, kReadyTone);
      paint(use.read, use.released, kComputeTone);
    }
  }
}

}  // namespace pallasgen
