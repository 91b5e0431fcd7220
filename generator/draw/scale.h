#pragma once

#include <string>
#include <vector>

namespace pallasgen {

// Round values of an axis in [from, to], 1, 2 or 5 times a power of ten apart and no closer than `apart`.
std::vector<double> round_ticks(double from, double to, double apart);

// A time as the rest of the tool writes it: "1.5 us", or "0". It has no more decimals than `apart`, the distance to the
// next value, needs.
std::string time_text(double seconds, double apart);

// A rate with three digits and a prefix of the SI: "830 TFLOP/s", "3.35 TB/s", "1.02 kFLOP/s".
std::string rate_text(double value, const std::string& unit);
// A power of ten on an axis: "100 GFLOP/s"; without a unit, below 1,000: "0.1".
std::string decade_text(int power, const std::string& unit);
// A value with three digits, with separators: "0.125", "295", "12,300".
std::string three_digits(double value);

}  // namespace pallasgen
