#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "channels.h"
#include "tile/text.h"
#include "tile/walk.h"

namespace pallasgen::tile {

namespace {

// The type of what a statement gives its value: the elements of a box, or an expression.
struct Given {
  DType dtype;
  Shape shape;
};

std::optional<Given> given_by(const Program& program, const Statement& statement) {
  if (const auto* read = statement.as<Read>()) {
    Given out{program.ref(read->box.ref).dtype, {}};
    for (const BoxDim& dim : read->box.dims) {
      if (dim.size) out.shape.push_back(*dim.size);
    }
    return out;
  }
  const auto* assign = statement.as<Assign>();
  // A number is assigned to all elements.
  if (!assign || !assign->expr || assign->expr->shape.empty()) return std::nullopt;
  return Given{program.value(assign->value).dtype, assign->expr->shape};
}

double elements(const Shape& shape) { return std::accumulate(shape.begin(), shape.end(), 1.0, std::multiplies<>()); }

// True if NumPy's rules broadcast the one shape to the other.
bool is_broadcast(const Shape& from, const Shape& to) {
  return from.size() <= to.size() &&
         std::equal(from.rbegin(), from.rend(), to.rbegin(), [](int64_t a, int64_t b) { return a == b || a == 1; });
}

}  // namespace

void verify_types(const Program& program, std::vector<std::string>& wrong) {
  for (const Role& role : program.roles) {
    for_each_statement(role.body, [&](const Statement& statement) {
      const std::optional<ValueId> id = defined_by(statement);
      const std::optional<Given> given = given_by(program, statement);
      if (!id || !given) return;
      const Value& value = program.value(*id);
      // A read may take several dims of a box as one, and an expression is broadcast to its value.
      const bool fits = elements(value.shape) == elements(given->shape) || is_broadcast(given->shape, value.shape);
      if (value.dtype == given->dtype && fits) return;
      const std::string text = to_text(program, {statement});
      wrong.push_back(
          fmt::format("'{}' has another type than what it takes: {}", value.name, text.substr(0, text.find('\n'))));
    });
  }
}

}  // namespace pallasgen::tile
