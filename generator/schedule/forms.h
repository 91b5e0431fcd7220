#pragma once

#include <map>
#include <set>
#include <vector>

#include "tile/program.h"

namespace pallasgen::schedule {

// How a body sees a ref.
enum class Form : uint8_t {
  array,  // a view of global memory, or the block of an output that is written in parts
  value,  // a block that is only ever assigned whole: a value with the ref's name
  place,  // any other block: memory with elements of its own
};

// The form of each of Kernel::refs.
std::vector<Form> forms_of(const Kernel& kernel);

// Turns statements and expressions of a kernel into those of a tile program.
class Translation {
 public:
  Translation(const Kernel& kernel, tile::Program& program);

  Form form(int ref) const { return forms_[static_cast<size_t>(ref)]; }
  // The value of a ref whose form is `value`.
  tile::ValueId value_of(int ref) const { return values_.at(ref); }
  tile::Block statements(const KernelStmts& statements);
  tile::Block statement(const KernelStmt& statement);
  TypedPtr expression(const TypedPtr& expr);
  // A new value; a name that is taken gets a trailing `_`.
  tile::ValueId add(std::string name, DType dtype);

 private:
  // The value of a name of the body.
  tile::ValueId local(int id, const std::string& name, DType dtype, const Shape& shape);
  // The box that a read of a view of global memory selects; nothing if it is no box, has a mask or an order, is one
  // element, or if the kernel writes the array and does not access it by boxes alone.
  std::optional<tile::Box> box_of_read(const TypedPtr& read);
  // The box that a store to an output selects; nothing if it is no box, or if the kernel also reads or updates elements
  // of the array, or stores to it in another way.
  std::optional<tile::Box> box_of_store(const StoreStmt& store);
  std::optional<tile::Box> box_of(int ref, const std::vector<IndexItem>& index, bool gathers = false);
  // Reads the box; indices of a gather that are not simply looked up become a value before it.
  tile::Read read_of(tile::ValueId value, tile::Box box, const KernelStmt& from, tile::Block& before);
  // Makes each number to which an effect reduces a block a value before the effect: threads that hold the block in
  // registers reduce it there.
  TypedPtr apart(const TypedPtr& expr, const KernelStmt& from, const std::string& name, tile::Block& before);
  // The expression after its reads of boxes, random bits and scans, which become statements before it.
  TypedPtr after_reads(const TypedPtr& expr, const KernelStmt& from, tile::Block& before);
  tile::Statement assign(tile::ValueId value, const TypedPtr& expr, const KernelStmt& from);
  tile::Statement store(const StoreStmt& store, const KernelStmt& from, tile::Block& before);
  std::vector<IndexItem> items(const std::vector<IndexItem>& items);

  const Kernel& kernel_;
  tile::Program& program_;
  std::vector<Form> forms_;
  std::map<const Typed*, tile::ValueId> read_;  // values that replace nodes of the expression being translated
  std::map<int, tile::ValueId> values_;         // by ref
  std::map<int, tile::ValueId> locals_;
};

}  // namespace pallasgen::schedule
