#pragma once

#include <string>
#include <vector>

#include "expression/typed.h"

namespace pallasgen {

// An index as the list that load(…), store(…) and atomics take, exact as in TypedText: `[i, ds(j, 8)]`.
std::string index_list_text(const std::vector<IndexItem>& items);

}  // namespace pallasgen
