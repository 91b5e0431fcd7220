#pragma once

#include "sample_plans.h"

// A plan with one statement of each kind on tiles and single elements, on the arrays of add_matrices: x and y are read,
// z is written.
namespace element_program {

using namespace pallasgen;

inline TypedPtr index_variable(const std::string& name) {
  return make_typed({}, DType::index, {}, Symbol{SymbolKind::loop, -1, name});
}
inline TypedPtr local(DType dtype, int id) { return make_typed({}, dtype, {}, LocalUse{id, ""}); }
inline TypedPtr value(DType dtype, Scalar constant) { return make_typed({}, dtype, {}, Constant{constant, ""}); }
inline TypedPtr applied(Op op, DType dtype, std::vector<TypedPtr> args) {
  return make_typed({}, dtype, {}, Apply{op, std::move(args), {}});
}

inline program::Binding tile(int field, std::vector<TypedPtr> index) {
  program::Binding binding{};
  binding.kind = program::SlotKind::shared;
  binding.field = field;
  binding.index = std::move(index);
  return binding;
}
inline program::Binding array(int ref, std::vector<TypedPtr> index, std::vector<bool> may_leave) {
  program::Binding binding{};
  binding.kind = program::SlotKind::global;
  binding.ref = ref;
  binding.index = std::move(index);
  binding.may_leave = std::move(may_leave);
  return binding;
}
inline program::Binding scalar(int id) {
  program::Binding binding{};
  binding.kind = program::SlotKind::scalar;
  binding.scalar = id;
  return binding;
}

inline program::Statement statement(auto node, std::string comment = {}, bool quotes = false) {
  return {std::move(comment), quotes, std::move(node)};
}

// Indices of the fields of Smem and the scalars of the plan.
enum Field { kTile, kFlags };
enum ScalarId { kSum, kCount, kLimit, kOld };

inline Plan plan() {
  using namespace program;
  Plan plan = sample("elementwise/add_matrices").plan;
  const Number bm = number(16, "bm"), bn = number(128, "bn");
  plan.shared.fields = {
      {.name = "s", .dtype = DType::f32, .dims = {bm, bn}, .bytes = 16 * 128 * 4, .purpose = "s"},
      {.name = "flags", .dtype = DType::boolean, .dims = {number(8)}, .bytes = 8, .purpose = "flags"}};
  plan.shared.alignment = 16;
  plan.shared.total = 16 * 128 * 4 + 16;
  plan.scalars = {{"sum", DType::f32, nullptr},
                  {"count", DType::index, nullptr},
                  {"limit", DType::index, nullptr},
                  {"old", DType::f32, nullptr}};
  const TypedPtr r = index_variable("r"), c = index_variable("c"), k = index_variable("k");
  const TypedPtr row = make_typed({}, DType::index, {}, Symbol{SymbolKind::dim, 0, "M"});
  const TypedPtr zero = value(DType::f32, 0.0);
  const TypedPtr sum = local(DType::f32, 0), element = local(DType::f32, 1);
  const TypedPtr added = applied(Op::add, DType::f32, {sum, element});

  // s = x * 2, where x is always inside
  StoreElement into_tile{.field = kTile,
                         .index = {r, c},
                         .value = applied(Op::multiply, DType::f32, {local(DType::f32, 0), value(DType::f32, 2.0)}),
                         .bindings = {array(0, {r, c}, {true, false})},
                         .quoted = "s = x * 2"};
  ForElements double_all{{bm, bn}, {"r", "c"}, {statement(into_tile)}};

  // sum(s, axis=1)
  SetScalar start{.scalar = kSum, .value = zero, .bindings = {}, .declares = true, .constant = false};
  SetScalar add{.scalar = kSum, .value = added, .bindings = {scalar(kSum), tile(kTile, {r, c})}, .declares = false};
  ForRange columns{"c", index_constant(0), index_constant(128, "bn"), nullptr, {statement(add)}};
  StoreElement result{.ref = 2,
                      .index = {r, index_constant(0)},
                      .may_leave = {true, false},
                      .value = local(DType::f32, 0),
                      .bindings = {scalar(kSum)}};
  ForElements sum_rows{{bm}, {"r"}, {statement(start), statement(columns), statement(result)}};

  // Loops and branches whose conditions read values.
  Binding masked = array(1, {k, index_constant(0)}, {false, false});
  masked.condition = applied(Op::less, DType::boolean, {k, index_constant(4)});
  masked.outside = value(DType::f32, -1.0);
  SetScalar count{.scalar = kCount, .value = index_constant(0), .bindings = {}, .declares = true, .constant = false};
  SetScalar limit{.scalar = kLimit, .value = index_apply(Op::add, row, index_constant(1)), .bindings = {}};
  StoreElement raised{.field = kTile,
                      .index = {k, index_constant(0)},
                      .condition = applied(Op::less, DType::boolean, {local(DType::f32, 0), zero}),
                      .value = applied(Op::add, DType::f32, {local(DType::f32, 0), local(DType::f32, 1)}),
                      .bindings = {tile(kTile, {k, index_constant(0)}), masked}};
  ForRange down{.variable = "k",
                .start = index_constant(7),
                .stop = local(DType::index, 0),
                .step = index_constant(-2),
                .body = {statement(ForElements{{}, {}, {statement(raised)}})},
                .unroll = 2,
                .bindings = {scalar(kCount)}};
  SetScalar next{.scalar = kCount,
                 .value = applied(Op::add, DType::index, {local(DType::index, 0), index_constant(1)}),
                 .bindings = {scalar(kCount)},
                 .declares = false};
  WhileLoop loop{applied(Op::less, DType::boolean, {local(DType::index, 0), local(DType::index, 1)}),
                 {statement(down), statement(next)},
                 {scalar(kCount), scalar(kLimit)}};
  If branch{.condition = local(DType::boolean, 0),
            .then = {statement(Print{{"", "% of {", "}: ", ""},
                                     {local(DType::index, 0), local(DType::f32, 1), local(DType::boolean, 2)},
                                     {scalar(kCount), tile(kTile, {index_constant(0), index_constant(1)}),
                                      tile(kFlags, {index_constant(3)})}})},
            .otherwise = {statement(Assert{local(DType::boolean, 0), "a flag \"is\" set, 100%", {tile(kFlags, {c})}})},
            .bindings = {tile(kFlags, {index_constant(3)})}};

  // Atomic updates of an array and of a tile.
  StoreElement raise{.ref = 2,
                     .index = {r, index_constant(0)},
                     .may_leave = {true, false},
                     .value = value(DType::f32, 1.5),
                     .atomic = AtomicUpdate{.kind = AtomicKind::max, .compare = nullptr, .old_scalar = kOld}};
  StoreElement exchange{.field = kTile,
                        .index = {r, index_constant(0)},
                        .value = local(DType::f32, 0),
                        .bindings = {scalar(kOld)},
                        .atomic = AtomicUpdate{.kind = AtomicKind::compare_exchange,
                                               .scope = AtomicScope::cta,
                                               .order = program::MemoryOrder::acquire_release,
                                               .compare = zero}};
  ForElements atomics{{bm}, {"r"}, {statement(raise), statement(exchange)}};

  Statements all = {statement(double_all),
                    statement(RoleSync{}, "s is written"),
                    statement(sum_rows, "z[...] = sum(s, axis=1)", true),
                    statement(count),
                    statement(limit),
                    statement(loop),
                    statement(branch),
                    statement(atomics),
                    statement(DeclareFragment{0}),
                    statement(StoreTile{kTile, 0}),
                    statement(LoadTile{0, kTile}),
                    statement(ReduceFragment{0, 0, Op::max, 1, kTile, "m = max(x, axis=1)"}),
                    statement(GridSync{}),
                    statement(TakeTicket{kFlags}),
                    statement(LeaveOnFault{}),
                    statement(Check{.fault = 1,
                                    .violated = local(DType::boolean, 0),
                                    .bindings = {tile(kFlags, {index_constant(3)})},
                                    .point = {index_constant(5)}})};
  plan.faults = {"oob: an index of 'x' is outside"};
  plan.launch.workspace = {{"grid_barrier", -1, DType::u32, {}},
                           {"ticket_counter", -1, DType::u32, {}},
                           {"check_status", -1, DType::u32, {index_constant(2)}}};
  plan.launch.arguments.push_back({ParameterKind::part, 0, "grid_barrier"});
  plan.launch.arguments.push_back({ParameterKind::part, 1, "ticket_counter"});
  plan.launch.arguments.push_back({ParameterKind::part, 2, "check_status"});
  plan.roles[0].program = std::move(all);
  return plan;
}

}  // namespace element_program
