#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "plan/rules.h"
#include "plan/words.h"
#include "program/program_walk.h"
#include "program/spec_names.h"
#include "proofs/copy_proofs.h"
#include "report/slow_paths.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

using namespace program;

// The most notes and tried changes that a warning names.
constexpr size_t kMostNotes = 3;

// True if the index item is one constant place or a range from a constant place on.
bool is_fixed(const IndexItem& item) {
  const auto* range = std::get_if<IndexSlice>(&item);
  const auto* at = std::get_if<IndexInteger>(&item);
  return (range && constant_value(range->start)) || (at && constant_value(at->value));
}

class Warnings {
 public:
  Warnings(Draft& draft, const tile::Program& program, const Kernel& kernel, const TryPlan& plan)
      : draft_(draft), program_(program), kernel_(kernel), plan_(plan) {}

  void warn() {
    const std::vector<SlowPath> found = slow_paths(draft_.plan);
    if (!found.empty() && plan_) tried_ = tried_changes(kernel_, found, plan_);
    for (const SlowPath& path : found) {
      // A dot that goes element by element has its own warning.
      if (path.kind == SlowKind::slots && !tile::all_given_up(program_, tile::ChoiceKind::instructions).empty())
        continue;
      Diagnostic& warning = draft_.diagnostics.warning(kPlanSlowPath, place_of(path), text_of(path));
      add_causes(path, warning);
      add_remedies(path, warning);
    }
    for (const RolePlan& role : draft_.plan.roles) warn_of_random_bits(role.program);
    for (const tile::Role& role : program_.roles) warn_of_moved_operands(role);
    warn_of_calls();
  }

 private:
  Span place_of(const SlowPath& path) const {
    if (path.ref >= 0) return place_of_type(draft_.ref(path.ref));
    const auto named = [&](const Ref& ref) { return path.field >= 0 && ref.name == name_of_field(path); };
    const auto& refs = draft_.kernel->refs;
    const auto found = std::find_if(refs.begin(), refs.end(), named);
    return found == refs.end() ? draft_.kernel->span : place_of_type(*found);
  }
  std::string name_of_field(const SlowPath& path) const {
    return name_in_spec(*draft_.kernel, draft_.plan.shared.fields[static_cast<size_t>(path.field)].name);
  }

  std::string text_of(const SlowPath& path) const {
    const std::string name = path.ref >= 0 ? draft_.ref(path.ref).name : "";
    const std::string done = path.reads ? "read" : "written";
    const std::string counted = number_text(path.counted), needed = number_text(path.needed);
    switch (path.kind) {
      case SlowKind::sectors:
        return fmt::format(
            "'{}' is {} by threads that are apart: those of a warp touch {} sectors of 32 bytes, where {} "
            "would do",
            name, done, counted, needed);
      case SlowKind::accesses:
        return fmt::format(
            "'{}' is {} {} at a time: a tile takes {} accesses of threads, where {} of 16 bytes would do", name, done,
            bytes_text(path.each), counted, needed);
      case SlowKind::repeats:
        return fmt::format("'{}' is written to the same place again and again: {} bytes in a tile, where {} would do",
                           name, counted, needed);
      case SlowKind::waiting:
        return fmt::format(
            "threads wait for '{}': an SM has {} bytes under way, and {} would hide the latency of memory", name,
            counted, needed);
      case SlowKind::slots:
        return fmt::format(
            "a tile takes {} instructions of threads, and {} without accesses to shared memory by "
            "elements, most of which are to '{}'",
            counted, needed, path.field >= 0 ? name_of_field(path) : "a block");
      case SlowKind::steps:
        return fmt::format(
            "{} is computed in each step and kept in the last one: a tile takes {} instructions for it, "
            "where {} would do",
            name.empty() ? "a value" : "'" + name + "'", counted, needed);
      case SlowKind::kept:
        return fmt::format(
            "'{}' has the space reg and lies in shared memory: a tile takes {} accesses to it, where "
            "registers take none",
            name, counted);
    }
    return "";
  }
  static std::string number_text(double number) { return grouped(std::max<int64_t>(1, std::llround(number))); }
  static std::string bytes_text(double bytes) {
    return bytes < 1 ? "half a byte" : pallasgen::counted(std::llround(bytes), "byte");
  }

  // Notes which fact about the array is missing, and why values go element by element.
  void add_causes(const SlowPath& path, Diagnostic& warning) const {
    size_t notes = 0;
    if (path.kind == SlowKind::accesses) {
      const Ref& ref = draft_.ref(path.ref);
      std::optional<PitchGap> gap =
          ref.strides.empty() ? gap_of_pitch(ref, draft_.facts) : gap_of_strides(ref, draft_.facts);
      if (!gap && !ref.array_shape.empty()) gap = gap_of_extent(ref, draft_.facts);
      if (gap) warning.note(gap->why), ++notes;
      if (path.each < 1) warning.note("two atomic operations on the word around it write half a byte");
    }
    const auto kinds = {SlowKind::waiting, SlowKind::repeats, SlowKind::steps};
    if (std::find(kinds.begin(), kinds.end(), path.kind) != kinds.end()) return;
    std::set<std::string> told;
    for (const tile::Decision& decision : program_.decisions) {
      if (!decision.by_elements || notes >= kMostNotes || !told.insert(decision.reason).second) continue;
      const auto& done = draft_.plan.decisions;  // as the statements do it
      const auto found = std::find_if(done.begin(), done.end(), [&](const Decision& each) {
        return each.subject == decision.subject && each.reason == decision.reason;
      });
      warning.note(fmt::format("'{}' is {}: {}", decision.subject,
                               found == done.end() ? decision.choice : found->choice, decision.reason));
      ++notes;
    }
  }

  // Notes the changes with which the path is no longer slow: several at once if no single one is enough.
  void add_remedies(const SlowPath& path, Diagnostic& warning) const {
    std::vector<std::string> works, fails;
    for (const TriedChange& change : tried_) {
      if (change.together && !works.empty()) continue;
      const bool still = std::any_of(change.slow.begin(), change.slow.end(), [&](const SlowPath& other) {
        return other.kind == path.kind && other.ref == path.ref && other.reads == path.reads;
      });
      const bool longer = change.seconds > draft_.plan.cost.seconds;
      if (still || longer) {
        fails.push_back(change.text);
      } else if (works.size() < kMostNotes) {
        works.push_back(change.text);
        warning.note(fmt::format("{} {}", change.text, change.together ? "work" : "works"));
      }
    }
    if (works.empty() && !fails.empty()) warning.note(fmt::format("tried without help: {}", listed(fails)));
  }

  // Warns of operands of matrix instructions that are only parts or reshapes of blocks: threads move them through
  // tiles.
  void warn_of_moved_operands(const tile::Role& role) {
    std::map<int, TypedPtr> moved;  // by value: the slice or reshape of a block that it holds
    std::map<int, int> put, got;    // by channel: the value put there; by value: the channel it is got from
    tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
      if (const auto* to = statement.as<tile::Put>(); to && to->value) put[to->entry.channel.index] = to->value.index;
      if (const auto* get = statement.as<tile::Get>()) got[get->value.index] = get->entry.channel.index;
      const auto* assign = statement.as<tile::Assign>();
      if (!assign || !assign->expr) return;
      const Apply* shape = assign->expr->as<Apply>();
      const bool fixed = shape && shape->op == Op::slice &&
                         std::all_of(shape->attributes.items.begin(), shape->attributes.items.end(), is_fixed);
      const bool of_block = shape && (fixed || shape->op == Op::reshape) && shape->args[0]->as<LocalUse>();
      if (of_block && program_.value(assign->value).home == tile::Home::shared)
        moved[assign->value.index] = assign->expr;
      const auto* tile = assign->expr->as<LocalUse>();
      if (const auto from = tile ? moved.find(tile->id) : moved.end(); from != moved.end())
        moved[assign->value.index] = from->second;
    });
    tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
      if (!dot_if(statement, &tile::Product::reads_slots)) return;
      for (const int value : tile::used_by(statement)) {
        const auto channel = got.find(value);
        const auto from = moved.find(channel == got.end()         ? value
                                     : put.count(channel->second) ? put[channel->second]
                                                                  : -1);
        if (from == moved.end() || !told_operands_.insert(from->second->span.begin).second) continue;
        const bool part = from->second->applies(Op::slice) != nullptr;
        draft_.diagnostics
            .warning(kPlanSlowPath, from->second->span,
                     fmt::format("threads move this operand of tensor cores element by element: {}",
                                 part ? "it is a part of a block" : "it is a block in another shape"))
            .note(
                part ? "a part is copied as a block is where dots take nothing else of the input's block, and where it "
                       "has all elements between its first and its last"
                     : "an input whose block has the operand's shape is copied as it is");
      }
    });
  }
  // With a function call in the kernel, such as printf, ptxas lets no instruction of a warpgroup run on: each waits for
  // the previous one in the whole kernel, wherever the call is (message C7510).
  void warn_of_calls() {
    bool runs_on = false;
    const tile::Statement* call = nullptr;
    for (const tile::Role& role : program_.roles) {
      tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
        runs_on = runs_on || dot_if(statement, &tile::Product::runs_on);
        if (!call && (statement.as<PrintStmt>() || statement.as<AssertStmt>())) call = &statement;
      });
    }
    if (!runs_on || !call) return;
    draft_.diagnostics
        .warning(kPlanSlowPath, call->span.source ? call->span : draft_.kernel->span,
                 fmt::format("{} serialises the instructions of tensor cores in the whole kernel: it calls a function, "
                             "across which none of them runs on",
                             call->as<PrintStmt>() ? "a print" : "an assert"))
        .note("the instructions overlap again in a kernel without prints and asserts");
  }
  // Warns of calls that use one of the four words that they compute.
  void warn_of_random_bits(const Statements& statements) {
    for_each_statement(statements, [&](const Statement& statement) {
      const auto* loop = std::get_if<ForElements>(&statement.node);
      if (!loop || loop->shape.empty() || loop->shape.back().value < 4) return;
      for_each_statement(loop->body, [&](const Statement& inner) {
        for_each_expression(draft_.plan, inner, [&](const TypedPtr& expr) {
          walk(expr, [&](const Typed& node) {
            const Apply* draws = std::get_if<Apply>(&node.node);
            if (!draws || draws->op != Op::random_bits || !told_bits_.insert(node.span.begin).second) return;
            draft_.diagnostics
                .warning(kPlanSlowPath, node.span.source ? node.span : draft_.kernel->span,
                         "each element draws its random bits alone: it computes four words and uses one")
                .note("`bits = random_bits(…)`, used as they lie, are drawn four at a time");
          });
        });
      });
    });
  }

  Draft& draft_;
  const tile::Program& program_;
  const Kernel& kernel_;  // as in the spec
  const TryPlan& plan_;
  std::vector<TriedChange> tried_;
  std::set<size_t> told_bits_, told_operands_;  // by place in the spec
};

}  // namespace

void warn_of_slow_paths(Draft& draft, const tile::Program& program, const Kernel& kernel, const TryPlan& plan) {
  Warnings(draft, program, kernel, plan).warn();
}

}  // namespace pallasgen
