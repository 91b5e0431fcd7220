#include "expression/constant_text.h"

#include <fmt/format.h>

#include <cctype>
#include <limits>

namespace pallasgen {

namespace {

// Most characters of the operands' names; a longer text is not clearer than its number.
constexpr size_t kLongestName = 60;

bool is_int(int64_t value) {
  return value >= -std::numeric_limits<int32_t>::max() && value <= std::numeric_limits<int32_t>::max();
}

std::string text_of(const Constant& constant) {
  return constant.name.empty() ? std::to_string(std::get<int64_t>(constant.value)) : constant.name;
}

std::string at_level(const std::string& text, NameLevel least) {
  return level_of_name(text) < least ? "(" + text + ")" : text;
}

bool is_in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

std::string computed_name(Op op, const std::vector<TypedPtr>& args) {
  if (op != Op::add && op != Op::subtract && op != Op::multiply && op != Op::negate) return {};
  std::vector<std::string> texts;
  std::vector<Scalar> values;
  bool named = false;
  size_t length = 0;
  for (const TypedPtr& arg : args) {
    const Constant* constant = arg->as<Constant>();
    const int64_t* value = constant ? std::get_if<int64_t>(&constant->value) : nullptr;
    if (arg->dtype != DType::index || !value || !is_int(*value)) return {};
    named = named || !constant->name.empty();
    length += constant->name.size();
    texts.push_back(text_of(*constant));
    values.push_back(*value);
  }
  if (!named || length > kLongestName) return {};
  const std::optional<Scalar> result = fold(op, DType::index, values);
  const int64_t* number = result ? std::get_if<int64_t>(&*result) : nullptr;
  if (!number || *number == 0 || !is_int(*number)) return {};
  // An operand that does not change the result is left out.
  const Scalar unit = int64_t{op == Op::multiply};
  if (op != Op::negate && values[1] == unit) return args[0]->as<Constant>()->name;
  if ((op == Op::add || op == Op::multiply) && values[0] == unit) return args[1]->as<Constant>()->name;
  switch (op) {
    case Op::add:
      return fmt::format("{} + {}", texts[0], at_level(texts[1], NameLevel::product));
    case Op::subtract:
      return fmt::format("{} - {}", texts[0], at_level(texts[1], NameLevel::product));
    case Op::multiply:
      return fmt::format("{} * {}", at_level(texts[0], NameLevel::product), at_level(texts[1], NameLevel::sign));
    case Op::negate:
      return "-" + at_level(texts[0], NameLevel::atom);
    default:
      return {};
  }
}

NameLevel level_of_name(std::string_view text) {
  int depth = 0;
  NameLevel level = text.starts_with('-') ? NameLevel::sign : NameLevel::atom;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (depth > 0 || i == 0 || text[i - 1] != ' ') continue;
    if (text[i] == '+' || text[i] == '-') return NameLevel::sum;
    if (text[i] == '*' || text[i] == '/' || text[i] == '%') level = NameLevel::product;
  }
  return level;
}

bool is_const(const Constant& constant) {
  return !constant.name.empty() && level_of_name(constant.name) == NameLevel::atom;
}

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  with_names(text, [&](const std::string& name) { return names.emplace_back(name); });
  return names;
}

std::string with_names(std::string_view text, const std::function<std::string(const std::string&)>& other) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_in_name(text[end])) ++end;
    const std::string word(text.substr(at, end - at));
    if (word.empty())
      out += text[end++];
    else
      out += std::isdigit(static_cast<unsigned char>(word[0])) ? word : other(word);
    at = end;
  }
  return out;
}

}  // namespace pallasgen
