#pragma once

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "layout/layout.h"

// What layouts mean, slowly and from the definition: every tiling is applied to every element in turn.
namespace pallasgen::layout_oracle {

using Coordinates = std::vector<int64_t>;

// Who holds an element: for each of its addends the (thread, register) pairs that hold it.
using Holders = std::map<int64_t, std::set<std::pair<int, int>>>;

// "Who holds (i, j)", for all elements, by splitting its coordinates by one tiling after the other.
std::map<Coordinates, Holders> who_holds(const ValueLayout& layout);

// The sets of holders that have the same, without the numbers of the addends.
std::set<std::set<std::pair<int, int>>> by_addend(const Holders& holders);

// The two layouts have the same holders of the same elements, and split sums alike, whatever numbers the addends have.
bool same_holders(const ValueLayout& a, const ValueLayout& b);

// A layout drawn at random: a block of 1 to 3 dims with up to about 4,000 registers over up to 512 threads, with
// replicated (and, if asked for, partial) holders, with and without padding; or one of the named ones.
ValueLayout random_layout(std::mt19937& random, bool partial);
// A layout drawn at random of one shape.
ValueLayout random_layout_of(std::mt19937& random, const std::vector<int64_t>& shape, int64_t warps, bool partial);
std::vector<int64_t> random_shape(std::mt19937& random);
int64_t random_warps(std::mt19937& random);

std::string text(const ValueLayout& layout);

}  // namespace pallasgen::layout_oracle
