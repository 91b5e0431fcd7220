#include "questions/forms.h"

#include <algorithm>
#include <bit>

#include "infer/across.h"
#include "infer/edges.h"
#include "infer/fma.h"
#include "layout/derive.h"
#include "program/index_terms.h"
#include "questions/blocks.h"
#include "questions/rows.h"
#include "questions/uses.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

constexpr int64_t kGroupThreads = 128, kGroupRows = 64, kGroupColumns = 8;  // of a warpgroup's instructions
constexpr int64_t kGroupLanes = 4, kGroupVector = 2;                        // that share a row; elements of each

using Maybe = std::optional<ValueLayout>;

// The layout of the value without its dims of one element.
Maybe without_ones(const ValueLayout& layout) {
  Maybe out = layout;
  for (size_t d = layout.shape.size(); out && d-- > 0;) {
    if (layout.shape[d] == 1) out = slice_layout(*out, static_cast<int>(d));
  }
  return out;
}

// For each dim of the shape, the dim of a type that has `dims`; -1 for a dim of one element.
std::vector<int> along(const Shape& shape, const std::vector<int>& dims) {
  std::vector<int> out(shape.size(), -1);
  const std::vector<int> wide = wide_dims(shape);
  for (size_t i = 0; i < wide.size() && i < dims.size(); ++i) out[static_cast<size_t>(wide[i])] = dims[i];
  return out;
}

}  // namespace

Forms::Forms(const tile::Program& program, const tile::Role& role) : program_(program), threads_(role.threads()) {
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    if (const auto* dot = dot_if(statement, &tile::Product::is_fragment)) add_accumulator(dot->value);
  });
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    if (const auto* dot = dot_if(statement, &tile::Product::has_blocks)) add_blocks(*dot);
  });
  // Values that are computed from accumulators, chunks included.
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    const auto made = tile::defined_by(statement);
    if (made && !matrices_.empty()) add_accumulator(*made);
  });
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    tile::for_each_expression(statement, [&](const TypedPtr& expr) {
      walk(expr, [&](const Typed& node) {
        const Apply* apply = node.as<Apply>();
        if (apply && operation(apply->op).group == OpGroup::reduce) add_matrix(*apply);
      });
    });
  });
  add_broadcasts(role);
  add_transposed(role);
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    const auto* assign = statement.as<tile::Assign>();
    const auto* parts = assign && assign->expr ? assign->expr->as<LocalUse>() : nullptr;
    const auto layout = parts ? program_.value({parts->id}).layout : nullptr;
    if (layout && is_partial(*layout)) put_together_.insert(assign->value.index);
  });
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    if (statement.as<tile::Read>() || statement.as<tile::Write>() || is_control(statement)) return;
    const auto made = tile::defined_by(statement);
    const auto in_tile = [&](tile::ValueId value) { return program_.value(value).home == tile::Home::shared; };
    const auto* assign = statement.as<tile::Assign>();
    const auto* use = assign && assign->expr ? assign->expr->as<LocalUse>() : nullptr;
    const bool by_elements = assign && assign->expr && !(made && in_tile(*made)) && !(use && in_tile({use->id}));
    if (by_elements) return;
    whole_uses_.merge(tile::used_by(statement));
    if (made) whole_uses_.insert(made->index);
  });
}

// Adds the matrices along whose rows or columns threads hold vectors.
void Forms::add_broadcasts(const tile::Role& role) {
  std::vector<ValueLayout> wide, vectors;
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    const auto made = tile::defined_by(statement);
    const tile::Value* value = made ? &program_.value(*made) : nullptr;
    if (!value || !value->layout || is_partial(*value->layout)) return;
    const Maybe own = without_ones(*value->layout);
    if (own && own->shape.size() == 2) wide.push_back(*own);
    if (own && own->shape.size() == 1 && !of(value->shape, value->layout.get())) vectors.push_back(*own);
  });
  for (const ValueLayout& matrix : wide) {
    const Maybe rows = slice_layout(matrix, 1), columns = slice_layout(matrix, 0);
    const bool stretched = std::any_of(vectors.begin(), vectors.end(), [&](const ValueLayout& vector) {
      return (rows && *rows == vector) || (columns && *columns == vector);
    });
    if (stretched) add_matrix(matrix);
  }
}

// Adds the matrices whose transposes are held in place.
void Forms::add_transposed(const tile::Role& role) {
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    const auto made = tile::defined_by(statement);
    const tile::Value* value = made ? &program_.value(*made) : nullptr;
    if (value && value->layout && lies_across(*value->layout)) add_matrix(*transpose_layout(*value->layout, {1, 0}));
  });
}

Maybe Forms::layout_of(const TypedPtr& expr) const {
  LayoutOf layouts;
  layouts.of = [this](int id) -> Maybe {
    const tile::Value& value = program_.value({id});
    if (value.layout) return *value.layout;
    return value.shape.empty() && value.dtype != DType::index ? Maybe(uniform_layout(threads_)) : std::nullopt;
  };
  return result_layout(expr, layouts);
}

ValueLayout Forms::layout_of(tile::ValueId id) const {
  const tile::Value& value = program_.value(id);
  return value.layout ? *value.layout : uniform_layout(threads_);
}

void Forms::add_matrix(const Apply& reduction) {
  if (!reduces_rows(reduction) && !reduces_columns(reduction)) return;
  const Maybe layout = layout_of(reduction.args[0]);
  const Maybe wide = layout ? without_ones(*layout) : std::nullopt;
  const Maybe matrix = wide && wide->shape.size() == 1 ? broadcast_layout(*wide, 0, 1) : wide;
  if (matrix && matrix->shape.size() == 2) add_matrix(*matrix);
}

void Forms::add_matrix(const ValueLayout& matrix) {
  for (const FormMatrix& known : matrices_) {
    if (known.layout == matrix) return;
  }
  const int64_t rows = matrix.shape[0], columns = matrix.shape[1];
  const auto most = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(threads_)));
  for (int64_t lanes = most; lanes >= 1; lanes /= 2) {
    for (int64_t vector = kMostVector; vector >= 1 && threads_ % lanes == 0; vector /= 2) {
      if (columns % vector != 0 || !(rows_layout(threads_, lanes, vector, rows, columns) == matrix)) continue;
      return add({matrix, rows, columns, lanes, vector});
    }
  }
}

void Forms::add(FormMatrix matrix) {
  const Maybe rows = slice_layout(matrix.layout, 1);
  parts_.push_back(
      {without_ones(matrix.layout), rows ? without_ones(*rows) : std::nullopt, slice_layout(matrix.layout, 0)});
  matrices_.push_back(std::move(matrix));
}

Form Forms::rows_of(int matrix, const Shape& shape) const {
  const bool one = matrices_[static_cast<size_t>(matrix)].rows == 1;
  return {FormKind::rows, matrix, 1, along(shape, one ? std::vector<int>{} : std::vector<int>{0})};
}

void Forms::add_accumulator(tile::ValueId id) {
  const tile::Value& value = program_.value(id);
  const Shape& shape = value.shape;
  const int64_t groups = threads_ / kGroupThreads;
  if (!value.layout || shape.size() != 2 || groups == 0 || threads_ % kGroupThreads != 0 ||
      shape[0] % kGroupRows != 0 || shape[1] % kGroupColumns != 0)
    return;
  const bool across = shape[0] % (groups * kGroupRows) != 0;
  if (across && shape[1] % (groups * kGroupColumns) != 0) return;
  // Sizes have the spec's names for the sizes of a ref if one of the values is a ref.
  const auto is_ref = [&](const std::string& name) {
    const std::vector<Ref>& refs = program_.declarations->refs;
    return std::any_of(refs.begin(), refs.end(), [&](const Ref& ref) { return ref.name == name; });
  };
  for (FormMatrix& known : matrices_) {
    if (known.layout != *value.layout) continue;
    if (!known.accumulator.empty() && !is_ref(known.accumulator) && is_ref(value.name)) known.accumulator = value.name;
    return;
  }
  const ValueLayout made =
      across ? wgmma_across_layout(shape[0], shape[1], groups) : wgmma_layout(shape[0], shape[1], groups);
  if (made == *value.layout) add({made, shape[0], shape[1], kGroupLanes, kGroupVector, true, across, value.name});
}

void Forms::add_blocks(const tile::Dot& dot) {
  const auto& layout = program_.value(dot.value).layout;
  const ValueLayout made = fma_layout(dot, threads_);
  if (!layout || !(*layout == made)) return;
  if (std::any_of(matrices_.begin(), matrices_.end(), [&](const FormMatrix& known) { return known.layout == made; }))
    return;
  const FmaBlocks blocks = fma_blocks(dot, threads_);
  const Shape& shape = program_.value(dot.value).shape;
  FormMatrix matrix{made, shape[0], shape[1], blocks.across, blocks.column_vector};
  matrix.row_vector = blocks.row_vector;
  add(std::move(matrix));
}

const FormMatrix* Forms::matrix_of(const Form& form) const {
  return form.matrix < 0 ? nullptr : &matrices_[static_cast<size_t>(form.matrix)];
}

bool Forms::by_instructions(const Form& form) const {
  const FormMatrix* matrix = matrix_of(form);
  return matrix && matrix->of_instructions;
}

bool Forms::is_across(const Form& form) const {
  const FormMatrix* matrix = matrix_of(form);
  return matrix && matrix->across;
}

bool Forms::is_everywhere(const Form& form) const {
  const FormMatrix* matrix = form.kind == FormKind::rows && !form.partial ? matrix_of(form) : nullptr;
  const Maybe rows = matrix && matrix->rows == 1 ? slice_layout(matrix->layout, 1) : std::nullopt;
  const Maybe one = rows ? without_ones(*rows) : std::nullopt;
  return one && *one == uniform_layout(threads_);
}

std::optional<Form> Forms::of_partial(const Shape& shape, const ValueLayout& given) const {
  const ValueLayout full = full_layout(given);
  std::optional<Form> form = of(shape, &full);
  const FormMatrix* matrix = form && form->kind == FormKind::rows ? matrix_of(*form) : nullptr;
  if (!matrix) return std::nullopt;
  const Maybe folded = folded_layout(matrix->layout, 1);
  const Maybe parts = folded ? without_ones(*folded) : std::nullopt, own = without_ones(given);
  form->partial = parts && own && *parts == *own;
  return form->partial ? form : std::nullopt;
}

std::optional<Form> Forms::of(const Shape& shape, const ValueLayout* given) const {
  if (given && is_partial(*given)) return of_partial(shape, *given);
  const ValueLayout all = uniform_layout(threads_);
  if (!given && !shape.empty()) return std::nullopt;
  const Maybe wide = without_ones(given ? *given : all);
  if (!wide) return std::nullopt;
  for (size_t i = 0; i < matrices_.size(); ++i) {
    const FormMatrix& matrix = matrices_[i];
    const bool one = matrix.rows == 1;
    const int index = static_cast<int>(i);
    const auto& [whole, row, columns] = parts_[i];
    if (whole && *whole == *wide)
      return Form{FormKind::matrix, index, matrix.vector, along(shape, one ? std::vector{1} : std::vector{0, 1})};
    if (row && *row == *wide) return rows_of(index, shape);
    if (columns && *columns == *wide) return Form{FormKind::columns, index, matrix.vector, along(shape, {0})};
  }
  if (shape.empty() || (wide->shape.empty() && all == *wide))
    return all == *wide ? std::optional(Form{}) : std::nullopt;
  Form strided{FormKind::strided, -1, 1, {}};
  for (size_t d = 0; d < shape.size(); ++d) strided.dims.push_back(static_cast<int>(d));
  for (; strided.vector <= kMostVector; strided.vector *= 2) {
    if (shape.back() % strided.vector == 0 && strided_layout(threads_, strided.vector, shape) == *given) return strided;
  }
  return std::nullopt;
}

std::optional<Form> Forms::of(tile::ValueId id) const {
  const tile::Value& value = program_.value(id);
  if (value.home == tile::Home::scalar) return Form{};
  const bool is_number = value.shape.empty() && put_together_.count(id.index) == 0;
  if (is_number && layout_of(id) == uniform_layout(threads_)) return Form{};
  const std::optional<Form> form = of(value.shape, value.layout.get());
  return form ? form : of_transposed(id);
}

// The form of a transpose of a matrix that instructions make, if threads compute its elements and store them and no
// statement takes it whole; or of a value that is only transposed in place.
std::optional<Form> Forms::of_transposed(tile::ValueId id) const {
  const tile::Value& value = program_.value(id);
  if (!value.layout || value.shape.size() != 2 || whole_uses_.count(id.index)) return std::nullopt;
  const Maybe transposed = transpose_layout(*value.layout, {1, 0});
  for (size_t i = 0; transposed && i < matrices_.size(); ++i) {
    if (!matrices_[i].is_of_blocks() && matrices_[i].layout == *transposed)
      return Form{FormKind::matrix, static_cast<int>(i), matrices_[i].vector, {1, 0}};
  }
  const bool vectors = transposed && info(value.dtype).bits >= 8 && lies_across(*value.layout);
  std::optional<Form> form = vectors ? of(transposed->shape, &*transposed) : std::nullopt;
  if (form && form->kind == FormKind::strided) form->dims = {1, 0};
  return form;
}

Shape Forms::in_type(const Form& form, const Shape& shape) {
  Shape sizes;
  for (size_t d = 0; d < shape.size(); ++d) {
    const int along = form.dims[d];
    if (along < 0) continue;
    sizes.resize(std::max(sizes.size(), static_cast<size_t>(along) + 1), 1);
    sizes[static_cast<size_t>(along)] = shape[d];
  }
  return sizes;
}

std::optional<Form> Forms::operand_of(const Apply& reduction) const {
  if (!reduces_rows(reduction) && !reduces_columns(reduction)) return std::nullopt;
  const Maybe layout = layout_of(reduction.args[0]);
  const std::optional<Form> form = layout ? of(reduction.args[0]->shape, &*layout) : std::nullopt;
  if (!form || form->kind != FormKind::matrix) return std::nullopt;
  if (is_across(*form) && operation(reduction.op).group != OpGroup::reduce) return std::nullopt;
  if (is_scan(reduction.op) && !reduces_rows(reduction)) return std::nullopt;
  // The number of threads would decide which threads add up a row or a column, and so its bits.
  if (matrix_of(*form)->is_of_blocks()) return std::nullopt;
  return form;
}

Form Forms::result_of(const Apply& reduction, const Shape& shape) const {
  const Form operand = *operand_of(reduction);
  if (is_scan(reduction.op)) return operand;
  const FormKind kind = reduces_rows(reduction) ? FormKind::rows : FormKind::columns;
  const int matrix = slice_of(kind, operand.matrix);
  if (kind == FormKind::rows) return rows_of(matrix, shape);
  return {FormKind::columns, matrix, matrix_of(operand)->vector, along(shape, {0})};
}

int Forms::slice_of(FormKind kind, int matrix) const {
  const auto slice = [&](int of) -> const Maybe& {
    const Parts& parts = parts_[static_cast<size_t>(of)];
    return kind == FormKind::rows ? parts.row : parts.columns;
  };
  const FormMatrix& whole = matrices_[static_cast<size_t>(matrix)];
  if (whole.of_instructions || (kind == FormKind::rows && whole.rows == 1)) return matrix;
  for (int other = 0; other < matrix; ++other) {
    if (matrices_[static_cast<size_t>(other)].of_instructions || !slice(other) || !slice(matrix)) continue;
    if (*slice(other) == *slice(matrix)) return other;
  }
  return matrix;
}

bool Forms::stands_beside(const Form& block, const Form& held) const {
  if (held.kind == block.kind) return held.matrix == block.matrix;
  return block.kind == FormKind::matrix && held.matrix == slice_of(held.kind, block.matrix);
}

bool Forms::is_move(tile::ValueId from, tile::ValueId to) const {
  const std::optional<Form> held = of(from), wanted = of(to);
  if (!held || !wanted || held->partial || wanted->partial) return false;
  const bool numbers = held->kind == FormKind::scalar || wanted->kind == FormKind::scalar;
  if (numbers || program_.value(from).shape != program_.value(to).shape) return false;
  // A transpose of a matrix that instructions make is stored to tiles as it is held.
  if (is_transposed(*held)) return false;
  if (is_transposed(*wanted)) return !by_instructions(*held) && !by_instructions(*wanted);
  return !held->same_type(*wanted) || (held->kind == FormKind::strided && held->vector != wanted->vector);
}

}  // namespace pallasgen
