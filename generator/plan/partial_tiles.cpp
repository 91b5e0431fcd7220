#include "partial_tiles.h"

#include <fmt/format.h>

#include <algorithm>

#include "memory.h"

namespace pallasgen {

namespace {

constexpr size_t kFields = 2;  // that stand in turn

}  // namespace

int PartialTiles::next(Draft& draft, DType dtype, const ValueLayout& rows, const Number& threads,
                       const Number& groups) {
  Dims dims;
  if (groups.value > 1) dims.push_back(groups);
  dims.push_back(number(registers_per_thread(rows)));
  dims.push_back(quotient(threads, number(32)));
  return next(draft, dtype, std::move(dims));
}

int PartialTiles::next(Draft& draft, DType dtype, const Number& warps, const Number& columns) {
  return next(draft, dtype, {warps, columns});
}

int PartialTiles::next(Draft& draft, DType dtype, Dims dims) {
  std::vector<int64_t> sizes;
  for (const Number& dim : dims) sizes.push_back(dim.value);
  const std::pair key(dtype, sizes);
  std::vector<int>& fields = fields_[key];
  if (fields.size() == kFields) return fields[turn_[key]++ % kFields];
  SharedField field;
  field.name = "partial";
  const std::vector<SharedField>& others = draft.plan.shared.fields;
  const auto taken = [&](const SharedField& other) { return other.name == field.name; };
  for (int i = 2; std::any_of(others.begin(), others.end(), taken); ++i) field.name = fmt::format("partial_{}", i);
  field.dtype = dtype;
  field.alignment = std::max<int64_t>(1, info(dtype).bits / 8);
  field.dims = std::move(dims);
  field.purpose = field.name;
  fields.push_back(add_field(draft, std::move(field)));
  return fields.back();
}

}  // namespace pallasgen
