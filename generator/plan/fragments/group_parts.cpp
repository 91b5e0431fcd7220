#include "fragments/group_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "program/constant_names.h"
#include "program/index_terms.h"
#include "program/numbers.h"
#include "proofs/box_access.h"
#include "proofs/reductions.h"

namespace pallasgen {

GroupParts::GroupParts(Draft& draft, const Forms& forms, Number groups)
    : draft_(draft), forms_(forms), groups_(std::move(groups)) {
  const std::vector<FormMatrix>& matrices = forms_.matrices();
  const auto divided = std::find_if(matrices.begin(), matrices.end(),
                                    [](const FormMatrix& each) { return each.of_instructions && !each.across; });
  if (divided != matrices.end()) divided_ = static_cast<int>(divided - matrices.begin());
}

// If matrices have different sizes, constants after the first are named after one of the accumulators.
Number GroupParts::part(std::map<int64_t, Number>& known, const char* name, int64_t size, const Number& whole,
                        const std::string& accumulator) {
  const auto [part, added] = known.try_emplace(size);
  if (!added) return part->second;
  const std::string own = known.size() == 1 ? name : draft_.names().derived(fmt::format("{}_{}", name, accumulator));
  return part->second =
             draft_.constant(own, size / groups_.value, constant_line::consumers, quotient(whole, groups_).text);
}

Number GroupParts::rows(const FormMatrix& matrix) {
  const Number rows = all_rows(matrix);
  return matrix.across ? rows : part(rows_, constant_name::rows, matrix.rows, rows, matrix.accumulator);
}

Number GroupParts::columns(const FormMatrix& matrix) {
  const Number whole = all_columns(matrix);
  return !matrix.across ? whole : part(columns_, constant_name::columns, matrix.columns, whole, matrix.accumulator);
}

Number GroupParts::all_rows(const FormMatrix& matrix) const {
  return sizes_of(draft_, {matrix.rows, matrix.columns}, matrix.accumulator).front();
}

Number GroupParts::all_columns(const FormMatrix& matrix) const {
  return sizes_of(draft_, {matrix.rows, matrix.columns}, matrix.accumulator).back();
}

Number GroupParts::declared_rows() {
  return divided_ < 0 ? number(1) : rows(forms_.matrices()[static_cast<size_t>(divided_)]);
}

TypedPtr GroupParts::first_row(const Form& form) {
  const bool counts = form.kind == FormKind::matrix || form.kind == FormKind::rows;
  if (!counts || groups_.value == 1 || !forms_.by_instructions(form) || forms_.is_across(form)) return nullptr;
  const FormMatrix& matrix = *forms_.matrix_of(form);
  const bool declared = matrix.rows == forms_.matrices()[static_cast<size_t>(divided_)].rows;
  return declared ? variable("row0") : multiply(variable("wg"), to_index(rows(matrix)));
}

TypedPtr GroupParts::first_column(const Form& form) {
  const bool counts = form.kind == FormKind::matrix || form.kind == FormKind::columns;
  if (!counts || !forms_.is_across(form)) return nullptr;
  return multiply(variable("wg"), to_index(columns(*forms_.matrix_of(form))));
}

program::Statement GroupParts::stored_once(const Form& form, program::Statement store) const {
  const FormKind shared = forms_.is_across(form) ? FormKind::rows : FormKind::columns;  // which all warpgroups hold
  if (form.kind != shared || groups_.value == 1 || !forms_.by_instructions(form)) return store;
  const TypedPtr first = scalar_apply({}, Op::equal, DType::boolean, {variable("wg"), index_constant(0)});
  return {"", false, program::If{first, {std::move(store)}, {}}};
}

}  // namespace pallasgen
