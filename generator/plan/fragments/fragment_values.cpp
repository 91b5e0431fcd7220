#include "fragments/fragment_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnostics/assert.h"
#include "expression/index_map.h"
#include "fragments/paired_elements.h"
#include "homes/element_operands.h"
#include "layout/derive.h"
#include "program/index_terms.h"
#include "program/numbers.h"
#include "proofs/box_access.h"
#include "proofs/element_site.h"
#include "proofs/reductions.h"
#include "questions/clusters.h"
#include "questions/rows.h"
#include "questions/uses.h"
#include "tile/walk.h"

namespace pallasgen {

using program::Binding, program::DeclareFragment, program::Elementwise, program::ElementwiseStatement,
    program::ReduceFragment, program::SetScalar, program::SlotKind, program::Statements;

namespace {

// Adds the layout of a matrix of blocks and returns its name: "Blocks", with sizes and lanes where that is taken.
std::string name_blocks(Draft& draft, const FormMatrix& matrix, const Number& threads) {
  std::vector<LayoutName>& layouts = draft.plan.layouts;
  const auto taken = [&](const std::string& name) {
    return std::any_of(layouts.begin(), layouts.end(), [&](const LayoutName& known) { return known.name == name; });
  };
  std::string name = "Blocks";
  if (taken(name)) name += fmt::format("{}x{}", matrix.rows, matrix.columns);
  if (taken(name)) name += fmt::format("by{}of{}x{}", matrix.lanes, matrix.row_vector, matrix.vector);
  const std::vector<Number> sizes = sizes_of(draft, {matrix.rows, matrix.columns});
  layouts.push_back({name,
                     fmt::format("FmaLayout<{}, {}, {}, {}, {}, {}>", threads.text, matrix.lanes, matrix.row_vector,
                                 matrix.vector, sizes[0].text, sizes[1].text),
                     fmt::format("Each thread has {} x {} elements of a product in its registers; {} threads stand "
                                 "beside one another.",
                                 registers_per_thread(*slice_layout(matrix.layout, 1)),
                                 registers_per_thread(*slice_layout(matrix.layout, 0)), matrix.lanes)});
  return name;
}

// Adds the layouts that no instruction makes and returns their names by matrix. Rows: "Rows" if there is one such
// matrix, else with their sizes, and with lanes if these are equal: "Rows8x64", "Rows8x64by4".
std::map<int, std::string> name_matrices(Draft& draft, const Forms& forms, const Number& threads) {
  std::map<int, std::string> names;
  const std::vector<FormMatrix>& matrices = forms.matrices();
  const auto of_rows = [](const FormMatrix& matrix) { return !matrix.of_instructions && !matrix.is_of_blocks(); };
  const bool one = std::count_if(matrices.begin(), matrices.end(), of_rows) == 1;
  std::set<std::string> taken;
  for (size_t i = 0; i < matrices.size(); ++i) {
    const FormMatrix& matrix = matrices[i];
    if (matrix.is_of_blocks()) names[static_cast<int>(i)] = name_blocks(draft, matrix, threads);
    if (!of_rows(matrix)) continue;
    std::string name = one ? kRowsName : fmt::format("{}{}x{}", kRowsName, matrix.rows, matrix.columns);
    for (const auto& [mark, number] : {std::pair("by", matrix.lanes), std::pair("of", matrix.vector)}) {
      if (taken.count(name) > 0) name += fmt::format("{}{}", mark, number);
    }
    taken.insert(name);
    RowsFrame frame;
    const std::vector<Number> sizes =
        sizes_of(draft, matrix.rows == 1 ? Shape{matrix.columns} : Shape{matrix.rows, matrix.columns});
    frame.rows = matrix.rows == 1 ? number(1) : sizes[0];
    frame.columns = sizes.back();
    frame.lanes = matrix.lanes;
    frame.vector = matrix.vector;
    name_rows_layout(draft, names[static_cast<int>(i)] = name, frame, threads);
  }
  return names;
}

}  // namespace

std::string fragment_name(const Draft& draft, const tile::Value& value) {
  const std::vector<Ref>& refs = draft.kernel->refs;
  const bool is_array = std::any_of(
      refs.begin(), refs.end(), [&](const Ref& ref) { return ref.name == value.name && ref.role != RefRole::scratch; });
  return is_array ? draft.names().derived(value.name + "_block") : draft.names().of(value.name);
}

FragmentValues::FragmentValues(Draft& draft, const tile::Program& program, const tile::Role& role, Number threads,
                               Number groups)
    : draft_(draft),
      program_(program),
      role_(role),
      threads_(std::move(threads)),
      forms_(program, role),
      count_(groups.value),
      groups_(draft, forms_, std::move(groups)),
      names_of_matrices_(name_matrices(draft, forms_, threads_)),
      names_(draft) {
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    if (!is_control(statement) && !goes_by_elements(program, statement)) return;
    const std::set<int> used = tile::used_by(statement);
    taken_as_numbers_.insert(used.begin(), used.end());
  });
}

ValueLayout FragmentValues::layout_of(const Form& form, const Shape& shape) const {
  if (form.kind == FormKind::strided) return strided_layout(role_.threads(), form.vector, shape);
  const FormMatrix& matrix = *forms_.matrix_of(form);
  const ValueLayout layout = matrix.across            ? wgmma_layout(matrix.rows, matrix.columns / count_)
                             : matrix.of_instructions ? wgmma_layout(matrix.rows / count_, matrix.columns)
                                                      : matrix.layout;
  if (form.kind == FormKind::matrix) return layout;
  return *slice_layout(layout, form.kind == FormKind::rows ? 1 : 0);
}

std::string FragmentValues::layout_text(const Form& form, const Shape& shape) {
  const FormMatrix* matrix = forms_.matrix_of(form);
  const std::string whole =
      matrix && matrix->of_instructions
          ? fmt::format("WgmmaLayout<{}, {}>", groups_.rows(*matrix).text, groups_.columns(*matrix).text)
      : matrix ? names_of_matrices_.at(form.matrix)
               : "";
  if (form.kind == FormKind::rows) return fmt::format("RowSlice<{}>", whole);
  if (form.kind == FormKind::columns) return fmt::format("ColumnSlice<{}>", whole);
  if (form.kind == FormKind::matrix) return whole;
  std::string text = fmt::format("StridedLayout<{}, {}", threads_.text, form.vector);
  for (const Number& size : sizes_of(draft_, shape)) text += ", " + size.text;
  return layout_over_cluster(draft_.plan, text + ">");
}

const Form& FragmentValues::form(tile::ValueId value) {
  const auto known = form_of_.find(value.index);
  if (known != form_of_.end()) return known->second;
  const std::optional<Form> form = forms_.of(value);
  PALLASGEN_ASSERT(form, Span());
  return form_of_[value.index] = *form;
}

int FragmentValues::add_fragment(const std::string& wanted, DType dtype, const Form& form, const Shape& shape) {
  const std::string name = names_.take(wanted);
  draft_.plan.fragments.push_back(
      {name, dtype, layout_of(form, shape), layout_text(form, shape), form.kind == FormKind::rows});
  return static_cast<int>(draft_.plan.fragments.size()) - 1;
}

int FragmentValues::fragment(tile::ValueId id) {
  const auto known = fragments_.find(id.index);
  if (known != fragments_.end()) return known->second;
  const tile::Value& value = program_.value(id);
  const Form& held = form(id);
  const Shape shape = Forms::is_transposed(held) ? Forms::in_type(held, value.shape) : value.shape;
  return fragments_[id.index] = add_fragment(fragment_name(draft_, value), value.dtype, held, shape);
}

int FragmentValues::add_packed(tile::ValueId id) {
  FragmentPlan packed = draft_.plan.fragments[static_cast<size_t>(fragment(id))];
  packed.name = draft_.names().derived(packed.name + "_packed");
  const FormMatrix& matrix = *forms_.matrix_of(form(id));
  packed.layout_text = fmt::format("{}, {}", groups_.rows(matrix).text, groups_.all_columns(matrix).text);
  packed.operand_a = true;
  draft_.plan.fragments.push_back(std::move(packed));
  return static_cast<int>(draft_.plan.fragments.size()) - 1;
}

int FragmentValues::scalar(tile::ValueId id) {
  const auto [known, added] = scalars_.try_emplace(id.index, static_cast<int>(draft_.plan.scalars.size()));
  const tile::Value& value = program_.value(id);
  if (added) draft_.plan.scalars.push_back({names_.take(fragment_name(draft_, value)), value.dtype, nullptr});
  return known->second;
}

ElementValue FragmentValues::number_of(const TypedPtr& expr, Statements& before) {
  target_.clear();
  std::optional<ElementValue> of = element(expr, {}, {Form{}, -1}, before);
  PALLASGEN_ASSERT(of, expr->span);
  return std::move(*of);
}

program::Statement FragmentValues::index(const tile::Assign& assign) {
  const int id = scalar(assign.value);
  draft_.plan.scalars[static_cast<size_t>(id)].value = with_indices(assign.expr);
  return {"", false, program::BindScalar{id}};
}

TypedPtr FragmentValues::with_indices(const TypedPtr& expr) const {
  return rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
    const auto* use = node->as<LocalUse>();
    if (!use) return nullptr;
    const auto known = scalars_.find(use->id);
    return variable(known == scalars_.end() ? fragment_name(draft_, program_.value({use->id}))
                                            : draft_.plan.scalars[static_cast<size_t>(known->second)].name);
  });
}

program::Statement FragmentValues::declaration(tile::ValueId value) {
  return {"", false, DeclareFragment{fragment(value)}};
}

namespace {

// Returns the declaration of the variable as the only element of the fragment.
program::Statement number_in(int fragment, int scalar, const tile::Value& value) {
  Binding first{};
  first.kind = SlotKind::first;
  first.fragment = fragment;
  const TypedPtr element = make_typed({}, value.dtype, {}, LocalUse{0, value.name});
  return {"", false, SetScalar{scalar, element, {first}, true, true}};
}

}  // namespace

void FragmentValues::add_number(tile::ValueId id, Statements& out) {
  const tile::Value& value = program_.value(id);
  const bool taken = value.shape.empty() && taken_as_numbers_.count(id.index) > 0;
  if (taken && form(id).kind == FormKind::rows && !form(id).partial)
    out.push_back(number_in(fragment(id), scalar(id), value));
}

Statements FragmentValues::assign(tile::ValueId id, const TypedPtr& expr, const std::string& quoted, bool declares,
                                  bool constant) {
  Statements out;
  quoted_ = quoted;
  target_ = program_.value(id).name;
  made_.clear();
  known_.clear();
  terms_.clear();
  const tile::Value& value = program_.value(id);
  if (form(id).kind == FormKind::scalar) {
    std::optional<ElementValue> of = element(expr, {}, {form(id), -1}, out);
    PALLASGEN_ASSERT(of, expr->span);
    out.push_back({"", false, SetScalar{scalar(id), of->value, of->bindings, declares, constant, heading()}});
    return out;
  }
  const int target = fragment(id);
  const auto* moved = expr->as<LocalUse>();
  if (moved && form({moved->id}).partial && !form(id).partial) return combine_parts(target, {moved->id});
  if (form(id).partial) note_terms(expr, id.index, value.parts.value(), terms_);
  const Apply* apply = expr->as<Apply>();
  const bool reduces = apply && takes_lines(*apply) && elements_of(expr->shape) == elements_of(value.shape);
  if (reduces && accumulator(apply->op, expr->dtype) == value.dtype) {
    if (apply->op != Op::mean) {
      reduce_into(target, *apply, out);
    } else {
      const int sum = combined(*apply, expr->dtype, expr->shape, false, out);
      out.push_back(divided(draft_, target, sum, *apply, heading()));
    }
    return out;
  }
  std::optional<ElementValue> of = element(expr, value.shape, {form(id), target}, out);
  PALLASGEN_ASSERT(of, expr->span);
  const bool paired =
      form(id).kind == FormKind::matrix && forms_.by_instructions(form(id)) && goes_by_pairs(of->value, of->bindings);
  out.push_back({"", false, Elementwise{target, {{target, of->value, of->bindings, heading(), paired}}}});
  return out;
}

std::optional<ElementValue> FragmentValues::element(const TypedPtr& value, const Shape& shape, const Loop& loop,
                                                    Statements& before) {
  ElementContext context{
      draft_, [&](const TypedPtr& node, const std::vector<int>&) { return leaf(*node->as<LocalUse>(), loop); },
      [&](int dim) {
        Binding binding{};
        binding.kind = SlotKind::coordinate;
        binding.dim = dim;
        const bool column = dim == (loop.form.kind == FormKind::columns ? 0 : 1);
        binding.offset = column ? groups_.first_column(loop.form) : groups_.first_row(loop.form);
        return BoundLeaf{binding, "coordinate"};
      },
      [&](const TypedPtr& node) { return std::optional(reduced(node, before)); }};
  std::vector<int> dims =
      shape.empty() ? std::vector<int>(value->shape.size(), -1) : broadcast_map(value->shape, shape).result_dims();
  for (int& dim : dims) dim = dim < 0 ? dim : loop.form.dims[static_cast<size_t>(dim)];
  return element_value(value, dims, context);
}

SlotKind FragmentValues::slot_kind(const Form& held, const Form& loop) const {
  if (held.same_type(loop)) return SlotKind::element;
  if (held.matrix != loop.matrix && forms_.is_everywhere(held)) return SlotKind::first;
  return held.kind == FormKind::rows ? SlotKind::row : SlotKind::column;
}

Binding FragmentValues::slot(tile::ValueId value, const Form& loop) {
  Binding binding{};
  const bool is_number = form(value).kind == FormKind::scalar;
  binding.kind = is_number ? SlotKind::scalar : slot_kind(form(value), loop);
  if (is_number)
    binding.scalar = scalars_.at(value.index);
  else
    binding.fragment = fragment(value);
  return binding;
}

namespace {

Binding element_of_slot(const Plan& plan, const std::pair<int, int>& operand) {
  Binding element{};
  element.kind = SlotKind::shared;
  element.ring = operand.first;
  element.field = plan.rings[static_cast<size_t>(operand.first)].operands[static_cast<size_t>(operand.second)].field;
  return element;
}

}  // namespace

std::optional<Leaf> FragmentValues::leaf(const LocalUse& use, const Loop& loop) {
  // The value is in a slot and in no register.
  const auto slot_of = slots_.find(use.id);
  if (slot_of != slots_.end() && fragments_.count(use.id) == 0 && scalars_.count(use.id) == 0)
    return BoundLeaf{element_of_slot(draft_.plan, slot_of->second), program_.value({use.id}).name};
  if (use.id >= 0) return BoundLeaf{slot({use.id}, loop.form), program_.value({use.id}).name};
  const auto& [fragment, form] = made_.at(use.id);
  Binding binding{};
  binding.fragment = fragment;
  binding.kind = slot_kind(form, loop.form);
  return BoundLeaf{binding, draft_.plan.fragments[static_cast<size_t>(fragment)].name};
}

}  // namespace pallasgen
