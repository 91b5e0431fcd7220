#pragma once

#include "kernel/context.h"

namespace pallasgen {

// Fills Context::kernel with all but the body, settings and tests: the passes down to check_extern_places().
void check_declarations(Context& context);
// The passes, in order. Each reports all it finds and leaves in the kernel what was in order.
void check_externs(Context& context);
void check_functions(Context& context);
void check_consts(Context& context);
void check_dims(Context& context);
void check_scalars(Context& context);
void check_grid(Context& context);
void check_refs(Context& context);
// Functions of `extern` do not stand in what the launcher computes, nor in index maps. After check_refs().
void check_extern_places(Context& context);

// One ref of a `scope`, put into the kernel: its id, or -1 where it is not present, -2 after an error.
int check_scoped_ref(Context& context, const RefSpec& spec);
void check_settings(Context& context);
void check_tests(Context& context);

}  // namespace pallasgen
