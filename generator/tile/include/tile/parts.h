#pragma once

#include <set>
#include <string>
#include <vector>

#include "tile/program.h"

namespace pallasgen::tile {

// Whether the index takes a part of a block of `rank` dims at a constant place: ranges of neighbouring elements, single
// ones, and new axes.
bool is_part(const std::vector<IndexItem>& items, size_t rank);
// Whether it takes a part of a block of this shape at a place that all threads know, rows of neighbouring elements that
// lie equally far apart: threads load vectors of them where the block lies row by row.
bool has_rows_apart(const Program& program, const std::vector<IndexItem>& items, const Shape& block);
// Whether it takes a box of a block of this shape, of whole rows or parts of them, at a place that all threads know.
bool is_box(const Program& program, const std::vector<IndexItem>& items, const Shape& block);
// The part of the box that an index of neighbouring elements takes of its block.
Box part_of(const Box& whole, const std::vector<IndexItem>& items);
// Whether the part is one of the box: of a bounded slice, which ends anywhere, only the whole is taken.
bool has_part(const Box& whole, const std::vector<IndexItem>& items);
// Whether the part meets the array wherever the box does: where it begins further on, the box must be inside.
bool meets_array(const Box& whole, const std::vector<IndexItem>& items);
// Whether no element is in both parts of one block.
bool are_apart(const std::vector<IndexItem>& a, const std::vector<IndexItem>& b);
// The sizes of the part, without the new axes.
Shape shape_of_part(const std::vector<IndexItem>& items);
// What takes all of the part, with the new axes of the index; null where it has none.
TypedPtr with_new_axes(const TypedPtr& part, const std::vector<IndexItem>& items);
// The part of an entry of a channel or of a tile that the statement loads into registers, an application of Op::slice;
// null: it loads none.
const Apply* part_loaded_by(const Program& program, const Assign& assign);

// Adds the values of which the expression takes what statements by elements alone can, as parts that it puts together.
void find_by_elements(const TypedPtr& expr, std::set<int>& out);
// What tells the part from others of the block: the places of its dims that are not whole, `_0_64`.
std::string place_of_part(const std::vector<IndexItem>& items, const Shape& block);

}  // namespace pallasgen::tile
