#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// One of the figures of a plan at the start of its page.
struct KeyFigure {
  std::string name, value, note;  // "shared memory", "230,400", "of 232,448 bytes"
};
std::vector<KeyFigure> key_figures(const Plan& plan);

// A whole page around `body`, which is HTML.
std::string html_page(std::string_view title, std::string_view body);

}  // namespace pallasgen
