#include <set>

#include "../plan/planned.h"
#include "block_map.h"
#include "bytes_picture.h"
#include "memory_map.h"
#include "picture_set.h"
#include "plan/words.h"
#include "roofline.h"
#include "time_windows.h"

using namespace pallasgen;

namespace {

// Rings of one and of two operands, a storer, no ring, overlays, blocks that overlap, are squeezed, depend on data.
const char* const kDrawn[] = {"matmul/matmul_gelu.yaml",     "attention/attention_fwd.yaml",
                              "rows/softmax.yaml",           "elementwise/add_matrices_pipelined.yaml",
                              "indexing/histogram.yaml",     "operands/window_sum.yaml",
                              "matmul/ragged_dot.yaml",      "basics/show_program_ids_squeezed.yaml",
                              "attention/attention_bwd.yaml"};

}  // namespace

TEST_CASE("pieces of shared memory account for each byte up to the limit") {
  for (const char* name : kDrawn) {
    CAPTURE(name);
    const Planned planned = library(name);
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    const SharedMemory& shared = planned.plan->shared;
    int64_t at = 0, used = 0;
    int64_t place_end = 0;
    for (const MemoryPiece& piece : memory_pieces(*planned.plan)) {
      CHECK(piece.bytes() > 0);
      if (piece.lane == 0 && piece.lanes == 1) {
        CHECK(piece.begin == std::max(at, place_end));
        at = place_end = piece.end;
      } else {
        place_end = std::max(place_end, piece.end);
      }
      if (piece.field >= 0 && piece.lane == 0) used += piece.bytes();
      if (piece.kind == MemoryKind::padding) CHECK(piece.end == shared.total);
    }
    CHECK(std::max(at, place_end) == shared.limit);
    if (std::none_of(shared.fields.begin(), shared.fields.end(), [](const auto& field) { return field.overlay >= 0; }))
      CHECK(used + shared.padding == shared.total);
  }
}

TEST_CASE("scratch of scopes that share a place lies in lanes") {
  Plan plan;
  plan.shared.limit = plan.shared.total = 256;
  SharedField field;
  for (const auto& [name, bytes] : {std::pair("low", 256), {"high", 128}}) {
    field.name = field.purpose = name;
    field.bytes = bytes;
    field.overlay = 0;
    plan.shared.fields.push_back(field);
  }
  const std::vector<MemoryPiece> pieces = memory_pieces(plan);
  REQUIRE(pieces.size() == 2);
  CHECK(pieces[0].lanes == 2);
  CHECK(pieces[1].lane == 1);
  CHECK(pieces[1].begin == 0);
  CHECK(pieces[1].end == 128);
}

TEST_CASE("no two lines of a picture meet, and none leaves it") {
  for (const char* name : kDrawn) {
    const Planned planned = library(name);
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    for (const PictureForm& form : picture_forms(*planned.plan, {})) {
      if (!form.draw) continue;
      for (const Look& look : {wide_look(), narrow_look()}) {
        Drawing drawing(form.name, look);
        form.draw(drawing, 0);
        const std::vector<Drawing::Line>& lines = drawing.lines();
        for (size_t i = 0; i < lines.size(); ++i) {
          CAPTURE(name);
          CAPTURE(form.name);
          CAPTURE(look.width);
          CAPTURE(lines[i].text);
          CHECK(lines[i].area.x >= -0.01);
          CHECK(lines[i].area.right() <= drawing.width() + 0.01);
          CHECK(lines[i].area.bottom() <= drawing.height() + 0.01);
          for (size_t j = i + 1; j < lines.size(); ++j)
            if (areas_overlap(lines[i].area, lines[j].area)) FAIL_CHECK(lines[i].text << " meets " << lines[j].text);
        }
      }
    }
  }
}

TEST_CASE("the lanes of a ring are told apart, however long its name is") {
  const Planned planned = library("indexing/histogram.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  for (const PictureForm& form : picture_forms(*planned.plan, {})) {
    if (form.name != "timeline") continue;
    for (const Look& look : {wide_look(), narrow_look()}) {
      Drawing drawing(form.name, look);
      form.draw(drawing, 0);
      std::set<std::string> lanes;
      for (const Drawing::Line& line : drawing.lines())
        if (line.text.find(" slot ") != std::string::npos) lanes.insert(line.text);
      CHECK(lanes.size() == 6);
    }
  }
}

TEST_CASE("what is counted has its plural") {
  CHECK(counted(1, "box") == "1 box");
  CHECK(counted(2, "box") == "2 boxes");
  CHECK(counted(0, "pass") == "0 passes");
  CHECK(counted(1200, "tile") == "1,200 tiles");
}

TEST_CASE("windows show all of a short time, and else its start and its end, in order") {
  const Planned planned = library("matmul/matmul_gelu.yaml");
  REQUIRE(planned.plan.has_value());
  const Timeline timeline = explained_timeline(*planned.plan);
  for (const int steps : {12, 32, 100000}) {
    const std::vector<TimeWindow> windows = time_windows(timeline, steps);
    CHECK(windows.front().begin == 0);
    CHECK(windows.back().end == doctest::Approx(timeline.seconds));
    CHECK((windows.size() == 1) == (steps == 100000));
    for (size_t i = 1; i < windows.size(); ++i) CHECK(windows[i].begin > windows[i - 1].end);
    const TimeAxis axis(windows, 100, 800);
    CHECK(axis.x_of(0, 0) == doctest::Approx(100));
    CHECK(axis.x_of(windows.size() - 1, timeline.seconds) == doctest::Approx(900));
  }
}

TEST_CASE("blocks: the ragged table of the documentation") {
  const Planned planned = library("basics/show_program_ids.yaml");
  REQUIRE(planned.plan.has_value());
  const BlockMap map = block_map(*planned.plan, {{{"M", 7}, {"N", 5}}, {}});
  CHECK(map.points == 8);
  CHECK(map.chosen == std::vector<int64_t>{1, 1});
  REQUIRE(map.arrays.size() == 1);
  const ArrayMap& array = map.arrays[0];
  CHECK(array.rows == 7);
  CHECK(array.columns == 5);
  REQUIRE(array.cells.size() == 8);
  for (size_t i = 0; i < array.cells.size(); ++i) {
    const MapCell& cell = array.cells[i];
    const auto row = static_cast<int64_t>(i / 2), column = static_cast<int64_t>(i % 2);
    CHECK(cell.row == 2 * row);
    CHECK(cell.column == 3 * column);
    CHECK(cell.owner == std::vector<int64_t>{row, column});
    CHECK(cell.chosen == (row == 1 && column == 1));
  }
}

TEST_CASE("blocks: a grid of any size is looked at in part, an empty one not at all") {
  const Planned planned = library("basics/show_program_ids.yaml");
  REQUIRE(planned.plan.has_value());
  const BlockMap large = block_map(*planned.plan, {{{"M", int64_t{1} << 40}, {"N", 1000000}}, {}});
  CHECK(large.points <= kMostPoints);
  CHECK(large.cut());
  CHECK(large.sizes[0] == int64_t{1} << 39);
  const BlockMap empty = block_map(*planned.plan, {{{"M", 0}, {"N", 6}}, {}});
  CHECK(empty.points == 0);
  CHECK(empty.arrays[0].cells.empty());
  CHECK(empty.arrays[0].unknown == "it has no elements at these sizes");
}

TEST_CASE("blocks: steps that read one block again, and dims that are not drawn") {
  const Planned planned = library("matmul/matmul_gelu.yaml");
  REQUIRE(planned.plan.has_value());
  const BlockMap map = block_map(*planned.plan, {{{"M", 256}, {"N", 512}, {"K", 256}}, {}});
  const ArrayMap& a = map.arrays[0];
  CHECK(a.cells.size() == 8);
  CHECK(a.cells[0].owner.empty());  // both programs along n read it
  CHECK(a.cells[0].points == 2);
  CHECK(map.arrays.back().cells[0].points == 4);  // c: each step of k
  const Planned attention = library("attention/attention_fwd.yaml");
  const ArrayMap q = block_map(*attention.plan, {}).arrays[0];
  CHECK(q.row_dim >= 0);
  CHECK(q.column_dim > q.row_dim);
  CHECK(q.elsewhere + static_cast<int64_t>(q.cells.size()) == 2 * 2);  // (b, h), one block of s each
}

TEST_CASE("blocks: the words say what is drawn") {
  const Planned window = library("operands/window_sum.yaml");
  REQUIRE(window.plan.has_value());
  Drawing drawing("blocks", wide_look());
  draw_blocks(drawing, *window.plan, block_map(*window.plan, {}), 0);
  const auto says = [&](const std::string& text) {
    return std::any_of(drawing.lines().begin(), drawing.lines().end(),
                       [&](const Drawing::Line& line) { return line.text == text; });
  };
  CHECK(says("blocks of 258 that overlap, labelled by n"));
  CHECK(says("blocks of 256, labelled by n"));
  // If all blocks depend on data, none is marked.
  const Planned ragged = library("matmul/ragged_dot.yaml");
  REQUIRE(ragged.plan.has_value());
  const BlockMap map = block_map(*ragged.plan, {});
  CHECK(map.arrays[0].unknown == "where its blocks lie depends on data");
  CHECK(block_map_words(*ragged.plan, map)[0].find("heavy edge") == std::string::npos);
  // The drawn plane is that of the named program.
  const Planned attention = library("attention/attention_fwd.yaml");
  const ArrayMap k = block_map(*attention.plan, {{{"B", 3}, {"H", 2}, {"G", 2}, {"T", 300}}, {{2, 1, 0}}}).arrays[1];
  CHECK(k.elsewhere > 0);
  CHECK(std::any_of(k.cells.begin(), k.cells.end(), [](const MapCell& cell) { return cell.chosen; }));
}

TEST_CASE("what moves of each array: a tile's rows of a for each tile along n, c once") {
  const Planned planned = library("matmul/matmul_gelu.yaml");
  REQUIRE(planned.plan.has_value());
  const std::vector<ArrayTraffic> arrays = traffic_of(*planned.plan);
  REQUIRE(arrays.size() == 3);
  const double array = 2.0 * 4096 * 4096;
  CHECK(arrays[0].memory == doctest::Approx(array));
  CHECK(arrays[0].wanted == doctest::Approx(array * 4096 / 256));
  CHECK(arrays[1].wanted == doctest::Approx(array * 4096 / 128));
  CHECK(arrays[2].wanted == doctest::Approx(array));
  double memory = 0;
  for (const ArrayTraffic& moved : arrays) memory += moved.memory;
  CHECK(memory == doctest::Approx(planned.plan->cost.memory_bytes));
  CHECK(bytes_words(arrays)[0] ==
        "CTAs read and write 1.64 GB in all; device memory moves 101 MB of them, the L2 cache has the others.");
}

TEST_CASE("what moves of small arrays is said as it is drawn") {
  const Planned planned = library("indexing/histogram.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  // The bars of its outputs say that they are read twice.
  CHECK(bytes_words(traffic_of(*planned.plan))[0].find("the L2 cache has the others") != std::string::npos);
  CHECK(bytes_words({{0, 512, 512, 512}, {1, 1024, 1024, 1024}})[0] ==
        "CTAs read and write 1.54 kB in all, each byte once.");
}

TEST_CASE("the roofline is that of the device, and the point that of the cost model") {
  const Planned planned = library("matmul/matmul_gelu.yaml");
  REQUIRE(planned.plan.has_value());
  const CostModel& cost = planned.plan->cost;
  const Roofline roofline = roofline_of(*planned.plan);
  REQUIRE(roofline.roofs.size() == 2);
  CHECK(roofline.roofs[0].name == "bf16 tensor cores");
  CHECK(roofline.roofs[0].peak == doctest::Approx(989e12));
  REQUIRE(!roofline.points.empty());
  // 2 M N K over three arrays of bf16, each moved once.
  CHECK(roofline.points[0].operations == doctest::Approx(2.0 * 4096 * 4096 * 4096));
  CHECK(roofline.points[0].intensity == doctest::Approx(4096.0 / 3));
  CHECK(roofline.points[0].rate == doctest::Approx(2.0 * 4096 * 4096 * 4096 / cost.seconds));
  CHECK(roofline.points[0].rate < roofline.points[0].attainable);
  const Planned softmax = library("rows/softmax.yaml");
  CHECK(roofline_of(*softmax.plan).roofs.size() == 1);
}
