// Names of NumPy, JAX, PyTorch, Triton and CUDA for things that the language names otherwise or does in another way.
// The message about a call of such a name says what to write.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>

#include "expression/typed.h"
#include "names/language.h"

namespace pallasgen {

std::string dtype_called(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  static const std::map<std::string, std::string> kWords = {
      {"float", "f32"},     {"single", "f32"},  {"double", "f64"}, {"half", "f16"},      {"int", "i32"},
      {"uint", "u32"},      {"char", "i8"},     {"byte", "u8"},    {"short", "i16"},     {"long", "i64"},
      {"bfloat16", "bf16"}, {"bool_", "bool"},  {"fp8", "f8e4m3"}, {"float8", "f8e4m3"}, {"e4m3", "f8e4m3"},
      {"e5m2", "f8e5m2"},   {"boolean", "bool"}};
  if (const auto word = kWords.find(name); word != kWords.end()) return word->second;
  // Handles forms such as float32, fp16, uint8, s8 and float8_e4m3fn.
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
  static const std::map<std::string, std::string> kWords = {
      {"absolute", "abs"},
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
      {"yes", "true"},
      {"arctan2", "atan2"},
      {"bmm", "dot"},
      {"mm", "dot"},
      {"dot_general", "dot"},
      {"inner", "dot"},
      {"cumulative_sum", "cumsum"},
      {"ceildiv", "cdiv"},
      {"ceil_div", "cdiv"},
      {"popc", "popcount"},
      {"population_count", "popcount"},
      {"trans", "transpose"},
      {"moveaxis", "transpose"},
      {"sgn", "sign"},
      {"signum", "sign"},
      {"hstack", "concatenate"},
      {"vstack", "concatenate"},
      {"column_stack", "concatenate"},
      {"broadcast", "broadcast_to"},
      {"ravel", "reshape"},
      {"flatten", "reshape"},
      {"view", "reshape"},
      {"bitcast_convert_type", "bitcast"},
      {"atomicAdd", "atomic_add"},
      {"atomicMax", "atomic_max"},
      {"atomicMin", "atomic_min"},
      {"atomicAnd", "atomic_and"},
      {"atomicOr", "atomic_or"},
      {"atomicXor", "atomic_xor"},
      {"atomicExch", "atomic_xchg"},
      {"atomicCAS", "atomic_cas"},
      {"fix", "trunc"},
      {"gelu_new", "gelu_tanh"},
  };
  if (const auto word = kWords.find(name); word != kWords.end()) return word->second;
  // Handles CUDA's names for floats, such as expf and fmaxf.
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
      {"outer", "x[:, None] * y[None, :]"},
      {"asin", "atan2(x, sqrt(1 - x * x))"},
      {"arcsin", "atan2(x, sqrt(1 - x * x))"},
      {"acos", "atan2(sqrt(1 - x * x), x)"},
      {"arccos", "atan2(sqrt(1 - x * x), x)"},
      {"arctan", "atan2(x, 1.0)"},
      {"asinh", "sign(x) * log(abs(x) + sqrt(x * x + 1))"},
      {"acosh", "log(x + sqrt(x * x - 1))"},
      {"atanh", "0.5 * (log1p(x) - log1p(-x))"},
      {"cbrt", "sign(x) * pow(abs(x), 1 / 3.0)"},
      {"sinc", "where(x == 0, 1, sin(pi * x) / (pi * x))"},
      {"logaddexp", "maximum(x, y) + log1p(exp(-abs(x - y)))"},
      {"logit", "log(x) - log1p(-x)"},
      {"log_sigmoid", "-softplus(-x)"},
      {"logsigmoid", "-softplus(-x)"},
      {"leaky_relu", "where(x > 0, x, 0.01 * x)"},
      {"elu", "where(x > 0, x, expm1(x))"},
      {"relu6", "clamp(x, 0, 6)"},
      {"mish", "x * tanh(softplus(x))"},
      {"hard_swish", "x * clamp(x + 3, 0, 6) / 6"},
      {"hardswish", "x * clamp(x + 3, 0, 6) / 6"},
      {"quick_gelu", "x * logistic(1.702 * x)"},
      {"add", "x + y"},
      {"sub", "x - y"},
      {"subtract", "x - y"},
      {"mul", "x * y"},
      {"multiply", "x * y"},
      {"div", "x / y"},
      {"divide", "x / y"},
      {"true_divide", "x / y"},
      {"truediv", "x / y"},
      {"fdiv", "x / y"},
      {"floor_div", "x // y, or floor(x / y) of floats"},
      {"greater", "x > y"},
      {"greater_equal", "x >= y"},
      {"less", "x < y"},
      {"less_equal", "x <= y"},
      {"equal", "x == y"},
      {"not_equal", "x != y"},
      {"deg2rad", "x * (pi / 180)"},
      {"radians", "x * (pi / 180)"},
      {"rad2deg", "x * (180 / pi)"},
      {"degrees", "x * (180 / pi)"},
      {"copysign", "where(y < 0, -abs(x), abs(x))"},
      {"nan_to_num", "where(isnan(x), 0, x)"},
      {"lerp", "x + (y - x) * 0.5"},
      {"isclose", "abs(x - y) <= 1e-5 * abs(y)"},
      {"pow2", "exp2(x)"},
      {"rcp", "1 / x"},
      {"heaviside", "where(x < 0, 0, where(x == 0, y, 1))"},
      {"nanmax", "max(where(isnan(x), -inf, x), axis=…)"},
      {"nanmin", "min(where(isnan(x), inf, x), axis=…)"},
      {"norm", "sqrt(sum(x * x, axis=…))"},
      {"ptp", "max(x, axis=…) - min(x, axis=…)"},
      {"log_softmax", "x - logsumexp(x, axis=…, keepdims=true)"},
      {"rms_norm", "x * rsqrt(mean(x * x, axis=…, keepdims=true) + eps)"},
      {"layer_norm", "c = x - mean(x, axis=…, keepdims=true), and c * rsqrt(mean(c * c, axis=…, keepdims=true) + eps)"},
      {"eye", "(iota(i32, [n, n], 0) == iota(i32, [n, n], 1)).astype(f32)"},
      {"linspace", "start + step * iota(i32, [n], 0).astype(f32)"},
      {"trace", "sum(where(iota(i32, [n, n], 0) == iota(i32, [n, n], 1), x, 0))"},
      {"addmm", "c + dot(x, y)"}};
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
  static const std::string kParts =
      "parts are slices: x[:, 0:64], or x[ds(start, n)] from a start that is known at run time";
  static const std::string kScattered =
      "an array of integers in an index of what is written scatters: y[rows] = x; where rows repeat, atomic_add(y, "
      "[rows], x)";
  static const std::string kRepeated =
      "elements are repeated by an index: x[iota(i32, [n], 0) // 2] has each twice, x[iota(i32, [n], 0) % 2] two in "
      "turn";
  static const std::string kJoined =
      "conditions are joined by words: x and y, x or y, not x; x != y where one alone holds";
  static const std::string kLoop = "a loop is an entry of the body: {for: i, range: 4, do: […]}";
  static const std::string kCondition =
      "a condition is an entry of the body, {when: k == 0, do: […]}; where(condition, x, y) chooses for each element";
  static const std::string kPrinted = "printing is an entry of the body: {print: \"k={}\", args: [k]}";
  static const std::string kPointers =
      "there are no pointers: an input has a block and an index map, and is read by its name";
  static const std::string kBarrier = "nothing synchronises threads by hand: a body is written for whole blocks";
  static const std::map<std::string, std::string> kForms = {
      {"is_first", "the first step along an axis k is k == 0"},
      {"is_last", "the last step along an axis k is k == num_programs(k) - 1"},
      {"is_last_step", "the last step along an axis k is k == num_programs(k) - 1"},
      {"logical_and", kJoined},
      {"logical_or", kJoined},
      {"logical_not", kJoined},
      {"logical_xor", kJoined},
      {"tile", kRepeated},
      {"split", kParts},
      {"array_split", kParts},
      {"chunk", kParts},
      {"narrow", kParts},
      {"dynamic_slice", kParts},
      {"slice", kParts},
      {"dynamic_update_slice", "a part is written by an index: y[ds(start, n)] = x"},
      {"scatter", kScattered},
      {"scatter_add", kScattered},
      {"index_add", kScattered},
      {"segment_sum", kScattered},
      {"bincount", kScattered},
      {"histogram", kScattered},
      {"index_select", kTaken},
      {"take_along_axis", kTaken},
      {"fori_loop", kLoop},
      {"range", kLoop},
      {"static_range", kLoop},
      {"while_loop", "a loop is an entry of the body: {while: …, do: […]}"},
      {"cond", kCondition},
      {"when", kCondition},
      {"debug_print", kPrinted},
      {"device_print", kPrinted},
      {"printf", kPrinted},
      {"print", kPrinted},
      {"static_assert", "a test is an entry of the body: {assert: …, message: \"…\"}"},
      {"device_assert", "a test is an entry of the body: {assert: …, message: \"…\"}"},
      {"make_block_ptr", kPointers},
      {"make_tensor_descriptor", kPointers},
      {"debug_barrier", kBarrier},
      {"syncthreads", kBarrier},
      {"vmap", "a function takes blocks as it is: f(x) is f of each element"},
      {"map", "a function takes blocks as it is: f(x) is f of each element"},
      {"meshgrid", "places along each dim are iota(i32, [m, n], 0) and iota(i32, [m, n], 1)"},
      {"diag", "a diagonal is a condition on places: where(iota(i32, [n, n], 0) == iota(i32, [n, n], 1), x, 0)"},
      {"repeat", kRepeated},
      {"logcumsumexp", kScans},
      {"unique", kSorts},
      {"quantile", kSorts},
      {"percentile", kSorts},
      {"argpartition", kSorts},
      {"empty", kFilled},
      {"empty_like", kFilled},
      {"array", kFilled},
      {"asarray", kFilled},
      {"fft", kOwn},
      {"inv", kOwn},
      {"solve", kOwn},
      {"conv", kOwn},
      {"nextafter", kOwn},
      {"frexp", kOwn},
      {"ldexp", kOwn},
      {"umulhi", kOwn},
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

std::string remedy_for_foreign(const std::string& name) {
  const std::string form = expression_called(name);
  if (form.empty()) return done_otherwise(name);
  const bool of_two = form.find('y') != std::string::npos && form.find("axis") == std::string::npos;
  return fmt::format("'{}' is no operation: of x{}, write {}", name, of_two ? " and y" : "", form);
}

}  // namespace pallasgen
