#pragma once
// Stands before the toolkit's header of this name in the include path of a host build: the toolkit's types and
// declarations, and what nvcc would add to them.
#include_next <cuda_runtime.h>
#include <pallasgen/emulator/builtins.h>
#include <pallasgen/emulator/device_math.h>
#include <pallasgen/emulator/launch.h>
