#pragma once

#include <set>
#include <string>
#include <vector>

#include "tile/program.h"

namespace pallasgen::tile {

// True if the index takes a part of a block of `rank` dims at a constant place: ranges of neighbouring elements, single
// elements, and new axes.
bool is_part(const std::vector<IndexItem>& items, size_t rank);
// True if the index takes equally spaced rows of neighbouring elements at a place that is equal in all threads, so that
// threads load them as vectors from a block in row-major order.
bool has_rows_apart(const Program& program, const std::vector<IndexItem>& items, const Shape& block);
// True if the index takes a box of whole rows, or of parts of them, at a place that is equal in all threads.
bool is_box(const Program& program, const std::vector<IndexItem>& items, const Shape& block);
// The part of the box that an index of neighbouring elements takes.
Box part_of(const Box& whole, const std::vector<IndexItem>& items);
// True if the part is a box, too. A bounded slice can end anywhere, so only all of it is one.
bool has_part(const Box& whole, const std::vector<IndexItem>& items);
// True if the part meets the array wherever the box does: where it starts further on, the box must lie inside.
bool meets_array(const Box& whole, const std::vector<IndexItem>& items);
// True if the two parts of one block have no common element.
bool are_apart(const std::vector<IndexItem>& a, const std::vector<IndexItem>& b);
// The sizes of the part, without the new axes.
Shape shape_of_part(const std::vector<IndexItem>& items);
// An index of the whole part that inserts the new axes of `items`; null if there are none.
TypedPtr with_new_axes(const TypedPtr& part, const std::vector<IndexItem>& items);
// The part of a channel's entry or of a tile that the statement loads into registers, an application of Op::slice; null
// if it loads none.
const Apply* part_loaded_by(const Program& program, const Assign& assign);

// Adds the values to which the expression applies operations that only statements by elements compute.
void find_by_elements(const TypedPtr& expr, std::set<int>& out);
// A suffix that names the place of the part in its block by its starts in dims that are not whole: `_0_64`.
std::string place_of_part(const std::vector<IndexItem>& items, const Shape& block);

}  // namespace pallasgen::tile
