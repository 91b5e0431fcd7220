#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plan/words.h"
#include "roofline.h"
#include "scale.h"

namespace pallasgen {

namespace {

constexpr double kPlotLabel = 11;

class RooflinePicture {
 public:
  RooflinePicture(Drawing& drawing, const Roofline& roofline, double top)
      : drawing_(drawing),
        roofline_(roofline),
        plot_{92, top + 6, drawing.width() - 92 - 12, drawing.look().narrow() ? 300.0 : 380.0} {
    choose_ranges();
  }

  void run() {
    draw_grid();
    draw_roofs();
    for (const RoofPoint& point : roofline_.points) draw_point(point);
    drawing_.reach(plot_.bottom() + 40);
  }

 private:
  // Chooses whole decades around the ridges and the points.
  void choose_ranges() {
    double left = 0.1, right = 1000, low = 1e30, high = 0;
    for (const Roof& roof : roofline_.roofs) {
      right = std::max(right, 3 * roof.peak / roofline_.memory);
      high = std::max(high, roof.peak);
    }
    for (const RoofPoint& point : roofline_.points) {
      left = std::min(left, point.intensity / 2);
      right = std::max(right, point.intensity * 3);
      low = std::min(low, point.rate / 2);
    }
    x_from_ = std::floor(std::log10(left) + 1e-9);
    x_to_ = std::ceil(std::log10(right) - 1e-9);
    y_from_ = std::floor(std::log10(std::min(low, roofline_.memory * std::pow(10, x_from_))) + 1e-9);
    y_to_ = std::log10(high * 2.5);
  }

  double x_of(double intensity) const {
    return plot_.x + (std::log10(intensity) - x_from_) / (x_to_ - x_from_) * plot_.width;
  }
  double y_of(double rate) const {
    return plot_.bottom() - (std::log10(rate) - y_from_) / (y_to_ - y_from_) * plot_.height;
  }

  void draw_grid() {
    drawing_.rect(plot_, "box");
    // Every decade has a line, but only labels that do not overlap.
    double last = -1e9;
    for (double decade = x_from_; decade <= x_to_; ++decade) {
      const double x = x_of(std::pow(10, decade));
      drawing_.line(x, plot_.y, x, plot_.bottom(), "faint");
      drawing_.line(x, plot_.bottom(), x, plot_.bottom() + 5, "rule");
      const std::string text = count_text(decade);
      const double half = text_width(text, kPlotLabel) / 2;
      if (x - half < last + 10 || x + half > drawing_.width()) continue;
      drawing_.text(x, plot_.bottom() + 18, text, {kPlotLabel, Anchor::middle, "muted"});
      last = x + half;
    }
    last = 1e9;
    for (double decade = y_from_; decade <= y_to_; ++decade) {
      const double y = y_of(std::pow(10, decade));
      drawing_.line(plot_.x, y, plot_.right(), y, "faint");
      drawing_.line(plot_.x - 5, y, plot_.x, y, "rule");
      if (last - y < 14) continue;
      drawing_.text(plot_.x - 8, y + 4, decade_text(static_cast<int>(decade), "FLOP/s"),
                    {kPlotLabel, Anchor::end, "muted"}, plot_.x - 10);
      last = y;
    }
    drawing_.text(plot_.x + plot_.width / 2, plot_.bottom() + 35, "operations for each byte of device memory",
                  {kPlotLabel, Anchor::middle, "muted"});
  }
  static std::string count_text(double decade) {
    return decade >= 0 ? grouped(std::llround(std::pow(10, decade))) : decade_text(static_cast<int>(decade), "");
  }

  // Draws the slope of `bytes` a second, up to the highest roof.
  void draw_slope(double bytes, std::string_view classes) {
    const double low = std::pow(10, x_from_), floor = std::pow(10, y_from_);
    const double begin = std::max(low, floor / bytes), end = roofline_.roofs.front().peak / bytes;
    drawing_.path({{x_of(begin), y_of(begin * bytes)}, {x_of(end), y_of(end * bytes)}}, classes);
  }

  void draw_roofs() {
    draw_slope(roofline_.l2, "dashed grey");
    draw_slope(roofline_.memory, "roof blue");
    for (const Roof& roof : roofline_.roofs) {
      const double ridge = roof.peak / roofline_.memory, y = y_of(roof.peak);
      const std::string tone(name_of(roof.tone));
      drawing_.path({{x_of(roof.peak / roofline_.l2), y}, {x_of(ridge), y}}, "dashed " + tone);
      drawing_.path({{x_of(ridge), y}, {plot_.right(), y}}, "roof " + tone);
      drawing_.path({{x_of(ridge), y}, {x_of(ridge), plot_.bottom()}}, "dashed " + tone);
      place(fmt::format("{} {}", roof.name, rate_text(roof.peak, "FLOP/s")), "halo ink-" + tone,
            {{plot_.right() - 6, y - 6, Anchor::end}, {plot_.right() - 6, y + 14, Anchor::end}});
      place("ridge " + three_digits(ridge), "halo ink-" + tone,
            {{x_of(ridge) + 5, plot_.bottom() - 6, Anchor::start},
             {x_of(ridge) - 5, plot_.bottom() - 6, Anchor::end},
             {x_of(ridge) + 5, plot_.bottom() - 20, Anchor::start}});
    }
    // Labels of slopes: device memory to the right of its slope, low; the L2 cache to the left of its slope, higher.
    const double left = std::max(plot_.x + plot_.width * 0.1, x_of(high_on(roofline_.memory, 0.35)));
    place("device memory " + rate_text(roofline_.memory, "B/s"), "halo ink-blue",
          {{left + 10, y_of(roofline_.memory * intensity_at(left)) + 14, Anchor::start}});
    const std::string l2 = "L2 cache " + rate_text(roofline_.l2, "B/s");
    const double right = std::max(plot_.x + text_width(l2, kPlotLabel) + 24, x_of(high_on(roofline_.l2, 0.75)));
    place(l2, "halo muted", {{right - 12, y_of(roofline_.l2 * intensity_at(right)) - 4, Anchor::end}});
  }
  double intensity_at(double x) const {
    return std::pow(10, x_from_ + (x - plot_.x) / plot_.width * (x_to_ - x_from_));
  }
  // The intensity at which a slope has that share of the height of the lowest roof.
  double high_on(double bytes, double share) const {
    return std::pow(10, y_from_ + share * (std::log10(roofline_.roofs.back().peak) - y_from_)) / bytes;
  }

  struct Candidate {
    double x, y;
    Anchor anchor;
  };
  // Writes the lines, one below the other, at the first candidate where they meet no other text and lie in the plot.
  void place(const std::vector<std::string>& lines, const std::string& classes,
             const std::vector<Candidate>& candidates) {
    constexpr double kPitch = 14;
    double wide = 0;
    for (const std::string& line : lines) wide = std::max(wide, text_width(line, kPlotLabel));
    for (const auto& [x, y, anchor] : candidates) {
      const double left = anchor == Anchor::start ? x : anchor == Anchor::end ? x - wide : x - wide / 2;
      const Area area{left, y - kPlotLabel, wide, 1.3 * kPlotLabel + kPitch * static_cast<double>(lines.size() - 1)};
      if (area.x < plot_.x || area.right() > plot_.right() || area.y < plot_.y - 4 ||
          area.bottom() > plot_.bottom() + 2)
        continue;
      const auto meets = [&](const Drawing::Line& other) { return areas_overlap(area, other.area); };
      if (std::any_of(drawing_.lines().begin(), drawing_.lines().end(), meets)) continue;
      double baseline = y;
      for (const std::string& line : lines) {
        drawing_.text(x, baseline, line, {kPlotLabel, anchor, classes});
        baseline += kPitch;
      }
      return;
    }
  }
  void place(const std::string& line, const std::string& classes, const std::vector<Candidate>& candidates) {
    place(std::vector<std::string>{line}, classes, candidates);
  }

  void draw_point(const RoofPoint& point) {
    const Roof& roof = roofline_.roofs[point.roof];
    const double x = x_of(point.intensity), y = y_of(point.rate);
    drawing_.line(x, y, x, y_of(point.attainable), "rule " + std::string(name_of(roof.tone)));
    const std::string rate = rate_text(point.rate, "FLOP/s"),
                      share = fmt::format("{:.0f} % of the roof", 100 * point.rate / point.attainable);
    drawing_.dot(
        x, y, 6, "point",
        fmt::format("{}: {} at {} operations a byte, {}", roof.name, rate, three_digits(point.intensity), share));
    place({rate, share}, "halo strong",
          {{x + 11, y + 16, Anchor::start},
           {x, y + 22, Anchor::middle},
           {x - 11, y + 16, Anchor::end},
           {x + 11, y - 14, Anchor::start},
           {x - 11, y - 14, Anchor::end},
           {x, y + 36, Anchor::middle},
           {x, y - 26, Anchor::middle}});
  }

  Drawing& drawing_;
  const Roofline& roofline_;
  const Area plot_;
  double x_from_ = -1, x_to_ = 3, y_from_ = 10, y_to_ = 15;  // powers of ten
};

struct CostBar {
  const char* name;
  const char* short_name;
  double seconds;
  Tone tone;
  Bound bound;
};
std::vector<CostBar> cost_bars(const CostModel& cost) {
  return {{"arithmetic", "arithmetic", cost.rate_seconds, Tone::green, Bound::rate},
          {"transfers", "transfers", cost.bandwidth_seconds, Tone::blue, Bound::bandwidth},
          {"latency overlapped", "latency", cost.latency_seconds, Tone::orange, Bound::latency}};
}

}  // namespace

void draw_roofline(Drawing& drawing, const Plan& plan, const Roofline& roofline, double top) {
  if (roofline.points.empty()) {
    drawing.text(0, top + 14, roofline_words(plan, roofline).front(), {12, Anchor::start, "muted"});
    return;
  }
  RooflinePicture(drawing, roofline, top).run();
}

void draw_cost(Drawing& drawing, const Plan& plan, double top) {
  constexpr double kSize = 12, kHigh = 18, kPitch = 26;
  const CostModel& cost = plan.cost;
  const double gutter = drawing.look().narrow() ? 148 : 176, right = 124;
  const double room = drawing.width() - gutter - right;
  const auto row = [&](double y, const std::string& name, double seconds, double most, Tone tone, bool strong) {
    const std::string emphasis = strong ? "strong" : "";
    drawing.text(gutter - 10, y + 13, name, {kSize, Anchor::end, emphasis}, gutter - 12);
    drawing.rect({gutter, y, room, kHigh}, "void");
    const double wide = most > 0 ? room * seconds / most : 0;
    if (wide > 0)
      drawing.fill({gutter, y, std::max(1.0, wide), kHigh}, tone, fmt::format("{}: {}", name, microseconds(seconds)),
                   1);
    drawing.text(gutter + room + 10, y + 13, microseconds(seconds), {kSize, Anchor::start, emphasis}, right - 12);
  };
  double y = top, most = 0;
  for (const CostBar& bar : cost_bars(cost)) most = std::max(most, bar.seconds);
  const auto head = [&](const std::string& text) {
    drawing.text(gutter, y + 10, text, {kPlotLabel, Anchor::start, "muted"});
    y += 17;
  };
  head("one step of a CTA; the longest binds");
  for (const CostBar& bar : cost_bars(cost)) {
    row(y, bar.name, bar.seconds, most, bar.tone, bar.bound == cost.bound);
    y += kPitch;
  }
  y += 6;
  head("the whole kernel");
  const double in_steps = std::max(0.0, cost.seconds - cost.bubble_seconds);
  row(y, "in all", cost.seconds, cost.seconds, Tone::green, true);
  if (cost.seconds > 0 && cost.bubble_seconds > 0) {
    const double from = gutter + room * in_steps / cost.seconds;
    const Area bubble{from, y, gutter + room - from, kHigh};
    drawing.hatch(bubble, Tone::grey, fmt::format("bubble: {}", microseconds(cost.bubble_seconds)));
    const std::string text = fmt::format("bubble {}", microseconds(cost.bubble_seconds));
    const double wide = text_width(text, kPlotLabel) + 8;
    if (wide < bubble.width - 8) {
      const Area ground{bubble.x + bubble.width / 2 - wide / 2, y + 2, wide, kHigh - 4};
      drawing.fill(ground, Tone::grey);
      drawing.text_inside(ground, text, {kPlotLabel, Anchor::middle, "on-grey"});
    }
    drawing.text_inside({gutter, y, from - gutter, kHigh}, fmt::format("at work {}", microseconds(in_steps)),
                        {kPlotLabel, Anchor::middle, "on-green"});
  }
  drawing.reach(y + kPitch);
}

void draw_cost_bars(Drawing& drawing, const Plan& plan, const Area& area) {
  double most = 0;
  for (const CostBar& bar : cost_bars(plan.cost)) most = std::max(most, bar.seconds);
  const double pitch = area.height / 3, gutter = text_width("arithmetic", kPlotLabel) + 8;
  double y = area.y;
  for (const CostBar& bar : cost_bars(plan.cost)) {
    const double high = std::min(pitch - 4, 14.0);
    drawing.text(area.x, y + high / 2 + 4, bar.short_name, {kPlotLabel, Anchor::start, "muted"}, gutter);
    drawing.rect({area.x + gutter, y, area.width - gutter, high}, "void");
    if (most > 0 && bar.seconds > 0)
      drawing.fill({area.x + gutter, y, std::max(1.0, (area.width - gutter) * bar.seconds / most), high}, bar.tone, {},
                   1);
    y += pitch;
  }
}

}  // namespace pallasgen
