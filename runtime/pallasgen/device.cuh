#pragma once
// The device side of pallasgen's runtime, all of it.
#include <pallasgen/types.h>
#include <pallasgen/version.h>
#include <stdio.h>

#include <pallasgen/approximate.cuh>
#include <pallasgen/arithmetic.cuh>
#include <pallasgen/atomic.cuh>
#include <pallasgen/barrier.cuh>
#include <pallasgen/copy.cuh>
#include <pallasgen/copy_async.cuh>
#include <pallasgen/descriptor.cuh>
#include <pallasgen/element.cuh>
#include <pallasgen/fragment.cuh>
#include <pallasgen/grid.cuh>
#include <pallasgen/layout.cuh>
#include <pallasgen/math.cuh>
#include <pallasgen/random.cuh>
#include <pallasgen/reduce.cuh>
#include <pallasgen/ring.cuh>
#include <pallasgen/roles.cuh>
#include <pallasgen/search.cuh>
#include <pallasgen/swizzle.cuh>
#include <pallasgen/tiles.cuh>
#include <pallasgen/tma.cuh>
#include <pallasgen/trigonometry.cuh>
#include <pallasgen/wgmma.cuh>
