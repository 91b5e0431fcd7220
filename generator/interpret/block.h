#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/kernel.h"
#include "fault.h"
#include "interpret/array.h"
#include "owners.h"
#include "selection.h"
#include "value.h"

namespace pallasgen::interpreter {

// An array in global memory during a run: an argument (read only), or one of the run's own.
struct GlobalArray {
  const Array* argument = nullptr;
  Array own;
  std::vector<uint8_t>
      written;          // per element, for arrays that start undefined and are accessed without copies; else empty
  Owners owners;        // finds conflicts if programs have no order
  int64_t program = 0;  // the one that runs

  const Array& array() const { return argument ? *argument : own; }
};

// An array of `shape` filled with a scalar, or undefined.
Array filled_array(DType dtype, const Shape& shape, const std::optional<Scalar>& scalar);

// The place of a ref's block in its array at one step.
struct Placement {
  struct Dim {
    int64_t offset;      // place of the block's first element in the array; may be negative
    int64_t size;        // elements of the block
    int64_t begin, end;  // the elements that exist, [begin, end); end >= begin
    bool operator==(const Dim&) const = default;
  };
  std::vector<Dim> dims;  // one per dim of the array
  bool operator==(const Placement&) const = default;
};

// What the body sees of one ref: a copied block, or a view of global memory (`views`).
class Block {
 public:
  // `extents`: of the array. `global` is null for scratch. `views`: no copy.
  Block(const Ref& ref, Shape extents, GlobalArray* global, bool views);

  const Ref& ref() const { return *ref_; }
  const Shape& extents() const { return extents_; }
  GlobalArray* global() const { return global_; }
  bool views() const { return views_; }
  const std::optional<Placement>& placement() const { return placement_; }
  // The block's shape as the body sees it, squeezed dims dropped.
  const Shape& shape() const { return shape_; }

  // Moves to another place. `load` copies the array's elements there, with `fill` or undefined elements past its end;
  // otherwise the block starts undefined and, if `tracked`, records what is written.
  void open(Placement placement, bool load, bool tracked);
  void close() { placement_.reset(); }
  // Returns, unchanged, to the place where it was closed.
  void reopen(Placement placement) { placement_ = std::move(placement); }

  // The whole block, or what an index selects; masked elements are `other`, or undefined. Throws Fault if an element of
  // a tracked block inside the array was never written.
  Value read(Span span) const;
  Value read(const std::vector<ResolvedItem>& items, const Value* mask, const Value* other, Span span) const;
  // Moves the block's elements out: the next access must write the whole block.
  Value take(Span span);
  // `value` has the ref's dtype and broadcasts to what is selected.
  void write(const Value& value, Span span);
  void write(const std::vector<ResolvedItem>& items, const Value* mask, const Value& value, Span span);

  // Performs an atomic: for each selected element, in row-major order, its old value goes into the result and
  // `combined(op, old value, value element, compare element)` into memory. Operands have the ref's dtype and broadcast.
  Value atomic(const std::vector<ResolvedItem>& items, const Value* mask, AtomicOp op, const Value& value,
               const Value* compare, Span span);
  // From now on, storing a NaN to a view is a fault; first_nan() finds those of other blocks when they are left.
  void check_nan() { checks_nan_ = views_ && info(ref_->dtype).is_float; }
  // Describes the first undefined element of scratch that reads have found since the last call.
  std::optional<std::string> take_undefined() { return std::exchange(undefined_, std::nullopt); }

  // Copies the block's part inside the array to global memory, combined with what is there by `reduce`.
  void write_back();
  // The first element inside the array, in the array's coordinates, that was not written (to a view: by any program).
  std::optional<std::vector<int64_t>> first_unwritten() const;
  // The first NaN inside the array, in the array's coordinates.
  std::optional<std::vector<int64_t>> first_nan() const;
  Fault nan_fault(const std::vector<int64_t>& element, Span span) const;
  bool nothing_written() const { return state_ == Written::none; }
  // The mask of elements inside the array.
  Value valid() const;

 private:
  enum class Written : uint8_t { none, some, all };

  // Calls f(element of the block, element of the array, count) for every row of the part inside the array.
  template <class F>
  void for_each_row(F&& f) const;
  // Calls f(first element, count) for each run of written elements among `count` elements from `element` on.
  template <class F>
  void for_each_written(int64_t element, int64_t count, F&& f) const;
  IndexedSpace space() const;
  Value read_runs(const Selection& selection, const Value* other, Span span) const;
  void require_written(int64_t element, int64_t count, Span span) const;
  void refuse_nan(const Value& value, int64_t at, const ElementRun& run, Span span) const;
  void mark(int64_t element, int64_t count);
  void own(int64_t element, int64_t count, bool atomic, Span span);
  void require_own(int64_t element, int64_t count, Span span) const;
  void report(const std::optional<Owners::Conflict>& conflict, Span span) const;

  const Ref* ref_;
  Shape extents_;
  GlobalArray* global_;
  bool views_;
  std::optional<Placement> placement_;
  Shape shape_;
  Value data_;
  bool tracked_ = false;
  bool checks_nan_ = false;
  Written state_ = Written::all;
  std::vector<uint8_t> written_;  // per element of the block while state_ is `some`
  mutable std::optional<std::string> undefined_;
};

}  // namespace pallasgen::interpreter
