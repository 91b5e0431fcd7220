#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "expressions/calls.h"
#include "expressions/evaluate.h"
#include "expressions/operators.h"

namespace pallasgen {

namespace {

// One operand, or the product of several, with a letter for each axis.
struct Term {
  TypedPtr value;
  std::string letters;
};

bool has(const std::string& letters, char letter) { return letters.find(letter) != std::string::npos; }

TypedPtr reshaped(const TypedPtr& value, Shape shape, Span span) {
  return make_typed(span, value->dtype, std::move(shape), Apply{Op::reshape, {value}, {}});
}

}  // namespace

// einsum("ij,jk->ik", a, b) sums over letters that the result lacks. It combines two operands at a time in a dot whose
// batch, rows, columns and contraction are groups of letters.
TypedPtr einsum_call(TypingContext& in, const CallExpr& node, Span span, const std::string&) {
  if (!in.context.extents) {
    in.error(kNameKind, span, "einsum is for the reference; a body says how its blocks are multiplied")
        .note("write dot(a, b), sum(…) and transposes");
    return nullptr;
  }
  const Value first = node.args.empty() ? Value{Nothing{}, span} : evaluate(in, node.args[0]);
  const Text* text = first.as<Text>();
  const size_t arrow = text ? text->value.find("->") : std::string::npos;
  if (!text || arrow == std::string::npos || !node.keywords.empty())
    return in.fail(kArguments, span, "einsum takes a text and its operands: einsum(\"ij,jk->ik\", a, b)");
  std::string formula = text->value.substr(0, arrow), result = text->value.substr(arrow + 2);
  std::erase(formula, ' ');
  std::erase(result, ' ');
  std::vector<Term> terms;
  std::map<char, int64_t> extents;
  for (size_t at = 0, i = 1; at <= formula.size(); ++i) {
    const size_t comma = std::min(formula.find(',', at), formula.size());
    const std::string letters = formula.substr(at, comma - at);
    at = comma + 1;
    const TypedPtr operand = i < node.args.size() ? settled(in, value_of(in, node.args[i]), "an operand") : nullptr;
    if (i >= node.args.size()) return in.fail(kArguments, span, "einsum has no operand for '{}'", letters);
    if (!operand) return nullptr;
    if (letters.size() != operand->shape.size()) {
      return in.fail(kShapeMismatch, node.args[i]->span, "'{}' names {} axes, and the operand is {}", letters,
                     letters.size(), describe(operand));
    }
    for (size_t axis = 0; axis < letters.size(); ++axis) {
      const auto [known, added] = extents.emplace(letters[axis], operand->shape[axis]);
      if ((!added && known->second != operand->shape[axis]) || letters.find(letters[axis], axis + 1) < letters.size()) {
        return in.fail(kShapeMismatch, node.args[i]->span, "axis '{}' is {} and {}, or stands twice in '{}'",
                       letters[axis], known->second, operand->shape[axis], letters);
      }
    }
    terms.push_back({operand, letters});
  }
  if (terms.size() + 1 != node.args.size())
    return in.fail(kArguments, span, "einsum has more operands than its text names");
  for (char letter : result) {
    if (!extents.count(letter) || std::count(result.begin(), result.end(), letter) > 1)
      return in.fail(kShapeMismatch, span, "'{}' of the result is no axis, or stands twice", letter);
  }
  // Letters that only one operand has are summed there first.
  const auto sum_alone = [&](Term& term, const std::string& others) {
    Axes axes;
    std::string kept;
    for (size_t axis = 0; axis < term.letters.size(); ++axis) {
      if (has(result, term.letters[axis]) || has(others, term.letters[axis])) {
        kept += term.letters[axis];
      } else {
        axes.push_back(static_cast<int64_t>(axis));
      }
    }
    if (!axes.empty()) term = {reduce_axes(in, span, Op::sum, term.value, axes, false), kept};
    return term.value != nullptr;
  };
  Term left = terms[0];
  for (size_t i = 1; i < terms.size(); ++i) {
    std::string later;
    for (size_t j = i + 1; j < terms.size(); ++j) later += terms[j].letters;
    Term right = terms[i];
    if (!sum_alone(left, right.letters + later) || !sum_alone(right, left.letters + later)) return nullptr;
    std::string batch, rows, columns, inner;
    for (char letter : left.letters) {
      const bool kept = has(result, letter) || has(later, letter);
      (!has(right.letters, letter) ? rows : kept ? batch : inner) += letter;
    }
    for (char letter : right.letters) {
      if (!has(left.letters, letter)) columns += letter;
    }
    const auto size = [&](const std::string& letters) {
      int64_t out = 1;
      for (char letter : letters) out *= extents[letter];
      return out;
    };
    const auto matrix = [&](const Term& term, const std::string& front, const std::string& back) {
      Axes order;
      for (char letter : batch + front + back) order.push_back(static_cast<int64_t>(term.letters.find(letter)));
      return reshaped(permuted(term.value, order, span), {size(batch), size(front), size(back)}, span);
    };
    const TypedPtr product = dot(in, span, matrix(left, rows, inner), matrix(right, inner, columns), {}, std::nullopt);
    if (!product) return nullptr;
    Shape shape;
    for (char letter : batch + rows + columns) shape.push_back(extents[letter]);
    left = {reshaped(product, std::move(shape), span), batch + rows + columns};
  }
  if (!sum_alone(left, "")) return nullptr;
  Axes order;
  for (char letter : result) order.push_back(static_cast<int64_t>(left.letters.find(letter)));
  return permuted(left.value, order, span);
}

}  // namespace pallasgen
