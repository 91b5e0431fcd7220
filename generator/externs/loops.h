#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "check/externs.h"

namespace pallasgen {

// Runs functions of a header on the CPU: those that were asked for are compiled together, with the emulator's headers
// in place of the CUDA compiler, into a shared library that is kept in a folder under the hash of what went into it.
class ExternLoops {
 public:
  // `arguments` are the compiler's; `files` is what the header is made of.
  ExternLoops(std::string header, std::vector<std::string> arguments, std::vector<std::string> files,
              std::string folder);

  // A function that may be run: it is compiled with the others that are known when the first of them runs.
  void expect(const std::string& name, const std::vector<DType>& types, DType result);
  // ExternFunction::run.
  std::string run(const ExternFunction& function, const std::vector<const void*>& args, void* result, int64_t count);

 private:
  using Loop = void (*)(const void* const* args, void* result, int64_t count);
  struct Known {
    std::string name;
    std::vector<DType> types;
    DType result;
    Loop loop = nullptr;
  };

  std::string text() const;
  std::string load();

  const std::string header_, folder_;
  const std::vector<std::string> arguments_, files_;
  std::mutex mutex_;
  std::vector<Known> known_;
};

}  // namespace pallasgen
