#include <fmt/format.h>

#include <filesystem>

#include "job.h"
#include "output/output.h"
#include "strided.h"

namespace pallasgen {

bool JobFolder::expect(const std::vector<ExpectedCase>& cases, Diagnostics& diagnostics) const {
  std::string text;
  for (size_t i = 0; i < cases.size(); ++i) {
    const ExpectedCase& expected = cases[i];
    text += fmt::format("case {}\n", entries_[i].name);
    if (entries_[i].refused) text += "refused\n";
    for (const auto& [kind, operand] : expected.faults) text += fmt::format("fault {} {}\n", kind, operand);
    for (const std::string& line : expected.printed) text += fmt::format("printed {}\n", line);
    for (const Output& output : entries_[i].outputs) {
      const auto array = expected.outputs.find(output.name);
      if (array == expected.outputs.end()) continue;
      const std::optional<std::string> bytes =
          spread(array->second, output.is_far ? Shape() : output.strides, output.new_memory ? kUntouched : kBetween);
      if (!bytes) continue;
      if (!write_file(output.path + ".want", *bytes, diagnostics)) return false;
      text += fmt::format("out {} {} {}\n", name_of(output.dtype), expected.tolerances.at(output.name),
                          std::filesystem::path(output.path).filename().string());
    }
    text += "end\n";
  }
  return write_file(path_ + "/expected", text, diagnostics);
}

}  // namespace pallasgen
