#include "outputs.h"

#include <algorithm>
#include <limits>

#include "boxes.h"
#include "check/aliases.h"
#include "check/steps.h"
#include "conditions.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

// The neutral element of a reduction: combined with a number it gives that number.
Scalar neutral(const std::string& reduction, DType dtype) {
  const DTypeInfo& row = info(dtype);
  if (row.is_float) {
    const double infinity = std::numeric_limits<double>::infinity();
    return reduction == "add" ? -0.0 : reduction == "min" ? infinity : -infinity;
  }
  const int64_t least = row.is_signed ? std::numeric_limits<int64_t>::min() >> (64 - row.bits) : 0;
  const int64_t most = row.is_signed ? ~least : static_cast<int64_t>(~uint64_t{0} >> (64 - row.bits));
  return reduction == "add" ? int64_t{0} : reduction == "min" ? most : least;
}

}  // namespace

Outputs::Outputs(const Kernel& kernel, tile::Program& program, Translation& translation, const LoopNest& nest,
                 const std::vector<const Block*>& guards)
    : kernel_(kernel), program_(program), translation_(translation), nest_(nest) {
  for (size_t i = 0; i < kernel.refs.size(); ++i) {
    const int ref = static_cast<int>(i);
    if (kernel.refs[i].role == RefRole::output && translation.form(ref) != Form::array)
      outputs_[ref] = made(ref, box_of(kernel, ref), guards);
  }
}

Outputs::Output Outputs::made(int ref, const Box& box, const std::vector<const Block*>& guards) {
  Output out;
  out.depth = nest_.depth_of(box);
  if (out.depth > 0 && out.depth < nest_.depth()) {
    const std::optional<TypedPtr> turns = nest_.turns(out.depth);
    Touched used = {};
    if (turns && *turns) touch(program_, *turns, used);
    const bool changes = used.axes.count(nest_.axis_at(out.depth - 1)) > 0;
    if (!turns || (changes && nest_.moves(box, out.depth, false)))
      out.stepped = translation_.add("stepped", DType::boolean);
  }
  // Elements of a block with `init` that nothing writes stay as the launcher filled them.
  out.keeps = kernel_.refs[static_cast<size_t>(ref)].init.has_value() && !each_step_writes(ref);
  if (out.depth > 0) return out;
  const auto writes = [&](const Touched& touched) {
    return translation_.form(ref) == Form::value ? touched.defines.count(translation_.value_of(ref).index) > 0
                                                 : touched.stores.count(ref) > 0;
  };
  const auto writes_all = [&](const Statement& statement) {
    const auto* store = statement.as<StoreStmt>();
    const bool defines = statement.as<Assign>() || statement.as<Dot>() || (store && store->whole && !store->mask);
    return defines && writes(touched(program_, statement));
  };
  const bool stored = std::any_of(guards.begin(), guards.end(), [&](const Block* guard) {
    return std::any_of(guard->begin(), guard->end(), writes_all);
  });
  out.replaced = stored && !is_read(ref);
  out.keeps = out.keeps && !stored;
  if (!kernel_.refs[static_cast<size_t>(ref)].init || !may_have_no_step(kernel_, kernel_.facts())) return out;
  out.guards = Output::Guards::never;
  for (const Block* guard : guards) {
    if (!writes(touched(program_, *guard))) continue;
    if (out.guards != Output::Guards::surely) out.guards = Output::Guards::perhaps;
    if (std::any_of(guard->begin(), guard->end(), writes_all)) out.guards = Output::Guards::surely;
  }
  return out;
}

bool Outputs::each_step_writes(int ref) const {
  return std::any_of(kernel_.body.begin(), kernel_.body.end(), [&](const KernelStmt& statement) {
    const auto* store = std::get_if<StoreStmt>(&statement.node);
    return store && store->ref == ref && store->whole && !store->mask;
  });
}

bool Outputs::is_read(int ref) const {
  bool found = false;
  for_each_value(kernel_.body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      const auto* read = node.as<RefRead>();
      found = found || (read && read->ref == ref);
    });
  });
  for_each_statement(kernel_.body, [&](const KernelStmt& statement) {
    const auto* store = std::get_if<StoreStmt>(&statement.node);
    found = found || (store && store->ref == ref && store->op);
  });
  return found;
}

bool Outputs::depends_on_steps() const {
  return std::any_of(outputs_.begin(), outputs_.end(), [&](const auto& entry) {
    return entry.second.depth == 0 && kernel_.refs[static_cast<size_t>(entry.first)].init;
  });
}

// The condition under which a step has run since the block began; null: always.
TypedPtr Outputs::has_stepped(const Output& output) const {
  if (output.stepped) return use(program_, *output.stepped);
  return output.depth > 0 ? nest_.turns(output.depth).value_or(nullptr) : nullptr;
}

Statement Outputs::set(const Output& output, bool to) const {
  return {{}, "", Assign{*output.stepped, make_typed({}, DType::boolean, {}, Constant{to, {}})}};
}

void Outputs::note_step(Block& out) const {
  for (const auto& [ref, output] : outputs_) {
    if (output.stepped) out.push_back(set(output, true));
  }
}

// Loads the block as it is in memory, or sets it to a reduction's neutral element, so that writing it changes nothing.
Statement Outputs::filled(int ref) const {
  const Ref& output = kernel_.refs[static_cast<size_t>(ref)];
  const bool is_value = translation_.form(ref) == Form::value;
  Box box = box_of(kernel_, ref);
  Statement statement{output.span, "", Forget{ref}};
  if (output.reduce) {
    const TypedPtr nothing =
        make_typed(output.span, output.dtype, output.shape, Constant{neutral(*output.reduce, output.dtype), {}});
    if (is_value) {
      statement.node = Assign{translation_.value_of(ref), nothing};
    } else {
      std::vector<IndexItem> whole;
      for (int64_t extent : output.shape) whole.emplace_back(IndexSlice{index_constant(0), extent});
      statement.node = StoreStmt{ref, std::move(whole), true, std::nullopt, nothing, nullptr};
    }
  } else if (is_value) {
    statement.node = Read{translation_.value_of(ref), std::move(box)};
  } else {
    statement.node = Fetch{std::move(box)};
  }
  return statement;
}

void Outputs::keep_filled(Block& out) const {
  for (const auto& [ref, output] : outputs_) {
    if (output.guards == Output::Guards::perhaps && !output.keeps) out.push_back(filled(ref));
  }
}

void Outputs::open(size_t depth, const TypedPtr& no_step, Block& out) const {
  for (const auto& [ref, row] : outputs_) {
    if (row.depth != depth) continue;
    const Ref& output = kernel_.refs[static_cast<size_t>(ref)];
    const bool loads = starts_as_input(kernel_, output) && !row.replaced;
    const bool is_value = translation_.form(ref) == Form::value;
    Box box = box_of(kernel_, ref);
    const TypedPtr moved = depth > 0 ? nest_.moves(box, depth, false) : nullptr;
    Block begins;
    if (row.keeps) {
      if (output.reduce && !is_value) begins.push_back({output.span, "", Forget{ref}});
      begins.push_back(filled(ref));
    } else if (is_value && loads) {
      begins.push_back({output.span, "", Read{translation_.value_of(ref), std::move(box)}});
    } else if (loads) {
      begins.push_back({output.span, "", Fetch{std::move(box)}});
    } else if (!is_value) {
      begins.push_back({output.span, "", Forget{ref}});
    }
    if (row.stepped) begins.push_back(set(row, false));
    if (moved && !begins.empty()) {
      out.push_back({output.span, "", If{moved, {}, std::move(begins), {}}});
    } else {
      for (Statement& statement : begins) out.push_back(std::move(statement));
    }
  }
  Block kept;
  if (depth == 0 && no_step) keep_filled(kept);
  if (!kept.empty()) out.push_back({kernel_.span, "", If{no_step, {}, std::move(kept), {}}});
}

void Outputs::close(size_t depth, const TypedPtr& no_step, Block& out) const {
  for (const auto& [ref, row] : outputs_) {
    if (row.depth != depth) continue;
    const Ref& output = kernel_.refs[static_cast<size_t>(ref)];
    Box box = box_of(kernel_, ref);
    TypedPtr when = depth > 0 ? nest_.moves(box, depth, true) : nullptr;
    if (const TypedPtr steps = has_stepped(row)) when = both(when, steps);
    if (row.guards == Output::Guards::never) when = negation(no_step);
    Statement statement{output.span, "", {}};
    if (translation_.form(ref) == Form::value)
      statement.node = Write{std::move(box), translation_.value_of(ref)};
    else
      statement.node = Flush{std::move(box)};
    if (when)
      out.push_back({output.span, "", If{when, {}, {std::move(statement)}, {}}});
    else
      out.push_back(std::move(statement));
  }
}

}  // namespace pallasgen::schedule
