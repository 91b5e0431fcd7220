#pragma once

#include <string>
#include <variant>
#include <vector>

#include "expression/typed.h"
#include "spec/spec.h"

namespace pallasgen {

// The meaning of an expression during the check. Only a TypedPtr is a value of the kernel; the others are names for
// operations.

struct Poison {};  // an error was reported; its consequences are not
// A ref of Kernel::refs, or a view of one made by `.at[…]`: then `items` index the ref and `shape` is the view's.
struct RefName {
  int ref;
  bool view = false;
  std::vector<IndexItem> items = {};
  Shape shape = {};
};
struct FunctionName {
  const FunctionSpec* definition = nullptr;  // in the spec or the library
  bool library = false;
  std::optional<Op> operation;  // an elementwise operation used as a function
  std::string name;
  std::vector<int> gradients = {};  // grad(f): the parameters by which it is differentiated, in order
  std::string external = {};        // name of a function of the spec's `extern`, or empty
};
struct ScalarArrayName {
  int scalar;  // index in Kernel::scalars of one with a shape
};
struct Text {
  std::string value;
};
struct Nothing {};  // None
struct Value;
using Sequence = std::vector<Value>;

struct Value {
  std::variant<Poison, TypedPtr, DType, RefName, FunctionName, ScalarArrayName, Text, Nothing, Sequence> node;
  Span span;

  bool poisoned() const {
    const TypedPtr* typed = std::get_if<TypedPtr>(&node);
    return std::holds_alternative<Poison>(node) || (typed && !*typed);
  }
  template <class T>
  const T* as() const {
    return std::get_if<T>(&node);
  }
};

// Descriptions for messages: "bf16[128, 64]", "f32", "an integer", "a float literal".
std::string describe(const TypedPtr& value);
std::string describe(DType dtype, const Shape& shape);
// "a dtype", "the input 'a'", …; values are described as by describe(TypedPtr).
std::string describe(const Value& value);
std::string shape_text(const Shape& shape);  // "[128, 64]"

}  // namespace pallasgen
