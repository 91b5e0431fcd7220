#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// What a page says first of a plan.
struct KeyFigure {
  std::string name, value, note;  // "shared memory", "230,400", "of 232,448 bytes"
};
std::vector<KeyFigure> key_figures(const Plan& plan);

// A whole page around what stands in its body, which is HTML.
std::string html_page(std::string_view title, std::string_view body);

}  // namespace pallasgen
