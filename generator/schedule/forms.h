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
  // Of a ref that is a value.
  tile::ValueId value_of(int ref) const { return values_.at(ref); }
  tile::Block statements(const KernelStmts& statements);
  tile::Block statement(const KernelStmt& statement);
  TypedPtr expression(const TypedPtr& expr);
  // A new value; a name that is taken gets a trailing `_`.
  tile::ValueId add(std::string name, DType dtype);

 private:
  // The value of a name of the body.
  tile::ValueId local(int id, const std::string& name, DType dtype, const Shape& shape);
  // The box that a read of an input in global memory selects; nothing where it is none, has a mask or an order, is one
  // element, or where the kernel writes the array.
  std::optional<tile::Box> box_of_read(const TypedPtr& read);
  // The box that a store to an output in global memory selects; nothing where it is none, or where the kernel reads or
  // updates elements of the array, or stores to it in another way.
  std::optional<tile::Box> box_of_store(const StoreStmt& store);
  std::optional<tile::Box> box_of(int ref, const std::vector<IndexItem>& index, bool gathers = false);
  // Reads the box; the indices of a gather are a value that stands before it.
  tile::Read read_of(tile::ValueId value, tile::Box box, const KernelStmt& from, tile::Block& before);
  // The number that an effect takes of a block, by a reduction, is a value before it: threads that hold the block in
  // registers reduce it there.
  TypedPtr apart(const TypedPtr& expr, const KernelStmt& from, const std::string& name, tile::Block& before);
  // An expression whose reads of boxes, and random bits, stand before it as statements of their own.
  TypedPtr after_reads(const TypedPtr& expr, const KernelStmt& from, tile::Block& before);
  tile::Statement assign(tile::ValueId value, const TypedPtr& expr, const KernelStmt& from);
  tile::Statement store(const StoreStmt& store, const KernelStmt& from, tile::Block& before);
  std::vector<IndexItem> items(const std::vector<IndexItem>& items);

  const Kernel& kernel_;
  tile::Program& program_;
  std::vector<Form> forms_;
  std::map<const Typed*, tile::ValueId> read_;  // of the expression that is translated: what stands before it
  std::map<int, tile::ValueId> values_;         // by ref
  std::map<int, tile::ValueId> locals_;
};

}  // namespace pallasgen::schedule
