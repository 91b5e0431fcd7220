#include <pallasgen/emulator/launch.h>

#include <cstdio>
#include <map>

#include "current.h"
#include "device.h"
#include "global_memory.h"
#include "report.h"
#include "watchdog.h"

namespace pallasgen::emulator {

/// Defined beside what the sanitizers look for by name, so that the linker takes that from the archive.
void link_sanitizer_defaults();

namespace {

constexpr unsigned kMaxGridX = (1u << 31) - 1, kMaxGridYZ = 65535;
constexpr unsigned kMaxThreads = 1024, kMaxBlockZ = 64;
constexpr unsigned kMaxCluster = 8, kMaxClusterNonPortable = 16;

struct Attributes {
  uint3 cluster{1, 1, 1};
  bool ok = true;
};

Attributes attributes(const cudaLaunchConfig_t& config) {
  Attributes result;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    switch (attribute.id) {
      case cudaLaunchAttributeClusterDimension:
        result.cluster = {attribute.val.clusterDim.x, attribute.val.clusterDim.y, attribute.val.clusterDim.z};
        break;
      // Hints, and an overlap of grids that runs in order here.
      case cudaLaunchAttributeIgnore:
      case cudaLaunchAttributeProgrammaticStreamSerialization:
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

}  // namespace

cudaError_t launch(const cudaLaunchConfig_t& config, const KernelCall& call) {
  if (execution_or_null() != nullptr) not_modelled("a launch from inside a kernel");
  link_sanitizer_defaults();
  const uint3 cluster = attributes(config).cluster;
  if (!shape_is_legal(config, cluster, call.function)) return set_last_error(cudaErrorInvalidValue);
  race::enter_runtime_from_host();
  start_watchdog(options().seconds_without_switch);
  ++mutable_statistics().launches;
  {
    Execution run(config, call, cluster);
    set_execution(&run);
    run.run();
    if (const std::string damage = damaged_red_zone(); !damage.empty()) rule_broken("%s", damage.c_str());
    mutable_statistics().switches += run.switches();
    set_execution(nullptr);
  }
  stop_watchdog();
  race::return_to_host();
  if (options().statistics) {
    const Statistics& s = statistics();
    std::fprintf(stderr,
                 "pallasgen emulator: %llu launches, %llu CTAs, %llu switches, %llu copies, %llu mmas, %.3g MAC\n",
                 static_cast<unsigned long long>(s.launches), static_cast<unsigned long long>(s.ctas),
                 static_cast<unsigned long long>(s.switches), static_cast<unsigned long long>(s.copies),
                 static_cast<unsigned long long>(s.mmas), s.multiply_adds);
  }
  return cudaSuccess;
}

}  // namespace pallasgen::emulator
