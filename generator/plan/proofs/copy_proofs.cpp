#include "proofs/copy_proofs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plan/words.h"

namespace pallasgen {

namespace {

constexpr int64_t kCopyUnit = 16;      // bytes: rows, boxes and runs (PTX ISA 8.6, 5.5.3 and cp.async.bulk)
constexpr int64_t kDestination = 128;  // bytes: alignment of a copy's shared memory (PTX ISA 8.6, cp.async.bulk.tensor)
constexpr int64_t kSwizzleRows = 8;    // rows of a swizzle atom: a box of rows starts at an atom

int64_t power_of_two_in(int64_t value, int64_t most) {
  int64_t power = 1;
  while (power * 2 <= most && value % (power * 2) == 0) power *= 2;
  return power;
}

// Returns a known divisor, modulo `unit` elements, of the stride of dim `d`.
int64_t stride_modulo(const Ref& ref, const SymbolFacts& facts, size_t d, int64_t unit) {
  if (!ref.strides.empty()) return multiple_of(ref.strides[d], facts) % unit;
  int64_t known = 1;
  for (size_t inner = d + 1; inner < ref.array_shape.size(); ++inner)
    known = known * (multiple_of(ref.array_shape[inner], facts) % unit) % unit;
  return known;
}

bool is_zero(const TypedPtr& expr, const SymbolFacts& facts) {
  const Bounds range = bounds(expr, facts);
  return range.minimum == 0 && range.maximum == 0;
}

// Returns the number of elements of the box if there are no gaps between them; else sets `why`.
std::optional<int64_t> run_length(const Ref& ref, const tile::Box& box, const SymbolFacts& facts, std::string& why) {
  if (box.gathers()) {
    why = "its rows are gathered";
    return std::nullopt;
  }
  int64_t length = 1;
  bool whole = true;  // the box covers the array along all dims so far
  for (size_t d = box.dims.size(); d-- > 0;) {
    const tile::BoxDim& dim = box.dims[d];
    const int64_t size = dim.size.value_or(1);
    if (size != 1 && !whole) {
      why = fmt::format("along dim {} its parts do not follow one another in memory", d);
      return std::nullopt;
    }
    if (size != 1 && !ref.strides.empty() && constant_value(ref.strides[d]) != length) {
      why = fmt::format("nothing says that the stride of dim {} is {}", d, length);
      return std::nullopt;
    }
    length *= size;
    whole = whole && !dim.limit && constant_value(ref.array_shape[d]) == size && is_zero(dim.first, facts);
  }
  return length;
}

}  // namespace

int64_t needed_multiple(const Ref& ref) { return kCopyUnit * 8 / info(ref.dtype).bits; }

bool reads_zero_outside(const Ref& ref) {
  if (!ref.fill) return true;
  if (const double* real = std::get_if<double>(&*ref.fill)) return *real == 0 && !std::signbit(*real);
  if (const int64_t* integer = std::get_if<int64_t>(&*ref.fill)) return *integer == 0;
  return !std::get<bool>(*ref.fill);
}

std::optional<PitchGap> gap_of_extent(const Ref& ref, const SymbolFacts& facts) {
  const TypedPtr& extent = ref.array_shape.back();
  const int64_t most = needed_multiple(ref);
  if (multiple_of(extent, facts) % most == 0) return std::nullopt;
  return PitchGap{
      fmt::format("nothing says that its rows of {} elements are whole {}-byte units", to_string(extent), kCopyUnit),
      extent, most};
}

std::optional<PitchGap> gap_of_strides(const Ref& ref, const SymbolFacts& facts) {
  if (ref.strides.empty()) return std::nullopt;
  if (constant_value(ref.strides.back()) != 1)
    return PitchGap{
        fmt::format("its rows are not contiguous: their elements lie {} apart", to_string(ref.strides.back()))};
  const int64_t most = needed_multiple(ref);
  for (size_t d = 0; d + 1 < ref.strides.size(); ++d) {
    const TypedPtr& stride = ref.strides[d];
    if (multiple_of(stride, facts) % most == 0) continue;
    return PitchGap{fmt::format("nothing says that its stride {} is whole {}-byte units", to_string(stride), kCopyUnit),
                    stride, most};
  }
  return std::nullopt;
}

std::optional<PitchGap> gap_of_pitch(const Ref& ref, const SymbolFacts& facts) {
  const TypedPtr& extent = ref.array_shape.back();
  // If elements share bytes, a copy of the last one of an odd row would also bring the element after it.
  if (is_packed(ref.dtype) && multiple_of(extent, facts) % 2 != 0)
    return PitchGap{fmt::format("nothing says that its rows of {} elements are whole bytes", to_string(extent)), extent,
                    2};
  if (ref.strides.empty()) return ref.array_shape.size() == 1 ? std::nullopt : gap_of_extent(ref, facts);
  if (std::optional<PitchGap> gap = gap_of_strides(ref, facts)) return gap;
  // A tensor map has no stride of 0.
  for (size_t d = 0; d + 1 < ref.strides.size(); ++d) {
    if (constant_value(ref.strides[d]) == 0)
      return PitchGap{fmt::format("its stride of 0 repeats what lies along dim {}", d)};
  }
  return std::nullopt;
}

ProvedVector proved_vector(const Ref& ref, const SymbolFacts& facts, const TypedPtr& last_offset, int64_t width) {
  if (ref.array_shape.empty()) return {1, "no contiguous rows"};
  if (!ref.strides.empty()) {
    if (std::optional<PitchGap> gap = gap_of_strides(ref, facts)) return {1, std::move(gap->why)};
  }
  const int64_t most = needed_multiple(ref);
  const int64_t extent = multiple_of(ref.array_shape.back(), facts);
  const int64_t offset = last_offset ? multiple_of(last_offset, facts) : 0;
  const int64_t common = std::gcd(std::gcd(extent, offset), width);
  ProvedVector proved;
  proved.elements = common == 0 ? most : power_of_two_in(common, most);
  const std::string name = to_string(ref.array_shape.back());
  if (proved.elements == most) {
    proved.why = fmt::format("{} is a multiple of {}, so is every offset; the launcher checks the pointer", name, most);
  } else if (extent % most != 0) {
    proved.why = fmt::format("{} is not known to be a multiple of {}", name, most);
  } else if (width % most != 0) {
    proved.why = fmt::format("a row of the block has {} elements", width);
  } else {
    proved.why = fmt::format("offsets along {} are not known to be multiples of {}", name, most);
  }
  return proved;
}

Proof proved_run(const Ref& ref, const tile::Box& box, const SymbolFacts& facts, const Target& target) {
  const auto missing = [](std::string what) { return Proof{false, std::move(what)}; };
  if (!target.bulk) return missing(fmt::format("{} has no bulk copies", target.name));
  if (is_packed(ref.dtype)) return missing("its elements share bytes");
  std::string why;
  const std::optional<int64_t> length = run_length(ref, box, facts, why);
  if (!length) return missing(std::move(why));
  const int64_t bytes = bytes_of(ref.dtype, *length), unit = needed_multiple(ref);
  if (bytes % kCopyUnit != 0)
    return missing(fmt::format("its {} bytes are no multiple of {}", grouped(bytes), kCopyUnit));
  for (size_t d = 0; d < box.dims.size(); ++d) {
    const TypedPtr& first = box.dims[d].first;
    const std::optional<int64_t> least = bounds(first, facts).minimum;
    if (!least || *least < 0) return missing(fmt::format("it may begin before the array, along dim {}", d));
    if (multiple_of(first, facts) % unit * stride_modulo(ref, facts, d, unit) % unit != 0)
      return missing(fmt::format("nothing says that {} steps along dim {} are a multiple of {} bytes", to_string(first),
                                 d, kCopyUnit));
  }
  return {true, fmt::format("its block is one run of {} bytes, and begins at multiples of {}; the launcher checks the "
                            "pointer",
                            grouped(bytes), kCopyUnit)};
}

int64_t rows_of_box(const Target& target, int64_t rows, int64_t row_bytes, bool swizzled) {
  const int64_t step = swizzled ? kSwizzleRows : kDestination / std::gcd(kDestination, row_bytes);
  for (int64_t box = std::min<int64_t>(rows, target.max_box); box > 0; --box) {
    if (rows % box == 0 && (box == rows || box % step == 0)) return box;
  }
  return 0;
}

Proof proved_boxes(const Ref& ref, const tile::Box& box, int swizzle, const Target& target) {
  std::vector<int64_t> sizes;
  for (const tile::BoxDim& dim : box.dims) sizes.push_back(dim.size.value_or(1));
  // If elements share bytes, the tensor map has bytes for elements.
  sizes.back() /= is_packed(ref.dtype) ? 2 : 1;
  const int64_t bytes = std::max<int64_t>(1, info(ref.dtype).bits / 8);
  const auto first = std::find_if(sizes.begin(), sizes.end(), [](int64_t size) { return size > 1; });
  const size_t rows = first == sizes.end() ? sizes.size() - 1 : static_cast<size_t>(first - sizes.begin());
  if (swizzle > 0 && sizes.back() * bytes > swizzle) sizes.back() = swizzle / bytes;
  int64_t row_bytes = bytes;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (d == rows) continue;
    row_bytes *= sizes[d];
    if (sizes[d] > target.max_box)
      return {false, fmt::format("{} elements along dim {} are over the {} of one copy", sizes[d], d, target.max_box)};
  }
  if (rows_of_box(target, sizes[rows], row_bytes, swizzle > 0) > 0) return {true, ""};
  return {false, fmt::format("no equal parts of {} elements along dim {} are the boxes of copies", sizes[rows], rows)};
}

namespace {

// True if the elements past bounded slices of the box are whole rows at its end.
bool ends_in_rows(const Ref& ref, const tile::Box& box) {
  const auto is_long = [](const tile::BoxDim& dim) { return dim.size.value_or(1) > 1; };
  const auto rows = std::find_if(box.dims.begin(), box.dims.end(), is_long);
  const bool others = std::any_of(box.dims.begin(), box.dims.end(), [&](const tile::BoxDim& dim) {
    return dim.limit && (rows == box.dims.end() || &dim != &*rows);
  });
  return !others && &*rows != &box.dims.back() && !is_packed(ref.dtype) && reads_zero_outside(ref);
}

}  // namespace

Proof proved_tensor(const Ref& ref, const tile::Box& box, bool stores, const SymbolFacts& facts, const Target& target,
                    bool cleared) {
  const auto missing = [](std::string what) { return Proof{false, std::move(what)}; };
  if (!target.tma) return missing(fmt::format("{} has no tensor copies", target.name));
  if (ref.array_shape.empty()) return missing("it has no dims");
  if (box.gathers()) return missing("its rows are gathered");
  if (static_cast<int>(ref.array_shape.size()) > target.max_tensor_rank)
    return missing(fmt::format("it has more than {} dims", target.max_tensor_rank));
  if (stores && is_packed(ref.dtype)) return missing("its elements share bytes");
  for (const tile::BoxDim& dim : box.dims) {
    if (dim.limit && !(cleared && ends_in_rows(ref, box))) return missing("a bounded slice ends anywhere");
    if (dim.may_leave && !reads_zero_outside(ref)) return missing("its fill is not 0");
  }
  const int64_t width = box.dims.back().size.value_or(1);
  if (width % needed_multiple(ref) != 0)
    return missing(fmt::format("its rows of {} elements are no whole units of {} bytes", width, kCopyUnit));
  if (std::optional<PitchGap> gap = gap_of_pitch(ref, facts)) return missing(std::move(gap->why));
  if (multiple_of(box.dims.back().first, facts) % needed_multiple(ref) != 0)
    return missing(fmt::format("nothing says that {}, where its rows begin, is a multiple of {} bytes",
                               to_string(box.dims.back().first), kCopyUnit));
  // A block of another kind that begins before the array lies wholly outside, which is an error.
  for (size_t d = 0; stores && d < ref.block.size(); ++d) {
    if (ref.block[d].kind != BlockKind::element) continue;
    const std::optional<int64_t> least = bounds(box.dims[d].first, facts).minimum;
    if (!least || *least < 0) return missing(fmt::format("it may begin before the array, along dim {}", d));
  }
  return {true, "its rows are whole units of 16 bytes; the launcher checks the pointer"};
}

}  // namespace pallasgen
