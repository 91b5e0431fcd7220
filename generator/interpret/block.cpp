#include "block.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "atomic_ops.h"
#include "broadcast.h"
#include "diagnostics/assert.h"
#include "elementwise.h"
#include "fault.h"
#include "interpret/rules.h"

namespace pallasgen::interpreter {
namespace {

Value past_end_value(const Ref& ref, const Shape& shape) {
  return ref.fill ? filled_value(ref.dtype, shape, *ref.fill) : undefined_value(ref.dtype, shape);
}

std::vector<ResolvedItem> whole(const Shape& shape) {
  std::vector<ResolvedItem> items;
  for (int64_t extent : shape) items.emplace_back(ResolvedSlice{0, extent, 1});
  return items;
}

Op reduction(const std::string& name) { return name == "add" ? Op::add : name == "min" ? Op::minimum : Op::maximum; }

// The offset from `at` of the first NaN among `count` elements from there on.
std::optional<int64_t> nan_among(const Value& value, int64_t at, int64_t count) {
  return with_carrier(value.dtype, [&](auto zero) -> std::optional<int64_t> {
    const auto* first = value.as<decltype(zero)>() + at;
    const auto* found = std::find_if(first, first + count, [](auto x) { return x != x; });
    return found == first + count ? std::nullopt : std::optional(found - first);
  });
}

// The coordinates of element `element` of a row-major array.
std::vector<int64_t> coordinates_of(int64_t element, const Shape& shape) {
  std::vector<int64_t> at(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    at[i] = element % shape[i];
    element /= shape[i];
  }
  return at;
}

}  // namespace

Array filled_array(DType dtype, const Shape& shape, const std::optional<Scalar>& scalar) {
  Array array = Array::zeros(dtype, shape);
  constexpr int64_t kChunk = 4096;
  const Value chunk = scalar ? filled_value(dtype, {kChunk}, *scalar) : undefined_value(dtype, {kChunk});
  const int64_t size = array.size();
  for (int64_t at = 0; at < size; at += kChunk) {
    store_elements(dtype, chunk.data.get(), std::min(kChunk, size - at), array.bytes.data(), at);
  }
  return array;
}

Block::Block(const Ref& ref, Shape extents, GlobalArray* global, bool views)
    : ref_(&ref), extents_(std::move(extents)), global_(global), views_(views) {}

void Block::open(Placement placement, bool load, bool tracked) {
  placement_ = std::move(placement);
  tracked_ = tracked;
  state_ = tracked && !load ? Written::none : Written::all;
  shape_.clear();
  for (size_t i = 0; i < placement_->dims.size(); ++i) {
    if (ref_->block.empty() || ref_->block[i].kind != BlockKind::squeezed) shape_.push_back(placement_->dims[i].size);
  }
  if (views_) return;
  const bool whole = std::all_of(placement_->dims.begin(), placement_->dims.end(),
                                 [](const Placement::Dim& dim) { return dim.begin == 0 && dim.end == dim.size; });
  data_ = whole && load ? make_value(ref_->dtype, shape_) : past_end_value(*ref_, shape_);
  if (!load) {
    if (ref_->fill) data_ = undefined_value(ref_->dtype, shape_);
    return;
  }
  const std::byte* bytes = global_->array().bytes.data();
  for_each_row([&](int64_t element, int64_t in_array, int64_t count) {
    load_elements(ref_->dtype, bytes, in_array, count, data_.data.get() + element * carrier_bytes(ref_->dtype));
  });
}

template <class F>
void Block::for_each_row(F&& f) const {
  const std::vector<Placement::Dim>& dims = placement_->dims;
  int64_t rows = 1;
  for (const Placement::Dim& dim : dims) rows *= dim.end - dim.begin;
  if (rows == 0) return;
  if (dims.empty()) return f(int64_t{0}, int64_t{0}, int64_t{1});
  const int64_t row = dims.back().end - dims.back().begin;
  rows /= row;
  std::vector<int64_t> counter(dims.size() - 1, 0);
  for (int64_t i = 0; i < rows; ++i) {
    int64_t element = 0, in_array = 0;
    for (size_t d = 0; d < dims.size(); ++d) {
      const int64_t at = dims[d].begin + (d < counter.size() ? counter[d] : 0);
      element = element * dims[d].size + at;
      in_array = in_array * extents_[d] + dims[d].offset + at;
    }
    f(element, in_array, row);
    for (size_t d = counter.size(); d-- > 0;) {
      if (++counter[d] < dims[d].end - dims[d].begin) break;
      counter[d] = 0;
    }
  }
}

IndexedSpace Block::space() const {
  if (!views_) return dense_space(shape_, ref_->name);
  IndexedSpace space{{}, 0, ref_->name};
  int64_t stride = 1;
  for (size_t i = placement_->dims.size(); i-- > 0;) {
    const Placement::Dim& dim = placement_->dims[i];
    space.base += dim.offset * stride;
    if (ref_->block.empty() || ref_->block[i].kind != BlockKind::squeezed) {
      space.dims.insert(space.dims.begin(), {dim.size, stride, dim.begin, dim.end, true});
    }
    stride *= extents_[i];
  }
  return space;
}

Value Block::read(Span span) const {
  if (views_) {
    return read(whole(shape_), nullptr, nullptr, span);
  }
  require_written(0, data_.size(), span);
  return data_;
}

Value Block::read(const std::vector<ResolvedItem>& items, const Value* mask, const Value* other, Span span) const {
  return read_runs(select(space(), items, mask, span), other, span);
}

Value Block::take(Span span) {
  if (views_) return read(span);
  require_written(0, data_.size(), span);
  return std::move(data_);
}

Value Block::read_runs(const Selection& selection, const Value* other, Span span) const {
  const DType dtype = ref_->dtype;
  Value result = make_value(dtype, selection.shape);
  const Value past = past_end_value(*ref_, {}), nothing = undefined_value(dtype, {});
  const Value spread = other ? broadcast(convert(*other, dtype), selection.shape) : Value{};
  with_carrier(dtype, [&](auto zero) {
    using T = decltype(zero);
    T* to = result.edit<T>();
    int64_t at = 0;
    for (const ElementRun& run : selection.runs) {
      if (run.source == kPastEnd) {
        std::fill_n(to + at, run.count, *past.as<T>());
      } else if (run.source == kMasked && other) {
        std::copy_n(spread.as<T>() + at, run.count, to + at);
      } else if (run.source == kMasked) {
        std::fill_n(to + at, run.count, *nothing.as<T>());
      } else {
        require_written(run.source, run.count, span);
        if (views_)
          load_elements(dtype, global_->array().bytes.data(), run.source, run.count, to + at);
        else
          std::copy_n(data_.as<T>() + run.source, run.count, to + at);
      }
      at += run.count;
    }
  });
  return result;
}

void Block::write(const Value& value, Span span) {
  if (views_) return write(whole(shape_), nullptr, value, span);
  data_ = broadcast(value, shape_);
  state_ = Written::all;
}

void Block::write(const std::vector<ResolvedItem>& items, const Value* mask, const Value& value, Span span) {
  const Selection selection = select(space(), items, mask, span);
  const Value spread = broadcast(value, selection.shape);
  if (!views_) data_ = unshared(std::move(data_));
  with_carrier(ref_->dtype, [&](auto zero) {
    using T = decltype(zero);
    const T* from = spread.as<T>();
    for (const ElementRun& run : selection.runs) {
      if (run.source >= 0) {
        if (views_) own(run.source, run.count, false, span);
        if (checks_nan_) refuse_nan(spread, from - spread.as<T>(), run, span);
        if (views_)
          store_elements(ref_->dtype, from, run.count, global_->own.bytes.data(), run.source);
        else
          std::copy_n(from, run.count, data_.edit<T>() + run.source);
        mark(run.source, run.count);
      }
      from += run.count;
    }
  });
}

Fault Block::nan_fault(const std::vector<int64_t>& element, Span span) const {
  return {kRunNan,
          span,
          fmt::format("element [{}] of '{}' gets a NaN", fmt::join(element, ", "), ref_->name),
          {FaultKind::nan, ref_->name}};
}

// Throws if one of the value's elements from `at` on, which go to the run's place in the array, is NaN.
void Block::refuse_nan(const Value& value, int64_t at, const ElementRun& run, Span span) const {
  if (const auto nan = nan_among(value, at, run.count))
    throw nan_fault(coordinates_of(run.source + *nan, extents_), span);
}

void Block::mark(int64_t element, int64_t count) {
  if (views_) {
    if (!global_->written.empty()) std::fill_n(global_->written.begin() + element, count, uint8_t{1});
    return;
  }
  if (!tracked_ || state_ == Written::all) return;
  if (state_ == Written::none) written_.assign(static_cast<size_t>(data_.size()), 0);
  state_ = Written::some;
  std::fill_n(written_.begin() + element, count, uint8_t{1});
}

// Records which program writes elements of the array, if programs have no order.
void Block::own(int64_t element, int64_t count, bool atomic, Span span) {
  report(global_->owners.write(element, count, global_->program, atomic), span);
}

// Elements that another program wrote must not be read without an order.
void Block::require_own(int64_t element, int64_t count, Span span) const {
  report(global_->owners.read(element, count, global_->program), span);
}

void Block::report(const std::optional<Owners::Conflict>& conflict, Span span) const {
  if (!conflict) return;
  throw Fault{kRunWriteRace, span,
              fmt::format("element [{}] of '{}' {}", fmt::join(coordinates_of(conflict->element, extents_), ", "),
                          ref_->name, conflict->what)};
}

Value Block::atomic(const std::vector<ResolvedItem>& items, const Value* mask, AtomicOp op, const Value& value,
                    const Value* compare, Span span) {
  const Selection selection = select(space(), items, mask, span);
  const DType dtype = ref_->dtype;
  const Value operand = broadcast(value, selection.shape);
  const Value expected = compare ? broadcast(*compare, selection.shape) : Value{};
  Value old = undefined_value(dtype, selection.shape);
  if (!views_) data_ = unshared(std::move(data_));
  with_carrier(dtype, [&](auto zero) {
    using T = decltype(zero);
    int64_t at = 0;
    for (const ElementRun& run : selection.runs) {
      for (int64_t i = 0; i < run.count; ++i, ++at) {
        if (run.source < 0) continue;
        const int64_t element = run.source + i;
        require_written(element, 1, span);
        if (views_) own(element, 1, true, span);
        T before{};
        if (views_) {
          load_elements(dtype, global_->own.bytes.data(), element, 1, &before);
        } else {
          before = data_.as<T>()[element];
        }
        old.edit<T>()[at] = before;
        T after = combined(op, before, operand.as<T>()[at], compare ? expected.as<T>()[at] : T{});
        normalize(dtype, &after, 1);
        if (views_) {
          store_elements(dtype, &after, 1, global_->own.bytes.data(), element);
        } else {
          data_.edit<T>()[element] = after;
        }
        mark(element, 1);
      }
    }
  });
  return old;
}

void Block::require_written(int64_t element, int64_t count, Span span) const {
  const auto fail = [&](const std::vector<int64_t>& at) {
    const std::string text =
        fmt::format("element [{}] of '{}' is read before it is written", fmt::join(at, ", "), ref_->name);
    if (ref_->role != RefRole::scratch) throw Fault{kRunUndefined, span, text};
    if (!undefined_) undefined_ = text;  // the poison that it holds may yet be masked out
  };
  if (views_) {
    require_own(element, count, span);
    if (global_->written.empty()) return;
    const auto first = global_->written.begin() + element;
    const auto unwritten = std::find(first, first + count, uint8_t{0}) - first;
    if (unwritten != count) fail(coordinates_of(element + unwritten, extents_));
  }
  // A read of any part of an input's block counts as a read of all of it.
  if (ref_->role == RefRole::input && !views_ && global_->owners.watch())
    for_each_row([&](int64_t, int64_t in_array, int64_t row) { require_own(in_array, row, span); });
  if (views_ || !tracked_ || state_ == Written::all) return;
  // Elements past the end of the array are unspecified and may be read unwritten.
  for_each_row([&](int64_t from, int64_t in_array, int64_t row) {
    const int64_t begin = std::max(from, element), end = std::min(from + row, element + count);
    for (int64_t i = begin; i < end; ++i) {
      if (state_ == Written::none || !written_[static_cast<size_t>(i)])
        fail(coordinates_of(in_array + (i - from), extents_));
    }
  });
}

std::optional<std::vector<int64_t>> Block::first_unwritten() const {
  if (views_) {
    const auto begin = global_->written.begin(), end = global_->written.end(),
               first = std::find(begin, end, uint8_t{0});
    return first == end ? std::nullopt : std::optional(coordinates_of(first - begin, extents_));
  }
  if (!tracked_ || state_ == Written::all) return std::nullopt;
  std::optional<std::vector<int64_t>> found;
  for_each_row([&](int64_t element, int64_t in_array, int64_t count) {
    for (int64_t i = 0; i < count && !found; ++i) {
      if (state_ == Written::none || !written_[static_cast<size_t>(element + i)]) {
        found = coordinates_of(in_array + i, extents_);
      }
    }
  });
  return found;
}

template <class F>
void Block::for_each_written(int64_t element, int64_t count, F&& f) const {
  if (!tracked_ || state_ == Written::all) return f(element, count);
  if (state_ == Written::none) return;
  for (int64_t i = element; i < element + count; ++i) {
    if (written_[static_cast<size_t>(i)]) f(i, int64_t{1});
  }
}

std::optional<std::vector<int64_t>> Block::first_nan() const {
  std::optional<std::vector<int64_t>> found;
  if (!info(ref_->dtype).is_float) return found;
  for_each_row([&](int64_t element, int64_t in_array, int64_t count) {
    for_each_written(element, count, [&](int64_t from, int64_t run) {
      if (found) return;
      if (const auto nan = nan_among(data_, from, run))
        found = coordinates_of(in_array + (from - element) + *nan, extents_);
    });
  });
  return found;
}

void Block::write_back() {
  PALLASGEN_ASSERT(!views_ && global_ && !global_->argument, ref_->span);
  std::byte* bytes = global_->own.bytes.data();
  const DType dtype = ref_->dtype;
  const auto write = [&](int64_t element, int64_t in_array, int64_t count) {
    const std::byte* from = data_.data.get() + element * carrier_bytes(dtype);
    if (!ref_->reduce) {
      own(in_array, count, false, ref_->span);
      return store_elements(dtype, from, count, bytes, in_array);
    }
    Value block = make_value(dtype, {count}), memory = make_value(dtype, {count});
    std::memcpy(block.data.get(), from, static_cast<size_t>(count * carrier_bytes(dtype)));
    load_elements(dtype, bytes, in_array, count, memory.data.get());
    const Value combined = apply_elementwise(reduction(*ref_->reduce), dtype, {memory, block});
    store_elements(dtype, combined.data.get(), count, bytes, in_array);
  };
  for_each_row([&](int64_t element, int64_t in_array, int64_t count) {
    for_each_written(element, count, [&](int64_t from, int64_t run) { write(from, in_array + (from - element), run); });
  });
}

Value Block::valid() const {
  Value mask = filled_value(DType::boolean, shape_, false);
  if (views_) {
    const IndexedSpace inside = space();
    int64_t at = 0;
    for (const ElementRun& run : select(inside, whole(shape_), nullptr, {}).runs) {
      std::fill_n(mask.edit<uint8_t>() + at, run.count, static_cast<uint8_t>(run.source >= 0));
      at += run.count;
    }
    return mask;
  }
  for_each_row(
      [&](int64_t element, int64_t, int64_t count) { std::fill_n(mask.edit<uint8_t>() + element, count, uint8_t{1}); });
  return mask;
}

}  // namespace pallasgen::interpreter
