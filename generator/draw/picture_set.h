#pragma once

#include <functional>
#include <string>
#include <vector>

#include "draw/pictures.h"
#include "drawing.h"

namespace pallasgen {

// A picture before it is laid out. The plan outlives it.
struct PictureForm {
  std::string name, title;                         // memory; "Shared memory of a CTA"
  std::vector<std::string> words;                  // the picture in words, a sentence or a line each
  std::function<void(Drawing&, double top)> draw;  // empty if there is nothing to draw, as `words` says
};

// All pictures of a plan in the order of its page.
std::vector<PictureForm> picture_forms(const Plan& plan, const PictureSizes& sizes);

}  // namespace pallasgen
