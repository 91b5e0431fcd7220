#include "loops.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>

#include "guard.h"
#include "output/output.h"
#include "verify/host_build.h"

namespace pallasgen {

namespace {

// The C++ type in which the interpreter holds the dtype: see interpret/value.h.
std::string_view carrier_of(DType dtype) {
  const DTypeInfo& row = info(dtype);
  if (dtype == DType::boolean) return "uint8_t";
  if (row.is_float) return row.bits == 64 ? "double" : "float";
  if (row.bits < 32 || dtype == DType::i32) return "int32_t";
  return row.cuda;
}

// The first error that a compiler printed, and a remedy.
std::string compile_refusal(const std::string& said) {
  const size_t error = said.find("error: ");
  const size_t begin = error == std::string::npos ? 0 : error + std::string_view("error: ").size();
  return fmt::format(
      "its header does not compile for the CPU: {}; what only a GPU has, such as assembly, can stand under "
      "`#ifdef __CUDA_ARCH__`, with C++ for the CPU in the `#else`",
      said.substr(begin, said.find('\n', begin) - begin));
}

}  // namespace

ExternLoops::ExternLoops(std::string header, std::vector<std::string> arguments, std::vector<std::string> files,
                         std::string folder)
    : header_(std::move(header)),
      folder_(std::move(folder)),
      arguments_(std::move(arguments)),
      files_(std::move(files)) {}

void ExternLoops::expect(const std::string& name, const std::vector<DType>& types, DType result) {
  const std::lock_guard lock(mutex_);
  for (const Known& known : known_)
    if (known.name == name && known.types == types) return;
  known_.push_back({name, types, result});
}

std::string ExternLoops::text() const {
  std::string out = fmt::format(
      "#include <cuda_runtime.h>\n#include \"{}\"\n\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n"
      "#include <cuda_fp8.h>\n\n#include <cstdint>\n",
      header_);
  for (size_t i = 0; i < known_.size(); ++i) {
    const Known& known = known_[i];
    std::string arguments, lists;
    for (size_t a = 0; a < known.types.size(); ++a) {
      lists += fmt::format("  const auto* x{0} = static_cast<const {1}*>(args[{0}]);\n", a, carrier_of(known.types[a]));
      arguments += fmt::format("{}{}(x{}[i])", a == 0 ? "" : ", ", info(known.types[a]).cuda, a);
    }
    out += fmt::format(
        "\nextern \"C\" void pallasgen_loop_{0}(const void* const* args, void* result, int64_t count) {{\n{1}"
        "  for (int64_t i = 0; i < count; ++i) static_cast<{2}*>(result)[i] = static_cast<{2}>({3}({4}));\n}}\n",
        i, lists, carrier_of(known.result), known.name, arguments);
  }
  return out;
}

std::string ExternLoops::load() {
  std::string refusal, said;
  const std::string library = build_library_for_host(text(), arguments_, files_, folder_, refusal, said);
  if (library.empty()) return said.empty() ? refusal : compile_refusal(said);
  void* opened = dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (opened == nullptr) return fmt::format("'{}' cannot be loaded: {}", library, dlerror());
  for (size_t i = 0; i < known_.size(); ++i)
    known_[i].loop = reinterpret_cast<Loop>(dlsym(opened, fmt::format("pallasgen_loop_{}", i).c_str()));
  return "";
}

std::string ExternLoops::run(const ExternFunction& function, const std::vector<const void*>& args, void* result,
                             int64_t count) {
  Loop loop = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto find = [&] {
      for (const Known& known : known_)
        if (known.name == function.name && known.types == function.parameters) loop = known.loop;
    };
    find();
    if (loop == nullptr) {
      if (const std::string refusal = load(); !refusal.empty()) return refusal;
      find();
    }
  }
  if (loop == nullptr) return fmt::format("'{}' is not in the library that was made for it", function.name);
  const int signal = run_guarded([&] { loop(args.data(), result, count); });
  if (signal == 0) return "";
  return fmt::format(
      "it ends with signal {} ({}); a division of integers by zero, a recursion without end and an index outside an "
      "array do so",
      signal, strsignal(signal));
}

}  // namespace pallasgen
