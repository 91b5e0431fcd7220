#include "families.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace pallasgen {

namespace {

// "64 works", "64 and 128 work": the multiples of `step` next to a size, up to `most`.
std::string next_to(int64_t size, int64_t step, int64_t most) {
  const int64_t below = size / step * step, above = below + step;
  if (below == 0 || above > most) return fmt::format("{} works", below == 0 ? above : std::min(below, most));
  return fmt::format("{} and {} work", below, above);
}

// What of its form keeps a dot of the row's dtypes from the row's instructions; empty: nothing.
std::string obstacle(const Target& target, const MmaFamily& row, const Apply& product, bool approximate) {
  const DotSides of = sides_of(product);
  if (of.m == 0) return "instructions multiply matrices of two dims";
  constexpr int64_t kNoLimit = INT64_MAX;
  if (of.m % target.mma_rows != 0)
    return fmt::format("it has {} rows, and an instruction has {}: {}", of.m, target.mma_rows,
                       next_to(of.m, target.mma_rows, kNoLimit));
  const int step = of.n > MmaFamily::kNarrowColumns ? row.wide_n_step : target.mma_n_step;
  if (of.n % step != 0 || of.n > target.mma_max_n)
    return fmt::format("it has {} columns, and instructions have a multiple of {} up to {}: {}", of.n, step,
                       target.mma_max_n, next_to(of.n, step, target.mma_max_n));
  if (of.k % row.k != 0)
    return fmt::format("it contracts over {} elements, and an instruction over {}: {}", of.k, row.k,
                       next_to(of.k, row.k, kNoLimit));
  if (row.exact_terms > 0 && of.k > row.exact_terms && !approximate)
    return fmt::format(
        "it contracts over {} elements, and instructions add {} up exactly enough over {}: so many, or "
        "`math: {{approx: true}}`, work",
        of.k, name_of(row.a), row.exact_terms);
  const bool k_major = !product.attributes.trans_a && product.attributes.trans_b;
  if (!row.any_major && !k_major)
    return fmt::format("instructions take {} only from rows along k: a stored as [M, K], b as [N, K] with trans_b=true",
                       name_of(row.a));
  return "";
}

}  // namespace

DotSides sides_of(const Apply& product) {
  const Shape &a = product.args[0]->shape, &b = product.args[1]->shape;
  if (a.size() != 2 || b.size() != 2) return {};
  const OpAttributes& attributes = product.attributes;
  return {a[attributes.trans_a ? 1 : 0], b[attributes.trans_b ? 0 : 1], a[attributes.trans_a ? 0 : 1]};
}

FamilyChoice choose_family(const Target& target, const Apply& product, DType result, bool approximate) {
  FamilyChoice choice;
  const DType a = product.args[0]->dtype, b = product.args[1]->dtype;
  const std::string asked = product.attributes.precision == "ieee" ? "" : product.attributes.precision;
  std::string_view other;  // a precision that instructions have
  for (const MmaFamily& row : target.families) {
    if (row.a != a || row.b != b || row.accumulator != result) continue;
    if (row.precision != asked) {
      other = row.precision;
      continue;
    }
    std::string why = obstacle(target, row, product, approximate);
    if (why.empty()) return {&row, "", true};
    if (!choice.of_dtypes) choice.obstacle = std::move(why);
    choice.of_dtypes = true;
  }
  if (choice.of_dtypes) return choice;
  choice.obstacle = target.families.empty() ? fmt::format("{} has no table of matrix instructions", target.name)
                    : !other.empty()
                        ? fmt::format("instructions round {}, which precision={} allows", name_of(a), other)
                        : fmt::format("no instruction multiplies {} and {} with a result of {}", name_of(a), name_of(b),
                                      name_of(result));
  return choice;
}

}  // namespace pallasgen
