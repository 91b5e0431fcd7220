#include "plan/interface.h"

#include "planned.h"

using namespace pallasgen;

namespace {

nlohmann::ordered_json interface_of_library(const std::string& spec) {
  const Planned planned = library(spec);
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  return interface_json(*planned.plan);
}

const nlohmann::ordered_json& argument(const nlohmann::ordered_json& interface, const std::string& name) {
  for (const auto& each : interface["arguments"]) {
    if (each["name"] == name) return each;
  }
  FAIL("no argument is called " << name);
  return interface;
}

}  // namespace

TEST_CASE("interface: arguments in the order of the launcher, with what each must be") {
  const auto interface = interface_of_library("checks/gather_checked.yaml");
  std::vector<std::string> roles;
  for (const auto& each : interface["arguments"]) roles.push_back(each["role"]);
  CHECK(roles == std::vector<std::string>{"in", "in", "out", "size", "workspace", "workspace_bytes", "stream"});
  CHECK(argument(interface, "picks")["shape"].dump() == R"([{"text":"N","size":"N"}])");
  CHECK(argument(interface, "y")["shape"][1].dump() == R"({"text":"width","value":64})");
  CHECK(argument(interface, "table")["alignment"] == 4);
  CHECK(argument(interface, "workspace")["alignment"] == 256);
  CHECK(interface["workspace_bytes"].dump() == R"({"function":"gather_checked_workspace_bytes","sizes":["N"]})");
  CHECK(interface["status"]["function"] == "gather_checked_status");
}

TEST_CASE("interface: strides, sizes that are bounded, arrays that are written in place") {
  const auto strided = interface_of_library("operands/add_strided.yaml");
  CHECK(argument(strided, "bias")["strides"].dump() == R"([{"text":"0","value":0},{"text":"1","value":1}])");
  CHECK(argument(strided, "N")["multiple_of"] == 8);
  const auto bounded = interface_of_library("reductions/softmax_vector.yaml");
  CHECK(argument(bounded, "N")["least"] == 1);
  CHECK(argument(bounded, "N")["most"] == 3145728);
  const auto in_place = interface_of_library("operands/scale_in_place.yaml");
  int written = 0;
  for (const auto& each : in_place["arguments"]) written += each.contains("written_as") && each["role"] == "inout";
  CHECK(written == 1);
}
