#pragma once
// Precedes the toolkit's header of this name in the include path of a host build: provides the toolkit's types and
// declarations, and what nvcc adds to them.
#include_next <cuda_runtime.h>
#include <pallasgen/emulator/builtins.h>
#include <pallasgen/emulator/device_math.h>
#include <pallasgen/emulator/launch.h>
