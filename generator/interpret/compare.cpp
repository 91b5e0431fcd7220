#include <algorithm>
#include <cmath>
#include <limits>

#include "arguments.h"
#include "diagnostics/assert.h"
#include "fault.h"
#include "interpret/interpret.h"

namespace pallasgen {
using namespace interpreter;
namespace {

// Hopper's tensor cores keep 14 bits of sums of 8-bit floats, which they add in f32 after so many terms.
constexpr double kUnitOfF8Sums = 0x1p-13, kTermsOfF8Sums = 128;

constexpr double kRootsOfMean = 8;

bool accumulates(Op op) {
  return op == Op::sum || op == Op::mean || op == Op::prod || op == Op::cumsum || op == Op::dot;
}

// The most elements that one sum or dot of the expression adds up.
int64_t longest_sum(const TypedPtr& expr) {
  int64_t longest = 0;
  if (!expr) return longest;
  walk(expr, [&](const Typed& node) {
    const auto* apply = node.as<Apply>();
    if (!apply || !accumulates(apply->op)) return;
    const Shape& shape = apply->args[0]->shape;
    int64_t length = 1;
    if (apply->op == Op::dot) {
      if (shape.size() >= 2) length = shape[shape.size() - (apply->attributes.trans_a ? 2 : 1)];
    } else if (apply->attributes.axes.empty()) {
      length = std::max<int64_t>(elements_of(shape), 1);
    } else {
      for (int64_t axis : apply->attributes.axes) length *= shape[static_cast<size_t>(axis)];
    }
    // Of terms of one size, the rounding error of the mean grows with the root of their number.
    if (apply->op == Op::mean)
      length = std::min<int64_t>(length, std::llround(kRootsOfMean * std::sqrt(static_cast<double>(length))));
    longest = std::max<int64_t>(longest, length);
  });
  return longest;
}

// True if the statement adds to an earlier value, which makes a sum in a loop.
bool adds_on(const KernelStmt& statement) {
  if (const auto* bind = std::get_if<BindStmt>(&statement.node)) {
    bool adds = false;
    walk(bind->value, [&](const Typed& node) {
      adds = adds || node.applies(Op::add) || node.applies(Op::subtract) || node.applies(Op::fma);
    });
    return bind->rebinds && adds;
  }
  const auto* store = std::get_if<StoreStmt>(&statement.node);
  return store && (store->op == Op::add || store->op == Op::subtract);
}

// The lengths of sums in the program at one grid point.
class Sums {
 public:
  Sums(const Kernel& kernel, const Arguments& arguments, bool last)
      : kernel_(kernel), environment_(environment_of(kernel, arguments)), evaluator_(environment_) {
    for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
      const int64_t size = std::max<int64_t>(number(kernel.axes[axis].size), 1);
      environment_.axis_sizes[axis] = size;
      environment_.axes[axis] = last ? size - 1 : 0;
    }
  }

  int64_t steps() const {
    int64_t steps = 1;
    for (size_t axis = 0; axis < kernel_.axes.size(); ++axis)
      if (kernel_.axes[axis].sequential) steps *= environment_.axis_sizes[axis];
    return steps;
  }

  // How many programs add to an element of an output with `reduce: add`.
  int64_t programs(const Ref& output) const {
    int64_t programs = 1;
    for (size_t axis = 0; axis < kernel_.axes.size(); ++axis) {
      const bool moves = std::any_of(output.block.begin(), output.block.end(), [&](const BlockDim& dim) {
        return dim.index && mentions(dim.index, SymbolKind::axis, static_cast<int>(axis));
      });
      if (!kernel_.axes[axis].sequential && !moves) programs *= environment_.axis_sizes[axis];
    }
    return programs;
  }

  // Whether there are dots, dots of 8-bit floats, and dots that add up in f16.
  struct Coarse {
    bool any = false, f8 = false, f16 = false;
  };
  Coarse coarse(const KernelStmts& statements) const {
    Coarse found;
    for_each_value(statements, [&](const TypedPtr& value) {
      walk(value, [&](const Typed& node) {
        const Apply* dot = node.applies(Op::dot);
        if (!dot) return;
        found.any = true;
        found.f16 = found.f16 || node.dtype == DType::f16;
        for (const TypedPtr& operand : dot->args)
          found.f8 = found.f8 || operand->dtype == DType::f8e4m3 || operand->dtype == DType::f8e5m2;
      });
    });
    return found;
  }

  int64_t longest(const KernelStmts& statements) {
    int64_t longest = 0;
    for (const KernelStmt& statement : statements) {
      if (const auto* loop = std::get_if<ForStmt>(&statement.node)) {
        int64_t turn = this->longest(loop->body);
        for_each_statement(loop->body,
                           [&](const KernelStmt& inner) { turn = std::max<int64_t>(turn, adds_on(inner)); });
        const int64_t start = number(loop->start), step = number(loop->step);
        const int64_t turns = step == 0 ? 1 : (number(loop->stop) - start) / step + 1;
        longest = std::max(longest, turn * std::max<int64_t>(turns, 1));
      } else if (const auto* when = std::get_if<WhenStmt>(&statement.node)) {
        longest = std::max(
            {longest, longest_sum(when->condition), this->longest(when->then), this->longest(when->otherwise)});
      } else {
        for_each_value({statement}, [&](const TypedPtr& value) { longest = std::max(longest, longest_sum(value)); });
      }
    }
    return longest;
  }

 private:
  // 0 if it depends on arrays, names of the body or a loop around, or is invalid, which interpret() reports.
  int64_t number(const TypedPtr& expr) {
    bool known = true;
    walk(expr, [&](const Typed& node) {
      const Symbol* symbol = node.as<Symbol>();
      known = known && !node.as<RefRead>() && !node.as<LocalUse>() && !(symbol && symbol->kind == SymbolKind::loop);
    });
    try {
      return known ? evaluator_.integer(expr) : 0;
    } catch (const Fault&) {
      return 0;
    }
  }

  const Kernel& kernel_;
  Environment environment_;
  Evaluator evaluator_;
};

// True if the kernel converts what it has computed in a narrower dtype to f64.
bool widens_results(const Kernel& kernel) {
  bool found = false;
  for_each_value(kernel.body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      const Apply* cast = node.applies(Op::cast);
      if (!cast || node.dtype != DType::f64) return;
      const TypedPtr& operand = cast->args[0];
      const auto* read = operand->as<RefRead>();
      const bool is_input = read && kernel.refs[static_cast<size_t>(read->ref)].role == RefRole::input;
      found = found || (is_float(operand->dtype) && operand->dtype != DType::f64 && !is_input);
    });
  });
  return found;
}

// How many times larger products of the 8-bit floats may be than those of seeded ones, which lie within 6 of 0: the
// error of a sum is relative to its largest addend.
double largest_f8_product(const Arguments& arguments) {
  constexpr double kSeeded = 6;
  double largest = kSeeded, second = kSeeded;
  for (const auto& [name, array] : arguments.arrays) {
    if (array.dtype != DType::f8e4m3 && array.dtype != DType::f8e5m2) continue;
    double own = 0;
    for (int64_t i = 0; i < array.size(); ++i) {
      const double x = std::fabs(array.at(i));
      if (std::isfinite(x)) own = std::max(own, x);
    }
    second = std::max(second, std::min(own, largest));
    largest = std::max(largest, own);
  }
  return largest * second / (kSeeded * kSeeded);
}

// The same for addends in wider floats, where sums of large ones may cancel: by the largest input up to kMost, because
// nothing is left of other addends in a sum with larger special values.
double largest_addend(const Arguments& arguments, bool products) {
  constexpr double kSeeded = 6, kMost = 1000;
  double largest = kSeeded;
  for (const auto& [name, array] : arguments.arrays) {
    if (!is_float(array.dtype) || info(array.dtype).bits == 8) continue;
    for (int64_t i = 0; i < array.size(); ++i) {
      const double x = std::fabs(array.at(i));
      if (x <= kMost) largest = std::max(largest, x);
    }
  }
  return std::pow(largest / kSeeded, products ? 2 : 1);
}

}  // namespace

namespace {

// The distance from 1 to the next value, and the smallest normal number.
struct Steps {
  double unit, smallest_normal;
};

Steps steps_of(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return {0x1p-52, 0x1p-1022};
    case DType::f32:
      return {0x1p-23, 0x1p-126};
    case DType::f16:
      return {0x1p-10, 0x1p-14};
    case DType::bf16:
      return {0x1p-7, 0x1p-126};
    case DType::f8e4m3:
      return {0x1p-3, 0x1p-6};
    case DType::f8e5m2:
      return {0x1p-2, 0x1p-14};
    case DType::f4e2m1:
      return {0x1p-1, 1};
    default:
      return {1, 0x1p-127};  // f8e8m0
  }
}

}  // namespace

double smallest_normal(DType dtype) { return steps_of(dtype).smallest_normal; }
double unit_of(DType dtype) { return steps_of(dtype).unit; }

double scale_of(const Array& want) {
  const Value values = value_of(want);
  double largest = smallest_normal(want.dtype);
  for (int64_t i = 0; i < values.size() && largest < 1; ++i) {
    const double x = std::fabs(double_of(values, i));
    if (std::isfinite(x)) largest = std::max(largest, x);
  }
  return std::min(largest, 1.0);
}

Difference compare(const Array& got, const Array& want, double tolerance, bool one_kind,
                   const std::vector<double>& room) {
  PALLASGEN_ASSERT(got.dtype == want.dtype && got.shape == want.shape);
  Difference difference;
  if (got.bytes == want.bytes) return difference;
  const Value a = value_of(got), b = value_of(want);
  const bool exact = !is_float(got.dtype);
  const double scale = exact ? 1 : scale_of(want);
  for (int64_t i = 0; i < a.size(); ++i) {
    if (exact && integer_of(a, i) == integer_of(b, i)) continue;
    const double x = double_of(a, i), y = double_of(b, i);
    if (!exact && (x == y || (std::isnan(x) && std::isnan(y)))) continue;
    if (one_kind && !exact && !std::isfinite(x) && !std::isfinite(y)) continue;
    // Two 64-bit integers may differ and convert to one double.
    const double absolute = std::max(std::fabs(x - y), exact ? 1.0 : 0.0);
    const bool comparable = std::isfinite(x) && std::isfinite(y);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double more = room.empty() ? 0 : room[static_cast<size_t>(i)];
    const double allowed = tolerance * std::max(scale, std::fabs(y)) + more;
    const bool within = comparable && absolute <= allowed;
    difference.max_absolute = std::max(difference.max_absolute, comparable ? absolute : kInfinity);
    difference.of_allowed = std::max(difference.of_allowed, comparable && allowed > 0 ? absolute / allowed : kInfinity);
    if (difference.equal && !within) {
      difference.equal = false;
      difference.first = i;
      difference.got = x;
      difference.want = y;
    }
  }
  return difference;
}

double default_tolerance(const Kernel& kernel, const Ref& output, const Arguments& arguments) {
  if (!is_float(output.dtype)) return 0;
  const double roundings = info(output.dtype).bits < 32 ? 1 : 16;
  const DType computed = output.dtype == DType::f64 && widens_results(kernel) ? DType::f32 : output.dtype;
  const double half_unit_of_sums = unit_of(computed == DType::f64 ? DType::f64 : DType::f32) / 2;
  // The error of sums of 8-bit floats in tensor cores, and of sums in f16.
  double coarse = 0;
  // Sizes of sequential axes may grow with the axes before them, and loops that begin at an axis shrink.
  double terms = 0, sums_in_memory = 0;
  bool products = false;
  int64_t most_programs = 1;
  for (const bool last : {false, true}) {
    Sums sums(kernel, arguments, last);
    const int64_t programs = output.reduce == "add" ? sums.programs(output) : 1;
    most_programs = std::max(most_programs, programs);
    const int64_t longest = std::max<int64_t>(sums.longest(kernel.body), programs > 1 ? 1 : 0);
    terms = std::max(terms,
                     static_cast<double>(longest) * static_cast<double>(sums.steps()) * static_cast<double>(programs));
    const Sums::Coarse dots = sums.coarse(kernel.body);
    products = products || dots.any;
    const double in_tensor_cores = kernel.approximate_math ? terms : std::min(terms, kTermsOfF8Sums);
    if (dots.f8) coarse = std::max(coarse, 2 * kUnitOfF8Sums * std::sqrt(terms * in_tensor_cores));
    if (dots.f16) coarse = std::max(coarse, 4 * (unit_of(DType::f16) / 2) * terms);
  }
  if (coarse > 0) coarse *= largest_f8_product(arguments);
  // The coarsest approximation is tanh's, 2^-11; later operations may increase its error.
  const double approximations = kernel.approximate_math ? 0x1p-9 : 0;
  // Each program rounds a sum in memory to the output's dtype.
  if (output.reduce == "add" && info(output.dtype).bits < 32)
    sums_in_memory = 4 * (unit_of(output.dtype) / 2) * static_cast<double>(most_programs);
  const double sums = 4 * half_unit_of_sums * terms * (terms > 0 ? largest_addend(arguments, products) : 1);
  return roundings * unit_of(computed) + sums_in_memory + sums + coarse + approximations;
}

}  // namespace pallasgen
