#include "driver/tried_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "plan/words.h"
#include "program/numbers.h"

namespace pallasgen {

namespace {

using Values = std::map<std::string, int64_t>;  // by the name of a const

constexpr int64_t kSizeUnit = 8;  // tried block sizes are multiples of it, as copies and instructions need

// The consts that are block sizes, by name. A const that is the size of a whole array is given by the problem.
Values sizes_of_blocks(const Kernel& kernel) {
  Values found;
  std::set<std::string> fixed;
  for (const Ref& ref : kernel.refs) {
    if (ref.role == RefRole::scratch) continue;  // its sizes are other blocks'
    for (size_t d = 0; d < ref.block.size(); ++d) {
      const BlockDim& dim = ref.block[d];
      const std::string text = number_of(dim).text;
      const auto known = std::find_if(kernel.consts.begin(), kernel.consts.end(), [&](const KernelConst& each) {
        return kernel.identifiers.of(each.name) == text;
      });
      if (dim.kind == BlockKind::squeezed || known == kernel.consts.end()) continue;
      found[known->name] = dim.size;
      if (d < ref.array_shape.size() && constant_value(ref.array_shape[d]) == dim.size) fixed.insert(known->name);
    }
  }
  for (const std::string& name : fixed) found.erase(name);
  return found;
}

// Checks the spec with other values of consts; nothing if it has errors.
std::optional<Kernel> with_values(const Kernel& kernel, const Values& values) {
  Spec changed = *kernel.spec;
  for (ConstSpec& each : changed.consts) {
    const auto value = values.find(each.name);
    if (value == values.end() || !each.value) continue;
    each.value = make_expr(each.value->span, IntegerLiteral{static_cast<uint64_t>(value->second)});
  }
  Diagnostics of_trial;
  return check(std::make_shared<const Spec>(std::move(changed)), of_trial);
}

bool works(const Kernel& kernel, const Values& values, const PlanWarnings& warnings, size_t most) {
  const std::optional<Kernel> tried = with_values(kernel, values);
  const std::optional<size_t> found = tried ? warnings(*tried) : std::nullopt;
  return found && *found <= most;
}

std::string text_of(const Values& values) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : values) texts.push_back(fmt::format("{} {}", name, value));
  return listed(texts);
}

std::vector<std::string> found_by(const Kernel& kernel, const Values& sizes, const PlanWarnings& warnings,
                                  size_t most) {
  constexpr std::pair<int64_t, int64_t> kParts[] = {{3, 4}, {1, 2}, {3, 8}, {1, 4}, {1, 8}};
  std::vector<std::string> found;
  for (const auto& [name, size] : sizes) {
    for (const auto& [times, of] : kParts) {
      if (size % (of * kSizeUnit) != 0 || !works(kernel, {{name, size / of * times}}, warnings, most)) continue;
      found.push_back(text_of({{name, size / of * times}}));
      break;
    }
  }
  constexpr int64_t kMostGroups = 3;
  for (int64_t groups = kernel.pipeline.compute_warpgroups.value.value_or(kMostGroups) + 1; groups <= kMostGroups;
       ++groups) {
    Kernel tried = kernel;
    tried.pipeline.compute_warpgroups.value = groups;
    const std::optional<size_t> of_plan = warnings(tried);
    if (!of_plan || *of_plan > most) continue;
    found.push_back(fmt::format("compute_warpgroups {}", groups));
    break;
  }
  for (int64_t of = 2; found.empty() && sizes.size() > 1 && of <= 4; of *= 2) {
    Values halved;
    for (const auto& [name, size] : sizes) halved[name] = size % (of * kSizeUnit) == 0 ? size / of : size;
    if (halved != sizes && works(kernel, halved, warnings, most)) found.push_back(text_of(halved));
  }
  return found;
}

}  // namespace

std::vector<std::string> sizes_that_plan(const Kernel& kernel, const PlanWarnings& warnings, size_t most) {
  if (!kernel.spec) return {};
  const Values sizes = sizes_of_blocks(kernel);
  const std::vector<std::string> found = found_by(kernel, sizes, warnings, 0);
  return found.empty() && most > 0 ? found_by(kernel, sizes, warnings, most) : found;
}

}  // namespace pallasgen
