#pragma once

#include <string>
#include <variant>
#include <vector>

#include "expression/typed.h"
#include "spec/spec.h"

namespace pallasgen {

// What an expression can stand for while it is being checked. Only a TypedPtr is a value of the kernel; the others are
// names that operations take.

struct Poison {};  // an error was reported; say nothing that follows from it
// A ref of Kernel::refs, or a view of one made by `.at[…]`: then `items` index the ref and `shape` is the view's.
struct RefName {
  int ref;
  bool view = false;
  std::vector<IndexItem> items = {};
  Shape shape = {};
};
struct FunctionName {
  const FunctionSpec* definition = nullptr;  // of the spec or of the library
  bool library = false;
  std::optional<Op> operation;  // an elementwise operation used as a function
  std::string name;
  std::vector<int> gradients = {};  // grad(f): the parameters that it is differentiated by, in order
  std::string external = {};        // the name of a function of the spec's `extern`; empty: it is none
};
struct ScalarArrayName {
  int scalar;  // of Kernel::scalars, one with a shape
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

// For messages: "bf16[128, 64]", "f32", "an integer", "a float literal".
std::string describe(const TypedPtr& value);
std::string describe(DType dtype, const Shape& shape);
// "a dtype", "the input 'a'", … ; a value as describe(TypedPtr).
std::string describe(const Value& value);
std::string shape_text(const Shape& shape);  // "[128, 64]"

}  // namespace pallasgen
