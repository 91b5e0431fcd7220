#pragma once

#include <string>

#include "program/draft.h"
#include "tile/program.h"

namespace pallasgen {

// Plans how a role gets its next tile: fills Plan::work, names the sizes of the axes, and adds the constants of the
// tile order. Returns false after a refusal.
bool plan_work(Draft& draft);
// Plans how the threads of a CTA get their next tile if CTAs take tiles as they become free: by a queue between the
// roles, or by a word of shared memory if there is one role. Expects the roles.
void plan_tile_queue(Draft& draft);

// Refuses, by name and with an alternative that works, settings and dims that no pass supports yet; calls
// check_body_supported(). Returns false if it refused any.
bool check_supported(Draft& draft);
// The same for statements, refs and operations.
bool check_body_supported(Draft& draft);
// Refuses settings of the pipeline that the target or the passes' program cannot honour; false if any.
bool check_pipeline(Draft& draft, const tile::Program& program);

}  // namespace pallasgen
