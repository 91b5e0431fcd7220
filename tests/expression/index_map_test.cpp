// Maps of shape operations against arrays whose elements NumPy would move by strides.
#include "expression/index_map.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace pallasgen;

namespace {

struct Array {
  Shape shape;
  std::vector<int64_t> elements;  // in row-major order
};

int64_t count(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

Shape strides_of(const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

Shape index_of(const Shape& shape, int64_t place) {
  Shape index(shape.size());
  for (size_t d = shape.size(); d-- > 0; place /= shape[d]) index[d] = place % shape[d];
  return index;
}

int64_t place_of(const Shape& index, const Shape& strides, int64_t offset) {
  return std::inner_product(index.begin(), index.end(), strides.begin(), offset);
}

Array numbered(const Shape& shape) {
  Array out{shape, std::vector<int64_t>(static_cast<size_t>(count(shape)))};
  std::iota(out.elements.begin(), out.elements.end(), 0);
  return out;
}

// A view of an array that is copied.
Array view(const Array& of, const Shape& shape, const Shape& strides, int64_t offset = 0) {
  Array out{shape, {}};
  for (int64_t i = 0; i < count(shape); ++i)
    out.elements.push_back(of.elements[static_cast<size_t>(place_of(index_of(shape, i), strides, offset))]);
  return out;
}

Array mapped(const IndexMap& map, const Array& operand) {
  REQUIRE(map.operand == operand.shape);
  Array out{map.result, {}};
  for (int64_t i = 0; i < count(map.result); ++i) {
    std::vector<TypedPtr> at;
    for (int64_t index : index_of(map.result, i)) at.push_back(index_constant(index));
    Shape inner;
    for (const TypedPtr& index : map.operand_indices(at)) inner.push_back(*constant_value(index));
    for (size_t d = 0; d < inner.size(); ++d) REQUIRE((inner[d] >= 0 && inner[d] < map.operand[d]));
    out.elements.push_back(operand.elements[static_cast<size_t>(place_of(inner, strides_of(operand.shape), 0))]);
  }
  return out;
}

// An operation on a shape, and what it makes of an array.
struct Drawn {
  TypedPtr expr;
  Array result;
};

class Draw {
 public:
  explicit Draw(uint64_t seed) : random_(seed) {}

  int64_t number(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }

  Shape shape() {
    static constexpr int64_t kSizes[] = {1, 2, 3, 4, 6};
    Shape out(static_cast<size_t>(number(0, 3)));
    for (int64_t& size : out) size = kSizes[number(0, 4)];
    return out;
  }

  Drawn operation(Op op, const Array& of) {
    Shape strides = strides_of(of.shape), shape = of.shape;
    OpAttributes attributes;
    std::vector<int64_t>& axes = attributes.axes;
    int64_t offset = 0;
    if (op == Op::transpose) {
      axes.resize(shape.size());
      std::iota(axes.begin(), axes.end(), 0);
      std::shuffle(axes.begin(), axes.end(), random_);
      for (size_t d = 0; d < axes.size(); ++d) {
        shape[d] = of.shape[static_cast<size_t>(axes[d])];
        strides[d] = strides_of(of.shape)[static_cast<size_t>(axes[d])];
      }
    } else if (op == Op::expand_dims) {
      for (size_t d = 0; d <= shape.size() && d < 5; ++d) {
        if (number(0, 2) > 0) continue;
        axes.push_back(static_cast<int64_t>(d));
        shape.insert(shape.begin() + static_cast<ptrdiff_t>(d), 1);
        strides.insert(strides.begin() + static_cast<ptrdiff_t>(d), 0);
      }
    } else if (op == Op::squeeze) {
      for (size_t d = of.shape.size(); d-- > 0;) {
        if (of.shape[d] != 1 || number(0, 1) == 0) continue;
        axes.insert(axes.begin(), static_cast<int64_t>(d));
        shape.erase(shape.begin() + static_cast<ptrdiff_t>(d));
        strides.erase(strides.begin() + static_cast<ptrdiff_t>(d));
      }
    } else if (op == Op::broadcast_to) {
      for (size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] != 1) continue;
        shape[d] = number(1, 3);
        strides[d] = 0;
      }
      for (int64_t added = number(0, 2); added > 0; --added) {
        shape.insert(shape.begin(), number(1, 3));
        strides.insert(strides.begin(), 0);
      }
    } else if (op == Op::slice) {
      slice(of.shape, attributes.items, shape, strides, offset);
    } else {
      shape = regrouped(of.shape);
      strides = strides_of(shape);
    }
    const TypedPtr operand = make_typed({}, DType::f32, of.shape, LocalUse{0, "x"});
    return {make_typed({}, DType::f32, shape, Apply{op, {operand}, std::move(attributes)}),
            view(of, shape, strides, offset)};
  }

 private:
  void slice(const Shape& of, std::vector<IndexItem>& items, Shape& shape, Shape& strides, int64_t& offset) {
    const Shape from = strides;
    shape.clear();
    strides.clear();
    for (size_t d = 0; d <= of.size(); ++d) {
      if (number(0, 4) == 0) {
        items.emplace_back(IndexNewAxis{});
        shape.push_back(1);
        strides.push_back(0);
      }
      if (d == of.size()) break;
      const int64_t first = number(0, of[d] - 1), step = number(1, 2);
      offset += first * from[d];
      if (number(0, 3) == 0) {
        items.emplace_back(IndexInteger{index_constant(first)});
        continue;
      }
      const int64_t size = number(1, (of[d] - first + step - 1) / step);
      items.emplace_back(IndexSlice{index_constant(first), size, step});
      shape.push_back(size);
      strides.push_back(step * from[d]);
    }
  }

  // A shape of as many elements: factors of theirs in dims drawn at random.
  Shape regrouped(const Shape& of) {
    Shape out(static_cast<size_t>(number(1, 4)), 1);
    int64_t left = count(of);
    for (int64_t factor = 2; left > 1;) {
      if (left % factor != 0) {
        ++factor;
        continue;
      }
      out[static_cast<size_t>(number(0, static_cast<int64_t>(out.size()) - 1))] *= factor;
      left /= factor;
    }
    return out;
  }

  std::mt19937_64 random_;
};

constexpr Op kOps[] = {Op::transpose, Op::expand_dims, Op::squeeze, Op::broadcast_to, Op::slice, Op::reshape};

TypedPtr value(const Shape& shape) { return make_typed({}, DType::f32, shape, LocalUse{0, "x"}); }

TypedPtr shaped(Op op, const Shape& from, const Shape& to, std::vector<int64_t> axes = {}) {
  OpAttributes attributes;
  attributes.axes = std::move(axes);
  return make_typed({}, DType::f32, to, Apply{op, {value(from)}, std::move(attributes)});
}

}  // namespace

TEST_CASE("the map of each shape operation moves elements as NumPy does") {
  Draw draw(1);
  for (const Op op : kOps) {
    CAPTURE(operation(op).name);
    for (int i = 0; i < 200; ++i) {
      const Array operand = numbered(draw.shape());
      const Drawn drawn = draw.operation(op, operand);
      CAPTURE(to_string(drawn.expr));
      const std::optional<IndexMap> map = index_map(*drawn.expr);
      REQUIRE(map);
      CHECK(map->result == drawn.expr->shape);
      CHECK(mapped(*map, operand).elements == drawn.result.elements);
      const TypedPtr again = shape_operation(*drawn.expr, value(operand.shape), *map);
      CHECK(again->shape == drawn.expr->shape);
      CHECK(mapped(*index_map(*again), operand).elements == drawn.result.elements);
      if (map->takes_all()) {
        std::vector<int64_t> found = drawn.result.elements;
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        CHECK(found == operand.elements);
      }
      if (map->is_identity()) CHECK(drawn.result.elements == operand.elements);
      if (op != Op::reshape) CHECK(map->is_dimwise());
    }
  }
}

TEST_CASE("composed maps move elements as one operation after another does") {
  Draw draw(2);
  int composed_with_reshapes = 0;
  for (int i = 0; i < 2000; ++i) {
    const Array operand = numbered(draw.shape());
    Array array = operand;
    std::optional<IndexMap> all = part_map(operand.shape, operand.shape.size(), nullptr, {});
    bool reshapes = false;
    for (int64_t length = draw.number(2, 4); length > 0; --length) {
      const Op op = kOps[draw.number(0, std::size(kOps) - 1)];
      const Drawn drawn = draw.operation(op, array);
      if (count(drawn.expr->shape) > 500) break;
      const std::optional<IndexMap> own = index_map(*drawn.expr);
      reshapes = reshapes || !own->is_dimwise();
      all = composed(*own, *all);
      array = drawn.result;
      if (!all) break;
    }
    if (!all) {
      CHECK(reshapes);
      continue;
    }
    composed_with_reshapes += reshapes ? 1 : 0;
    CHECK(mapped(*all, operand).elements == array.elements);
  }
  CHECK(composed_with_reshapes > 100);
}

TEST_CASE("a part of a value is a map, a slice and an operation on what it takes") {
  const IndexMap rows = part_map({8, 6}, 0, index_constant(2), 4), row = part_map({8, 6}, 0, index_constant(2), {});
  CHECK(to_string(sliced(value({8, 6}), rows)) == "x[2:6, 0:6]");
  CHECK(to_string(sliced(value({8, 6}), row)) == "x[2, 0:6]");
  CHECK(rows.taken() == Shape{4, 6});
  CHECK(rows.takes_part(0, index_constant(2), 4));
  CHECK_FALSE(rows.takes_part(0, index_constant(1), 4));
  CHECK(rows.takes_all_but(0));
  CHECK(row.dropped() == std::vector<int64_t>{0});

  std::vector<IndexItem> items{IndexSlice{index_constant(2), 4}, IndexNewAxis{}};
  OpAttributes attributes;
  attributes.items = items;
  const TypedPtr stretched = make_typed({}, DType::f32, {4, 1}, Apply{Op::slice, {value({8})}, attributes});
  CHECK(to_string(of_part(*stretched, *index_map(*stretched), value({4}))) == "x[0:4, None]");
}

TEST_CASE("maps say which dims follow which") {
  const IndexMap swapped = *index_map(*transposed(value({2, 3})));
  CHECK(swapped.is_permuted());
  CHECK(permuted_operand(*transposed(value({2, 3}))));
  CHECK(swapped.result_dims() == std::vector<int>{1, 0});
  CHECK(composed(*index_map(*transposed(value({3, 2}))), swapped)->is_identity());

  const IndexMap stretched = broadcast_map({3, 1}, {2, 3, 4});
  CHECK(stretched.result_dims() == std::vector<int>{1, -1});
  CHECK(stretched.added() == std::vector<int64_t>{0, 2});
  CHECK(stretched.takes_all());

  const IndexMap same = *index_map(*shaped(Op::reshape, {4, 1, 6}, {4, 2, 3}));
  CHECK(same.operand_dim(0) == 0);
  CHECK(same.operand_dim(1) == -1);
  CHECK_FALSE(same.is_dimwise());
  CHECK(index_map(*shaped(Op::reshape, {4, 1, 6}, {4, 6}))->is_in_order());

  const IndexMap lines = *reduction_map(*shaped(Op::sum, {2, 3, 4}, {2, 4}, {1}));
  CHECK(lines.result_dims() == std::vector<int>{0, -1, 1});
  CHECK(reduction_map(*shaped(Op::cumsum, {2, 3}, {2, 3}, {1}))->added() == std::vector<int64_t>{1});
  CHECK(reduction_map(*shaped(Op::sum, {2, 3}, {}))->dropped() == std::vector<int64_t>{0, 1});
  CHECK_FALSE(reduction_map(*transposed(value({2, 3}))));
  CHECK_FALSE(index_map(*value({2, 3})));
}
