#include "tile/choices.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "diagnostics/assert.h"
#include "tile/program.h"

namespace pallasgen::tile {

namespace {

constexpr ChoiceRow kRows[] = {
    // in the order of ChoiceKind
    {ChoiceKind::instructions, "instructions", "the instructions", ChoiceSubject::dot},
    {ChoiceKind::blocks, "blocks", "blocks in registers", ChoiceSubject::dot},
    {ChoiceKind::register_operand, "register_operand", "operand a in registers", ChoiceSubject::dot},
    {ChoiceKind::staging, "staging", "staged stores", ChoiceSubject::array},
    {ChoiceKind::storer, "storer", "a storer", ChoiceSubject::array},
    {ChoiceKind::copies, "copies", "copies by the producer", ChoiceSubject::array},
    {ChoiceKind::cluster, "cluster", "a cluster for each tile", ChoiceSubject::kernel},
    {ChoiceKind::memory, "memory", "all of shared memory for channels and tiles", ChoiceSubject::kernel},
};

}  // namespace

std::span<const ChoiceRow> choice_rows() { return kRows; }

const ChoiceRow& row_of(ChoiceKind kind) {
  const ChoiceRow& row = kRows[static_cast<size_t>(kind)];
  PALLASGEN_ASSERT(row.kind == kind, Span());
  return row;
}

const Choice* find_choice(const Choices& choices, ChoiceKind kind, Span dot, int ref) {
  const auto found = std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) {
    return choice.kind == kind && choice.ref == ref && choice.dot.begins_as(dot);
  });
  return found == choices.end() ? nullptr : &*found;
}

const Choice* given_up(const Program& program, ChoiceKind kind, Span dot) {
  return find_choice(program.choices, kind, dot, -1);
}
const Choice* given_up(const Program& program, ChoiceKind kind, const Dot& dot) {
  return given_up(program, kind, dot.product->span);
}
const Choice* given_up(const Program& program, ChoiceKind kind, int ref) {
  return find_choice(program.choices, kind, {}, ref);
}
const Choice* given_up(const Program& program, ChoiceKind kind) { return find_choice(program.choices, kind, {}, -1); }

Choices all_given_up(const Program& program, ChoiceKind kind) {
  Choices found;
  std::copy_if(program.choices.begin(), program.choices.end(), std::back_inserter(found),
               [&](const Choice& choice) { return choice.kind == kind; });
  return found;
}

Choice choice_of(ChoiceKind kind, const Dot& dot, std::string why) {
  Choice choice{kind, dot.product->span};
  choice.why = std::move(why);
  choice.dtype = dot.product->as<Apply>()->args[0]->dtype;
  return choice;
}

void give_up(Program& program, Choice choice) {
  if (!find_choice(program.choices, choice.kind, choice.dot, choice.ref)) program.choices.push_back(std::move(choice));
}

bool retry_with(Program& program, Choice choice) {
  const bool known = find_choice(program.choices, choice.kind, choice.dot, choice.ref) ||
                     find_choice(program.retry, choice.kind, choice.dot, choice.ref);
  if (!known) program.retry.push_back(std::move(choice));
  return !known;
}

}  // namespace pallasgen::tile
