#include "kernel/value.h"

#include <fmt/format.h>

namespace pallasgen {

std::string shape_text(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

std::string describe(DType dtype, const Shape& shape) {
  if (dtype == DType::index) return shape.empty() ? "an integer" : "integers of shape " + shape_text(shape);
  if (dtype == DType::literal)
    return shape.empty() ? "a float literal" : "float literals of shape " + shape_text(shape);
  return std::string(name_of(dtype)) + (shape.empty() ? "" : shape_text(shape));
}

std::string describe(const TypedPtr& value) { return describe(value->dtype, value->shape); }

std::string describe(const Value& value) {
  if (const TypedPtr* typed = value.as<TypedPtr>(); typed && *typed) return describe(*typed);
  if (const DType* dtype = value.as<DType>()) return fmt::format("the dtype {}", name_of(*dtype));
  if (value.as<RefName>()) return "a ref";
  if (value.as<ScalarArrayName>()) return "an array of scalars";
  if (const FunctionName* function = value.as<FunctionName>()) return fmt::format("the function {}", function->name);
  if (const Text* text = value.as<Text>()) return fmt::format("the text \"{}\"", text->value);
  if (value.as<Nothing>()) return "None";
  return "a list";
}

}  // namespace pallasgen
