#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "plan/slices.h"

namespace pallasgen {

// What pictures of blocks are drawn for. Dims that are not given are those of the spec's first test, else those of the
// cost model's example.
struct PictureSizes {
  std::map<std::string, int64_t> dims;
  std::optional<std::vector<int64_t>> program;  // a grid point: its blocks are outlined; else one is chosen
};

// All of them.
std::map<std::string, int64_t> picture_dims(const Plan& plan, const PictureSizes& sizes);

// A picture of a plan as an SVG file: it loads nothing, and shows in a light or a dark theme as the reader prefers.
struct Picture {
  std::string name;   // time, bytes, timeline, memory, blocks, roofline: of the file
  std::string title;  // "matmul_gelu: shared memory"
  std::string svg;
};

// The pictures of a plan, each drawn over what the plan already says: where time and bytes go, the timeline (only of
// plans with rings), shared memory, the blocks of each array and the roofline. The same plan gives the same bytes.
std::vector<Picture> pictures(const Plan& plan, const PictureSizes& sizes);

// What a page says of its spec beside the plan.
struct PageSource {
  std::string label;                 // its place from the spec root's name: specs/matmul/matmul.yaml
  std::string text;                  // the file as it was read
  std::vector<std::string> defines;  // -D, as given
  std::string home;                  // the path to the page of all specs; empty: there is none
};

// The pictures on one HTML page that loads nothing from elsewhere, with the plan in words and the text of the spec.
std::string page(const Plan& plan, const PictureSizes& sizes, const PageSource& source);

// The page of several specs: a small picture of each with its figures, linked to its own page.
struct GalleryEntry {
  const Plan* plan = nullptr;
  std::string label;  // specs/matmul/matmul.yaml
  std::string link;   // the path from the gallery: matmul/matmul.html
};
std::string gallery(const std::vector<GalleryEntry>& entries);

}  // namespace pallasgen
