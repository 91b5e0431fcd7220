#pragma once

#include <vector>

#include "plan/timeline.h"

namespace pallasgen {

// The parts of a simulated time that a picture shows, all at one scale, in order and apart from one another.
struct TimeWindow {
  double begin = 0, end = 0;
  double seconds() const { return end - begin; }
};

// The whole time if about `steps` steps fit; else its start, the end of the first of several tiles, and its end.
std::vector<TimeWindow> time_windows(const Timeline& timeline, int steps);

// Converts seconds to places on the axis. Windows are `kGap` apart.
class TimeAxis {
 public:
  static constexpr double kGap = 26;
  TimeAxis(std::vector<TimeWindow> windows, double left, double width);

  const std::vector<TimeWindow>& windows() const { return windows_; }
  double pixels_a_second() const { return scale_; }
  // The place of a time in the window.
  double x_of(size_t window, double seconds) const {
    return lefts_[window] + (seconds - windows_[window].begin) * scale_;
  }

 private:
  std::vector<TimeWindow> windows_;
  std::vector<double> lefts_;
  double scale_ = 1;
};

}  // namespace pallasgen
