#pragma once

#include <cstdint>
#include <string>

#include "program/draft.h"

namespace pallasgen {

// The elements that are combined before the shuffles: those of each thread (of_threads); all rows of a column, in
// halves (of_all); or those of all warpgroups, in the order of the warpgroups (of_warpgroups).
enum class RowsOrder : uint8_t { of_threads, of_all, of_warpgroups };

// Returns how the threads that share a result of a reduction combine their parts: as `schedule.reduction` says, else by
// shuffles; records the decision. Called for every reduction when its statement is made. `name`: the result's name, for
// the decision; `threads`: the number of threads that share a result, at least two.
program::ReduceStrategy choose_strategy(Draft& draft, const std::string& name, int64_t threads,
                                        RowsOrder order = RowsOrder::of_threads);

// Refuses `schedule.reduction` and returns false if no reduction of the roles has threads that share a result.
[[nodiscard]] bool check_strategy(Draft& draft);

// The word of `schedule.reduction` for the strategy.
std::string word_of(program::ReduceStrategy strategy);

}  // namespace pallasgen
