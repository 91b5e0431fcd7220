#include "options.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "report.h"

namespace pallasgen::emulator {
namespace {

[[noreturn]] void bad(const std::string& item, const char* wanted) {
  fail(kExitBadOptions, text("PALLASGEN_EMULATOR: \"%s\": %s", item.c_str(), wanted));
}

Completion completion(const std::string& item, const std::string& value) {
  if (value == "late") return Completion::kLate;
  if (value == "early") return Completion::kEarly;
  if (value == "random") return Completion::kRandom;
  bad(item, "expected late, early or random");
}

double number(const std::string& item, const std::string& value, double least, double most) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (value.empty() || *end != '\0' || !(number >= least && number <= most))
    bad(item, text("expected a number from %.0f to %.0f", least, most).c_str());
  return number;
}

void apply_setting(Options& options, const std::string& item) {
  const size_t equals = item.find('=');
  const std::string key = item.substr(0, equals);
  const std::string value = equals == std::string::npos ? "1" : item.substr(equals + 1);
  if (key == "policy") {
    options.copies = options.mma = completion(item, value);
    options.random_order = options.copies == Completion::kRandom;
  } else if (key == "copies") {
    options.copies = completion(item, value);
  } else if (key == "mma") {
    options.mma = completion(item, value);
  } else if (key == "random_order") {
    options.random_order = number(item, value, 0, 1) != 0;
  } else if (key == "seed") {
    options.seed = static_cast<uint64_t>(number(item, value, 0, 9e15));
  } else if (key == "sms") {
    options.sms = static_cast<int>(number(item, value, 1, 1024));
  } else if (key == "polls") {
    options.poll_limit = static_cast<uint64_t>(number(item, value, 1, 9e15));
  } else if (key == "seconds") {
    options.seconds_without_switch = number(item, value, 0.1, 1e6);
  } else if (key == "stack") {
    options.stack_bytes = static_cast<size_t>(number(item, value, 16384, 64 << 20));
  } else if (key == "per_thread") {
    options.per_thread = number(item, value, 0, 1) != 0;
  } else if (key == "statistics") {
    options.statistics = number(item, value, 0, 1) != 0;
  } else if (key == "counted_workspace") {
    options.counted_workspace = number(item, value, 0, 1) != 0;
  } else {
    bad(item,
        "expected policy, copies, mma, random_order, seed, sms, polls, seconds, stack, per_thread, statistics or "
        "counted_workspace");
  }
}

std::optional<Options>& current() {
  static std::optional<Options> options;
  return options;
}

}  // namespace

Options parse_options(const std::string& list) {
  Options options;
  for (size_t start = 0; start < list.size();) {
    const size_t comma = std::min(list.find(',', start), list.size());
    if (comma > start) apply_setting(options, list.substr(start, comma - start));
    start = comma + 1;
  }
  return options;
}

const Options& options() {
  if (!current()) {
    const char* variable = std::getenv("PALLASGEN_EMULATOR");
    current() = parse_options(variable == nullptr ? "" : variable);
  }
  return *current();
}

void set_options(const Options& options) { current() = options; }

}  // namespace pallasgen::emulator
