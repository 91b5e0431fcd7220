#pragma once

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "layout/layout.h"

// The meaning of layouts, slowly and by definition: every tiling is applied to every element in turn.
namespace pallasgen::layout_oracle {

using Coordinates = std::vector<int64_t>;

// The holders of an element: for each of its addends the (thread, register) pairs that hold it.
using Holders = std::map<int64_t, std::set<std::pair<int, int>>>;

// Returns the holders of all elements, by splitting coordinates by one tiling after the other.
std::map<Coordinates, Holders> who_holds(const ValueLayout& layout);

// Returns the sets of holders that have the same addend, without the numbers of the addends.
std::set<std::set<std::pair<int, int>>> by_addend(const Holders& holders);

// True if both layouts have the same holders of the same elements, and split sums alike, however addends are numbered.
bool same_holders(const ValueLayout& a, const ValueLayout& b);

// Draws a random layout: a block of 1 to 3 dims with up to about 4,000 registers over up to 512 threads, with
// replicated (and, if asked for, partial) holders, with and without padding; or one of the named ones.
ValueLayout random_layout(std::mt19937& random, bool partial);
// Draws a random layout of one shape.
ValueLayout random_layout_of(std::mt19937& random, const std::vector<int64_t>& shape, int64_t warps, bool partial);
std::vector<int64_t> random_shape(std::mt19937& random);
int64_t random_warps(std::mt19937& random);

std::string text(const ValueLayout& layout);

}  // namespace pallasgen::layout_oracle
