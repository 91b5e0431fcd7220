#pragma once

#include <cstdint>
#include <string>

#include "program/draft.h"

namespace pallasgen {

// What is combined before the shuffles: each thread its own elements (of_threads); all rows of a column, in halves
// (of_all); or the elements of one warpgroup after those of the one before it (of_warpgroups).
enum class RowsOrder : uint8_t { of_threads, of_all, of_warpgroups };

// How the threads that share a result of a reduction put together what each has of it: what `schedule.reduction` says,
// or shuffles. Decided here for every reduction, when its statement is made. `name`: of the result, for the decision;
// `threads`: that share one, of which there are several.
program::ReduceStrategy choose_strategy(Draft& draft, const std::string& name, int64_t threads,
                                        RowsOrder order = RowsOrder::of_threads);

// False after a refusal of `schedule.reduction`, where no reduction of the roles has threads that share a result.
[[nodiscard]] bool check_strategy(Draft& draft);

// As `schedule.reduction` has it.
std::string word_of(program::ReduceStrategy strategy);

}  // namespace pallasgen
