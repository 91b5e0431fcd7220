#include "program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "check/aliases.h"
#include "check/steps.h"
#include "interpret/rules.h"
#include "random_stream.h"
#include "rendezvous.h"
#include "tile/walk.h"
#include "tile_roles.h"

namespace pallasgen::interpreter {
namespace {

// The placement of no block: no placement of a ref equals it.
const Placement kNowhere{{Placement::Dim{-1, -1, -1, -1}}};

bool overlaps(const Ref& ref) {
  return std::any_of(ref.block.begin(), ref.block.end(), [](const BlockDim& dim) {
    return dim.kind == BlockKind::element || dim.kind == BlockKind::bounded_slice;
  });
}

bool is_output(const Block& block) { return block.ref().role == RefRole::output && !block.views(); }

template <class Statements>
bool syncs_grid(const Statements& statements) {
  bool found = false;
  for_each_statement(statements, [&](const auto& statement) {
    found = found || std::holds_alternative<GridSyncStmt>(statement.node);
  });
  return found;
}

bool syncs_grid(const tile::Program& program) {
  return std::any_of(program.roles.begin(), program.roles.end(),
                     [](const tile::Role& role) { return syncs_grid(role.body); });
}

// The refs that values of the body name, and those that outputs share their arrays with.
std::set<int> named_refs(const Kernel& kernel) {
  std::set<int> named;
  for_each_value(kernel.body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      if (const auto* read = node.as<RefRead>()) named.insert(read->ref);
      if (const Apply* mask = node.applies(Op::valid)) named.insert(mask->attributes.ref);
    });
  });
  for (const Ref& ref : kernel.refs) {
    if (ref.alias_of) named.insert(*ref.alias_of);
  }
  return named;
}

// The most programs that can wait for each other: 32 CTAs on each SM of the largest device.
constexpr int64_t kMostTogether = 32 * 160;

// The programs in the order in which they run.
std::vector<int64_t> order_of(int64_t programs, const InterpretOptions& options) {
  std::vector<int64_t> order(static_cast<size_t>(programs));
  std::iota(order.begin(), order.end(), int64_t{0});
  if (options.order == ProgramOrder::reversed) std::reverse(order.begin(), order.end());
  if (options.order == ProgramOrder::random) {
    RandomStream random(options.seed, "order");
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.next() % i]);
  }
  return order;
}

}  // namespace

Grid::Grid(const Kernel& kernel, const tile::Program* program, Environment environment, const InterpretOptions& options,
           Diagnostics& diagnostics, std::shared_ptr<Shared> shared)
    : kernel_(kernel),
      tile_program_(program),
      env_(std::move(environment)),
      options_(options),
      diagnostics_(diagnostics),
      runner_(env_, options.print),
      parallel_axes_(kernel.axes.size() - static_cast<size_t>(kernel.sequential_axes())),
      shared_(shared ? std::move(shared) : std::make_shared<Shared>()) {
  checks_nan_ = std::find(kernel.checks.begin(), kernel.checks.end(), "nan") != kernel.checks.end();
  if (checks_nan_) std::for_each(env_.blocks.begin(), env_.blocks.end(), [](Block& block) { block.check_nan(); });
  env_.warn = [this](const Fault& fault) { report(fault, true); };
  const std::set<int> named = named_refs(kernel);
  const bool first = shared_->histories.empty();
  env_.axes.assign(kernel.axes.size(), 0);
  env_.axis_sizes.assign(kernel.axes.size(), 0);
  env_.lets.assign(kernel.lets.size(), {});
  for (const Block& block : env_.blocks) {
    const bool elementwise = is_output(block) && overlaps(block.ref());
    if (first) shared_->histories.emplace_back(block.extents(), elementwise);
    loaded_.push_back(kNowhere);
    moves_.push_back(moves_with_steps(kernel, block.ref()));
    looked_at_.push_back(block.ref().role != RefRole::input || named.count(static_cast<int>(looked_at_.size())) > 0);
  }
}

bool Grid::run() {
  const std::optional<int64_t> programs = parallel_programs();
  if (!programs) return false;
  const bool together = tile_program_ ? syncs_grid(*tile_program_) : syncs_grid(kernel_.body);
  if (together && *programs > kMostTogether) {
    diagnostics_.error(
        kRunGridSync, kernel_.span,
        fmt::format("{} programs wait for each other, and a device holds at most {}", *programs, kMostTogether));
    return false;
  }
  if (together) {
    run_together(order_of(*programs, options_));
  } else if (options_.order == ProgramOrder::row_major) {
    for (int64_t program = 0; program < *programs; ++program) attempt(program);
  } else {
    for (int64_t program : order_of(*programs, options_)) attempt(program);
  }
  if (!tile_program_ && shared_->reported.empty()) find_left_out();
  bool good = !diagnostics_.has_errors();
  for (auto& [place, reported] : shared_->reported) {
    good = good && reported.diagnostic->severity != Severity::error;
    if (reported.more > 0) {
      reported.diagnostic->note(
          fmt::format("the same happens in {} more program{}", reported.more, reported.more == 1 ? "" : "s"));
    }
  }
  return good;
}

void Grid::attempt(int64_t program) {
  try {
    run_program(program);
  } catch (const Fault& fault) {
    report(fault);
    for (size_t ref = 0; ref < env_.blocks.size(); ++ref) {
      env_.blocks[ref].close();
      loaded_[ref] = kNowhere;
    }
  }
}

// Runs programs with a grid_sync: each has an environment of its own and runs from one grid_sync to the next.
void Grid::run_together(const std::vector<int64_t>& order) {
  std::vector<std::unique_ptr<Grid>> grids;
  for (size_t i = 0; i < order.size(); ++i)
    grids.push_back(std::make_unique<Grid>(kernel_, tile_program_, env_, options_, diagnostics_, shared_));
  Rendezvous::run(order.size(), [&](size_t place, const std::function<bool()>& wait) {
    Grid& grid = *grids[place];
    grid.env_.grid_sync = [&](Span span) {
      if (!wait()) {
        throw Fault{kRunGridSync,
                    span,
                    "a program waits here for all, and another has ended without coming",
                    {FaultKind::waiting}};
      }
    };
    if (grid.parallel_programs()) grid.attempt(order[place]);
  });
}

std::optional<int64_t> Grid::parallel_programs() {
  int64_t programs = 1;
  try {
    for (size_t axis = 0; axis < parallel_axes_; ++axis) env_.axis_sizes[axis] = axis_size(axis);
  } catch (const Fault& fault) {
    if (options_.faults) options_.faults->push_back(fault.found);
    diagnostics_.error(fault.rule, fault.span, fault.message);
    return std::nullopt;
  }
  for (size_t axis = 0; axis < parallel_axes_; ++axis) {
    if (env_.axis_sizes[axis] == 0) return 0;
  }
  for (size_t axis = 0; axis < parallel_axes_; ++axis) {
    if (__builtin_mul_overflow(programs, env_.axis_sizes[axis], &programs) || programs > int64_t{1} << 40) {
      diagnostics_.error(kRunAxisSize, kernel_.axes[axis].span,
                         fmt::format("the grid has more than {} programs", int64_t{1} << 40));
      return std::nullopt;
    }
  }
  return programs;
}

int64_t Grid::axis_size(size_t axis) {
  const Axis& row = kernel_.axes[axis];
  const int64_t size = runner_.evaluator().size(row.size, kRunAxisSize, "the size of axis", row.name);
  if (size < 0) {
    throw Fault{kRunAxisSize, kernel_.axes[axis].span,
                fmt::format("the size of axis '{}' is {}", kernel_.axes[axis].name, size)};
  }
  return size;
}

void Grid::move_axis(size_t axis, int64_t value) {
  env_.axes[axis] = value;
  for (Value& let : env_.lets) let = {};
}

void Grid::run_program(int64_t program) {
  program_ = program;
  steps_ = 0;
  stepless_ = false;
  for (size_t axis = parallel_axes_; axis-- > 0;) {
    move_axis(axis, program % env_.axis_sizes[axis]);
    program /= env_.axis_sizes[axis];
  }
  for (size_t axis = parallel_axes_; axis < env_.axes.size(); ++axis) {
    move_axis(axis, 0);
    env_.axis_sizes[axis] = 0;
  }
  if (kernel_.skip && runner_.evaluator().condition(kernel_.skip)) return;
  env_.ticket = shared_->tickets++;
  for (size_t ref = 0; ref < env_.blocks.size(); ++ref) {
    Block& block = env_.blocks[ref];
    if (block.ref().role == RefRole::scratch) {
      block.open(place(block.ref(), block.extents(), runner_.evaluator()), false, true);
    }
    if (block.global()) block.global()->program = program_;
    if (block.global() && !block.global()->argument)
      loaded_[ref] = kNowhere;  // an earlier program may have written there
  }
  if (tile_program_) return run_tile_program(*tile_program_, env_, runner_, options_);
  run_steps(parallel_axes_);
  if (steps_ == 0) run_guards();
  for (size_t ref = 0; ref < env_.blocks.size(); ++ref) leave(ref);
}

void Grid::run_steps(size_t axis) {
  if (axis == kernel_.axes.size()) return run_step();
  const int64_t size = axis_size(axis);
  for (int64_t i = 0; i < size; ++i) {
    env_.axis_sizes[axis] = size;
    move_axis(axis, i);
    run_steps(axis + 1);
  }
}

void Grid::run_step() {
  ++steps_;
  open_blocks();
  runner_.run(kernel_.body);
}

// A program without steps runs its top-level first and last guards, once each and in order, and nothing else
// (docs/language.md, The grid). In a first guard a sequential axis is 0, in a last guard its size - 1.
void Grid::run_guards() {
  stepless_ = true;
  for (Value& local : env_.locals) local = {};
  for (size_t axis = parallel_axes_; axis < env_.axes.size(); ++axis) env_.axis_sizes[axis] = axis_size(axis);
  open_blocks();
  for (const KernelStmt& statement : kernel_.body) {
    const auto* when = std::get_if<WhenStmt>(&statement.node);
    if (!when) continue;
    const GuardKind kind = guard_kind(kernel_, when->condition);
    if (kind == GuardKind::none) continue;
    for (size_t axis = parallel_axes_; axis < env_.axes.size(); ++axis) {
      move_axis(axis, kind == GuardKind::first ? 0 : env_.axis_sizes[axis] - 1);
    }
    runner_.run(when->then);
  }
}

void Grid::open_blocks() {
  std::vector<std::pair<size_t, Placement>> moved;
  for (size_t ref = 0; ref < env_.blocks.size(); ++ref) {
    const Block& block = env_.blocks[ref];
    if (block.ref().role == RefRole::scratch || !looked_at_[ref] || (stepless_ && moves_[ref])) continue;
    Placement placement = place(block.ref(), block.extents(), runner_.evaluator());
    if (!block.placement() || *block.placement() != placement) moved.emplace_back(ref, std::move(placement));
  }
  // Blocks that are left are written back before any block is read, as an input may be the same array.
  for (const auto& [ref, placement] : moved) leave(ref);
  for (auto& [ref, placement] : moved) {
    Block& block = env_.blocks[ref];
    if (is_output(block)) {
      open_output(ref, std::move(placement));
    } else if (block.views()) {
      block.open(std::move(placement), false, false);
    } else if (loaded_[ref] != placement) {
      loaded_[ref] = placement;
      block.open(std::move(placement), true, false);
    } else {
      block.reopen(std::move(placement));
    }
  }
}

void Grid::open_output(size_t ref, Placement placement) {
  env_.blocks[ref].open(std::move(placement), starts_as_input(kernel_, env_.blocks[ref].ref()), true);
}

void Grid::leave(size_t ref) {
  Block& block = env_.blocks[ref];
  if (!block.placement()) return;
  const Placement placement = *block.placement();
  if (is_output(block) && !(stepless_ && block.nothing_written() && block.ref().init)) {
    const auto unwritten = block.ref().init ? std::nullopt : block.first_unwritten();
    if (unwritten) {
      block.close();
      throw Fault{
          kRunUnwritten, block.ref().span,
          stepless_ && block.nothing_written()
              ? fmt::format(
                    "a program without steps leaves the block of '{}' unwritten: no first or last guard writes it",
                    block.ref().name)
              : fmt::format("the block of '{}' is left with element [{}] unwritten", block.ref().name,
                            fmt::join(*unwritten, ", "))};
    }
    if (checks_nan_) {
      if (const auto nan = block.first_nan()) {
        block.close();
        throw block.nan_fault(*nan, block.ref().span);
      }
    }
    block.write_back();
    const auto conflict = block.ref().reduce ? std::nullopt : shared_->histories[ref].write(placement, program_);
    if (conflict) {
      block.close();
      const std::string element =
          fmt::format("element [{}] of '{}'", fmt::join(conflict->coordinates, ", "), block.ref().name);
      if (conflict->program == program_) {
        throw Fault{kRunRevisited, block.ref().span,
                    fmt::format("the program comes back to a block that it left: {} is written back twice", element)};
      }
      throw Fault{kRunWriteRace, block.ref().span,
                  fmt::format("{} was written by another program: {}", element, grid_point(conflict->program))};
    }
  }
  block.close();
}

// Reports elements of outputs that no program wrote and that have no `init`.
void Grid::find_left_out() {
  for (size_t ref = 0; ref < env_.blocks.size(); ++ref) {
    const Block& block = env_.blocks[ref];
    const Ref& output = block.ref();
    if (output.role != RefRole::output || output.init || output.alias_of) continue;
    const auto left_out = block.views() ? block.first_unwritten() : shared_->histories[ref].first_left_out();
    if (!left_out) continue;
    diagnostics_
        .error(kRunUnwritten, output.span,
               fmt::format("no program writes element [{}] of '{}'", fmt::join(*left_out, ", "), output.name))
        .note("the blocks of the programs together must be the whole array, or `init` says what the rest holds");
  }
}

std::string Grid::grid_point(int64_t program) const {
  std::vector<std::string> parts(parallel_axes_);
  for (size_t axis = parallel_axes_; axis-- > 0;) {
    parts[axis] = fmt::format("{} = {}", kernel_.axes[axis].name, program % env_.axis_sizes[axis]);
    program /= env_.axis_sizes[axis];
  }
  return parts.empty() ? "the only program" : fmt::format("{}", fmt::join(parts, ", "));
}

void Grid::report(const Fault& fault, bool warning) {
  std::string point = parallel_axes_ == 0 ? "" : grid_point(program_);
  for (size_t axis = parallel_axes_; axis < env_.axes.size() && !stepless_; ++axis)
    point += fmt::format("{}{} = {}", point.empty() ? "" : ", ", kernel_.axes[axis].name, env_.axes[axis]);
  const auto key = std::pair(fault.rule.name, fault.span.begin);
  if (const auto found = shared_->reported.find(key); found != shared_->reported.end()) {
    ++found->second.more;
    if (found->second.fault) (*options_.faults)[*found->second.fault].points.push_back(std::move(point));
    return;
  }
  std::optional<size_t> number;
  if (!warning && options_.faults) {
    number = options_.faults->size();
    options_.faults->push_back(fault.found);
    options_.faults->back().points = {point};
  }
  Diagnostic& diagnostic = warning ? diagnostics_.warning(fault.rule, fault.span, fault.message)
                                   : diagnostics_.error(fault.rule, fault.span, fault.message);
  std::string place = parallel_axes_ == 0 ? "in the only program" : "at " + point;
  if (parallel_axes_ == 0 && !point.empty()) place += ", " + point;
  diagnostic.note(stepless_ ? place + ", which has no steps" : place);
  shared_->reported.emplace(key, Shared::Reported{&diagnostic, 0, number});
}

}  // namespace pallasgen::interpreter
