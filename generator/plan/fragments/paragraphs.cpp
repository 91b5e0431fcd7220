#include "fragments/paragraphs.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pallasgen {

using program::DeclareFragment, program::Elementwise, program::ReduceFragment, program::Statements;

namespace {

// One draw serves four elements; compilers find this out only in a loop without branches.
bool draws_random_bits(const Elementwise& loop) {
  return loop.statements.back().value->applies(Op::random_bits) != nullptr;
}

}  // namespace

Statements in_paragraphs(const Plan& plan, Statements statements, bool rows) {
  const auto type_of = [&](const Elementwise& loop) -> const std::string& {
    return plan.fragments[static_cast<size_t>(loop.layout_of)].layout_text;
  };
  Statements out;
  for (program::Statement& statement : statements) {
    Elementwise* next = std::get_if<Elementwise>(&statement.node);
    size_t last = out.size();
    while (last > 0 && std::holds_alternative<DeclareFragment>(out[last - 1].node)) --last;
    Elementwise* shared = last > 0 ? std::get_if<Elementwise>(&out[last - 1].node) : nullptr;
    const bool joins = next && shared && !draws_random_bits(*shared) && (!rows || next->statements[0].quoted.empty());
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

}  // namespace pallasgen
