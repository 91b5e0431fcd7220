#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "array_ops.h"
#include "block.h"
#include "check/kernel.h"
#include "fault.h"
#include "value.h"

// Names for this library alone are in `interpreter`, as other stages have values, blocks and placements of their own.
namespace pallasgen::interpreter {

// The meanings of an expression's names at one point of a run. Lists are indexed by the ids of the typed tree.
struct Environment {
  const Kernel* kernel = nullptr;
  const std::vector<Function>* functions = nullptr;
  std::vector<int64_t> dims;
  std::vector<Value> scalars;             // by value, or whole arrays
  std::vector<int64_t> axes, axis_sizes;  // of the program and step
  std::vector<Value> lets;                // no data until used; emptied when an axis moves
  std::vector<int64_t> loops;
  std::vector<Value> locals;
  std::vector<Block> blocks;  // by ref
  int64_t num_sms = 0;        // Arguments::num_sms
  int64_t ticket = 0;         // of the running program
  // Reports faults that do not end the program; runs grid_sync(). Either may be empty.
  std::function<void(const Fault&)> warn;
  std::function<void(Span)> grid_sync;
  // Places a view of global memory before its first use; empty: all views have places.
  std::function<void(Block&)> place_view;
};

// Evaluates typed expressions. Throws Fault if a program breaks a rule while running.
class Evaluator {
 public:
  explicit Evaluator(Environment& environment) : env_(environment) {}

  // A value of the expression's dtype and shape.
  Value evaluate(const TypedPtr& expr);
  // True if `x + expr` is one accumulation for an x of that dtype and shape, as the expression is such a dot.
  static bool accumulates(const TypedPtr& expr, DType dtype, const Shape& shape);
  // Evaluates that accumulation; `start` is called to get x after the operands of the dot are evaluated.
  Value accumulate(const TypedPtr& dot_expr, const std::function<Value()>& start);
  // An index, integer or bool scalar.
  int64_t integer(const TypedPtr& expr);
  // An index scalar that is a size or an extent; a fault of `rule` if it, or a part of it, exceeds 64 bits. The message
  // begins with `what` and `name`: "the size of axis", "i".
  int64_t size(const TypedPtr& expr, const Rule& rule, std::string_view what, const std::string& name);
  bool condition(const TypedPtr& expr) { return integer(expr) != 0; }
  std::vector<ResolvedItem> resolve(const std::vector<IndexItem>& items);
  // The ref's block at this step; a fault if there is none.
  Block& block(int ref, Span span);

 private:
  const Value& local(const LocalUse& local, Span span) const;
  Value symbol(const Symbol& symbol, const Typed& expr);
  int64_t index_symbol(const Symbol& symbol, const Typed& expr);
  Value read(const RefRead& read, Span span);
  Value apply(const Apply& apply, const Typed& expr);
  Value elementwise(const Apply& apply, const Typed& expr);
  Value choose(const Apply& apply, const Typed& expr);
  Value short_circuit(const Apply& apply);
  Value shaped(const Apply& apply, const Typed& expr);
  Value multiply(const Apply& apply, DType dtype, const std::function<Value()>& start);
  Value multiply_scaled(const Apply& apply, DType dtype, const DotForm& form, const std::function<Value()>& start);
  Value call(const CallFunction& call, const Typed& expr);
  Value call_external(const ExternFunction& function, std::vector<Value>& parameters, const Shape& shape, Span span);
  Value of_scalars(const Apply& apply, const Typed& expr);
  Value slice(const Value& value, const Apply& apply, Span span);

  Environment& env_;
  bool wrapped_ = false;  // an index scalar has exceeded 64 bits since this was last reset
  // Parameters of the function that is being applied; null in the body. Nodes of a function are typed as scalars while
  // their values are whole arrays.
  std::vector<Value>* parameters_ = nullptr;
};

}  // namespace pallasgen::interpreter
