#pragma once

#include "kernel/context.h"

namespace pallasgen {

// Fills Context::kernel except for the body, settings and tests: runs the passes down to check_extern_places().
void check_declarations(Context& context);
// The passes, in order. Each reports all errors and keeps what is correct in the kernel.
void check_externs(Context& context);
void check_functions(Context& context);
void check_consts(Context& context);
void check_dims(Context& context);
void check_scalars(Context& context);
void check_grid(Context& context);
void check_refs(Context& context);
// Functions of `extern` cannot be used in what the launcher computes, nor in index maps. After check_refs().
void check_extern_places(Context& context);

// Adds a ref of a `scope` to the kernel and returns its id, -1 if it is not present, or -2 after an error.
int check_scoped_ref(Context& context, const RefSpec& spec);
void check_settings(Context& context);
void check_tests(Context& context);

}  // namespace pallasgen
