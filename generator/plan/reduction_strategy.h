#pragma once

#include <string>

#include "draft.h"

namespace pallasgen {

// How the threads that share a result of a reduction put together what each has of it: what `schedule.reduction` says,
// or shuffles. Decided here for every reduction, when its statement is made. `name`: of the result, for the decision;
// `threads`: that share one, of which there are several; `by_rows`: each gives rows as they are, not what they add up
// to.
program::ReduceStrategy choose_strategy(Draft& draft, const std::string& name, int64_t threads, bool by_rows = false);

// False after a refusal of `schedule.reduction`, where no reduction of the roles has threads that share a result.
[[nodiscard]] bool check_strategy(Draft& draft);

// As `schedule.reduction` has it.
std::string word_of(program::ReduceStrategy strategy);

}  // namespace pallasgen
