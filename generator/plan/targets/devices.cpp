#include "plan/targets.h"

namespace pallasgen {

namespace {

// The figures of the cost model, dense, per device, from the makers' data sheets. An SM's port to the L2 cache carries
// 64 bytes per clock. `latency_seconds` is a round figure for a tensor copy from device memory to shared memory under
// load, not a measurement. Nothing else in the project holds such figures.
const std::vector<Device>& device_table() {
  static const std::vector<Device> devices = {
      {"A100 SXM", 108, 1.41e9, 312e12, 19.5e12, 2.04e12, 64, 1.0e-6},
      {"RTX 3090", 82, 1.70e9, 71e12, 35.6e12, 0.94e12, 64, 1.0e-6, 1536, 16},
      {"RTX 4090", 128, 2.52e9, 165e12, 82.6e12, 1.01e12, 64, 1.0e-6, 1536, 24},
      {"H100 SXM", 132, 1.83e9, 989e12, 66.9e12, 3.35e12, 64, 1.0e-6},
      {"H200 SXM", 132, 1.83e9, 989e12, 66.9e12, 4.8e12, 64, 1.0e-6},
      {"B200 SXM", 148, 1.85e9, 2250e12, 75e12, 8.0e12, 64, 1.0e-6},
      {"B300 SXM", 148, 1.92e9, 2500e12, 77e12, 8.0e12, 64, 1.0e-6},
      {"RTX 5090", 170, 2.41e9, 210e12, 105e12, 1.79e12, 64, 1.0e-6, 1536, 24},
  };
  return devices;
}

}  // namespace

const Device* find_device(std::string_view name) {
  for (const Device& device : device_table()) {
    if (device.name == name) return &device;
  }
  return nullptr;
}

}  // namespace pallasgen
