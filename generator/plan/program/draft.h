#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "check/steps.h"
#include "plan/plan.h"
#include "plan/rules.h"
#include "plan/words.h"

namespace pallasgen {

// A plan in the making, and what the passes share: the kernel with its lets written out, the facts about its symbols.
struct Draft {
  std::shared_ptr<const Kernel> kernel;
  std::shared_ptr<const Kernel> source;  // the kernel as the spec says it, of which remedies try others
  const Target* target;
  Diagnostics& diagnostics;
  std::map<int, Bounds> loops;  // what is known of the variables of the spec's loops around the place under way
  SymbolFacts facts;            // of symbols, these among them
  std::map<Shape, std::vector<Number>> value_sizes;  // of what dots make and what is read, by name
  Plan plan;

  Draft(const PreparedKernel& prepared, Diagnostics& diagnostics);
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  // A constant that the plan makes; `line` groups declarations. Returns it by name.
  Number constant(std::string name, int64_t value, int line, std::string formula = {}, std::string comment = {});
  Diagnostic& refuse(const Rule& rule, Span span, std::string message);
  void decide(std::string subject, std::string choice, std::string reason);

  const Ref& ref(int index) const { return kernel->refs[index]; }
  // The C++ names of the file.
  const Identifiers& names() const { return kernel->identifiers; }
};

// Lines of constants: what stands together in the file.
namespace constant_line {
inline constexpr int spec = 0, stages = 1, consumers = 2, threads = 3, rows = 4, strip = 5, store_columns = 6,
                     store_buffers = 7, slab = 8, bytes = 9;
}

// The names of the constants that plans make.
namespace constant_name {
inline constexpr const char *stages = "kStages", *ahead = "kAhead", *consumers = "kConsumers", *threads = "kThreads",
                            *cluster = "kCluster", *programs = "kPrograms", *rows = "kRowsPerConsumer",
                            *columns = "kColumnsPerConsumer", *row_lanes = "kRowLanes", *strip = "kStripWidth",
                            *store_columns = "kStoreColumns", *store_buffers = "kStoreBuffers",
                            *stage_bytes = "kStageBytes";
}

// The text of a constant with what the file calls its names.
std::string identifiers_in(const Identifiers& identifiers, const std::string& text);
// C++ text of a constant index expression made of named constants (+ - * / %), or its digits where it is no such thing.
// `value` is what it amounts to.
Number number_of(const TypedPtr& expr, int64_t value);
// The size of one block dim, by name where the spec gives one.
Number number_of(const BlockDim& dim);
// Products, quotients and sums, with parentheses where the text needs them; digits stay digits, a factor of 1 vanishes.
Number product(const Number& a, const Number& b);
Number quotient(const Number& a, const Number& b);  // exact
Number sum(const Number& a, const Number& b);
// The number as an index expression that keeps its text: Constant{value, text}.
TypedPtr to_index(const Number& number);
// A variable of a program (program.h): row0, j, i.
TypedPtr variable(const std::string& name);
TypedPtr dim_symbol(const Kernel& kernel, int dim);
TypedPtr add(TypedPtr a, TypedPtr b);  // null operands are 0
TypedPtr multiply(TypedPtr a, TypedPtr b);

// A scalar constant of the dtype.
TypedPtr typed_constant(DType dtype, Scalar value);
TypedPtr zero_of(DType dtype);

// Where the spec says the ref's type, else where it names the ref.
inline Span place_of_type(const Ref& ref) { return ref.type_span.source ? ref.type_span : ref.span; }

// The runtime's name of an element type: bf16, f16, else CUDA's.
std::string element_type(DType dtype);
// "bm * bk * sizeof(bf16)": the bytes of so many elements in memory, a product or a sum in brackets.
std::string bytes_formula(DType dtype, const std::string& elements);
Number bytes_number(DType dtype, const Number& elements);

// The name, or where that is taken the same with an end.
std::string name_apart(const std::string& name, const std::function<bool(const std::string&)>& is_taken);

}  // namespace pallasgen
