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
  std::vector<int>& fields = fields_[dtype];
  if (fields.size() == kFields) return fields[turn_[dtype]++ % kFields];
  SharedField field;
  field.name = "partial";
  const std::vector<SharedField>& others = draft.plan.shared.fields;
  const auto taken = [&](const SharedField& other) { return other.name == field.name; };
  for (int i = 2; std::any_of(others.begin(), others.end(), taken); ++i) field.name = fmt::format("partial_{}", i);
  field.dtype = dtype;
  field.alignment = std::max<int64_t>(1, info(dtype).bits / 8);
  if (groups.value > 1) field.dims.push_back(groups);
  field.dims.push_back(number(registers_per_thread(rows)));
  field.dims.push_back(quotient(threads, number(32)));
  field.purpose = field.name;
  fields.push_back(add_field(draft, std::move(field)));
  return fields.back();
}

}  // namespace pallasgen
