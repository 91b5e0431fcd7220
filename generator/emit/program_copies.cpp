// Prints statements that move data or order its movement.

#include "cpp_literal.h"
#include "statement_text.h"

namespace pallasgen {

using namespace program;

std::string text_of(const BarrierWait& node, ProgramWriter& writer) {
  return writer.render("barrier_wait",
                       {{"barrier", writer.rings.field_of(node.ring, writer.plan.barriers[node.barrier].field)},
                        {"ring", writer.plan.rings[node.ring].cursor},
                        {"producer", node.producer_side}});
}

std::string text_of(const ExpectBytes& node, ProgramWriter& writer) {
  return writer.render("expect_bytes",
                       {{"barrier", writer.rings.field_of(node.ring, writer.plan.barriers[node.barrier].field)},
                        {"bytes", writer.plan.rings[node.ring].bytes.text}});
}

namespace {

// The address of an element in a slot, given by its number.
std::string place_in(const std::string& slot, const SharedField& field, const TypedPtr& element,
                     const ProgramWriter& writer) {
  const TypedPtr at =
      field.packed ? index_apply(Op::floor_divide, element, index_constant(2)) : element;  // a byte holds two
  const std::string text = writer.values.coordinate(at);
  return text == "0" ? slot : "&" + slot + "[" + text + "]";
}

// The coordinate of an operand's first box: the variable that counts its boxes becomes 0.
TypedPtr of_first_column_box(const TypedPtr& coordinate, const RingOperand& operand) {
  return simplify(substitute(coordinate, [&](const Symbol& symbol) -> TypedPtr {
    const bool counts = symbol.kind == SymbolKind::loop && symbol.id < 0 && symbol.name == operand.column_box_variable;
    return counts ? index_constant(0) : nullptr;
  }));
}

}  // namespace

std::string text_of(const TensorLoad& node, ProgramWriter& writer) {
  const RingPlan& ring = writer.plan.rings[node.ring];
  const RingOperand& operand = ring.operands[node.operand];
  const bool in_column_boxes = operand.column_boxes.value > 1 && operand.row_boxes.value == 1;
  std::vector<std::string> coordinates;
  for (const TypedPtr& at : node.coordinates.empty() ? operand.box_coordinates : node.coordinates)
    coordinates.push_back(writer.values.tensor_coordinate(in_column_boxes ? of_first_column_box(at, operand) : at));
  ProgramWriter::View loops = ProgramWriter::View::array();
  if (operand.column_boxes.value > 1)
    loops.push_back({{"variable", operand.column_box_variable}, {"count", operand.column_boxes.text}});
  if (operand.row_boxes.value > 1)
    loops.push_back({{"variable", operand.row_variable}, {"count", operand.row_boxes.text}});
  const std::string slot = writer.rings.field_of(node.ring, operand.field);
  const SharedField& field = writer.plan.shared.fields[static_cast<size_t>(operand.field)];
  if (in_column_boxes)
    return writer.render("tensor_load_slabs", {{"columns", operand.width.text},
                                               {"slab", operand.column_box_width.text},
                                               {"to", slot},
                                               {"map", writer.plan.maps[operand.map].name},
                                               {"coordinates", braced(coordinates)},
                                               {"barrier", writer.rings.full(node.ring)}});
  return writer.render("tensor_load",
                       {{"loops", loops},
                        {"to", operand.box_offset ? place_in(slot, field, operand.box_offset, writer) : slot},
                        {"map", writer.plan.maps[operand.map].name},
                        {"coordinates", braced(coordinates)},
                        {"barrier", writer.rings.full(node.ring)}});
}

namespace {

// The template arguments for the operand's layout in its slot.
std::string tile_of(const RingOperand& operand) {
  return swizzle_text(operand.swizzle) + ", " + operand.extent.text + ", " + operand.width.text;
}

// Prints a bulk copy. Its sizes run over the array's dims; a dim that is indexed has size 1.
std::string bulk_copy(const AsyncCopy& node, const std::string& slot, ProgramWriter& writer) {
  std::vector<std::string> sizes;
  for (const AccessDim& dim : node.access.dims)
    sizes.push_back(dim.fragment_dim < 0 ? "1" : node.shape[dim.fragment_dim].text);
  return writer.render("bulk_copy", {{"sizes", joined(sizes, ", ")},
                                     {"access", slot + ", " + writer.values.pointer(node.access.ref) + ", " +
                                                    writer.values.place(node.access)},
                                     {"barrier", writer.rings.full(node.ring)},
                                     {"fill", writer.values.value(node.fill)}});
}

}  // namespace

std::string text_of(const AsyncCopy& node, ProgramWriter& writer) {
  const RingPlan& ring = writer.plan.rings[node.ring];
  const RingOperand& operand = ring.operands[node.operand];
  std::vector<std::string> sizes;
  for (const Number& size : node.shape) sizes.push_back(size.text);
  const std::string ahead = writer.values.coordinate(node.ahead);
  const bool here = ahead == "0" || constant_value(node.ahead) == ring.slots.value;  // the same slot
  const std::string slot = "smem." + writer.plan.shared.fields[operand.field].name + "[" +
                           (here ? writer.rings.slot(node.ring) : ring.cursor + ".after(" + ahead + ")") + "]";
  if (operand.path == CopyPath::bulk) return bulk_copy(node, slot, writer);
  writer.values.set_ahead(constant_value(node.ahead).value_or(0));
  const bool swizzled = operand.major != Major::none;
  const Number& ctas = writer.plan.launch.cluster;
  const std::string to = swizzled ? "swizzled_tile<" + tile_of(operand) + ">(" + slot + ")" : slot;
  const std::string access = writer.values.access(to, node.shape.size(), node.access);
  writer.values.set_ahead(0);
  const std::string lookups = writer.values.lookups(node.access, node.bindings);
  const std::string threads = ring.filled_by == Issuer::one_thread ? "1" : writer.values.threads().text;
  return lookups + writer.render("async_copy", {{"function", operand.path != CopyPath::async ? "copy_through_registers"
                                                             : ctas.value > 1                ? "copy_async_part"
                                                                                             : "copy_async"},
                                                {"threads", (ctas.value > 1 ? ctas.text + ", " : "") + threads},
                                                {"vector", node.access.vector.text},
                                                {"sizes", sizes.empty() ? "" : ", " + joined(sizes, ", ")},
                                                {"access", access},
                                                {"fill", writer.values.value(node.fill)}});
}

std::string text_of(const Prefetch& node, ProgramWriter& writer) {
  std::vector<std::string> sizes;
  for (const Number& size : node.shape) sizes.push_back(size.text);
  writer.values.set_ahead(node.ahead);
  const std::string access = writer.values.access("", node.shape.size(), node.access);
  writer.values.set_ahead(0);
  const Number& ctas = writer.plan.launch.cluster;
  const std::string lookups = writer.values.lookups(node.access, node.bindings);
  return lookups + writer.render("prefetch",
                                 {{"function", ctas.value > 1 ? "prefetch_part" : "prefetch_block"},
                                  {"threads", (ctas.value > 1 ? ctas.text + ", " : "") + writer.values.threads().text},
                                  {"vector", node.access.vector.text},
                                  {"sizes", sizes.empty() ? "" : ", " + joined(sizes, ", ")},
                                  {"access", access}});
}

std::string text_of(const ArriveFilled& node, ProgramWriter& writer) {
  return writer.render("arrive_filled", {{"barrier", writer.rings.full(node.ring)},
                                         {"copied", node.what == Filled::copied},
                                         {"stored", node.what == Filled::stored},
                                         {"leader", node.what == Filled::issued || node.what == Filled::staged}});
}

std::string text_of(const CommitCopies&, ProgramWriter& writer) {
  return writer.render("commit_copies", ProgramWriter::View::object());
}

std::string text_of(const WaitCopies& node, ProgramWriter& writer) {
  return writer.render("wait_copies", {{"pending", node.groups.text}});
}

std::string text_of(const RoundCopied& node, ProgramWriter& writer) {
  const RingOperand& operand = writer.plan.rings[node.ring].operands[node.operand];
  std::vector<std::string> sizes;
  for (const Number& size : node.shape) sizes.push_back(size.text);
  return writer.render("round_copied", {{"threads", writer.values.threads().text},
                                        {"vector", node.vector.text},
                                        {"sizes", joined(sizes, ", ")},
                                        {"tile", tile_of(operand)},
                                        {"slot", writer.rings.field_of(node.ring, operand.field)}});
}

std::string text_of(const ClearRows& node, ProgramWriter& writer) {
  const RingOperand& operand = writer.plan.rings[node.ring].operands[node.operand];
  return writer.render("clear_rows", {{"threads", writer.values.threads().text},
                                      {"slabs", operand.column_boxes.text},
                                      {"rows", operand.extent.text},
                                      {"elements", operand.column_box_elements.text},
                                      {"slot", writer.rings.field_of(node.ring, operand.field)},
                                      {"first", writer.values.index(node.first)}});
}

std::string text_of(const Release& node, ProgramWriter& writer) {
  const RingPlan& ring = writer.plan.rings[node.ring];
  const std::string field = "smem." + writer.plan.shared.fields[writer.plan.barriers[ring.empty].field].name;
  std::string condition;
  if (node.when == ReleaseWhen::previous_step) condition = writer.values.axis(node.axis) + " > " + writer.steps.first;
  if (node.when == ReleaseWhen::last_step) condition = writer.ended.last + " > " + writer.ended.first;
  const std::string slot =
      node.when == ReleaseWhen::now ? writer.rings.slot(node.ring) : writer.rings.previous(node.ring);
  return writer.render("release", {{"condition", condition},
                                   {"alone", writer.role.run_by == Issuer::one_thread},
                                   {"barrier", field + "[" + slot + "]"}});
}

std::string text_of(const AdvanceRing& node, ProgramWriter& writer) {
  return writer.render("advance", {{"ring", writer.plan.rings[node.ring].cursor}});
}

std::string text_of(const TakeTurn& node, ProgramWriter& writer) {
  return writer.render("take_turn",
                       {{"groups", node.groups.text}, {"group", writer.values.group()}, {"last", node.last}});
}

std::string text_of(const PassTurn& node, ProgramWriter& writer) {
  return writer.render("pass_turn",
                       {{"groups", node.groups.text}, {"group", writer.values.group()}, {"first", node.first}});
}

std::string text_of(const StoreAcquire& node, ProgramWriter& writer) {
  return writer.render("store_acquire",
                       {{"pending", node.pending.text}, {"alone", writer.role.run_by == Issuer::one_thread}});
}

std::string text_of(const WarpSync&, ProgramWriter& writer) {
  return writer.render("warp_sync", ProgramWriter::View::object());
}

std::string text_of(const WarpgroupSync&, ProgramWriter& writer) {
  return writer.render("warpgroup_sync", {{"groups", writer.role.groups.text}, {"group", writer.values.group()}});
}

std::string text_of(const StageChunk& node, ProgramWriter& writer) {
  const StorePlan& store = writer.plan.stores[node.store];
  const DType dtype = writer.plan.shared.fields[store.field].dtype;
  const std::string columns = store.swizzle == Swizzle::none ? ", " + store.columns.text : "";
  const std::string values = writer.values.fragment(node.fragment);
  return writer.render("stage_chunk",
                       {{"swizzle", swizzle_text(store.swizzle) + columns},
                        {"staging", writer.plan.stores[node.store].staging},
                        {"chunk", node.chunk},
                        {"values", node.pack ? "pack_" + cpp_type(dtype) + "(" + values + ")" : values}});
}

std::string text_of(const FenceAsync& node, ProgramWriter& writer) {
  return writer.render("fence_async", {{"function", node.global ? "fence_async" : "fence_async_shared"}});
}

std::string text_of(const TensorStore& node, ProgramWriter& writer) {
  std::vector<std::string> coordinates;
  for (const TypedPtr& at : node.coordinates) coordinates.push_back(writer.values.tensor_coordinate(at));
  const TensorMapPlan& map = writer.plan.maps[writer.plan.stores[node.store].map];
  const std::string some = map.may_be_empty ? map.name + ".has_elements()" : "";
  return writer.render("tensor_store", {{"function", node.adds ? "tma_reduce_add" : "tma_store"},
                                        {"alone", !writer.plan.stores[node.store].own_buffers},
                                        {"and_some", some.empty() ? "" : " && " + some},
                                        {"if_some", some.empty() ? "" : "if (" + some + ") "},
                                        {"map", map.name},
                                        {"coordinates", braced(coordinates)},
                                        {"staging", writer.plan.stores[node.store].staging}});
}

std::string text_of(const StoreCommit&, ProgramWriter& writer) {
  return writer.render("store_commit", ProgramWriter::View::object());
}

std::string text_of(const StoreDrain&, ProgramWriter& writer) {
  return writer.render("store_drain", ProgramWriter::View::object());
}

std::string text_of(const Load& node, ProgramWriter& writer) {
  const std::string lookups = writer.values.lookups(node.access, node.bindings);
  return lookups + writer.render("load", {{"vector", node.access.dims.empty() ? "" : node.access.vector.text},
                                          {"access", writer.values.access(node.fragment, node.access)},
                                          {"fill", writer.values.value(node.fill)}});
}

std::string text_of(const StoreGlobal& node, ProgramWriter& writer) {
  return writer.render("store_global", {{"quote", writer.quote(node.quoted)},
                                        {"vector", node.access.dims.empty() ? "" : node.access.vector.text},
                                        {"function", !node.combine                      ? "store"
                                                     : *node.combine == AtomicKind::add ? "store_add"
                                                     : *node.combine == AtomicKind::min ? "store_min"
                                                                                        : "store_max"},
                                        {"access", writer.values.access(node.fragment, node.access)}});
}

std::string text_of(const StoreOperand& node, ProgramWriter& writer) {
  const RingOperand& operand = writer.plan.rings[node.ring].operands[node.operand];
  const std::string fragment = writer.values.fragment(node.fragment);
  return writer.render("store_swizzled", {{"tile", tile_of(operand)},
                                          {"fragment", node.tf32 ? "round_to_tf32(" + fragment + ")" : fragment},
                                          {"to", writer.rings.field_of(node.ring, operand.field)},
                                          {"first", node.offset ? ", " + writer.values.coordinate(node.offset) : ""}});
}

std::string text_of(const LoadShared& node, ProgramWriter& writer) {
  const RingOperand& operand = writer.plan.rings[node.ring].operands[node.operand];
  const std::string slot = writer.rings.field_of(node.ring, operand.field);
  const SharedField& field = writer.plan.shared.fields[static_cast<size_t>(operand.field)];
  const std::string offset = node.offset ? writer.values.coordinate(node.offset) : "0";
  if (operand.lies_in_column_boxes()) {
    return writer.render("load_swizzled", {{"tile", tile_of(operand)},
                                           {"vector", node.vector.text},
                                           {"fragment", writer.values.fragment(node.fragment)},
                                           {"from", slot},
                                           {"first", offset == "0" ? "" : ", " + offset}});
  }
  return writer.render("load_shared", {{"vector", node.vector.text},
                                       {"pitch", node.pitch.value > 1 ? ", " + node.pitch.text : ""},
                                       {"fragment", writer.values.fragment(node.fragment)},
                                       {"from", node.offset ? place_in(slot, field, node.offset, writer) : slot}});
}

}  // namespace pallasgen
