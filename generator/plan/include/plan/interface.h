#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// Alignment of arrays that tensor maps describe, in bytes (CUDA driver API, cuTensorMapEncodeTiled).
constexpr int64_t kMapAlignment = 16;

enum class ArgumentRole : uint8_t { input, output, inout, size, scalar, workspace, workspace_bytes, stream };

const char* name_of(ArgumentRole role);  // "in", "out", "inout", "size"

// An argument of a launcher.
struct Argument {
  std::string name;  // the spec's name, even where the file must use another
  ArgumentRole role = ArgumentRole::stream;
  int index = -1;  // in Kernel::refs, dims or scalars
  // For arrays and scalars. `shape` and `strides` are index expressions over the sizes, in elements; without strides
  // the array is row-major without gaps. The pointer is a multiple of `alignment` bytes.
  bool is_array = false;
  DType dtype = DType::f32;
  std::vector<TypedPtr> shape, strides;
  int64_t alignment = 1;
  std::vector<std::string> written_as;  // for an inout: the outputs that are this array
  // For sizes: the launcher refuses values below `least`, above `most` or not multiples of `multiple_of`.
  int64_t least = 0, most = 0, multiple_of = 1;
  std::string doc;
};

// Returns the launcher's arguments, as the header declares them and as bindings of other languages use them.
std::vector<Argument> interface_of(const Plan& plan);

// Returns the complete `interface` entry of `.plan.json`, arguments included.
nlohmann::ordered_json interface_json(const Plan& plan);

}  // namespace pallasgen
