#include "check/words.h"

#include <algorithm>
#include <map>

#include "diagnostics/assert.h"
#include "names/language.h"

namespace pallasgen {

namespace {

struct Row {
  std::string_view name;
  WordGroup group;
  Operands takes;
  std::string_view signature, meaning;
};

// The words that the table of operations does not have.
constexpr Row kRows[] = {
    {"neg", WordGroup::elementwise, Operands::numbers, "neg(x)", "the negative, -x"},
    {"pow", WordGroup::elementwise, Operands::numbers, "pow(x, y)", "x to the power y, x ** y"},
    {"quantize", WordGroup::elementwise, Operands::floats, "quantize(x, dtype, scale)",
     "x / scale as the nearest value of an integer, f8 or f4 dtype, saturated"},
    {"dequantize", WordGroup::elementwise, Operands::numbers, "dequantize(x, scale, dtype=)",
     "x * scale in the dtype of the scale, or in `dtype`"},
    {"grad", WordGroup::elementwise, Operands::none, "grad(f, argnum=)",
     "the derivative of a function by its first parameter, or by another: grad(f)(x)"},
    {"zeros", WordGroup::shapes, Operands::none, "zeros(dtype, shape)", "0 everywhere"},
    {"softmax", WordGroup::reductions, Operands::floats, "softmax(x, axis=)",
     "exp(x) over its sum along one axis, the last if none is given"},
    {"logsumexp", WordGroup::reductions, Operands::floats, "logsumexp(x, axis=, keepdims=)",
     "log(sum(exp(x))) without overflow"},
    {"einsum", WordGroup::products, Operands::factors, "einsum(\"ij,jk->ik\", a, b)",
     "sums of products over the letters that the result has not; in `reference` alone"},
    {"uniform", WordGroup::random, Operands::none, "uniform(key, counter, shape, dtype=)",
     "random numbers in [0, 1), f32 or what `dtype` says"},
    {"normal", WordGroup::random, Operands::none, "normal(key, counter, shape, dtype=)",
     "random numbers of mean 0 and variance 1, f32 or what `dtype` says"},
    {"load", WordGroup::memory, Operands::none, "load(ref, index=, mask=, other=, order=)",
     "elements of a ref where the mask holds, `other` elsewhere"},
    {"ds", WordGroup::memory, Operands::none, "ds(start, size)",
     "in an index: so many elements from a start known at run time"},
    {"store", WordGroup::memory, Operands::none, "store(ref, index, value, mask=, order=)",
     "a statement: writes elements where the mask holds"},
    {"atomic_add", WordGroup::memory, Operands::numbers, "atomic_add(ref, index, value, mask=, order=, scope=)",
     "a statement: adds to each element at once; old = atomic_add(…) names what was there"},
    {"atomic_max", WordGroup::memory, Operands::numbers, "atomic_max(ref, index, value, mask=, order=, scope=)",
     "a statement: the larger of each element and the value"},
    {"atomic_min", WordGroup::memory, Operands::numbers, "atomic_min(ref, index, value, mask=, order=, scope=)",
     "a statement: the smaller of each element and the value"},
    {"atomic_and", WordGroup::memory, Operands::integers, "atomic_and(ref, index, value, mask=, order=, scope=)",
     "a statement: bits that both have"},
    {"atomic_or", WordGroup::memory, Operands::integers, "atomic_or(ref, index, value, mask=, order=, scope=)",
     "a statement: bits that one of them has"},
    {"atomic_xor", WordGroup::memory, Operands::integers, "atomic_xor(ref, index, value, mask=, order=, scope=)",
     "a statement: bits that just one of them has"},
    {"atomic_xchg", WordGroup::memory, Operands::numbers, "atomic_xchg(ref, index, value, mask=, order=, scope=)",
     "a statement: puts the value there"},
    {"atomic_cas", WordGroup::memory, Operands::numbers,
     "atomic_cas(ref, index, compare, value, mask=, order=, scope=)",
     "a statement: puts the value where the element is `compare`, bit by bit"},
    {"grid_sync", WordGroup::memory, Operands::none, "grid_sync()",
     "a statement: waits until all programs have come; needs schedule: {cooperative: true}"},
    {"program_id", WordGroup::grid, Operands::none, "program_id(axis)",
     "the place of the program along an axis; the axis' name is the same"},
    {"num_programs", WordGroup::grid, Operands::none, "num_programs(axis)", "the size of an axis"},
    {"axis_size", WordGroup::grid, Operands::none, "axis_size(axis)", "the size of an axis"},
    {"axis_index", WordGroup::grid, Operands::none, "axis_index(names)",
     "the place of the program along several axes, counted as if they were one: axis_index([m, n])"},
    {"ticket", WordGroup::grid, Operands::none, "ticket()",
     "the place of the program in the order in which programs start"},
    {"num_sms", WordGroup::grid, Operands::none, "num_sms", "how many SMs the device has"},
    {"inf", WordGroup::values, Operands::none, "inf", "infinity"},
    {"nan", WordGroup::values, Operands::none, "nan", "not a number"},
    {"pi", WordGroup::values, Operands::none, "pi", "3.14159…"},
    {"log2e", WordGroup::values, Operands::none, "log2e", "the logarithm of e to base 2"},
    {"ln2", WordGroup::values, Operands::none, "ln2", "the natural logarithm of 2"},
    {"true", WordGroup::values, Operands::none, "true", "of dtype bool"},
    {"false", WordGroup::values, Operands::none, "false", "of dtype bool"},
    {"None", WordGroup::values, Operands::none, "None", "in an index: a new axis of size 1"},
    {"squeezed", WordGroup::blocks, Operands::none, "squeezed", "one element of the dim, which the ref has not"},
    {"element", WordGroup::blocks, Operands::none, "element(n, lo=, hi=)",
     "n elements from the element that the index map gives, in an array padded by lo and hi"},
    {"bounded_slice", WordGroup::blocks, Operands::none, "bounded_slice(n)",
     "at most n elements, of which the index map gives the first and how many: ds(start, size)"},
    {"if", WordGroup::grammar, Operands::none, "", ""},
    {"else", WordGroup::grammar, Operands::none, "", ""},
    {"in", WordGroup::grammar, Operands::none, "", ""},
    {"is", WordGroup::grammar, Operands::none, "", ""},
    {"lambda", WordGroup::grammar, Operands::none, "", ""},
    {"and", WordGroup::grammar, Operands::none, "", ""},
    {"or", WordGroup::grammar, Operands::none, "", ""},
    {"not", WordGroup::grammar, Operands::none, "", ""},
};

WordGroup group_of(const Operation& row) {
  switch (row.group) {
    case OpGroup::elementwise:
    case OpGroup::cast:
      return operation_named(row.name) ? WordGroup::elementwise : WordGroup::operators;
    case OpGroup::shape:
      return row.name == "[]" ? WordGroup::memory : WordGroup::shapes;
    case OpGroup::reduce:
      return WordGroup::reductions;
    case OpGroup::matrix:
      return WordGroup::products;
    case OpGroup::random:
      return WordGroup::random;
    case OpGroup::mask:
    case OpGroup::scalars:
      return WordGroup::memory;
  }
  return WordGroup::grammar;
}

Parameters parameters_in(std::string_view signature) {
  const size_t open = signature.find('('), close = signature.rfind(')');
  PALLASGEN_ASSERT(open != std::string_view::npos && close != std::string_view::npos);
  Parameters out;
  for (std::string_view rest = signature.substr(open + 1, close - open - 1); !rest.empty();) {
    const size_t end = std::min(rest.find(", "), rest.size());
    const std::string_view name = rest.substr(0, end);
    const bool optional = name.ends_with('=');
    out.names.push_back(name.substr(0, name.size() - (optional ? 1 : 0)));
    if (!optional) out.required = out.names.size();
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  return out;
}

}  // namespace

std::string_view name_of(WordGroup group) {
  static constexpr std::string_view kNames[] = {
      "operators",      "elementwise operations", "functions written in the language itself",
      "shapes",         "reductions and scans",   "products",
      "random numbers", "refs and memory",        "the grid",
      "values",         "entries of `block`",     "words of the grammar"};
  return kNames[static_cast<size_t>(group)];
}

const std::vector<LanguageWord>& language_words() {
  static const std::vector<LanguageWord> kWords = [] {
    std::vector<LanguageWord> words;
    for (const Operation& row : operations())
      words.push_back(
          {std::string(row.name), group_of(row), row.takes, std::string(row.signature), std::string(row.meaning)});
    for (const std::string& name : library_names()) {
      const FunctionSpec& function = *library_function(name);
      words.push_back({name, WordGroup::library, taken_by_library(name), name + "(x)", to_string(*function.body)});
    }
    for (const Row& row : kRows)
      words.push_back(
          {std::string(row.name), row.group, row.takes, std::string(row.signature), std::string(row.meaning)});
    std::stable_sort(words.begin(), words.end(),
                     [](const LanguageWord& a, const LanguageWord& b) { return a.group < b.group; });
    return words;
  }();
  return kWords;
}

const Parameters& parameters_of(std::string_view function) {
  static const std::map<std::string_view, Parameters> kParameters = [] {
    std::map<std::string_view, Parameters> out;
    const auto add = [&](std::string_view name, std::string_view signature) {
      if (signature.starts_with(name) && signature.ends_with(')')) out.emplace(name, parameters_in(signature));
    };
    for (const Operation& row : operations()) add(row.name, row.signature);
    for (const Row& row : kRows) add(row.name, row.signature);
    return out;
  }();
  const auto found = kParameters.find(function);
  PALLASGEN_ASSERT(found != kParameters.end());
  return found->second;
}

}  // namespace pallasgen
