#include "expression/window.h"

#include <doctest/doctest.h>

#include "tile/text.h"

using namespace pallasgen;

namespace {

// Returns the columns k*32 .. k*32 + 32 of an expression of [8, 128] (dim 1), or rows k*4 .. k*4 + 4 (dim 0), of x:
// f32[8, 128], w: f32[128], t: f32[128, 8] and r: f32[8]; empty if there is no window.
std::string window_text(const std::string& expression, size_t dim = 1) {
  Sources sources;
  Diagnostics diagnostics;
  const auto program = tile::read_text(sources.add("k.tile",
                                                   "tile 1 k sm_90a after canonicalise\n"
                                                   "axis k sequential 2\n"
                                                   "ref o: f32[8, 128] {out, block [8, 128], at [0, 0]}\n"
                                                   "kernel k:\n"
                                                   "  role all:\n"
                                                   "    for tile in work():\n"
                                                   "      x: f32[8, 128] = 1.0\n"
                                                   "      w: f32[128] = 2.0\n"
                                                   "      t: f32[128, 8] = 3.0\n"
                                                   "      r: f32[8] = 4.0\n"
                                                   "      for k in 0 .. 2:\n"
                                                   "        y: f32[8, 128] = " +
                                                       expression + "\n      write o[0 +: 8, 0 +: 128] <- x\n"),
                                       diagnostics);
  CAPTURE(render(diagnostics, ErrorFormat::text, false));
  REQUIRE(program);
  const tile::Block& tile = program->roles[0].body[0].as<tile::ForTiles>()->body;
  const tile::For& loop = *tile[4].as<tile::For>();
  const int64_t size = dim == 1 ? 32 : 4;
  const TypedPtr first =
      index_apply(Op::multiply, make_typed({}, DType::index, {}, loop.variable), index_constant(size));
  const TypedPtr part = window(loop.body[0].as<tile::Assign>()->expr, dim, first, size);
  if (!part) return "";
  CHECK(part->shape == (dim == 1 ? Shape{8, 32} : Shape{4, 128}));
  return to_string(part, TypedText::exact);
}

}  // namespace

TEST_CASE("a window of elementwise operations is one of what they broadcast") {
  CHECK(window_text("exp(x) * w[None, 0:128]") == "exp(x[0:8, ds(k * 32, 32)]) * w[None, ds(k * 32, 32)]");
  CHECK(window_text("x - r[0:8, None]") == "x[0:8, ds(k * 32, 32)] - r[0:8, None]");
  CHECK(window_text("x - r[0:8, None]", 0) == "x[ds(k * 4, 4), 0:128] - r[ds(k * 4, 4), None]");
  CHECK(window_text("where(x < w, x, 0.0)") ==
        "where(x[0:8, ds(k * 32, 32)] < w[ds(k * 32, 32)], x[0:8, ds(k * 32, 32)], 0.0)");
}

TEST_CASE("a window goes through shapes to the dim that its elements come from") {
  CHECK(window_text("(t + 1.0).T") == "transpose(t[ds(k * 32, 32), 0:8] + 1.0, [1, 0])");
  CHECK(window_text("x - sum(x, axis=1, keepdims=true)") == "x[0:8, ds(k * 32, 32)] - sum(x, axis=1, keepdims=true)");
  CHECK(window_text("x - sum(x, axis=0)") == "x[0:8, ds(k * 32, 32)] - sum(x[0:8, ds(k * 32, 32)], axis=0)");
  CHECK(window_text("broadcast_to(w, [8, 128])") == "broadcast_to(w[ds(k * 32, 32)], [8, 32])");
  CHECK(window_text("(x + x)[0:8, 0:128]") != "");
}

TEST_CASE("counting goes on from where the window begins") {
  CHECK(window_text("x * f32(iota(i32, [8, 128], 1))") ==
        "x[0:8, ds(k * 32, 32)] * (iota(i32, [8, 32], 1) + (k * 32)).astype(f32)");
}

TEST_CASE("what costs as much for a part as for all has no window") {
  CHECK(window_text("cumsum(x, axis=1)") == "");
  CHECK(window_text("reshape(t, [8, 128])") == "");
  CHECK(window_text("x * max(dot(x, t))") != "");
}
