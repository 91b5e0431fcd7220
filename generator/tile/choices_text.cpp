#include "choices_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "tile/text.h"

namespace pallasgen::tile {

namespace {

constexpr std::string_view kWithout = "without ";

// The number of the dot at this place among those that choices are for, from 1 on; 0: no choice is for it.
int64_t number_of(const Choices& choices, const Span& dot) {
  int64_t number = 0;
  for (auto choice = choices.begin(); choice != choices.end(); ++choice) {
    const bool again = std::any_of(choices.begin(), choice, [&](const Choice& other) {
      return row_of(other.kind).subject == ChoiceSubject::dot && other.dot.begins_as(choice->dot);
    });
    if (row_of(choice->kind).subject != ChoiceSubject::dot || again) continue;
    ++number;
    if (choice->dot.begins_as(dot)) return number;
  }
  return 0;
}

std::string subject_text(const Program& program, const Choice& choice) {
  switch (row_of(choice.kind).subject) {
    case ChoiceSubject::dot:
      return fmt::format(" {}", number_of(program.choices, choice.dot));
    case ChoiceSubject::array:
      return " " + program.ref(choice.ref).name;
    case ChoiceSubject::kernel:
      return choice.bytes > 0 ? fmt::format(" {}", choice.bytes) : "";
  }
  return "";
}

}  // namespace

std::string choice_text(const Program& program, const Choice& choice) {
  return fmt::format("{}{}{}", kWithout, row_of(choice.kind).word, subject_text(program, choice));
}

std::string choices_text(const Program& program) {
  std::string out;
  for (const Choice& choice : program.choices)
    out += fmt::format("  {}  # {}\n", choice_text(program, choice), choice.why);
  return out;
}

std::string numbers_text(const Program& program, const TypedPtr& expr) {
  if (!expr || program.choices.empty()) return "";
  std::string out;
  bool any = false;
  walk(expr, [&](const Typed& node) {
    if (!node.applies(Op::dot)) return;
    const int64_t number = number_of(program.choices, node.span);
    any = any || number > 0;
    out += fmt::format(" {}", number);
  });
  return any ? "choices" + out : "";
}

void ChoiceReader::read(const Line& line) {
  const std::vector<Piece> words = split(line.text.part(kWithout.size()), " ");
  const auto rows = choice_rows();
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const ChoiceRow& each) { return !words.empty() && each.word == words[0].text; });
  const bool named = words.size() > 1;
  if (row == rows.end() || (row->subject != ChoiceSubject::kernel && !named) || line.origin.empty())
    return phrases_.refuse(line.text.span,
                           "a choice is `without` and what is given up, of which dot or array, `#` and why");
  Choice choice{.kind = row->kind, .why = std::string(line.origin)};
  if (row->subject == ChoiceSubject::array) choice.ref = phrases_.ref_named(words[1]);
  if (row->subject == ChoiceSubject::kernel && named) choice.bytes = phrases_.number(words[1]).value_or(0);
  if (row->subject == ChoiceSubject::dot)
    choice.dot = dots_.try_emplace(phrases_.number(words[1]).value_or(0), line.text.span).first->second;
  give_up(program_, std::move(choice));
}

TypedPtr ChoiceReader::numbered(const TypedPtr& expr, const std::vector<Piece>& attributes) const {
  std::vector<Span> places;  // of the dots, in their order
  for (const Piece& attribute : attributes) {
    if (!attribute.starts("choices ")) continue;
    for (const Piece& word : split(attribute.part(8), " ")) {
      const auto found = dots_.find(phrases_.number(word).value_or(0));
      places.push_back(found == dots_.end() ? Span{} : found->second);
    }
  }
  if (!expr || places.empty()) return expr;
  std::map<const Typed*, Span> place_of;
  walk(expr, [&](const Typed& node) {
    if (node.applies(Op::dot) && place_of.size() < places.size()) place_of.emplace(&node, places[place_of.size()]);
  });
  const std::function<TypedPtr(const TypedPtr&)> placed = [&](const TypedPtr& node) -> TypedPtr {
    const Apply* dot = node->applies(Op::dot);
    const auto found = place_of.find(node.get());
    if (!dot || found == place_of.end()) return nullptr;
    Apply inner = *dot;
    for (TypedPtr& operand : inner.args) operand = rewrite(operand, placed);
    return make_typed(found->second.source ? found->second : node->span, node->dtype, node->shape, std::move(inner));
  };
  return rewrite(expr, placed);
}

}  // namespace pallasgen::tile
