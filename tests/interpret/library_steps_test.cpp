#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "arguments.h"
#include "fault.h"
#include "specs.h"

using namespace pallasgen;
namespace fs = std::filesystem;

namespace {

constexpr int64_t kSms = 3;  // as in `pallasgen test`

// Returns the steps of the first or the last program of the test; nothing if arrays decide.
std::optional<int64_t> steps_of(const Kernel& kernel, const KernelTest& test, bool last) {
  Diagnostics diagnostics;
  Arguments arguments = seeded_arguments(kernel, test, diagnostics);
  arguments.num_sms = kSms;
  interpreter::Environment environment = interpreter::environment_of(kernel, arguments);
  interpreter::Evaluator evaluator(environment);
  int64_t steps = 1;
  try {
    for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
      environment.axis_sizes[axis] = evaluator.integer(kernel.axes[axis].size);
      environment.axes[axis] = last ? std::max<int64_t>(environment.axis_sizes[axis], 1) - 1 : 0;
      if (kernel.axes[axis].sequential) steps *= environment.axis_sizes[axis];
    }
  } catch (const interpreter::Fault&) {
    return std::nullopt;
  }
  return steps;
}

}  // namespace

TEST_CASE("each kernel of the library with steps has a test with more of them than stages") {
  int kernels = 0, of_data = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(PALLASGEN_SOURCE_DIR) / "specs")) {
    const std::string path = entry.path().string();
    if (entry.path().extension() != ".yaml" || bytes_of(path).find("\nextern:") != std::string::npos) continue;
    CAPTURE(path);
    const auto checked = check_text(path, bytes_of(path));
    REQUIRE(checked->kernel);
    const Kernel& kernel = *checked->kernel;
    const bool has_steps =
        std::any_of(kernel.axes.begin(), kernel.axes.end(), [](const Axis& axis) { return axis.sequential; });
    if (!has_steps) continue;
    int64_t most = 0;
    bool known = true;
    for (const KernelTest& test : kernel.tests) {
      for (const bool last : {false, true}) {
        const std::optional<int64_t> steps = steps_of(kernel, test, last);
        known = known && steps;
        most = std::max(most, steps.value_or(0));
      }
    }
    if (!known) {  // the elements of inputs decide
      ++of_data;
      continue;
    }
    const IntegerSetting& stages = kernel.pipeline.stages;
    CHECK(most > std::max<int64_t>(stages.value.value_or(stages.automatic ? 2 : 1), 1));
    ++kernels;
  }
  CHECK(kernels > 20);
  CHECK(of_data <= 9);
}
