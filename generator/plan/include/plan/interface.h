#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// Of arrays that tensor maps reach, in bytes (CUDA driver API, cuTensorMapEncodeTiled).
constexpr int64_t kMapAlignment = 16;

enum class ArgumentRole : uint8_t { input, output, inout, size, scalar, workspace, workspace_bytes, stream };

const char* name_of(ArgumentRole role);  // "in", "out", "inout", "size"

// An argument of a launcher.
struct Argument {
  std::string name;  // as the spec calls it, also where the file must call it otherwise
  ArgumentRole role = ArgumentRole::stream;
  int index = -1;  // in Kernel::refs, dims or scalars
  // Arrays and scalars. `shape`, `strides`: index expressions over the sizes, in elements; strides empty: row-major
  // without gaps. `alignment`: bytes of which the pointer is a multiple.
  bool is_array = false;
  DType dtype = DType::f32;
  std::vector<TypedPtr> shape, strides;
  int64_t alignment = 1;
  std::vector<std::string> written_as;  // of an inout: the outputs that are this array
  // Sizes: the launcher refuses what is less, more or no multiple.
  int64_t least = 0, most = 0, multiple_of = 1;
  std::string doc;
};

// What a caller of the kernel knows of it: what its header says, and what bindings of other languages are made of.
std::vector<Argument> interface_of(const Plan& plan);

// The same with what stands around it, as `interface` of `.plan.json` has it.
nlohmann::ordered_json interface_json(const Plan& plan);

}  // namespace pallasgen
