#include "infer/infer.h"

#include <doctest/doctest.h>

#include <sstream>

#include "layout/derive.h"
#include "layout/names.h"
#include "tile/text.h"

using namespace pallasgen;

namespace {

const std::string kMatrices =
    "dim M, N, K multiple_of 8\n"
    "axis m parallel cdiv(M, 64)\n"
    "axis k sequential cdiv(K, 64)\n"
    "ref a: bf16[M, K] {in, block [64, 64], at [m, k], fill 0}\n"
    "ref b: bf16[64, 64] {in, block [64, 64], at [0, 0]}\n"
    "ref c: bf16[M, 64] {out, block [64, 64], at [m, 0]}\n"
    "ref x: f32[M, 256] {in, block [8, 256], at [m, 0]}\n"
    "ref y: f32[M, 256] {out, block [8, 256], at [m, 0]}\n";

struct Read {
  SourceText source;
  tile::Program program;
};

Read read(const std::string& body) {
  std::string text = "tile 1 few sm_90a after select\n" + kMatrices + "kernel few:\n  role all:\n";
  std::istringstream lines(body);
  for (std::string line; std::getline(lines, line);) text += "    " + line + "\n";
  SourceText source("few.tile", text);
  Diagnostics diagnostics;
  const auto program = tile::read_text(source, diagnostics);
  if (!program) FAIL(render(diagnostics, ErrorFormat::text, false), "\n", text);
  return {source, *program};
}

// Returns "acc @wgmma" for each value in the order of their definitions, then the conversions.
std::string layouts(const std::string& body, int64_t threads, const std::map<std::string, std::string>& hints = {}) {
  const Read few = read(body);
  std::map<tile::ValueId, ValueLayout> given;
  for (int id = 0; id < static_cast<int>(few.program.values.size()); ++id) {
    const tile::Value& value = few.program.values[static_cast<size_t>(id)];
    if (const auto hint = hints.find(value.name); hint != hints.end())
      given.emplace(tile::ValueId{id}, *layout_named(hint->second, value.shape, threads, bytes_of(value.dtype, 1)));
  }
  const Inferred inferred = infer_layouts(few.program, few.program.roles[0], threads, given);
  std::string out;
  for (tile::ValueId id : inferred.refused) out += "refused " + few.program.value(id).name + "\n";
  for (const auto& [id, layout] : inferred.layouts) {
    const tile::Value& value = few.program.value(id);
    CHECK(covers_shape(layout));
    out += value.name + " @" + layout_text(layout, threads, bytes_of(value.dtype, 1)) + "\n";
  }
  for (const NeededConversion& conversion : inferred.conversions) {
    const tile::Value& value = few.program.value(conversion.value);
    CHECK(!(conversion.from == conversion.to));
    out += "convert " + value.name + " @" + layout_text(conversion.from, threads, bytes_of(value.dtype, 1)) + " @" +
           layout_text(conversion.to, threads, bytes_of(value.dtype, 1)) + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("an accumulator fixes what is made of it, and its start") {
  CHECK(layouts("for tile in work(m):\n"
                "  b: bf16[64, 64] in smem = read b[0 +: 64, 0 +: 64] {path tma}\n"
                "  acc: f32[64, 64] in reg = 0.0\n"
                "  for k in 0 .. num_programs(k) {carry acc}:\n"
                "    a: bf16[64, 64] in smem = read a[m * 64 +: 64?, k * 64 +: 64?] {path tma}\n"
                "    acc: f32[64, 64] in reg = mma acc, a, b {family wgmma.k16.f32.bf16}\n"
                "  c: bf16[64, 64] = (acc * 2.0).astype(bf16)\n"
                "  write c[m * 64 +: 64?, 0 +: 64] <- c {path tma}\n",
                128) ==
        "acc @wgmma\n"
        "c @wgmma\n");
}

TEST_CASE("the value that an accumulation starts from has the accumulator's layout") {
  CHECK(layouts("for tile in work(m):\n"
                "  a: bf16[64, 64] in smem = read a[m * 64 +: 64?, 0 +: 64?] {path tma}\n"
                "  b: bf16[64, 64] = read b[0 +: 64, 0 +: 64] {path direct, vector 8}\n"
                "  start: f32[64, 64] = transpose(b, [1, 0]).astype(f32)\n"
                "  c_b: bf16[64, 64] in smem = b\n"
                "  acc: f32[64, 64] in reg = mma start, a, c_b {family wgmma.k16.f32.bf16}\n"
                "  c: bf16[64, 64] = acc.astype(bf16)\n"
                "  write c[m * 64 +: 64?, 0 +: 64] <- c {path tma}\n",
                128) ==
        "b @wgmma.T\n"
        "start @wgmma\n"
        "acc @wgmma\n"
        "c @wgmma\n");
}

TEST_CASE("attention's step: rows of an accumulator, and an operand that stays where it is") {
  const std::string text = layouts(
      "for tile in work(m):\n"
      "  a: bf16[64, 64] in smem = read a[m * 64 +: 64?, 0 +: 64?] {path tma}\n"
      "  b: bf16[64, 64] in smem = read b[0 +: 64, 0 +: 64] {path tma}\n"
      "  acc: f32[64, 64] in reg = 0.0\n"
      "  top: f32[64] = full(f32, [64], 0.0)\n"
      "  for k in 0 .. num_programs(k) {carry acc top}:\n"
      "    s: f32[64, 64] in reg = mma 0, a, b {family wgmma.k16.f32.bf16}\n"
      "    new_top: f32[64] = maximum(top, max(s, axis=1))\n"
      "    p: f32[64, 64] = exp2(s - new_top[:, None])\n"
      "    alpha: f32[64] = exp2(top - new_top)\n"
      "    top: f32[64] = new_top\n"
      "    p16: bf16[64, 64] in reg = p.astype(bf16)\n"
      "    acc: f32[64, 64] in reg = acc * alpha[:, None]\n"
      "    acc: f32[64, 64] in reg = mma acc, p16, b {family wgmma.k16.f32.bf16}\n"
      "  c: bf16[64, 64] = acc.astype(bf16)\n"
      "  write c[m * 64 +: 64?, 0 +: 64] <- c {path tma}\n",
      128);
  CHECK(text.find("convert") == std::string::npos);
  for (const char* value : {"acc @wgmma\n", "s @wgmma\n", "p @wgmma\n", "p16 @wgmma", "c @wgmma\n", "top @wgmma_row\n",
                            "new_top @wgmma_row\n", "alpha @wgmma_row\n"}) {
    CAPTURE(text);
    CHECK(text.find(value) != std::string::npos);
  }
}

TEST_CASE("a sum that a loop only adds to stays in parts until it is read") {
  const auto of_loop = [](const std::string& type, const std::string& start, const std::string& update,
                          const std::string& more) {
    return layouts(
        "for tile in work(m):\n"
        "  a: bf16[64, 64] in smem = read a[m * 64 +: 64?, 0 +: 64?] {path tma}\n"
        "  b: bf16[64, 64] in smem = read b[0 +: 64, 0 +: 64] {path tma}\n"
        "  l: " +
            type + "[64] = " + start +
            "\n"
            "  for k in 0 .. num_programs(k) {carry l}:\n"
            "    s: f32[64, 64] in reg = mma 0, a, b {family wgmma.k16.f32.bf16}\n"
            "    alpha: f32[64] = max(s, axis=1)\n"
            "    l: " +
            type + "[64] = " + update + "\n" + more + "  r: " + type +
            "[64] = l + l\n"
            "  c: bf16[64, 64] = full(f32, [64, 64], 1.0).astype(bf16) * r[:, None].astype(bf16)\n"
            "  write c[m * 64 +: 64?, 0 +: 64] <- c {path tma}\n",
        128, {{"r", "wgmma_row"}, {"c", "wgmma"}});
  };
  const std::string zero = "full(f32, [64], 0.0)", update = "l * alpha + sum(exp2(s - alpha[:, None]), axis=1)";
  const std::string parts = of_loop("f32", zero, update, "");
  CHECK(parts.starts_with("l @wgmma_row.partial\n"));
  CHECK(parts.find("alpha @wgmma_row\n") != std::string::npos);
  CHECK(parts.find("r @wgmma_row\n") != std::string::npos);
  CHECK(parts.substr(parts.find("convert")) == "convert l @wgmma_row.partial @wgmma_row\n");
  CHECK(of_loop("f32", zero, "sum(s, axis=1) + alpha * l", "").starts_with("l @wgmma_row.partial\n"));
  // Whole sums: a start that is not 0, a term that all lanes have, the value in a factor, another use in the loop.
  CHECK(of_loop("f32", "full(f32, [64], 1.0)", update, "").starts_with("l @wgmma_row\n"));
  CHECK(of_loop("f32", zero, "l + alpha + sum(s, axis=1)", "").starts_with("l @wgmma_row\n"));
  CHECK(of_loop("f32", zero, "l * l + sum(s, axis=1)", "").starts_with("l @wgmma_row\n"));
  CHECK(of_loop("f32", zero, "l + l + sum(s, axis=1)", "").starts_with("l @wgmma_row\n"));
  CHECK(of_loop("f32", zero, "l + max(s, axis=1)", "").starts_with("l @wgmma_row\n"));
  CHECK(of_loop("f32", zero, update, "    seen: f32[64] = l\n").starts_with("l @wgmma_row\n"));
  CHECK(
      of_loop("i32", "full(i32, [64], 0)", "l + sum(s.astype(i32), axis=1)", "").starts_with("l @wgmma_row.partial\n"));
  // Maxima and minima may start anywhere.
  CHECK(of_loop("f32", "full(f32, [64], 3.0)", "maximum(l, max(s, axis=1))", "").starts_with("l @wgmma_row.partial\n"));
  CHECK(of_loop("f32", "full(f32, [64], inf)", "minimum(min(s, axis=1), l)", "").starts_with("l @wgmma_row.partial\n"));
  CHECK(of_loop("f32", zero, "minimum(l, max(s, axis=1))", "").starts_with("l @wgmma_row\n"));
  CHECK(of_loop("f32", zero, "maximum(l, sum(s, axis=1))", "").starts_with("l @wgmma_row\n"));
  CHECK(of_loop("f32", zero, "maximum(l, alpha)", "").starts_with("l @wgmma_row\n"));
  CHECK(of_loop("f32", zero, "maximum(l * alpha, max(s, axis=1))", "").starts_with("l @wgmma_row\n"));
}

TEST_CASE("a sum goes on in parts through several loops, where each only adds the same parts") {
  const auto of_loops = [](const std::string& second) {
    return layouts(
        "for tile in work(m):\n"
        "  l: f32[8] = 0.0\n"
        "  for k in 0 .. num_programs(k) {carry l}:\n"
        "    x: f32[8, 256] = read x[m * 8 +: 8?, 0 +: 256] {path direct, vector 4}\n"
        "    l: f32[8] = l + sum(x, axis=1)\n"
        "  for k in 0 .. num_programs(k) {carry l}:\n"
        "    x: f32[8, 256] = read x[m * 8 +: 8?, 0 +: 256] {path direct, vector 4}\n"
        "    l: f32[8] = " +
            second +
            "\n"
            "  y: f32[8, 256] = full(f32, [8, 256], 1.0) * l[:, None]\n"
            "  write y[m * 8 +: 8?, 0 +: 256] <- y {path direct, vector 4}\n",
        128);
  };
  CHECK(of_loops("l * 0.5 + sum(x * x, axis=1)").starts_with("l @rows.32.slice.partial\n"));
  CHECK(of_loops("l + max(x, axis=1)").starts_with("l @rows.32.slice\n"));
}

TEST_CASE("softmax: a block whose rows are reduced has lanes for them, unless it is asked for in another layout") {
  const std::string body =
      "for tile in work(m):\n"
      "  x: f32[8, 256] = read x[m * 8 +: 8?, 0 +: 256] {path direct, vector 4}\n"
      "  top: f32[8] = max(x, axis=1)\n"
      "  p: f32[8, 256] = exp(x - top[:, None])\n"
      "  total: f32[8] = sum(p, axis=1)\n"
      "  y: f32[8, 256] = p / total[:, None]\n"
      "  write y[m * 8 +: 8?, 0 +: 256] <- y {path direct, vector 4}\n";
  CHECK(layouts(body, 128) ==
        "x @rows.32.4\n"
        "top @rows.32.slice\n"
        "p @rows.32.4\n"
        "total @rows.32.slice\n"
        "y @rows.32.4\n");
  CHECK(layouts(body, 128, {{"x", "strided.4"}}).starts_with("x @strided.4\ntop @rows.64.slice\n"));
}

TEST_CASE("where two layouts meet, the stronger stays and the other is converted") {
  CHECK(layouts("for tile in work(m):\n"
                "  a: bf16[64, 64] = read a[m * 64 +: 64?, 0 +: 64?] {path direct, vector 8}\n"
                "  b: bf16[64, 64] in smem = read b[0 +: 64, 0 +: 64] {path tma}\n"
                "  acc: f32[64, 64] in reg = mma 0, a, b {family wgmma.k16.f32.bf16}\n"
                "  c: bf16[64, 64] = acc.astype(bf16)\n"
                "  write c[m * 64 +: 64?, 0 +: 64] <- c {path tma}\n",
                128, {{"a", "strided.8"}, {"c", "strided.8"}}) ==
        "a @strided.8\n"
        "acc @wgmma\n"
        "c @strided.8\n"
        "convert a @strided.8 @wgmma_operand\n"
        "convert acc @wgmma @strided.8\n");
}

TEST_CASE("a number that one thread has is converted where all compute with it") {
  CHECK(layouts("for tile in work(m):\n"
                "  x: f32[8, 256] = read x[m * 8 +: 8?, 0 +: 256] {path direct, vector 4}\n"
                "  top: f32[] = max(x)\n"
                "  y: f32[8, 256] = x - top\n"
                "  write y[m * 8 +: 8?, 0 +: 256] <- y {path direct, vector 4}\n",
                128, {{"top", "one"}}) ==
        "x @strided.4\n"
        "top @one\n"
        "y @strided.4\n"
        "convert top @all @one\n"
        "convert top @one @all\n");
}

TEST_CASE("an accumulator whose rows the warpgroups cannot share has its columns shared, else it is refused") {
  const auto body = [](const std::string& columns) {
    return "for tile in work(m):\n"
           "  a: bf16[64, 64] in smem = read a[m * 64 +: 64?, 0 +: 64?] {path tma}\n"
           "  b: bf16[64, " +
           columns + "] in smem = read b[0 +: 64, 0 +: " + columns +
           "] {path tma}\n"
           "  acc: f32[64, " +
           columns +
           "] in reg = mma 0, a, b {family wgmma.k16.f32.bf16}\n"
           "  c: bf16[64, " +
           columns +
           "] = acc.astype(bf16)\n"
           "  write c[m * 64 +: 64?, 0 +: " +
           columns + "] <- c {path tma}\n";
  };
  CHECK(layouts(body("64"), 128) == "acc @wgmma\nc @wgmma\n");
  CHECK(layouts(body("64"), 256) == "acc @wgmma_across\nc @wgmma_across\n");
  CHECK(layouts(body("64"), 384) == "refused acc\nc @strided.8\n");
}

TEST_CASE("two warpgroups have half of the rows each, and so has what is made of them") {
  CHECK(layouts("for tile in work(m):\n"
                "  a: bf16[128, 64] in smem = read a[m * 64 +: 128?, 0 +: 64?] {path tma}\n"
                "  b: bf16[64, 64] in smem = read b[0 +: 64, 0 +: 64] {path tma}\n"
                "  acc: f32[128, 64] in reg = mma 0, a, b {family wgmma.k16.f32.bf16}\n"
                "  rows: f32[128] = sum(acc, axis=1)\n"
                "  columns: f32[64] = sum(acc, axis=0)\n"
                "  c: bf16[128, 64] = (acc + rows[:, None] + columns).astype(bf16)\n"
                "  write c[m * 64 +: 128?, 0 +: 64] <- c {path tma}\n",
                256) ==
        "acc @wgmma\n"
        "rows @wgmma_row\n"
        "columns @wgmma_column\n"
        "c @wgmma\n");
}

TEST_CASE("layouts go through reshapes, and transposes that lie by vectors are converted") {
  CHECK(layouts("for tile in work(m):\n"
                "  x: f32[8, 256] = read x[m * 8 +: 8?, 0 +: 256] {path direct, vector 4}\n"
                "  t: f32[256, 8] = transpose(x, [1, 0])\n"
                "  u: f32[8, 256] = transpose(t * 2.0, [1, 0])\n"
                "  f: f32[2048] = reshape(u, [2048])\n"
                "  y: f32[8, 256] = reshape(f, [8, 256])\n"
                "  write y[m * 8 +: 8?, 0 +: 256] <- y {path direct, vector 4}\n",
                128, {{"u", "rows.32.4"}}) ==
        "x @strided.4\n"
        "t @rows.2.4\n"
        "u @rows.32.4\n"
        "f @held.r2d0s1024.r2d0s128.r4d0s1.l32d0s4.w4d0s256\n"
        "y @rows.32.4\n"
        "convert x @strided.4 @rows.2.4.T\n"
        "convert t @rows.2.4 @rows.32.4.T\n");
}

TEST_CASE("a transpose of what is loaded by vectors is stored by vectors") {
  CHECK(layouts("for tile in work(m):\n"
                "  x: bf16[128, 64] = read x[m * 128 +: 128?, 0 +: 64] {path direct, vector 8}\n"
                "  b: bf16[64, 128] = read b[0 +: 64, m * 128 +: 128?] {path direct, vector 8}\n"
                "  y: bf16[64, 128] = transpose(x, [1, 0]) + b\n"
                "  write y[0 +: 64, m * 128 +: 128?] <- y {path direct, vector 8}\n",
                128) ==
        "x @strided.8\n"
        "b @rows.8.8\n"
        "y @rows.8.8\n"
        "convert x @strided.8 @rows.8.8.T\n");
}
