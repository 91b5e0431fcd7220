#include "plan_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "blocks.h"
#include "cost.h"
#include "diagnostics/assert.h"
#include "finish.h"
#include "fragment_values.h"
#include "memory.h"
#include "role_sync.h"
#include "tile/walk.h"
#include "work.h"

namespace pallasgen {

namespace planning {

// Not all of either: tile programs and the programs of plans have statements of the same names.
using program::Access, program::AtomicKind, program::DeclareFragment, program::Elementwise, program::Load,
    program::ReduceFragment, program::Statements, program::StoreGlobal;
using tile::Assign, tile::Block, tile::Box, tile::For, tile::ForTiles, tile::If, tile::Path, tile::Program, tile::Read,
    tile::Role, tile::Statement, tile::ValueId, tile::Write;

AtomicKind kind_of(const std::string& reduction) {
  return reduction == "add" ? AtomicKind::add : reduction == "min" ? AtomicKind::min : AtomicKind::max;
}

// The statements of a role of a tile program as those of a plan: names are variables, declared where they are defined
// first or where a loop or a branch takes them out of its block.
class Lowering {
 public:
  Lowering(Draft& draft, const Program& program, const Role& role)
      : draft_(draft), program_(program), values_(draft, program, role) {
    for_each_statement(role.body, [&](const Statement& statement) {
      if (const auto value = defined_by(statement)) ++definitions_[value->index];
    });
  }

  Statements run(const Block& block) {
    const std::set<int> outside = declared_;
    Statements out;
    for (const Statement& statement : block) lower(statement, out);
    declared_ = outside;
    return in_paragraphs(std::move(out));
  }
  // Moved between global memory and registers, each access once.
  double bytes() const { return bytes_; }

 private:
  static void append(Statements& to, Statements from) { std::move(from.begin(), from.end(), std::back_inserter(to)); }

  bool is_fragment(ValueId value) { return values_.form(value).kind != FormKind::scalar; }
  void declare(ValueId value, Statements& out) {
    if (declared_.insert(value.index).second && is_fragment(value)) out.push_back(values_.declaration(value));
  }

  void lower(const Statement& statement, Statements& out) {
    if (const Read* read = statement.as<Read>()) return load(*read, out);
    if (const Write* write = statement.as<Write>()) return store(*write, out);
    if (const Assign* assign = statement.as<Assign>()) return compute(*assign, statement.origin, out);
    if (const ForTiles* tiles = statement.as<ForTiles>()) {
      out.push_back({"", false, program::ForTiles{run(tiles->body), {}}});
      return;
    }
    if (const For* loop = statement.as<For>()) {
      for (ValueId value : loop->carry) declare(value, out);
      out.push_back({"", false, program::ForSteps{loop->variable.id, {}, run(loop->body)}});
      return;
    }
    const If* branch = statement.as<If>();
    PALLASGEN_ASSERT(branch, statement.span);
    for (ValueId value : branch->carry) declare(value, out);
    out.push_back({"", false, program::If{branch->condition, run(branch->then), run(branch->otherwise)}});
  }

  void compute(const Assign& assign, const std::string& origin, Statements& out) {
    const bool first = !declared_.count(assign.value.index);
    if (!assign.expr) return declare(assign.value, out);
    const bool constant = definitions_.at(assign.value.index) == 1;
    Statements computed = values_.assign(assign.value, assign.expr, origin, first, constant);
    // The declaration stands before the last statement, behind what its operands are computed by.
    Statements declaration;
    declare(assign.value, declaration);
    computed.insert(computed.end() - 1, std::make_move_iterator(declaration.begin()),
                    std::make_move_iterator(declaration.end()));
    append(out, std::move(computed));
  }

  Access access(const Box& box, const Path& path, ValueId value) {
    const Ref& ref = draft_.ref(box.ref);
    const Form& form = values_.form(value);
    const bool vectors =
        form.kind == FormKind::strided || form.kind == FormKind::matrix || form.kind == FormKind::columns;
    std::vector<TypedPtr> offsets, limits;
    std::vector<int> dims;
    std::vector<int64_t> sizes;
    size_t kept = 0;
    for (const tile::BoxDim& dim : box.dims) {
      offsets.push_back(dim.first);
      limits.push_back(dim.limit);
      sizes.push_back(dim.size.value_or(1));
      dims.push_back(dim.size && is_fragment(value) ? form.dims[kept] : -1);
      kept += dim.size ? 1 : 0;
    }
    ProvedVector vector{1, "its rows do not run along the rows of the block"};
    const FragmentPlan& held = draft_.plan.fragments[static_cast<size_t>(values_.fragment(value))];
    const int last = static_cast<int>(held.layout.shape.size()) - 1;
    if (vectors && !dims.empty() && dims.back() == last) {
      vector = proved_vector(draft_, box.ref, offsets.back(), held.layout.shape.back());
      vector.elements = std::min({vector.elements, form.vector, path.vector});
    }
    const Shape& shape = program_.value(value).shape;
    bytes_ += std::accumulate(shape.begin(), shape.end(), info(ref.dtype).bits / 8.0, std::multiplies<>());
    return block_access(draft_, box.ref, std::move(offsets), dims, sizes, std::move(vector), limits);
  }

  void load(const Read& read, Statements& out) {
    const Ref& ref = draft_.ref(read.box.ref);
    declare(read.value, out);
    Load node{};
    node.fragment = values_.fragment(read.value);
    node.access = access(read.box, read.path, read.value);
    if (ref.fill) node.fill = typed_constant(ref.dtype, *ref.fill);
    out.push_back({"", false, std::move(node)});
  }

  void store(const Write& write, Statements& out) {
    Access to = access(write.box, write.path, write.value);
    const std::string comment = to.masked ? "past the end: dropped" : "";
    StoreGlobal node{values_.fragment(write.value), std::move(to), {}};
    if (const auto& reduce = draft_.ref(write.box.ref).reduce) {
      node.combine = kind_of(*reduce);
      node.access.vector = number(1);
    }
    out.push_back({comment, false, std::move(node)});
  }

  // Neighbouring statements of one layout share a loop, but where rows are reduced a statement is a paragraph. What a
  // declaration and the statement behind it both come from stands above the two.
  Statements in_paragraphs(Statements statements) const {
    const bool rows = !values_.forms().matrices().empty();
    Statements out;
    for (program::Statement& statement : statements) {
      Elementwise* next = std::get_if<Elementwise>(&statement.node);
      size_t last = out.size();
      while (last > 0 && std::holds_alternative<DeclareFragment>(out[last - 1].node)) --last;
      Elementwise* shared = last > 0 ? std::get_if<Elementwise>(&out[last - 1].node) : nullptr;
      const bool joins = next && shared && (!rows || next->statements[0].quoted.empty());
      if (joins && type_of(*next) == type_of(*shared)) {
        std::move(next->statements.begin(), next->statements.end(), std::back_inserter(shared->statements));
        const auto at = out.begin() + static_cast<std::ptrdiff_t>(last);
        std::rotate(at - 1, at, out.end());
      } else {
        out.push_back(std::move(statement));
      }
    }
    for (size_t i = 0; i + 1 < out.size(); ++i) {
      if (!std::holds_alternative<DeclareFragment>(out[i].node)) continue;
      std::string* quoted = nullptr;
      if (auto* reduce = std::get_if<ReduceFragment>(&out[i + 1].node)) quoted = &reduce->quoted;
      if (auto* each = std::get_if<Elementwise>(&out[i + 1].node); each && each->statements.size() == 1)
        quoted = &each->statements[0].quoted;
      if (quoted && !quoted->empty()) out[i].comment = std::exchange(*quoted, {}), out[i].quotes = true;
    }
    return out;
  }
  const std::string& type_of(const Elementwise& loop) const {
    return draft_.plan.fragments[static_cast<size_t>(loop.layout_of)].layout_text;
  }

  Draft& draft_;
  const Program& program_;
  FragmentValues values_;
  std::map<int, int> definitions_;  // by value: statements
  std::set<int> declared_;          // values that have a variable here
  double bytes_ = 0;
};

}  // namespace planning

bool plan_program(Draft& draft, const tile::Program& program) {
  if (!plan_work(draft)) return false;
  Plan& plan = draft.plan;
  const tile::Role& role = program.roles[0];
  plan.work.tile = stored_tile(*draft.kernel);
  plan.launch.threads = draft.constant(constant_name::threads, role.threads(), constant_line::threads);
  for (const tile::Decision& decision : program.decisions)
    draft.decide(decision.subject, decision.choice, decision.reason);
  planning::Lowering lowering(draft, program, role);
  RolePlan planned;
  planned.purpose = "every thread loads, computes and stores its part of the block";
  planned.warps = static_cast<int>(role.warps);
  planned.groups = number(1);
  planned.program = lowering.run(role.body);
  insert_role_syncs(draft, planned.program);
  plan.roles.push_back(std::move(planned));
  tell_accesses(draft, plan.roles.front());
  plan_memory(draft);
  finish_roles(draft);
  finish_launch(draft);
  finish_constants(draft);
  plan.cost = streaming_cost(draft, lowering.bytes(), 0, 1);
  return true;
}

}  // namespace pallasgen
