#include "special.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "formats.h"

namespace pallasgen::interpreter {
namespace {

constexpr int64_t kOneIn = 4;      // one element in so many, if elements of an output depend on few of an input
constexpr int64_t kFew = 24;       // elements of an array, if they depend on many
constexpr double kRoom = 0x1p-12;  // keeps products of large values with others finite
constexpr double kRoomOfApproximate = 0x1p-30;  // divisors above 2^126 are infinite to approximate division
constexpr double kBeyondExp = 200;              // exp overflows in f32 and narrower, tanh and erf are 1, exp(-x) is 0

// The least and the largest subnormal, and the largest finite value.
struct Extremes {
  double least, subnormal, largest;
};

Extremes extremes_of(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return {std::numeric_limits<double>::denorm_min(), 0x1p-1023, std::numeric_limits<double>::max()};
    case DType::f32:
      return {0x1p-149, 0x1.fffffcp-127, std::numeric_limits<float>::max()};
    case DType::bf16:
      return {0x1p-133, 0x1.fcp-127, 0x1.fep127};
    case DType::f16:
      return {0x1p-24, 0x1.ff8p-15, 65504};
    case DType::f8e4m3:
      return {0x1p-9, 0x1.cp-7, 448};
    case DType::f8e5m2:
      return {0x1p-16, 0x1.8p-15, 57344};
    case DType::f4e2m1:
      return {0.5, 0.5, 6};
    default:
      return {0x1p-127, 0x1p-127, 0x1p127};  // f8e8m0
  }
}

std::vector<double> special_floats(DType dtype, bool finite, bool multiplied) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const Extremes extremes = extremes_of(dtype);
  if (dtype == DType::f8e8m0) return {extremes.least, finite ? extremes.least : kNan};
  std::vector<double> values = {-0.0, extremes.least, -extremes.least, extremes.subnormal, -extremes.subnormal};
  if (dtype == DType::f4e2m1) return values;
  if (multiplied) values = {-0.0};
  values.insert(values.end(), {kBeyondExp, -kBeyondExp});
  const double infinity = std::numeric_limits<double>::infinity();
  for (double& value : values) value = round_to(value, dtype);
  if (!finite) values.push_back(kNan);
  if (!finite && info(dtype).bits > 8) values.insert(values.end(), {infinity, -infinity});
  return values;
}

// The least and the largest value, their neighbours, and values where the highest bit changes.
std::vector<uint64_t> special_integers(DType dtype) {
  const int bits = info(dtype).bits;
  if (dtype == DType::boolean) return {0, 1};
  if (!info(dtype).is_signed) {
    const uint64_t most = ~uint64_t{0} >> (64 - bits);
    return {0, most, most - 1, most / 2, most / 2 + 1};
  }
  const uint64_t least = ~uint64_t{0} << (bits - 1);
  return {least, least + 1, ~least, ~least - 1, ~uint64_t{0}};
}

// True if sums of the dtype's values are computed in a dtype in which the largest of them are small.
bool has_room(DType dtype) { return info(dtype).bits <= 16 && dtype != DType::bf16 && dtype != DType::f8e8m0; }

template <class T>
std::vector<T> special_values(DType dtype, bool finite, bool multiplied) {
  std::vector<T> values;
  if (is_float(dtype))
    for (const double value : special_floats(dtype, finite, multiplied)) values.push_back(static_cast<T>(value));
  else
    for (const uint64_t value : special_integers(dtype)) values.push_back(static_cast<T>(value));
  return values;
}

// True if elements of an output depend on many elements of an input: by reductions, contractions, sums over steps or
// over programs.
bool gathers_elements(const Kernel& kernel) {
  bool gathers = kernel.sequential_axes() > 0 || std::any_of(kernel.refs.begin(), kernel.refs.end(),
                                                             [](const Ref& ref) { return ref.reduce.has_value(); });
  for_each_statement(kernel.body, [&](const KernelStmt& statement) {
    gathers = gathers || std::holds_alternative<AtomicStmt>(statement.node) ||
              std::holds_alternative<ForStmt>(statement.node) || std::holds_alternative<WhileStmt>(statement.node);
  });
  for_each_value(kernel.body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      const auto* apply = node.as<Apply>();
      if (!apply) return;
      const OpGroup group = operation(apply->op).group;
      gathers = gathers || group == OpGroup::reduce || group == OpGroup::matrix;
    });
  });
  return gathers;
}

bool multiplies_elements(const Kernel& kernel) {
  bool found = false;
  for_each_value(kernel.body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) { found = found || node.applies(Op::prod); });
  });
  return found;
}

// True if floats may decide how many iterations a loop of the body has: the largest, and infinities, are too many.
bool has_loops_by_floats(const Kernel& kernel) {
  const auto has = [](const TypedPtr& value, const auto& kind) {
    bool found = false;
    walk(value, [&](const Typed& node) { found = found || kind(node); });
    return found;
  };
  bool counts = false;
  for_each_value(kernel.body, [&](const TypedPtr& value) {
    counts = counts || has(value, [](const Typed& node) {
               const Apply* cast = node.applies(Op::cast);
               return cast && is_float(cast->args[0]->dtype) && !is_float(node.dtype) && node.dtype != DType::boolean;
             });
  });
  bool found = counts && has_loops_by_data(kernel);
  for_each_statement(kernel.body, [&](const KernelStmt& statement) {
    const auto* loop = std::get_if<WhileStmt>(&statement.node);
    found = found || (loop && has(loop->condition, [](const Typed& node) { return is_float(node.dtype); }));
  });
  return found;
}

bool reads_data(const TypedPtr& bound) {
  bool reads = false;
  walk(bound, [&](const Typed& node) { reads = reads || node.as<RefRead>() || node.as<LocalUse>(); });
  return reads;
}

}  // namespace

bool has_loops_by_data(const Kernel& kernel) {
  bool found = false;
  for_each_statement(kernel.body, [&](const KernelStmt& statement) {
    const auto* loop = std::get_if<ForStmt>(&statement.node);
    found = found || std::holds_alternative<WhileStmt>(statement.node) ||
            (loop && (reads_data(loop->start) || reads_data(loop->stop) || reads_data(loop->step)));
  });
  return found;
}

bool has_indices_by_data(const Kernel& kernel) {
  bool found = false;
  for_each_value(kernel.body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      const auto* read = node.as<RefRead>();
      if (!read) return;
      for (const IndexItem& item : read->index) {
        const auto* integer = std::get_if<IndexInteger>(&item);
        const auto* slice = std::get_if<IndexSlice>(&item);
        found = found || (integer && reads_data(integer->value)) ||
                (slice && slice->start && reads_data(slice->start)) || std::holds_alternative<IndexGather>(item);
      }
    });
  });
  return found;
}

SpecialMix special_mix(const Kernel& kernel, int64_t size, bool first, SpecialValues values) {
  const bool by_floats = has_loops_by_floats(kernel);
  const bool finite = values == SpecialValues::finite || by_floats;
  const int64_t count = (size + kOneIn - 1) / kOneIn;
  const double least = kernel.approximate_math ? kRoomOfApproximate : 1;
  if (!gathers_elements(kernel)) return {finite, count, count / kOneIn, least};
  const double room = std::min(least, kRoom);
  // Whether a product of many vanishes or overflows on the way depends on its order, which is free.
  if (multiplies_elements(kernel)) return {finite, std::min(count, kFew), 0, room, true};
  return {finite, std::min(count, kFew), first && !by_floats ? 1 : 0, room};
}

void mix_special_values(Value& value, const SpecialMix& mix, RandomStream& random) {
  const auto size = static_cast<uint64_t>(value.size());
  if (size == 0) return;
  with_carrier(value.dtype, [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> values = special_values<T>(value.dtype, mix.finite, mix.multiplied);
    const uint64_t start = random.next() % values.size();
    for (uint64_t i = 0; i < static_cast<uint64_t>(mix.count); ++i)
      value.edit<T>()[random.next() % size] = values[(start + i) % values.size()];
    if (!is_float(value.dtype)) return;
    const double largest = extremes_of(value.dtype).largest * (has_room(value.dtype) ? 1 : mix.room);
    for (int64_t i = 0; i < mix.largest; ++i)
      value.edit<T>()[random.next() % size] = static_cast<T>(i % 2 ? -largest : largest);
  });
}

}  // namespace pallasgen::interpreter
