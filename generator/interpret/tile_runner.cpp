#include "tile_runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "broadcast.h"
#include "check/steps.h"
#include "fault.h"
#include "interpret/rules.h"
#include "placing.h"
#include "tile/walk.h"

namespace pallasgen::interpreter {

TileRunner::TileRunner(const tile::Program& program, const tile::Role& role, Environment& environment,
                       StatementRunner& runner, Channels* channels)
    : program_(program), role_(role), env_(environment), runner_(runner), channels_(channels) {}

void TileRunner::run() {
  const Kernel& kernel = *program_.declarations;
  env_.locals.assign(program_.values.size(), {});
  env_.place_view = [this](Block& block) {
    block.open(place(block.ref(), block.extents(), runner_.evaluator()), false, false);
  };
  for (Block& block : env_.blocks) block.close();
  for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    if (kernel.axes[axis].sequential && !mentions_steps(kernel, kernel.axes[axis].size))
      env_.axis_sizes[axis] = runner_.evaluator().integer(kernel.axes[axis].size);
  }
  for (const tile::Statement& statement : role_.body) {
    if (statement.as<tile::ForTiles>() || tile::is_protocol(statement)) run(statement);
  }
}

void TileRunner::run(const tile::Block& block) {
  for (const tile::Statement& statement : block) run(statement);
}

Value TileRunner::evaluated(const TypedPtr& expr, const tile::Value& to) {
  if (!expr) return undefined_value(to.dtype, to.shape);
  return broadcast(convert(runner_.evaluator().evaluate(expr), to.dtype), to.shape);
}

Block TileRunner::block_at(const tile::Box& box) {
  const Block& known = env_.blocks[static_cast<size_t>(box.ref)];
  Block block(known.ref(), known.extents(), known.global(), false);
  block.open(place(box, known.ref(), known.extents(), runner_.evaluator()), true, false);
  return block;
}

Value TileRunner::elements_in(const tile::Box& box, const Shape& shape, Span span) {
  const auto gathered = std::find_if(box.dims.begin(), box.dims.end(), [](const auto& dim) { return dim.each; });
  if (gathered != box.dims.end())
    return gathered_in(box, static_cast<size_t>(gathered - box.dims.begin()), shape, span);
  Value value = block_at(box).read(span);
  value.shape = shape;  // a view has the dims that the box drops
  return value;
}

// The elements of a gathered dim, each of which is read as a box of its own.
Value TileRunner::gathered_in(const tile::Box& box, size_t dim, const Shape& shape, Span span) {
  const tile::BoxDim& from = box.dims[dim];
  const Value indices = convert(runner_.evaluator().evaluate(from.each), DType::index);
  const int64_t first = runner_.evaluator().integer(from.first), count = *from.size;
  int64_t before = 1, behind = 1;
  for (size_t d = 0; d < box.dims.size(); ++d)
    (d < dim ? before : behind) *= d == dim ? 1 : box.dims[d].size.value_or(1);
  Value out;
  for (int64_t r = 0; r < count; ++r) {
    tile::Box one = box;
    one.dims[dim] = {index_constant(indices.as<int64_t>()[first + r]), 1, nullptr, true};
    Shape of_one = shape;
    of_one[static_cast<size_t>(std::count_if(box.dims.begin(), box.dims.begin() + static_cast<std::ptrdiff_t>(dim),
                                             [](const auto& each) { return each.size.has_value(); }))] = 1;
    const Value row = elements_in(one, of_one, span);
    if (r == 0) out = make_value(row.dtype, shape);
    const int64_t bytes = behind * carrier_bytes(row.dtype);
    for (int64_t i = 0; i < before; ++i)
      std::copy_n(row.data.get() + i * bytes, bytes, out.data.get() + (i * count + r) * bytes);
  }
  return out;
}

namespace {

// Zeroes all rows but the first `count`, along the first dim that is longer than 1.
void clear_rows(Value& value, int64_t count) {
  int64_t rows = 1;
  for (size_t d = 0; d < value.shape.size() && rows == 1; ++d) rows = value.shape[d];
  if (count >= rows) return;
  value = unshared(std::move(value));
  const int64_t bytes = value.size() * carrier_bytes(value.dtype);
  std::byte* const data = value.data.get();
  std::fill(data + std::max<int64_t>(count, 0) * (bytes / rows), data + bytes, std::byte{});
}

}  // namespace

std::vector<int64_t> TileRunner::coordinates(const tile::Entry& entry) {
  std::vector<int64_t> out;
  for (const TypedPtr& at : entry.at) out.push_back(runner_.evaluator().integer(at));
  return out;
}

void TileRunner::move(const Symbol& variable, int64_t to) {
  const auto id = static_cast<size_t>(variable.id);
  if (variable.kind != SymbolKind::axis) {
    if (env_.loops.size() <= id) env_.loops.resize(id + 1);
    env_.loops[id] = to;
    return;
  }
  env_.axes[id] = to;
  for (Value& let : env_.lets) let = {};
  for (Block& block : env_.blocks) {
    if (block.views()) block.close();
  }
  // Statements before the next loop may name its size.
  const std::vector<Axis>& axes = program_.declarations->axes;
  if (id + 1 < axes.size() && mentions_steps(*program_.declarations, axes[id + 1].size))
    env_.axis_sizes[id + 1] = runner_.evaluator().integer(axes[id + 1].size);
}

void TileRunner::loop(const tile::For& loop, Span span) {
  Evaluator& evaluator = runner_.evaluator();
  if (loop.variable.kind == SymbolKind::axis) {
    const Axis& axis = program_.declarations->axes[static_cast<size_t>(loop.variable.id)];
    const int64_t size = evaluator.integer(axis.size);
    if (size < 0) throw Fault{kRunAxisSize, axis.span, fmt::format("the size of axis '{}' is {}", axis.name, size)};
    env_.axis_sizes[static_cast<size_t>(loop.variable.id)] = size;
  }
  const int64_t first = evaluator.integer(loop.first), last = evaluator.integer(loop.last);
  const int64_t step = evaluator.integer(loop.step);
  if (step == 0)
    throw Fault{kRunLoopStep, span, fmt::format("the step of the loop over '{}' is 0", loop.variable.name)};
  for (int64_t i = first; step > 0 ? i < last : i > last;) {
    move(loop.variable, i);
    run(loop.body);
    if (__builtin_add_overflow(i, step, &i)) return;
  }
}

void TileRunner::run(const tile::Statement& statement) {
  Evaluator& evaluator = runner_.evaluator();
  if (channels_) {
    const auto* put = statement.as<tile::Put>();
    channels_->before(statement, put && put->ahead ? evaluator.integer(put->ahead) : 0);
  }
  if (const auto* assign = statement.as<tile::Assign>()) {
    value(assign->value) = evaluated(assign->expr, program_.value(assign->value));
  } else if (const auto* read = statement.as<tile::Read>()) {
    value(read->value) = elements_in(read->box, program_.value(read->value).shape, statement.span);
  } else if (const auto* dot = statement.as<tile::Dot>()) {
    const tile::Value& to = program_.value(dot->value);
    const bool starts = dot->start && (!dot->accumulate || evaluator.condition(dot->accumulate));
    value(dot->value) = starts ? evaluator.accumulate(dot->product, [&] { return evaluated(dot->start, to); })
                               : evaluated(dot->product, to);
  } else if (const auto* write = statement.as<tile::Write>()) {
    Block block = block_at(write->box);
    block.write(value(write->value), statement.span);
    block.write_back();
  } else if (const auto* put = statement.as<tile::Put>()) {
    const tile::Channel& channel = program_.channel(put->entry.channel);
    const Shape& shape = channel.members[static_cast<size_t>(put->entry.member)].shape;
    Value given = put->value ? value(put->value) : elements_in(put->box, shape, statement.span);
    channels_->put(put->entry, {coordinates(put->entry), std::move(given)}, statement.span);
  } else if (const auto* get = statement.as<tile::Get>()) {
    Value& got = value(get->value);
    got = channels_->get(get->entry, coordinates(get->entry), statement.span);
    if (get->rows) clear_rows(got, evaluator.integer(get->rows));
  } else if (statement.as<tile::Prefetch>()) {
    return;  // there is no cache
  } else if (tile::is_protocol(statement)) {
    // Copies complete when they are issued, and a role is one thread of control: only what is between roles remains.
    if (channels_) channels_->meet(statement);
  } else if (const auto* forget = statement.as<tile::Forget>()) {
    Block& block = env_.blocks[static_cast<size_t>(forget->ref)];
    block.open(place(block.ref(), block.extents(), evaluator), false, false);
  } else if (const auto* fetch = statement.as<tile::Fetch>()) {
    Block& block = env_.blocks[static_cast<size_t>(fetch->box.ref)];
    block.open(place(fetch->box, block.ref(), block.extents(), evaluator), true, false);
  } else if (const auto* flush = statement.as<tile::Flush>()) {
    env_.blocks[static_cast<size_t>(flush->box.ref)].write_back();
  } else if (const auto* tiles = statement.as<tile::ForTiles>()) {
    run(tiles->body);
  } else if (const auto* for_stmt = statement.as<tile::For>()) {
    loop(*for_stmt, statement.span);
  } else if (const auto* while_stmt = statement.as<tile::While>()) {
    const auto goes_on = [&] {
      run(while_stmt->test);
      return evaluator.condition(while_stmt->condition);
    };
    while (goes_on()) run(while_stmt->body);
  } else if (const auto* branch = statement.as<tile::If>()) {
    run(evaluator.condition(branch->condition) ? branch->then : branch->otherwise);
  } else if (const auto* store = statement.as<StoreStmt>()) {
    runner_.store(*store, statement.span);
  } else if (const auto* atomic = statement.as<AtomicStmt>()) {
    runner_.atomic(*atomic, statement.span);
  } else if (const auto* print = statement.as<PrintStmt>()) {
    runner_.print(*print);
  } else if (const auto* assertion = statement.as<AssertStmt>()) {
    runner_.hold(*assertion, statement.span);
  } else {
    runner_.sync_grid(statement.span);
  }
}

}  // namespace pallasgen::interpreter
