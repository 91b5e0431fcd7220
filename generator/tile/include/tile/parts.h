#pragma once

#include <set>
#include <string>
#include <vector>

#include "expression/index_map.h"
#include "tile/program.h"

namespace pallasgen::tile {

// A part of a block is the map of an index of integers, ranges and new axes.

// True if the part lies at a constant place and consists of ranges of neighbouring elements, single elements, and new
// axes.
bool is_part(const IndexMap& part);
// True if it consists of equally spaced rows of neighbouring elements at a place that is equal in all threads, so that
// threads load them as vectors from a block in row-major order.
bool has_rows_apart(const Program& program, const IndexMap& part);
// True if it is a box of whole rows, or of parts of them, at a place that is equal in all threads.
bool is_box(const Program& program, const IndexMap& part);
// The part of the box, of neighbouring elements.
Box part_of(const Box& whole, const IndexMap& part);
// True if the part is a box, too. A bounded slice can end anywhere, so only all of it is one.
bool has_part(const Box& whole, const IndexMap& part);
// True if the part meets the array wherever the box does: where it starts further on, the box must lie inside.
bool overlaps_array(const Box& whole, const IndexMap& part);
// True if the two parts of one block have no common element; both are at constant places.
bool are_apart(const IndexMap& a, const IndexMap& b);
// The sizes of the part, without the new axes.
Shape shape_of_part(const IndexMap& part);
// The part of a channel's entry or of a tile that the statement loads into registers, an application of Op::slice; null
// if it loads none.
const Apply* part_loaded_by(const Program& program, const Assign& assign);

// Adds the values to which the expression applies operations that only statements by elements compute.
void find_by_elements(const TypedPtr& expr, std::set<int>& out);
// A suffix that names the place of the part in its block by its starts in dims that are not whole: `_0_64`.
std::string place_of_part(const IndexMap& part);

}  // namespace pallasgen::tile
