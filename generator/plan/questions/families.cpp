#include "questions/families.h"

#include <fmt/format.h>

#include <algorithm>

#include "plan/words.h"

namespace pallasgen {

namespace {

// The property of a dot with the row's dtypes that keeps it from the row's instructions.
enum class Obstacle : uint8_t { none, batch, rows, columns, depth, exactness };

Obstacle obstacle_of(const Target& target, const MmaFamily& row, const DotSides& of, bool approximate) {
  if (of.m == 0) return Obstacle::batch;
  if (of.m % target.mma_rows != 0) return Obstacle::rows;
  // Which columns a warpgroup has decides whether an instruction can take that many (beyond_limits).
  if (of.n % column_step(target, row, of.n) != 0) return Obstacle::columns;
  if (of.k % row.k != 0) return Obstacle::depth;
  const bool exact = row.exact_terms == 0 || of.k <= row.exact_terms || approximate;
  return exact ? Obstacle::none : Obstacle::exactness;
}

// The same in words; empty if there is none.
std::string obstacle(const Target& target, const MmaFamily& row, const DotSides& of, bool approximate) {
  switch (obstacle_of(target, row, of, approximate)) {
    case Obstacle::none:
      return "";
    case Obstacle::batch:
      return fmt::format(
          "instructions multiply matrices of two dims, and only batches of at most {} matrices that nothing takes "
          "together "
          "are multiplied one by one: a grid axis can take the batch",
          kMostMatrices);
    case Obstacle::rows:
      return fmt::format("it has {} rows, and instructions have a multiple of {}", of.m, target.mma_rows);
    case Obstacle::columns:
      return fmt::format("it has {} columns, and instructions have a multiple of {} up to {}", of.n,
                         column_step(target, row, of.n), target.mma_max_n);
    case Obstacle::depth:
      return fmt::format("it contracts over {} elements, and instructions over {}", of.k, row.k);
    case Obstacle::exactness:
      return fmt::format(
          "it contracts over {} elements, and instructions add {} up exactly enough over {}, or over any "
          "number under `math: {{approx: true}}`",
          of.k, name_of(row.a), row.exact_terms);
  }
  return "";
}

bool has_dtypes(const MmaFamily& row, const Apply& product, DType result) {
  return row.a == product.args[0]->dtype && row.b == product.args[1]->dtype && row.accumulator == result;
}

std::string_view asked_precision(const Apply& product) {
  return product.attributes.precision == "ieee" ? std::string_view() : product.attributes.precision;
}

std::vector<std::string> targets_with_families() {
  std::vector<std::string> names;
  for (const Target& target : targets()) {
    if (!target.families.empty()) names.emplace_back(target.name);
  }
  return names;
}

}  // namespace

int column_step(const Target& target, const MmaFamily& row, int64_t columns) {
  return columns > MmaFamily::kNarrowColumns ? row.wide_n_step : target.mma_n_step;
}

DotSides sides_of(const Apply& product) {
  const Shape &a = product.args[0]->shape, &b = product.args[1]->shape;
  if (a.size() != 2 || b.size() != 2) return {};
  const OpAttributes& attributes = product.attributes;
  const int64_t depth = attributes.part_size > 0 ? attributes.part_size : a[attributes.trans_a ? 0 : 1];
  return {a[attributes.trans_a ? 1 : 0], b[attributes.trans_b ? 0 : 1], depth};
}

FmaChoice choose_fma(const Target& target, const Apply& product, DType result) {
  const DotSides sides = sides_of(product);
  if (sides.m == 0) return {nullptr, "they multiply matrices, and it is a batch of them"};
  const DType a = product.args[0]->dtype, b = product.args[1]->dtype;
  const auto row = std::find_if(target.blocks.begin(), target.blocks.end(), [&](const FmaFamily& each) {
    return each.operand == a && each.operand == b && each.sum == result;
  });
  if (row == target.blocks.end())
    return {nullptr, fmt::format("they are not planned for {} and {} with a result of {}", name_of(a), name_of(b),
                                 name_of(result))};
  if (std::min(sides.m, sides.n) < FmaFamily::kLeastSide || sides.m * sides.n < FmaFamily::kLeastElements)
    return {nullptr, fmt::format("its {} x {} elements are too few to share them out in blocks", sides.m, sides.n)};
  if (sides.k < FmaFamily::kLeastDepth)
    return {nullptr, fmt::format("it contracts over {} elements, too few for blocks to pay", sides.k)};
  return {&*row, ""};
}

bool some_family_has_dtypes(const Target& target, const Apply& product, DType result) {
  return std::any_of(target.families.begin(), target.families.end(), [&](const MmaFamily& row) {
    return has_dtypes(row, product, result) && row.precision == asked_precision(product);
  });
}

bool some_family_takes(const Target& target, const Apply& product, DType result, bool approximate,
                       const DotSides& sides) {
  return std::any_of(target.families.begin(), target.families.end(), [&](const MmaFamily& row) {
    return has_dtypes(row, product, result) && row.precision == asked_precision(product) &&
           obstacle_of(target, row, sides, approximate) == Obstacle::none;
  });
}

FamilyChoice choose_family(const Target& target, const Apply& product, DType result, bool approximate) {
  FamilyChoice choice;
  const DType a = product.args[0]->dtype, b = product.args[1]->dtype;
  std::string beside_precision;  // the obstacle to a row of another precision
  for (const MmaFamily& row : target.families) {
    if (!has_dtypes(row, product, result)) continue;
    std::string why = obstacle(target, row, sides_of(product), approximate);
    if (row.precision != asked_precision(product)) {
      choice.precision = row.precision;
      beside_precision = why.empty() ? "" : "; besides, " + why;
      continue;
    }
    if (why.empty()) return {&row, "", ""};
    if (choice.obstacle.empty()) choice.obstacle = std::move(why);
  }
  if (!choice.obstacle.empty()) return choice;
  if (target.families.empty()) {
    choice.obstacle = fmt::format("matrix instructions of {} are not planned yet: `target: {}` works", target.name,
                                  listed(targets_with_families(), "or"));
    return choice;
  }
  if (const std::string_view asked = asked_precision(product); !asked.empty()) {
    choice.obstacle = fmt::format("no instruction multiplies {} at precision={}{}", name_of(a), asked,
                                  choice.precision.empty() ? "" : ", and precision=" + choice.precision + " has one");
    return choice;
  }
  choice.obstacle = !choice.precision.empty() ? fmt::format("instructions round {}, which precision={} allows{}",
                                                            name_of(a), choice.precision, beside_precision)
                                              : fmt::format("no instruction multiplies {} and {} with a result of {}",
                                                            name_of(a), name_of(b), name_of(result));
  return choice;
}

}  // namespace pallasgen
