// Statements that move data or order its movement.
#include <algorithm>

#include "cpp_literal.h"
#include "diagnostics/assert.h"
#include "program_writer.h"

namespace pallasgen {

using namespace program;

namespace {

std::string braced(const std::vector<std::string>& parts) { return "{" + joined(parts, ", ") + "}"; }

}  // namespace

std::string ProgramWriter::operator()(const BarrierWait& node) {
  return render("barrier_wait", {{"barrier", slot_of(node.ring, plan_.barriers[node.barrier].field)},
                                 {"ring", plan_.rings[node.ring].name},
                                 {"producer", node.producer_side}});
}

std::string ProgramWriter::operator()(const ExpectBytes& node) {
  return render("expect_bytes", {{"barrier", slot_of(node.ring, plan_.barriers[node.barrier].field)},
                                 {"bytes", plan_.rings[node.ring].bytes.text}});
}

std::string ProgramWriter::operator()(const TensorLoad& node) {
  const RingPlan& ring = plan_.rings[node.ring];
  const RingOperand& operand = ring.operands[node.operand];
  std::vector<std::string> coordinates;
  for (const TypedPtr& at : node.coordinates.empty() ? operand.box_coordinates : node.coordinates)
    coordinates.push_back(coordinate(at));
  View loops = View::array();
  if (operand.slabs.value > 1) loops.push_back({{"variable", operand.slab_variable}, {"count", operand.slabs.text}});
  if (operand.row_boxes.value > 1)
    loops.push_back({{"variable", operand.row_variable}, {"count", operand.row_boxes.text}});
  const std::string slot = slot_of(node.ring, operand.field);
  return render("tensor_load",
                {{"loops", loops},
                 {"to", operand.box_offset ? "&" + slot + "[" + coordinate(operand.box_offset) + "]" : slot},
                 {"map", plan_.maps[operand.map].name},
                 {"coordinates", braced(coordinates)},
                 {"barrier", slot_of(node.ring, plan_.barriers[ring.full].field)}});
}

std::string ProgramWriter::operator()(const AsyncCopy& node) {
  const RingPlan& ring = plan_.rings[node.ring];
  const RingOperand& operand = ring.operands[node.operand];
  std::vector<std::string> sizes;
  for (const Number& size : node.shape) sizes.push_back(size.text);
  const std::string ahead = coordinate(node.ahead);
  const std::string slot = "smem." + plan_.shared.fields[operand.field].name + "[" +
                           (ahead == "0" ? slot_name(node.ring) : ring.name + ".after(" + ahead + ")") + "]";
  if (operand.path == CopyPath::bulk) return bulk_copy(node, slot);
  return render("async_copy", {{"function", operand.path == CopyPath::async ? "copy_async" : "copy_through_registers"},
                               {"threads", role_threads()},
                               {"vector", node.access.vector.text},
                               {"sizes", sizes.empty() ? "" : ", " + joined(sizes, ", ")},
                               {"access", access(slot, node.shape.size(), node.access)},
                               {"fill", node.fill ? cpp_expression(node.fill, spelling_) : ""}});
}

// Its sizes are along the dims of the array, where an index counts 1.
std::string ProgramWriter::bulk_copy(const AsyncCopy& node, const std::string& slot) {
  std::vector<std::string> sizes;
  for (const AccessDim& dim : node.access.dims)
    sizes.push_back(dim.fragment_dim < 0 ? "1" : node.shape[dim.fragment_dim].text);
  return render("bulk_copy", {{"sizes", joined(sizes, ", ")},
                              {"access", slot + ", " + pointer(node.access.ref) + ", " + place(node.access)},
                              {"barrier", slot_of(node.ring, plan_.barriers[plan_.rings[node.ring].full].field)},
                              {"fill", node.fill ? cpp_expression(node.fill, spelling_) : ""}});
}

std::string ProgramWriter::operator()(const ArriveFilled& node) {
  return render("arrive_filled", {{"barrier", slot_of(node.ring, plan_.barriers[plan_.rings[node.ring].full].field)},
                                  {"copied", node.what == Filled::copied},
                                  {"stored", node.what == Filled::stored},
                                  {"issued", node.what == Filled::issued}});
}

std::string ProgramWriter::operator()(const CommitCopies&) { return render("commit_copies", View::object()); }

std::string ProgramWriter::operator()(const WaitCopies& node) {
  return render("wait_copies", {{"pending", node.groups.text}});
}

std::string ProgramWriter::operator()(const Release& node) {
  const RingPlan& ring = plan_.rings[node.ring];
  const std::string field = "smem." + plan_.shared.fields[plan_.barriers[ring.empty].field].name;
  std::string condition;
  if (node.when == ReleaseWhen::previous_step) condition = axis(node.axis) + " > " + steps_.first;
  if (node.when == ReleaseWhen::last_step) condition = ended_.last + " > " + ended_.first;
  const std::string slot = node.when == ReleaseWhen::now ? slot_name(node.ring) : previous_of(node.ring);
  return render("release", {{"condition", condition}, {"barrier", field + "[" + slot + "]"}});
}

std::string ProgramWriter::operator()(const AdvanceRing& node) {
  return render("advance", {{"ring", plan_.rings[node.ring].name}});
}

std::string ProgramWriter::operator()(const TakeTurn& node) {
  return render("take_turn", {{"groups", node.groups.text}, {"group", group()}, {"last", node.last}});
}

std::string ProgramWriter::operator()(const PassTurn& node) {
  return render("pass_turn", {{"groups", node.groups.text}, {"group", group()}, {"first", node.first}});
}

std::string ProgramWriter::operator()(const StoreAcquire& node) {
  return render("store_acquire", {{"pending", node.pending.text}});
}

std::string ProgramWriter::operator()(const WarpgroupSync&) {
  return render("warpgroup_sync", {{"groups", role_.groups.text}, {"group", group()}});
}

std::string ProgramWriter::operator()(const StageChunk& node) {
  const StorePlan& store = plan_.stores[node.store];
  const DType dtype = plan_.shared.fields[store.field].dtype;
  const std::string columns = store.swizzle == Swizzle::none ? ", " + store.columns.text : "";
  const std::string values = fragment(node.fragment);
  return render("stage_chunk", {{"swizzle", swizzle_text(store.swizzle) + columns},
                                {"staging", staging_of(node.store)},
                                {"chunk", node.chunk},
                                {"values", node.pack ? "pack_" + cpp_type(dtype) + "(" + values + ")" : values}});
}

std::string ProgramWriter::operator()(const FenceAsyncShared&) { return render("fence_async_shared", View::object()); }

std::string ProgramWriter::operator()(const TensorStore& node) {
  std::vector<std::string> coordinates;
  for (const TypedPtr& at : node.coordinates) coordinates.push_back(coordinate(at));
  return render("tensor_store", {{"map", plan_.maps[plan_.stores[node.store].map].name},
                                 {"coordinates", braced(coordinates)},
                                 {"staging", staging_of(node.store)}});
}

std::string ProgramWriter::operator()(const StoreDrain&) { return render("store_drain", View::object()); }

std::string ProgramWriter::pointer(int of) const {
  const int ref = buffer_of(*plan_.kernel, of);
  const auto name_in = [&](const std::vector<Parameter>& parameters) {
    const auto at = std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& parameter) {
      return parameter.kind == ParameterKind::ref && parameter.index == ref;
    });
    return at == parameters.end() ? std::string() : at->name;
  };
  const std::string of_role = name_in(role_.parameters);
  const std::string name = of_role.empty() ? name_in(plan_.launch.arguments) : of_role;
  PALLASGEN_ASSERT(!name.empty(), plan_.kernel->refs[ref].span);
  return name;
}

std::string ProgramWriter::access(int id, const Access& of) const {
  return access(fragment(id), plan_.fragments[id].layout.shape.size(), of);
}

std::string ProgramWriter::access(const std::string& value, size_t rank, const Access& access) const {
  const std::string start = value + ", " + pointer(access.ref);
  if (access.dims.empty()) return start;
  std::vector<std::string> axes;
  bool identity = access.dims.size() == rank;
  for (size_t d = 0; d < access.dims.size(); ++d) {
    const AccessDim& dim = access.dims[d];
    identity = identity && dim.fragment_dim == static_cast<int>(d);
    axes.push_back(std::to_string(dim.fragment_dim < 0 ? -1 : dim.fragment_dim));
  }
  return start + (identity ? "" : ", Axes<" + joined(axes, ", ") + ">()") + ", " + place(access);
}

std::string ProgramWriter::place(const Access& access) const {
  std::vector<std::string> extents, offsets, strides, sizes;
  bool padded = false, limited = false;
  for (size_t d = 0; d < access.dims.size(); ++d) {
    const AccessDim& dim = access.dims[d];
    extents.push_back(index(dim.extent));
    offsets.push_back(index(dim.offset));
    padded = padded || dim.may_be_below;
    limited = limited || dim.size;
    if (d < access.strides.size()) strides.push_back(index(access.strides[d]));
    // A dim that is not limited reaches as far as the array does.
    sizes.push_back(index(dim.size ? dim.size : dim.extent));
  }
  std::string text = braced(extents) + ", " + braced(offsets);
  if (!strides.empty()) text += ", " + braced(strides);
  if (padded || limited || !strides.empty()) text = (padded ? "padded_block_at(" : "block_at(") + text + ")";
  if (limited) text += ".part(" + braced(sizes) + ")";
  return text;
}

std::string ProgramWriter::operator()(const Load& node) {
  return render("load", {{"vector", node.access.dims.empty() ? "" : node.access.vector.text},
                         {"access", access(node.fragment, node.access)},
                         {"fill", node.fill ? cpp_expression(node.fill, spelling_) : ""}});
}

std::string ProgramWriter::operator()(const StoreGlobal& node) {
  return render("store_global", {{"vector", node.access.dims.empty() ? "" : node.access.vector.text},
                                 {"function", !node.combine                      ? "store"
                                              : *node.combine == AtomicKind::add ? "store_add"
                                              : *node.combine == AtomicKind::min ? "store_min"
                                                                                 : "store_max"},
                                 {"access", access(node.fragment, node.access)}});
}

std::string ProgramWriter::operator()(const LoadShared& node) {
  const RingOperand& operand = plan_.rings[node.ring].operands[node.operand];
  const std::string slot = slot_of(node.ring, operand.field);
  const std::string offset = node.offset ? coordinate(node.offset) : "0";
  return render("load_shared", {{"vector", node.vector.text},
                                {"fragment", fragment(node.fragment)},
                                {"from", offset == "0" ? slot : "&" + slot + "[" + offset + "]"}});
}

}  // namespace pallasgen
