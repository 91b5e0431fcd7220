#include "report/plan_json.h"

namespace pallasgen {

using Json = nlohmann::ordered_json;
using namespace program;

namespace {

class Writer {
 public:
  explicit Writer(const Plan& plan) : plan_(plan) {}

  Json write(const Statement& statement) const {
    Json json = std::visit([&](const auto& node) { return node_json(node); }, statement.node);
    if (!statement.comment.empty()) json[statement.quotes ? "quotes" : "comment"] = statement.comment;
    return json;
  }

  Json write_all(const Statements& statements) const {
    Json list = Json::array();
    for (const Statement& statement : statements) list.push_back(write(statement));
    return list;
  }

 private:
  const std::string& axis(int index) const { return plan_.kernel->axes[index].name; }
  const std::string& ring(int index) const { return plan_.rings[index].name; }
  const std::string& barrier(int index) const { return plan_.barriers[index].name; }
  const std::string& fragment(int index) const { return plan_.fragments[index].name; }
  const std::string& store(int index) const { return plan_.stores[index].name; }
  const std::string& operand(int ring_index, int index) const { return plan_.rings[ring_index].operands[index].name; }

  Json rings_json(const std::vector<int>& rings) const {
    Json list = Json::array();
    for (int index : rings) list.push_back(ring(index));
    return list;
  }

  Json node_json(const ForTiles& node) const {
    return {{"do", "for_tiles"}, {"rings", rings_json(node.rings)}, {"body", write_all(node.body)}};
  }
  Json node_json(const DeclareSteps& node) const { return {{"do", "declare_steps"}, {"axis", axis(node.axis)}}; }
  Json node_json(const DeclareLet& node) const {
    return {{"do", "declare_let"}, {"let", plan_.kernel->lets[node.let].name}};
  }
  Json node_json(const ForSteps& node) const {
    Json json = {{"do", "for_steps"},
                 {"axis", axis(node.axis)},
                 {"rings", rings_json(node.rings)},
                 {"body", write_all(node.body)}};
    if (node.first) json["first"] = expression_json(node.first);
    if (node.last) json["last"] = expression_json(node.last);
    if (node.middle) json["middle"] = expression_json(node.middle);
    return json;
  }
  Json node_json(const BarrierWait& node) const {
    return {{"do", "barrier_wait"},
            {"barrier", barrier(node.barrier)},
            {"ring", ring(node.ring)},
            {"producer", node.producer_side}};
  }
  Json node_json(const ExpectBytes& node) const {
    return {{"do", "expect_bytes"},
            {"barrier", barrier(node.barrier)},
            {"bytes", number_json(plan_.rings[node.ring].bytes)}};
  }
  Json node_json(const TensorLoad& node) const {
    return {{"do", "tensor_load"}, {"ring", ring(node.ring)}, {"operand", operand(node.ring, node.operand)}};
  }
  Json node_json(const AsyncCopy& node) const {
    return {{"do", "async_copy"},
            {"ring", ring(node.ring)},
            {"operand", operand(node.ring, node.operand)},
            {"ahead", expression_json(node.ahead)},
            {"access", access_json(plan_, node.access)},
            {"fill", expression_json(node.fill)}};
  }
  Json node_json(const Prefetch& node) const {
    return {{"do", "prefetch"}, {"ahead", node.ahead}, {"access", access_json(plan_, node.access)}};
  }
  Json node_json(const RoundCopied& node) const {
    return {{"do", "round_copied"}, {"ring", ring(node.ring)}, {"operand", operand(node.ring, node.operand)}};
  }
  Json node_json(const ClearRows& node) const {
    return {{"do", "clear_rows"},
            {"ring", ring(node.ring)},
            {"operand", operand(node.ring, node.operand)},
            {"first", expression_json(node.first)}};
  }
  Json node_json(const ArriveFilled& node) const {
    return {{"do", "arrive_filled"},
            {"ring", ring(node.ring)},
            {"for", node.what == Filled::copied   ? "copies"
                    : node.what == Filled::stored ? "stores"
                    : node.what == Filled::staged ? "values"
                                                  : "bytes"}};
  }
  Json node_json(const CommitCopies&) const { return {{"do", "commit_copies"}}; }
  Json node_json(const WaitCopies& node) const {
    return {{"do", "wait_copies"}, {"groups", number_json(node.groups)}, {"rings", rings_json(node.rings)}};
  }
  Json node_json(const DeclareFragment& node) const {
    return {{"do", "declare"}, {"fragment", fragment(node.fragment)}};
  }
  Json node_json(const CallPart& node) const {
    Json fragments = Json::array();
    for (const int id : node.fragments) fragments.push_back(fragment(id));
    return {{"do", "call"}, {"part", plan_.parts[node.part].name}, {"fragments", std::move(fragments)}};
  }
  Json node_json(const BindScalar& node) const {
    return {{"do", "bind_scalar"},
            {"name", plan_.scalars[node.scalar].name},
            {"value", expression_json(plan_.scalars[node.scalar].value)}};
  }
  Json matrix_json(const SharedMatrix& matrix) const {
    return {{"from", matrix.field >= 0 ? Json(field(matrix.field)) : Json(operand(matrix.ring, matrix.operand))},
            {"lines", number_json(matrix.lines)},
            {"depth", number_json(matrix.depth)},
            {"major", matrix.major == Major::k ? "k" : "mn"}};
  }
  Json node_json(const MultiplyAdd& node) const {
    return {{"do", "multiply_add"},
            {"accumulator", fragment(node.accumulator)},
            {"a", matrix_json(node.a)},
            {"b", matrix_json(node.b)},
            {"tf32", node.tf32}};
  }
  Json node_json(const Mma& node) const {
    return {{"do", "mma"},
            {"function", node.function},
            {"accumulator", fragment(node.accumulator)},
            {"a", node.ring_a < 0 ? Json(fragment(node.a)) : Json(operand(node.ring_a, node.a))},
            {"b", operand(node.ring_b, node.b)},
            {"n", number_json(node.n)},
            {"k_steps", number_json(node.k_steps)},
            {"k_first", expression_json(node.k_first)},
            {"row_tiles", number_json(node.row_tiles)},
            {"a_first", expression_json(node.a_first)},
            {"b_first", expression_json(node.b_first)},
            {"accumulate", node.accumulate == Accumulate::always           ? "always"
                           : node.accumulate == Accumulate::not_first_step ? "not_first_step"
                                                                           : "not_first_mma"},
            {"discards", node.discards}};
  }
  Json node_json(const MmaWait& node) const {
    Json accumulators = Json::array();
    for (const int id : node.accumulators) accumulators.push_back(fragment(id));
    return {{"do", "mma_wait"}, {"groups", number_json(node.groups)}, {"accumulators", std::move(accumulators)}};
  }
  Json node_json(const Release& node) const {
    return {{"do", "release"},
            {"ring", ring(node.ring)},
            {"when", node.when == ReleaseWhen::now             ? "now"
                     : node.when == ReleaseWhen::previous_step ? "previous_step"
                                                               : "last_step"}};
  }
  Json node_json(const FillIfNoStep& node) const {
    return {{"do", "fill_if_no_step"},
            {"fragment", fragment(node.fragment)},
            {"axis", axis(node.axis)},
            {"value", expression_json(node.value)}};
  }
  Json node_json(const ForStoreColumns& node) const {
    return {{"do", "for_store_columns"},
            {"variable", node.variable},
            {"count", number_json(node.count)},
            {"store", store(node.store)},
            {"first", node.first ? expression_json(node.first) : Json()},
            {"extent", node.extent ? expression_json(node.extent) : Json()},
            {"own_buffers", plan_.stores[node.store].own_buffers},
            {"body", write_all(node.body)}};
  }
  Json node_json(const StoreAcquire& node) const {
    return {{"do", "store_acquire"}, {"store", store(node.store)}, {"pending", number_json(node.pending)}};
  }
  Json node_json(const AdvanceRing& node) const {
    Json json = {{"do", "advance"}, {"ring", ring(node.ring)}};
    if (!node.with.empty()) json["with"] = rings_json(node.with);
    return json;
  }
  Json node_json(const TakeTurn& node) const { return {{"do", "take_turn"}, {"last", node.last}}; }
  Json node_json(const PassTurn& node) const { return {{"do", "pass_turn"}, {"first", node.first}}; }
  Json node_json(const PackOperand& node) const {
    return {{"do", "pack_operand"}, {"packed", fragment(node.packed)}, {"fragment", fragment(node.fragment)}};
  }
  Json node_json(const UnpackAgain& node) const {
    return {{"do", "unpack_again"}, {"fragment", fragment(node.fragment)}};
  }
  Json node_json(const WarpSync&) const { return {{"do", "warp_sync"}}; }
  Json node_json(const WarpgroupSync&) const { return {{"do", "warpgroup_sync"}}; }
  Json node_json(const ForChunks& node) const {
    Json views = Json::array();
    for (const ForChunks::View& each : node.views)
      views.push_back({{"source", fragment(each.source)}, {"view", fragment(each.view)}});
    return {{"do", "for_chunks"},
            {"variable", node.variable},
            {"count", number_json(node.count)},
            {"columns", number_json(node.columns)},
            {"views", std::move(views)},
            {"start", expression_json(node.start)},
            {"body", write_all(node.body)}};
  }
  Json node_json(const StageChunk& node) const {
    return {{"do", "stage_chunk"},
            {"store", store(node.store)},
            {"fragment", fragment(node.fragment)},
            {"pack", node.pack}};
  }
  Json node_json(const FenceAsync& node) const { return {{"do", node.global ? "fence_async" : "fence_async_shared"}}; }
  Json node_json(const TensorStore& node) const {
    return {{"do", node.adds ? "tensor_add" : "tensor_store"},
            {"store", store(node.store)},
            {"coordinates", expressions_json(node.coordinates)}};
  }
  Json node_json(const StoreCommit&) const { return {{"do", "store_commit"}}; }
  Json node_json(const StoreDrain& node) const { return {{"do", "store_drain"}, {"store", store(node.store)}}; }

  Json node_json(const Load& node) const {
    return {{"do", "load"},
            {"fragment", fragment(node.fragment)},
            {"access", access_json(plan_, node.access)},
            {"fill", expression_json(node.fill)}};
  }
  Json node_json(const LoadShared& node) const {
    return {{"do", "load_shared"},
            {"fragment", fragment(node.fragment)},
            {"operand", operand(node.ring, node.operand)},
            {"offset", expression_json(node.offset)},
            {"vector", number_json(node.vector)}};
  }
  Json node_json(const StoreOperand& node) const {
    return {{"do", "store_operand"},
            {"fragment", fragment(node.fragment)},
            {"operand", operand(node.ring, node.operand)},
            {"offset", expression_json(node.offset)},
            {"tf32", node.tf32}};
  }
  Json node_json(const StoreGlobal& node) const {
    return {{"do", "store"},
            {"fragment", fragment(node.fragment)},
            {"access", access_json(plan_, node.access)},
            {"quotes", node.quoted}};
  }
  Json node_json(const Elementwise& node) const {
    Json list = Json::array();
    for (const ElementwiseStatement& part : node.statements) {
      list.push_back({{"target", fragment(part.target)},
                      {"value", expression_json(part.value)},
                      {"reads", bindings_json(part.bindings)},
                      {"quotes", part.quoted}});
      if (part.paired) list.back()["paired"] = true;
    }
    return {{"do", "elementwise"}, {"layout_of", fragment(node.layout_of)}, {"statements", std::move(list)}};
  }
  Json node_json(const If& node) const {
    Json json = {{"do", "if"}, {"condition", expression_json(node.condition)}, {"then", write_all(node.then)}};
    if (!node.otherwise.empty()) json["else"] = write_all(node.otherwise);
    if (!node.bindings.empty()) json["reads"] = bindings_json(node.bindings);
    return json;
  }

  const std::string& field(int index) const { return plan_.shared.fields[index].name; }
  Json numbers_json(const std::vector<Number>& numbers) const {
    Json list = Json::array();
    for (const Number& number : numbers) list.push_back(number_json(number));
    return list;
  }
  Json place_json(int tile, int ref, const std::vector<TypedPtr>& index, const std::vector<bool>& may_leave) const {
    Json json = Json::object();
    if (tile >= 0) json["tile"] = field(tile);
    if (ref >= 0) json["ref"] = plan_.kernel->refs[ref].name;
    json["index"] = expressions_json(index);
    if (ref >= 0) json["may_leave"] = may_leave;
    return json;
  }
  Json bindings_json(const std::vector<Binding>& bindings) const {
    Json list = Json::array();
    for (const Binding& binding : bindings) {
      constexpr const char* kinds[] = {"element", "row", "column", "first", "scalar", "coordinate", "shared", "global"};
      static_assert(std::size(kinds) == static_cast<size_t>(SlotKind::global) + 1);
      Json read = {{"as", kinds[static_cast<int>(binding.kind)]}};
      if (binding.fragment >= 0) read["fragment"] = fragment(binding.fragment);
      if (binding.scalar >= 0) read["scalar"] = plan_.scalars[binding.scalar].name;
      if (binding.dim >= 0) read["dim"] = binding.dim;
      if (binding.offset) read["offset"] = expression_json(binding.offset);
      if (binding.ring >= 0) read["ring"] = ring(binding.ring);
      if (binding.kind == SlotKind::shared || binding.kind == SlotKind::global)
        read.update(place_json(binding.field, binding.ref, binding.index, binding.may_leave));
      if (binding.condition) read["if"] = expression_json(binding.condition);
      if (binding.outside) read["outside"] = expression_json(binding.outside);
      if (binding.order) read["order"] = order_name(*binding.order);
      list.push_back(std::move(read));
    }
    return list;
  }
  static const char* order_name(program::MemoryOrder order) {
    const char* orders[] = {"relaxed", "acquire", "release", "acquire_release"};
    return orders[static_cast<int>(order)];
  }
  Json node_json(const ForElements& node) const {
    const char* shares[] = {"threads", "warps", "lanes"};
    Json json = {{"do", "for_elements"},
                 {"by", shares[static_cast<int>(node.by)]},
                 {"shape", numbers_json(node.shape)},
                 {"coordinates", node.coordinates},
                 {"body", write_all(node.body)}};
    if (node.parts > 1) json["part"] = {{"of", node.parts}, {"number", node.part}};
    return json;
  }
  Json node_json(const ForRange& node) const {
    return {{"do", "for_range"},
            {"variable", node.variable},
            {"start", expression_json(node.start)},
            {"stop", expression_json(node.stop)},
            {"step", expression_json(node.step)},
            {"unroll", node.unroll},
            {"reads", bindings_json(node.bindings)},
            {"body", write_all(node.body)}};
  }
  Json node_json(const WhileLoop& node) const {
    return {{"do", "while"},
            {"condition", expression_json(node.condition)},
            {"reads", bindings_json(node.bindings)},
            {"body", write_all(node.body)}};
  }
  Json node_json(const SetScalar& node) const {
    return {{"do", "set_scalar"},
            {"scalar", plan_.scalars[node.scalar].name},
            {"value", expression_json(node.value)},
            {"declares", node.declares},
            {"reads", bindings_json(node.bindings)}};
  }
  Json node_json(const StoreElement& node) const {
    Json json = {{"do", "store_element"}};
    json.update(place_json(node.field, node.ref, node.index, node.may_leave));
    if (node.condition) json["if"] = expression_json(node.condition);
    json["value"] = expression_json(node.value);
    json["reads"] = bindings_json(node.bindings);
    if (node.order) json["order"] = order_name(*node.order);
    if (node.atomic) {
      const char* kinds[] = {"add", "min", "max", "and", "or", "xor", "exchange", "compare_exchange"};
      const char* scopes[] = {"cta", "device", "system"};
      json["atomic"] = {{"kind", kinds[static_cast<int>(node.atomic->kind)]},
                        {"scope", scopes[static_cast<int>(node.atomic->scope)]},
                        {"order", order_name(node.atomic->order)}};
      if (node.atomic->compare) json["atomic"]["compare"] = expression_json(node.atomic->compare);
      if (node.atomic->old_scalar >= 0) json["atomic"]["old"] = plan_.scalars[node.atomic->old_scalar].name;
    }
    return json;
  }
  Json node_json(const ReduceFragment& node) const { return reduction_json(plan_, node); }
  Json node_json(const ReduceLanes& node) const { return reduction_json(plan_, node); }
  Json node_json(const ReduceTile& node) const { return reduction_json(plan_, node); }
  Json node_json(const ScanLanes& node) const { return reduction_json(plan_, node); }
  Json tile_json(const char* does, const program::TileAccess& node) const {
    Json json = {{"do", does}, {"tile", field(node.field)}, {"fragment", fragment(node.fragment)}};
    if (!node.at.empty()) json["at"] = expressions_json(node.at);
    if (node.vector.value > 0) json["vector"] = number_json(node.vector);
    if (node.pitch.value > 0) json["pitch"] = number_json(node.pitch);
    if (node.transposed) json["transposed"] = *node.transposed;
    return json;
  }
  Json node_json(const StoreTile& node) const { return tile_json("store_tile", node); }
  Json node_json(const LoadTile& node) const { return tile_json("load_tile", node); }
  Json node_json(const RoleSync&) const { return {{"do", "role_sync"}}; }
  Json node_json(const OpenExchange& node) const { return {{"do", "open_exchange"}, {"tile", field(node.field)}}; }
  Json node_json(const GridSync&) const { return {{"do", "grid_sync"}}; }
  Json node_json(const TakeTicket& node) const { return {{"do", "take_ticket"}, {"tile", field(node.field)}}; }
  Json node_json(const Check& node) const {
    return {{"do", "check"},
            {"fault", plan_.faults[static_cast<size_t>(node.fault) - 1]},
            {"violated", expression_json(node.violated)},
            {"reads", bindings_json(node.bindings)},
            {"point", expressions_json(node.point)}};
  }
  Json node_json(const PollFault& node) const { return {{"do", "poll_fault"}, {"tile", field(node.field)}}; }
  Json node_json(const LeaveOnFault&) const { return {{"do", "leave_on_fault"}}; }
  Json node_json(const Print& node) const {
    return {{"do", "print"},
            {"texts", node.texts},
            {"args", expressions_json(node.args)},
            {"reads", bindings_json(node.bindings)}};
  }
  Json node_json(const Assert& node) const {
    return {{"do", "assert"},
            {"condition", expression_json(node.condition)},
            {"message", node.message},
            {"reads", bindings_json(node.bindings)}};
  }

  const Plan& plan_;
};

}  // namespace

Json statements_json(const Plan& plan, const Statements& statements) { return Writer(plan).write_all(statements); }

}  // namespace pallasgen
