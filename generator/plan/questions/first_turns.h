#pragma once

#include <algorithm>

#include "tile/program.h"

namespace pallasgen {

// True if the loop only copies what the loop after it uses in its first iterations.
inline bool are_first_turns(const tile::For& loop) {
  return !loop.body.empty() && std::all_of(loop.body.begin(), loop.body.end(), [](const tile::Statement& statement) {
    const auto* branch = statement.as<tile::If>();
    const bool copies = branch && branch->otherwise.empty() &&
                        std::all_of(branch->then.begin(), branch->then.end(),
                                    [](const tile::Statement& inner) { return inner.as<tile::Put>() != nullptr; });
    return copies || statement.as<tile::Commit>() != nullptr;
  });
}

}  // namespace pallasgen
