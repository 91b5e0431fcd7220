#include "select/batches.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "expression/window.h"
#include "program/index_terms.h"
#include "questions/families.h"
#include "tile/walk.h"

namespace pallasgen {

namespace batches {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Assign, tile::Block, tile::Box, tile::BoxDim, tile::Dot, tile::Program, tile::Read, tile::Role,
    tile::Statement, tile::ValueId, tile::Write;

// True if the target multiplies the matrices of a batch by instructions or by blocks in the registers of threads.
bool takes_matrices(const Program& program, const Target& target, const Typed& batch) {
  Apply product = *batch.as<Apply>();
  for (TypedPtr& operand : product.args) {
    const Shape& shape = operand->shape;
    operand = make_typed(operand->span, operand->dtype, Shape(shape.end() - 2, shape.end()), Constant{0.0, {}});
  }
  return choose_family(target, product, batch.dtype, program.declarations->approximate_math).row ||
         choose_fma(target, product, batch.dtype).row;
}

class UnrolledBatches {
 public:
  UnrolledBatches(const Program& program, int64_t matrices) : program_(program), matrices_(matrices) {}

  // Null if the batches stay whole.
  std::optional<Program> run() {
    do {
      for (size_t before = members_.size() + 1; before != members_.size();) {
        before = members_.size();
        each([&](const Statement& statement) { note_made(statement); });
      }
      if (members_.empty()) return std::nullopt;
    } while (note_operands());
    for (Role& role : program_.roles) unroll(role.body);
    if (!fine_) return std::nullopt;
    tile::find_carries(program_);
    return std::move(program_);
  }

 private:
  bool is_batch(const Typed& node) const {
    return node.applies(Op::dot) && node.shape.size() > 2 && node.shape[0] == matrices_;
  }
  bool is_member(ValueId value) const { return members_.count(value.index) > 0; }
  bool takes_batches(const TypedPtr& expr) const {
    bool takes = false;
    walk(expr, [&](const Typed& node) {
      const auto* use = node.as<LocalUse>();
      takes = takes || is_batch(node) || (use && is_member({use->id}));
    });
    return takes;
  }

  void each(const std::function<void(const Statement&)>& visit) const {
    for (const Role& role : program_.roles) tile::for_each_statement(role.body, visit);
  }
  bool has_matrices(int value) const {
    const Shape& shape = program_.value({value}).shape;
    return !shape.empty() && shape[0] == matrices_;
  }
  bool takes_batches(const Statement& statement) const {
    bool takes = false;
    tile::for_each_expression(statement, [&](const TypedPtr& expr) { takes = takes || (expr && takes_batches(expr)); });
    return takes;
  }

  // A value made from a batch of products, or from a member, with one matrix for each of the batch becomes a member.
  void note_made(const Statement& statement) {
    const auto defined = tile::defined_by(statement);
    if (defined && !is_member(*defined) && has_matrices(defined->index) && takes_batches(statement)) add(*defined);
  }

  // So do values that only members are made from, unless they are read from arrays. True if there are any.
  bool note_operands() {
    std::set<int> taken, others;
    each([&](const Statement& statement) {
      const auto defined = tile::defined_by(statement);
      const bool computes = statement.as<Assign>() || statement.as<Dot>();
      if (defined && !computes) others.insert(defined->index);
      std::set<int>& users = is_of_members(statement) ? taken : others;
      if (is_of_members(statement) || !defined || !computes || !has_matrices(defined->index))
        users.merge(tile::used_by(statement));
    });
    bool more = false;
    for (const int value : taken) {
      if (is_member({value}) || others.count(value) > 0 || !has_matrices(value)) continue;
      add({value});
      more = true;
    }
    return more;
  }

  // A batch of a single matrix gives that matrix its name.
  void add(ValueId batch) {
    std::vector<ValueId>& own = members_[batch.index];
    const tile::Value whole = program_.value(batch);
    for (int64_t number = 0; number < matrices_; ++number)
      own.push_back(tile::add_value(program_, {fmt::format("{}_{}", whole.name, number), whole.dtype,
                                               Shape(whole.shape.begin() + 1, whole.shape.end())}));
    if (matrices_ == 1)
      std::swap(program_.values[static_cast<size_t>(batch.index)].name,
                program_.values[static_cast<size_t>(own.front().index)].name);
  }

  void unroll(Block& block) {
    Block out;
    for (Statement& statement : block) {
      for (Block* inner : tile::blocks_of(statement)) unroll(*inner);
      if (!is_of_members(statement)) {
        fine_ = fine_ && !takes_batches(statement);
        out.push_back(std::move(statement));
        continue;
      }
      for (int64_t number = 0; number < matrices_ && fine_; ++number) {
        Statement own = statement;
        if (number > 0) own.origin.clear();
        take_matrix(own, number);
        out.push_back(std::move(own));
      }
    }
    block = std::move(out);
  }

  bool is_of_members(const Statement& statement) const {
    const Write* write = statement.as<Write>();
    const auto defined = tile::defined_by(statement);
    return write ? is_member(write->value) : defined && is_member(*defined);
  }

  void take_matrix(Statement& statement, int64_t number) {
    if (Assign* assign = statement.as<Assign>()) {
      assign->expr = matrix_of(assign->expr, assign->value, number);
      assign->value = members_.at(assign->value.index)[static_cast<size_t>(number)];
    } else if (Dot* dot = statement.as<Dot>()) {
      dot->start = matrix_of(dot->start, dot->value, number);
      dot->product = matrix_of(dot->product, dot->value, number);
      dot->value = members_.at(dot->value.index)[static_cast<size_t>(number)];
    } else if (Read* read = statement.as<Read>()) {
      narrow(read->box, number);
      read->value = members_.at(read->value.index)[static_cast<size_t>(number)];
    } else if (Write* write = statement.as<Write>()) {
      narrow(write->box, number);
      write->value = members_.at(write->value.index)[static_cast<size_t>(number)];
    } else {
      fine_ = false;
    }
  }

  TypedPtr matrix_of(const TypedPtr& whole, ValueId value, int64_t number) {
    if (!whole) return nullptr;
    const auto of_name = [&](const Typed& use, int64_t taken) -> TypedPtr {
      const auto member = members_.find(use.as<LocalUse>()->id);
      if (member == members_.end()) return nullptr;
      // The statements follow one another, so each may take only its own matrix of the value that they define.
      fine_ = fine_ && (taken == number || member->first != value.index);
      return tile::use(program_, member->second[static_cast<size_t>(taken)], use.span);
    };
    TypedPtr made = whole;
    if (made->shape.size() == program_.value(value).shape.size())
      made = leading_element(made, made->shape[0] == 1 ? 0 : number, of_name);
    fine_ = fine_ && made && !takes_batches(made);
    return made;
  }

  void narrow(Box& box, int64_t number) {
    const auto dim = std::find_if(box.dims.begin(), box.dims.end(), [](const BoxDim& each) { return each.size; });
    fine_ = fine_ && dim != box.dims.end() && dim->size == matrices_ && !dim->limit && !dim->each;
    // For a block outside the array, a check would then report a matrix past the end.
    fine_ = fine_ && !(dim->may_leave && program_.declarations->checks_for("oob"));
    if (!fine_) return;
    tile::advance(*dim, index_constant(number));
    dim->size.reset();
    dim->size_text = nullptr;
  }

  Program program_;
  const int64_t matrices_;
  std::map<int, std::vector<ValueId>> members_;  // by value: its matrices
  bool fine_ = true;
};

// The numbers of matrices of the batches that the target multiplies one by one.
std::set<int64_t> sizes_of_batches(const Program& program, const Target& target) {
  std::set<int64_t> sizes;
  for (const Role& role : program.roles) {
    tile::for_each_statement(role.body, [&](const Statement& statement) {
      tile::for_each_expression(statement, [&](const TypedPtr& expr) {
        if (!expr) return;
        walk(expr, [&](const Typed& node) {
          if (!node.applies(Op::dot) || node.shape.size() < 3 || node.shape[0] > kMostMatrices) return;
          if (!tile::given_up(program, tile::ChoiceKind::blocks, node.span) && takes_matrices(program, target, node))
            sizes.insert(node.shape[0]);
        });
      });
    });
  }
  return sizes;
}

}  // namespace batches

void unroll_batches(tile::Program& program, const Target& target) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const int64_t size : batches::sizes_of_batches(program, target)) {
      std::optional<tile::Program> made = batches::UnrolledBatches(program, size).run();
      changed = changed || made;
      if (made) program = *std::move(made);
    }
  }
}

}  // namespace pallasgen
