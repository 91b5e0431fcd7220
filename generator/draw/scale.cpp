#include "scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "plan/words.h"

namespace pallasgen {

namespace {

// 1, 2 or 5 times a power of ten, at least `apart`.
double round_distance(double apart) {
  const double power = std::pow(10.0, std::floor(std::log10(apart)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= apart * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

int decimals_for(double distance) {
  return distance > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(distance) - 1e-9)), 0, 6) : 3;
}

}  // namespace

std::vector<double> round_ticks(double from, double to, double apart) {
  std::vector<double> ticks;
  if (!(to > from) || !(apart > 0)) return ticks;
  const double distance = round_distance(apart);
  for (double n = std::ceil(from / distance - 1e-9); n * distance <= to * (1 + 1e-12); ++n)
    ticks.push_back(n * distance);
  return ticks;
}

std::string time_text(double seconds, double apart) {
  if (seconds == 0) return "0";
  std::string text = fmt::format("{:.{}f} us", seconds * 1e6, decimals_for(apart * 1e6));
  for (auto at = static_cast<int>(text.find_first_of(". ")) - 3; at > 0; at -= 3)
    text.insert(static_cast<size_t>(at), ",");
  return text;
}

std::string three_digits(double value) {
  if (value >= 999.5) {
    const double power = std::pow(10.0, std::floor(std::log10(value)) - 2);
    return grouped(std::llround(std::round(value / power) * power));
  }
  if (value <= 0) return "0";
  const int digits = static_cast<int>(std::floor(std::log10(value)));
  return fmt::format("{:.{}f}", value, std::clamp(2 - digits, 0, 6));
}

std::string rate_text(double value, const std::string& unit) {
  constexpr std::array<std::pair<double, const char*>, 5> kPrefixes = {
      {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
  for (const auto& [size, prefix] : kPrefixes)
    if (value >= size) return fmt::format("{} {}{}", three_digits(value / size), prefix, unit);
  return fmt::format("{} {}", three_digits(value), unit);
}

std::string decade_text(int power, const std::string& unit) {
  constexpr std::string_view kPrefixes = "kMGTPE";
  const int thousands = power < 3 ? 0 : std::min(power / 3, static_cast<int>(kPrefixes.size()));
  const std::string prefix = thousands == 0 ? "" : std::string(1, kPrefixes[static_cast<size_t>(thousands - 1)]);
  const std::string number = power >= 0 ? grouped(std::llround(std::pow(10, power - 3 * thousands)))
                                        : fmt::format("{:.{}f}", std::pow(10, power), -power);
  return unit.empty() ? number : fmt::format("{} {}{}", number, prefix, unit);
}

}  // namespace pallasgen
