#include "registers/statement_words.h"

#include <algorithm>

#include "layout/layout.h"
#include "proofs/element_site.h"
#include "proofs/reductions.h"
#include "questions/uses.h"
#include "registers/value_words.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

constexpr int64_t kGlobalAddress = 2;  // words

// Returns how many neighbours of a row a thread has in consecutive registers.
int64_t consecutive_elements(const ValueLayout& layout) {
  const auto column = [&](int64_t reg) {
    const auto element = element_of(layout, 0, static_cast<int>(reg));
    return element && !element->empty() ? element->back() : -1;
  };
  int64_t run = 1;
  while (run < registers_per_thread(layout) && column(run) == column(0) + run) ++run;
  return run;
}

// A search holds an operand that is an expression: it reduces the operand, and then compares it with the result.
int64_t words_of_searches(const tile::Program& program, const tile::Role& role, const TypedPtr& expr) {
  int64_t words = 0;
  walk(expr, [&](const Typed& node) {
    const Apply* apply = node.as<Apply>();
    if (!apply || !is_position(apply->op) || apply->args[0]->as<LocalUse>()) return;
    const TypedPtr& operand = apply->args[0];
    words += elements_in_registers(program, role, operand) * words_of_element(operand->dtype);
  });
  return words;
}

bool scans(const tile::Statement& statement) {
  bool found = false;
  tile::for_each_expression(statement, [&](const TypedPtr& expr) {
    walk(expr, [&](const Typed& node) {
      const Apply* apply = node.as<Apply>();
      found = found || (apply && is_scan(apply->op));
    });
  });
  return found;
}

// Returns the words for sums of a thread's runs in two scans: compilers interleave the shuffles of several scans.
int64_t words_of_scans(const tile::Program& program, const tile::Role& role, const tile::Assign& assign) {
  int64_t statements = 0, words = 0;
  for_each_statement(role.body, [&](const tile::Statement& statement) { statements += scans(statement) ? 1 : 0; });
  walk(assign.expr, [&](const Typed& node) {
    const Apply* apply = node.as<Apply>();
    if (!apply || !is_scan(apply->op)) return;
    const auto* use = apply->args[0]->as<LocalUse>();
    const auto& layout = use ? program.value({use->id}).layout : nullptr;
    const int64_t runs =
        elements_in_registers(program, role, apply->args[0]) / (layout ? consecutive_elements(*layout) : 1);
    words += 2 * runs * words_of_element(node.dtype);
  });
  return statements > 1 ? words : 0;
}

// A byte that is combined with one in memory takes a register, and the word around that one an address. Bytes that
// move across columns arrive one by one, and are packed once the others arrive.
int64_t words_of_bytes(const tile::Program& program, const tile::Role& role, const tile::Statement& statement) {
  constexpr int64_t kByteBits = 8;
  const auto is_of_bytes = [&](tile::ValueId id) {
    const DType dtype = program.value(id).dtype;
    return program.value(id).layout && (info(dtype).bits == kByteBits || dtype == DType::boolean);
  };
  // Returns the registers that a value's elements take in addition if they are not packed.
  const auto apart = [&](tile::ValueId id) {
    const tile::Value& value = program.value(id);
    const int64_t elements = registers_per_thread(*value.layout);
    return value.dtype == DType::boolean ? 0 : elements - pallasgen::words_of(program, role, id);
  };
  const auto* write = statement.as<tile::Write>();
  if (write && program.ref(write->box.ref).reduce && is_of_bytes(write->value))
    return apart(write->value) + kGlobalAddress * registers_per_thread(*program.value(write->value).layout);
  const auto* assign = statement.as<tile::Assign>();
  const auto* moved = assign && assign->expr ? assign->expr->as<LocalUse>() : nullptr;
  const bool across = moved && program.value({moved->id}).layout && is_of_bytes(assign->value) &&
                      consecutive_elements(*program.value(assign->value).layout) == 1;
  return across ? apart(assign->value) / 2 : 0;
}

// Returns the words for places of elements in a loop over elements, one for each array and tile in each iteration, and
// for values of coordinates alone. Compilers unroll four iterations, and three for the remainder, as the start depends
// on the thread. Along one dim iterations are a constant apart and share places.
int64_t places_of(const tile::Program& program, const tile::Role& role, const tile::Statement& statement) {
  constexpr int64_t kTurnsUnrolled = 7;
  int64_t elements = 1, places = 0;
  size_t dims = 0;
  const auto along = [&](const Shape& shape) {
    elements = std::max(elements, elements_of(shape));
    dims = std::max(dims, shape.size());
  };
  const auto box = [&](const tile::Box& of) {
    Shape shape;
    for (const tile::BoxDim& dim : of.dims) {
      if (dim.size) shape.push_back(*dim.size);
    }
    along(shape);
    places += 2;  // in the array, and in the tile
  };
  tile::for_each_expression(statement, [&](const TypedPtr& expr) {
    walk(expr, [&](const Typed& node) {
      const Apply* apply = node.as<Apply>();
      const bool runs = apply && is_scan(apply->op);  // a thread has lines, whose elements are a constant apart
      if (apply && !runs) along(node.shape);
      if (apply && operation(apply->op).group == OpGroup::reduce && !runs) along(apply->args[0]->shape);
      const auto* use = node.as<LocalUse>();
      const bool reads = node.as<RefRead>() || (use && program.value({use->id}).home == tile::Home::shared);
      places += reads || (apply && apply->op == Op::iota) ? 1 : 0;
    });
  });
  if (const auto* read = statement.as<tile::Read>()) box(read->box);
  if (const auto* fetch = statement.as<tile::Fetch>()) box(fetch->box);
  if (const auto* flush = statement.as<tile::Flush>()) box(flush->box);
  const auto* assign = statement.as<tile::Assign>();
  places += assign && assign->expr && program.value(assign->value).home == tile::Home::shared ? 1 : 0;
  if (dims <= 1) return places;
  const int64_t threads = std::max<int64_t>(1, role.threads()), turns = (elements + threads - 1) / threads;
  return places * (turns > 1 ? kTurnsUnrolled : 1);
}

// Returns the words for places in loops over elements inside the statement, and for counters of loops around them.
int64_t words_of_places(const tile::Program& program, const tile::Role& role, const tile::Statement& statement) {
  constexpr int64_t kWordsOfLoop = 2;  // its variable and its end
  int64_t words = 0;
  for (const tile::Block* block : tile::blocks_of(statement)) {
    for (const tile::Statement& inner : *block) {
      if (goes_by_elements(program, inner)) words += places_of(program, role, inner);
      words += words_of_places(program, role, inner);
    }
  }
  const bool steps = statement.as<tile::For>() || statement.as<tile::While>();
  return words + (steps && words > 0 ? kWordsOfLoop : 0);
}

}  // namespace

StatementWords::StatementWords(const tile::Program& program, const tile::Role& role, const tile::Block& body)
    : program_(program), role_(role), invariants_(program, role, body) {
  note(body, 0, 0);
}

void StatementWords::note(const tile::Block& block, int64_t places, int64_t invariants) {
  for (const tile::Statement& statement : block) {
    const bool repeats = tile::repeats(statement);
    const int64_t reached = repeats && places == 0 ? words_of_places(program_, role_, statement) : places;
    const int64_t held = invariants + (repeats ? invariants_.words(statement) : 0);
    around_[&statement] = reached + held;
    for (const tile::Block* inner : tile::blocks_of(statement)) note(*inner, reached, held);
  }
}

int64_t StatementWords::operator()(const tile::Statement& statement) const {
  const int64_t words = around_.at(&statement) + words_of_bytes(program_, role_, statement);
  const auto* assign = statement.as<tile::Assign>();
  if (!assign || !assign->expr) return words;
  return words + words_of_searches(program_, role_, assign->expr) + words_of_scans(program_, role_, *assign);
}

}  // namespace pallasgen
