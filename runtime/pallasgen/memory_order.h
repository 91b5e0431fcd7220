#pragma once

// How accesses to memory that several threads see are ordered (PTX ISA, "Memory Consistency Model").
namespace pallasgen {

enum class MemoryOrder : int { kRelaxed, kAcquire, kRelease, kAcqRel };

// The threads that an access is ordered for: those of the CTA, of the cluster, of the device, of the whole system.
enum class MemoryScope : int { kCta, kCluster, kDevice, kSystem };

}  // namespace pallasgen
