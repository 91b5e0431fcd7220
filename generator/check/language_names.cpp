#include <algorithm>
#include <cctype>
#include <map>

#include "check/words.h"
#include "expression/typed.h"
#include "language.h"

namespace pallasgen {

namespace {

// Words of SPEC.md sections 5 and 10 that are read and refused until they have a meaning.
const std::vector<std::string> kLater = {"copy_gmem_to_smem",
                                         "copy_smem_to_gmem",
                                         "commit_group",
                                         "wait_smem_to_gmem",
                                         "wait_gmem_to_smem",
                                         "commit_smem",
                                         "barrier_arrive",
                                         "barrier_wait",
                                         "barrier_test",
                                         "wgmma",
                                         "wgmma_wait",
                                         "tcgen05_mma",
                                         "tcgen05_commit",
                                         "async_load_tmem",
                                         "wait_load_tmem",
                                         "async_store_tmem",
                                         "commit_tmem",
                                         "async_copy_smem_to_tmem",
                                         "async_copy_scales_to_tmem",
                                         "cluster_ref",
                                         "async_store_smem",
                                         "semaphore_signal",
                                         "semaphore_wait",
                                         "semaphore_read",
                                         "remote_ref",
                                         "try_cluster_cancel",
                                         "query_cluster_cancel",
                                         "planar_snake",
                                         "set_max_registers",
                                         "layout_cast",
                                         "optimization_barrier",
                                         "griddepcontrol_wait",
                                         "griddepcontrol_launch_dependents",
                                         "release"};

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

bool is_later_operation(const std::string& name) { return contains(kLater, name); }

const std::vector<std::string>& language_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> out = kLater;
    for (const LanguageWord& word : language_words()) {
      if (word.group != WordGroup::operators && word.name != "[]") out.push_back(word.name);
    }
    for (const DTypeInfo& row : dtypes()) out.emplace_back(row.name);
    return out;
  }();
  return kNames;
}

bool is_language_name(const std::string& name) { return contains(language_names(), name); }

std::string dtype_called(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  static const std::map<std::string, std::string> kWords = {
      {"float", "f32"},     {"single", "f32"},  {"double", "f64"}, {"half", "f16"},      {"int", "i32"},
      {"uint", "u32"},      {"char", "i8"},     {"byte", "u8"},    {"short", "i16"},     {"long", "i64"},
      {"bfloat16", "bf16"}, {"bool_", "bool"},  {"fp8", "f8e4m3"}, {"float8", "f8e4m3"}, {"e4m3", "f8e4m3"},
      {"e5m2", "f8e5m2"},   {"boolean", "bool"}};
  if (const auto word = kWords.find(name); word != kWords.end()) return word->second;
  // float32, fp16, uint8, s8, and float8_e4m3fn.
  std::erase(name, '_');
  for (const std::string_view end : {"fnuz", "fn"}) {
    if (name.ends_with(end)) name.erase(name.size() - end.size());
  }
  for (const auto& [stem, letter] : {std::pair{"float", "f"}, {"fp", "f"}, {"uint", "u"}, {"int", "i"}, {"s", "i"}}) {
    if (!name.starts_with(stem)) continue;
    std::string ours = letter;
    ours += std::string_view(name).substr(std::string_view(stem).size());
    if (dtype_named(ours)) return ours;
  }
  return "";
}

std::string operation_called(const std::string& name) {
  static const std::map<std::string, std::string> kWords = {{"absolute", "abs"},
                                                            {"amax", "max"},
                                                            {"amin", "min"},
                                                            {"cat", "concatenate"},
                                                            {"clip", "clamp"},
                                                            {"concat", "concatenate"},
                                                            {"dslice", "ds"},
                                                            {"expand_dims", "expand"},
                                                            {"fmax", "maximum"},
                                                            {"fmin", "minimum"},
                                                            {"matmul", "dot"},
                                                            {"negative", "neg"},
                                                            {"permute", "transpose"},
                                                            {"power", "pow"},
                                                            {"sigmoid", "logistic"},
                                                            {"swish", "silu"},
                                                            {"no", "false"},
                                                            {"off", "false"},
                                                            {"on", "true"},
                                                            {"rand", "uniform"},
                                                            {"randn", "normal"},
                                                            {"broadcasted_iota", "iota"},
                                                            {"rint", "round"},
                                                            {"expit", "logistic"},
                                                            {"swapaxes", "transpose"},
                                                            {"reduce_max", "max"},
                                                            {"reduce_min", "min"},
                                                            {"reduce_sum", "sum"},
                                                            {"reduce_prod", "prod"},
                                                            {"select", "where"},
                                                            {"stack", "concatenate"},
                                                            {"True", "true"},
                                                            {"False", "false"},
                                                            {"unsqueeze", "expand"},
                                                            {"yes", "true"}};
  if (const auto word = kWords.find(name); word != kWords.end()) return word->second;
  // CUDA's expf and fmaxf.
  if (name.size() < 4 || !name.ends_with('f')) return "";
  const std::string stem = name.substr(0, name.size() - 1);
  const auto word = kWords.find(stem);
  return operation_named(stem) ? stem : word != kWords.end() ? word->second : "";
}

std::string expression_called(const std::string& name) {
  static const std::map<std::string, std::string> kForms = {
      {"log10", "log(x) / log(10.0)"},
      {"exp10", "pow(10.0, x)"},
      {"atan", "atan2(x, 1.0)"},
      {"mod", "x % y"},
      {"remainder", "x % y, or x - y * floor(x / y) of floats"},
      {"fmod", "x - y * trunc(x / y)"},
      {"floor_divide", "x // y, or floor(x / y) of floats"},
      {"bitwise_and", "x & y"},
      {"bitwise_or", "x | y"},
      {"bitwise_xor", "x ^ y"},
      {"bitwise_not", "x ^ -1"},
      {"left_shift", "x << y"},
      {"right_shift", "x >> y"},
      {"shift_left", "x << y"},
      {"shift_right_arithmetic", "x >> y"},
      {"isinf", "abs(x) == inf"},
      {"cast", "x.astype(f32)"},
      {"convert", "x.astype(f32)"},
      {"convert_element_type", "x.astype(f32)"},
      {"one_hot", "x[:, None] == iota(i32, [n], 0)[None, :]"},
      {"erfc", "1 - erf(x)"},
      {"square", "x * x"},
      {"reciprocal", "1 / x"},
      {"hypot", "sqrt(x * x + y * y)"},
      {"sinh", "(exp(x) - exp(-x)) / 2"},
      {"cosh", "(exp(x) + exp(-x)) / 2"},
      {"var", "c = x - mean(x, axis=…, keepdims=true), and mean(c * c, axis=…)"},
      {"std", "c = x - mean(x, axis=…, keepdims=true), and sqrt(mean(c * c, axis=…))"},
      {"nansum", "sum(where(isnan(x), 0, x), axis=…)"},
      {"count_nonzero", "sum(x != 0, axis=…)"},
      {"outer", "x[:, None] * y[None, :]"}};
  const auto form = kForms.find(name);
  return form == kForms.end() ? "" : form->second;
}

std::string done_otherwise(const std::string& name) {
  static const std::string kReversed =
      "elements are taken in reverse order by an index: x[:, n - 1 - iota(i32, [n], 0)]";
  static const std::string kSorts =
      "nothing sorts: argmax(x, axis=…) finds the largest element, and where(iota(…) == place, -inf, x) leaves it out "
      "of "
      "the next search";
  static const std::string kScans = "scans are cumsum(x, axis) and cummax(x, axis); others are loops over slices";
  static const std::string kCounts = "iota(i32, [n], 0) counts from 0 along dim 0 of its shape";
  static const std::string kFilled =
      "an array of one value is made of a dtype and a shape: full(f32, [m, n], 1), zeros(f32, [m, n])";
  static const std::string kTaken = "an array of integers in an index takes these elements: x[rows, :]";
  static const std::string kMasked =
      "a triangle is a condition on places: where(iota(i32, [m, n], 0) >= iota(i32, [m, n], 1), x, 0)";
  static const std::string kOwn =
      "it is no operation: a function of `functions` may compute it, or one of a C++ header (`extern`)";
  static const std::map<std::string, std::string> kForms = {
      {"flip", kReversed},
      {"fliplr", kReversed},
      {"flipud", kReversed},
      {"rev", kReversed},
      {"sort", kSorts},
      {"argsort", kSorts},
      {"topk", kSorts},
      {"top_k", kSorts},
      {"median", kSorts},
      {"associative_scan", kScans},
      {"scan", kScans},
      {"cumprod", kScans},
      {"cummin", "cummin(x, axis) is -cummax(-x, axis)"},
      {"arange", kCounts},
      {"take", kTaken},
      {"gather", kTaken},
      {"tril", kMasked},
      {"triu", kMasked},
      {"roll", "elements are moved by an index: x[(iota(i32, [n], 0) + n - 1) % n]"},
      {"pad", "a block may hang over the end of its array; `fill` says what it has there"},
      {"ones", kFilled},
      {"ones_like", kFilled},
      {"zeros_like", kFilled},
      {"full_like", kFilled},
      {"erfinv", kOwn},
      {"lgamma", kOwn},
      {"digamma", kOwn},
      {"bessel_i0", kOwn}};
  const auto form = kForms.find(name);
  return form == kForms.end() ? "" : form->second;
}

std::string_view language_kind(const std::string& name) {
  if (dtype_named(name)) return "a dtype";
  return operation_named(name) || is_later_operation(name) || library_function(name) ? "an operation" : "a word";
}

}  // namespace pallasgen
