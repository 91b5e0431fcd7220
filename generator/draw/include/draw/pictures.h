#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "plan/slices.h"

namespace pallasgen {

// The sizes that blocks are drawn for. Dims that are not given are those of the spec's first test, else those of the
// cost model's example.
struct PictureSizes {
  std::map<std::string, int64_t> dims;
  std::optional<std::vector<int64_t>> program;  // a grid point whose blocks are outlined; else one is chosen
};

// The sizes of all dims.
std::map<std::string, int64_t> picture_dims(const Plan& plan, const PictureSizes& sizes);

// A picture of a plan as an SVG file, which loads nothing and follows the reader's light or dark theme.
struct Picture {
  std::string name;   // part of the file's name: time, bytes, timeline, memory, blocks, roofline
  std::string title;  // "matmul_gelu: shared memory"
  std::string svg;
};

// The pictures of a plan, drawn from the plan alone: time, bytes, the timeline (only for plans with rings), shared
// memory, the blocks of each array, and the roofline. The same plan gives the same bytes.
std::vector<Picture> pictures(const Plan& plan, const PictureSizes& sizes);

// Facts about the spec for its page, besides the plan.
struct PageSource {
  std::string label;                 // its place, from the spec root's name on: specs/matmul/matmul.yaml
  std::string text;                  // the file as it was read
  std::vector<std::string> defines;  // -D, as given
  std::string home;                  // the path to the page of all specs; empty without one
};

// An HTML page with the pictures, the plan in words and the text of the spec; it loads nothing from elsewhere.
std::string page(const Plan& plan, const PictureSizes& sizes, const PageSource& source);

// An entry of the page of several specs: a small picture with figures, linked to the spec's own page.
struct GalleryEntry {
  const Plan* plan = nullptr;
  std::string label;  // specs/matmul/matmul.yaml
  std::string link;   // the path from the gallery: matmul/matmul.html
};
std::string gallery(const std::vector<GalleryEntry>& entries);

}  // namespace pallasgen
