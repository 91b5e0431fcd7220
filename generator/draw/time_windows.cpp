#include "time_windows.h"

#include <algorithm>

namespace pallasgen {

namespace {

// Shares of the shown time: the start, the surroundings of the first tile's end, the end.
constexpr double kStart = 0.45, kBetween = 0.3, kLast = 0.25;

}  // namespace

std::vector<TimeWindow> time_windows(const Timeline& timeline, int steps) {
  const double all = timeline.seconds;
  const auto count = static_cast<double>(std::max<int64_t>(1, timeline.tiles * timeline.steps));
  const double step = std::max(0.0, all - timeline.fill) / count;
  // The start shows the first data, however long the steps take.
  const double shown = std::max(steps * step, 2.5 * timeline.fill);
  if (shown >= 0.85 * all) return {{0, all}};
  std::vector<TimeWindow> windows = {{0, kStart * shown}};
  const auto first_end = std::find_if(timeline.activities.begin(), timeline.activities.end(),
                                      [](const Activity& activity) { return activity.kind == ActivityKind::epilogue; });
  double last = kLast * shown;
  if (timeline.tiles > 1 && first_end != timeline.activities.end()) {
    // A tile's work outside of its steps is shown whole, with steps around it.
    const double around = std::max(kBetween * shown - (first_end->end - first_end->begin), 5 * step) / 2;
    windows.push_back({first_end->begin - around, first_end->end + around});
  } else {
    last += kBetween * shown;
  }
  const auto final_end = std::find_if(timeline.activities.rbegin(), timeline.activities.rend(),
                                      [](const Activity& activity) { return activity.kind == ActivityKind::epilogue; });
  if (final_end != timeline.activities.rend()) last = std::max(last, all - final_end->begin + 3 * step);
  windows.push_back({all - last, all});
  std::vector<TimeWindow> apart;
  for (const TimeWindow& window : windows) {
    if (!apart.empty() && window.begin <= apart.back().end + 2 * step)
      apart.back().end = std::max(apart.back().end, window.end);
    else
      apart.push_back({std::max(0.0, window.begin), window.end});
  }
  return apart;
}

TimeAxis::TimeAxis(std::vector<TimeWindow> windows, double left, double width) : windows_(std::move(windows)) {
  double seconds = 0;
  for (const TimeWindow& window : windows_) seconds += window.seconds();
  const double gaps = kGap * static_cast<double>(windows_.size() - 1);
  scale_ = seconds > 0 ? (width - gaps) / seconds : 1;
  for (const TimeWindow& window : windows_) {
    lefts_.push_back(left);
    left += window.seconds() * scale_ + kGap;
  }
}

}  // namespace pallasgen
