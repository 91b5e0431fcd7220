#include <pallasgen/emulator/launch.h>

#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

#include "current.h"
#include "device.h"
#include "global_memory.h"
#include "host_call.h"
#include "report.h"
#include "watchdog.h"

namespace pallasgen::emulator {

/// Defined next to the symbols that the sanitizers look up by name, so that the linker takes those from the archive.
void link_sanitizer_defaults();

namespace {

constexpr unsigned kMaxGridX = (1u << 31) - 1, kMaxGridYZ = 65535;
constexpr unsigned kMaxThreads = 1024, kMaxBlockZ = 64;
constexpr size_t kKeptArguments = 64;
constexpr unsigned kMaxCluster = 8, kMaxClusterNonPortable = 16;

LaunchAttributes attributes_of(const cudaLaunchConfig_t& config) {
  LaunchAttributes result;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    switch (attribute.id) {
      case cudaLaunchAttributeClusterDimension:
        result.cluster = {attribute.val.clusterDim.x, attribute.val.clusterDim.y, attribute.val.clusterDim.z};
        break;
      case cudaLaunchAttributeCooperative:
        result.cooperative = attribute.val.cooperative != 0;
        break;
      case cudaLaunchAttributeProgrammaticStreamSerialization:
        result.dependent = attribute.val.programmaticStreamSerializationAllowed != 0;
        break;
      // Hints, which are ignored.
      case cudaLaunchAttributeIgnore:
      case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      case cudaLaunchAttributePriority:
      case cudaLaunchAttributeAccessPolicyWindow:
      case cudaLaunchAttributeMemSyncDomain:
        break;
      default:
        not_modelled("launch attribute %d", static_cast<int>(attribute.id));
    }
  }
  return result;
}

bool shape_is_legal(const cudaLaunchConfig_t& config, uint3 cluster, const void* function) {
  const dim3 grid = config.gridDim, block = config.blockDim;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > kMaxGridX || grid.y > kMaxGridYZ || grid.z > kMaxGridYZ)
    return false;
  if (block.x == 0 || block.y == 0 || block.z == 0 || block.z > kMaxBlockZ || block.x > kMaxThreads ||
      block.y > kMaxThreads || block.x * block.y * block.z > kMaxThreads)
    return false;
  if (config.dynamicSmemBytes > max_dynamic_shared_memory(function)) return false;
  if (cluster.x == 0 || cluster.y == 0 || cluster.z == 0) return false;
  const unsigned limit = allows_large_clusters(function) ? kMaxClusterNonPortable : kMaxCluster;
  return cluster.x * cluster.y * cluster.z <= limit && grid.x % cluster.x == 0 && grid.y % cluster.y == 0 &&
         grid.z % cluster.z == 0;
}

bool fits_at_once(const cudaLaunchConfig_t& config) {
  const dim3 grid = config.gridDim, block = config.blockDim;
  const uint64_t ctas = uint64_t{grid.x} * grid.y * grid.z;
  const int per_sm = ctas_per_sm(static_cast<int>(block.x * block.y * block.z), config.dynamicSmemBytes);
  return ctas <= static_cast<uint64_t>(options().sms) * static_cast<uint64_t>(per_sm);
}

/// Copies the call's arguments: its threads must not read them where the host writes next, which it may do before the
/// end of a launch that a later one depends on without having waited for it.
KernelCall with_kept_arguments(const KernelCall& call) {
  struct alignas(64) Line {
    char bytes[64];
  };
  // Never freed: a program may end without having waited for its last launches.
  static auto& kept = *new std::deque<std::vector<Line>>;
  if (kept.size() == kKeptArguments) kept.pop_front();
  std::vector<Line>& lines = kept.emplace_back((call.bytes + sizeof(Line) - 1) / sizeof(Line));
  std::memcpy(lines.data(), call.arguments, call.bytes);
  return {call.function, call.invoke, lines.data(), call.bytes};
}

/// The execution of a launch, the watchdog and the race clocks, from its start to its end, whether it ends well or not.
class RunningLaunch {
 public:
  // Not on the stack, where clocks of another launch have been.
  RunningLaunch(const cudaLaunchConfig_t& config, const KernelCall& call, const LaunchAttributes& attributes)
      : execution_(std::make_unique<Execution>(config, call, attributes)) {
    set_execution(execution_.get());
    start_watchdog(options().seconds_without_switch);
  }
  ~RunningLaunch() {
    stop_watchdog();
    set_current_thread(nullptr);
    execution_.reset();  // before it stops being the current one: the CTAs of a failed launch need it
    set_execution(nullptr);
    race::return_to_host();
  }
  RunningLaunch(const RunningLaunch&) = delete;
  RunningLaunch& operator=(const RunningLaunch&) = delete;

  Execution& execution() { return *execution_; }

  /// Runs the threads of the kernel. A signal that its code causes is returned if errors are returned.
  cudaError_t run() {
    const cudaError_t crash = watched([&] { execution_->run(); });
    // The emulator itself crashed between two threads of the kernel: the objects that it was changing are left unused.
    if (crash != cudaSuccess && current_thread_or_null() == nullptr) static_cast<void>(execution_.release());
    return crash;
  }

 private:
  std::unique_ptr<Execution> execution_;
};

cudaError_t launch_in_turn(const cudaLaunchConfig_t& config, const KernelCall& call) {
  if (execution_or_null() != nullptr) not_modelled("a launch from inside a kernel");
  link_sanitizer_defaults();
  const LaunchAttributes attributes = attributes_of(config);
  if (!shape_is_legal(config, attributes.cluster, call.function)) return set_last_error(cudaErrorInvalidValue);
  if (attributes.cooperative && !fits_at_once(config)) return set_last_error(cudaErrorCooperativeLaunchTooLarge);
  race::enter_runtime_from_host();
  const KernelCall own = with_kept_arguments(call);
  ++mutable_statistics().launches;
  const unsigned long long ctas_before = statistics().ctas;
  std::string name;
  {
    RunningLaunch running(config, own, attributes);
    if (const cudaError_t crash = running.run(); crash != cudaSuccess) return crash;
    name = running.execution().kernel();
    if (const std::string damage = damaged_red_zone(); !damage.empty()) rule_broken("%s", damage.c_str());
    mutable_statistics().switches += running.execution().switches();
  }
  if (options().statistics) {
    const Statistics& s = statistics();
    std::fflush(stdout);  // the kernel's output, so that the report does not start within a line of it
    std::fprintf(
        stderr,
        "pallasgen emulator: %s: %llu CTAs; in all %llu launches, %llu CTAs, %llu switches, %llu copies, %llu mmas, "
        "%.3g MAC\n",
        name.c_str(), static_cast<unsigned long long>(s.ctas) - ctas_before,
        static_cast<unsigned long long>(s.launches), static_cast<unsigned long long>(s.ctas),
        static_cast<unsigned long long>(s.switches), static_cast<unsigned long long>(s.copies),
        static_cast<unsigned long long>(s.mmas), s.multiply_adds);
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t launch(const cudaLaunchConfig_t& config, const KernelCall& call) {
  return host_call([&] { return launch_in_turn(config, call); });
}

}  // namespace pallasgen::emulator
