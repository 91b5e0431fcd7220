#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "check/kernel.h"
#include "interpret/array.h"
#include "tile/program.h"

namespace pallasgen {

struct Arguments {
  std::map<std::string, int64_t> dims;
  std::map<std::string, Scalar> scalars;
  std::map<std::string, Array> arrays;  // inputs, and scalar arrays
  int64_t num_sms = 132;                // of the device that is simulated; the H100 and the H200 have 132
};

enum class ProgramOrder { row_major, reversed, random };

// Why a program ended: a broken rule that asserts and the `checks` of kernels report, or another one. `waiting`:
// programs wait in a grid_sync for one that has ended.
enum class FaultKind : uint8_t { other, oob, nan, assertion, waiting };
struct FoundFault {
  FaultKind kind = FaultKind::other;
  std::string operand = {};              // whose element or block it concerns; empty: no operand's
  std::vector<std::string> points = {};  // where programs ended: "i = 3, k = 0"
};

struct InterpretOptions {
  ProgramOrder order = ProgramOrder::row_major;
  uint64_t seed = 0;
  std::ostream* print = nullptr;                 // where `print` statements go; null: nowhere
  std::vector<FoundFault>* faults = nullptr;     // gets what ended programs, once for each place; null: unused
  ProgramOrder roles = ProgramOrder::row_major;  // of a tile program: which role runs next if several can
  // Computes in f64 instead of every float dtype, also of arguments and outputs: the kernel's results without rounding.
  // Refused if bits of floats are used.
  bool in_f64 = false;
};

// Fills in dims from the shapes of the arrays, and checks shapes, dtypes and the facts of the dims (multiple_of, min,
// max) against each other. False with diagnostics when something is missing or does not fit.
bool complete_arguments(const Kernel& kernel, Arguments& arguments, Diagnostics& diagnostics);
// True if these are values of all dims and of nothing else; otherwise diagnostics.
bool are_all_dims(const Kernel& kernel, const std::map<std::string, int64_t>& dims, Diagnostics& diagnostics);

// Runs every program of the grid on the CPU and returns the outputs. Reading past the end, or what was never written,
// gives NaN (floats) or the most negative integer. Null with diagnostics if a rule is broken at run time.
std::optional<std::map<std::string, Array>> interpret(const Kernel& kernel, const Arguments& arguments,
                                                      const InterpretOptions& options, Diagnostics& diagnostics);

// The same for a tile program, whose statements run in the order of its text.
std::optional<std::map<std::string, Array>> interpret(const tile::Program& program, const Arguments& arguments,
                                                      const InterpretOptions& options, Diagnostics& diagnostics);

// Evaluates the spec's `reference` on whole arrays; `in_f64` as in InterpretOptions. Null with diagnostics, or if the
// spec has no reference.
std::optional<std::map<std::string, Array>> evaluate_reference(const Kernel& kernel, const Arguments& arguments,
                                                               Diagnostics& diagnostics, bool in_f64 = false);

// Which seeded arrays hold special values besides the seeded ones: for floats, numbers at the edges of the dtype and,
// except with `finite`, NaN and infinities; for integers, with `all`, the extremes (docs/testing.md). Scalars, arrays
// of scalars and arrays from files hold none.
enum class SpecialValues : uint8_t { none, finite, floats, all };

// Seeded inputs for a test: floats normal(0, 1) rounded to the dtype, integers in [-8, 8) (unsigned in [0, 8)), bools
// even. The same seed gives the same arrays on every machine.
Arguments seeded_arguments(const Kernel& kernel, const KernelTest& test, Diagnostics& diagnostics,
                           SpecialValues special = SpecialValues::none);

// One such array; no input may have its name.
Array seeded_array(DType dtype, const Shape& shape, uint64_t seed, const std::string& name);

struct Difference {
  bool equal = true;
  double max_absolute = 0;
  double of_allowed = 0;  // the largest share that an element uses of its tolerance; above 1: not equal
  int64_t first = -1;     // row-major index of the first element outside the tolerance
  double got = 0, want = 0;
};
// The size of the largest finite element, at most 1: errors of smaller elements are relative to it.
double scale_of(const Array& want);
// |got - want| <= tolerance * max(scale_of(want), |want|) elementwise; NaN equals NaN, infinities must be equal.
// `one_kind`: values that are not finite count as equal. `room`: additional tolerance of each element.
Difference compare(const Array& got, const Array& want, double tolerance, bool one_kind = false,
                   const std::vector<double>& room = {});
// The smallest normal number of a float dtype: below it, values are no closer to each other.
double smallest_normal(DType dtype);
// The distance from 1 to the next value of a float dtype.
double unit_of(DType dtype);
// The tolerance that the dtype of an output and the length of its sums justify (docs/testing.md).
double default_tolerance(const Kernel& kernel, const Ref& output, const Arguments& arguments);

}  // namespace pallasgen
