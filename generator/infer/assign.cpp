#include <fmt/format.h>

#include <algorithm>

#include "forward.h"
#include "infer/across.h"
#include "layout/derive.h"
#include "loads.h"
#include "missing.h"
#include "tile/parts.h"
#include "tile/walk.h"

namespace pallasgen {

using namespace tile;

namespace {

// A value that was converted to another layout above and has not changed since.
struct Converted {
  int value;
  std::shared_ptr<const ValueLayout> layout;
  ValueId as;
};

// Puts the conversions of a role before the statements that need them.
class Converter {
 public:
  Converter(Program& program, const Role& role, const std::vector<NeededConversion>& conversions) : program_(program) {
    std::map<int, int> definitions;
    for_each_statement(role.body, [&](const Statement& statement) {
      if (const auto value = defined_by(statement)) ++definitions[value->index];
    });
    for_each_statement(role.body, [&](const Statement& statement) {
      const auto* assign = statement.as<Assign>();
      const bool loads = assign && (loaded_by(program, *assign) || part_loaded_by(program, *assign));
      if (loads && definitions[assign->value.index] == 1) loads_.emplace(assign->value.index, assign->expr);
    });
    for (const NeededConversion& conversion : conversions) {
      if (!is_move(program, *conversion.statement)) needed_[conversion.statement].push_back(&conversion);
    }
  }

  // `block`: the original one, whose statements the conversions refer to.
  Block run(const Block& block, std::vector<Converted> available = {}) {
    Block out;
    for (const Statement& from : block) {
      const std::set<int> changed = touched(program_, from).defines;
      const auto is_changed = [&](const Converted& converted) { return changed.count(converted.value) > 0; };
      Statement statement = from;
      const auto inner = blocks_of(statement);
      if (!inner.empty()) {
        std::erase_if(available, is_changed);
        if (from.as<For>() || from.as<While>()) convert_ahead(from, changed, available, out);
        const auto blocks = blocks_of(from);
        for (size_t i = 0; i < inner.size(); ++i) *inner[i] = run(*blocks[i], available);
      }
      convert(from, std::move(statement), available, out);
      std::erase_if(available, is_changed);
    }
    return out;
  }

 private:
  // Converts before a loop the values that it needs in another layout and does not change.
  void convert_ahead(const Statement& loop, const std::set<int>& changed, std::vector<Converted>& available,
                     Block& out) {
    for (const Block* body : blocks_of(loop)) {
      for_each_statement(*body, [&](const Statement& inner) {
        const auto needed = needed_.find(&inner);
        if (needed == needed_.end()) return;
        for (const NeededConversion* conversion : needed->second) {
          if (!conversion->part && !changed.count(conversion->value.index))
            operand(*conversion, loop.span, available, out);
        }
      });
    }
  }

  void convert(const Statement& from, Statement statement, std::vector<Converted>& available, Block& out) {
    const auto needed = needed_.find(&from);
    if (needed == needed_.end()) {
      out.push_back(std::move(statement));
      return;
    }
    // Parts of the expression become statements of their own, outer ones first.
    Block all;
    all.push_back(std::move(statement));
    for (const NeededConversion* conversion : needed->second) {
      if (conversion->part) split(*conversion, all);
    }
    for (const NeededConversion* conversion : needed->second) {
      if (conversion->part) continue;
      const ValueId as = operand(*conversion, from.span, available, out);
      for (Statement& each : all) {
        if (&each != &all.back() && is_move(program_, each)) continue;  // a conversion of a part
        replace(each, *conversion, as);
      }
    }
    std::move(all.begin(), all.end(), std::back_inserter(out));
  }

  // The expression with `other` in place of `part`. Nodes that are not above `part` stay the same objects, as other
  // conversions refer to them.
  static TypedPtr replaced(const TypedPtr& expr, const TypedPtr& part, const TypedPtr& other) {
    if (expr == part) return other;
    const auto* call = expr->as<CallFunction>();
    const auto* apply = expr->as<Apply>();
    if (!call && !apply) return expr;
    std::vector<TypedPtr> args = call ? call->args : apply->args;
    for (TypedPtr& arg : args) arg = replaced(arg, part, other);
    if (args == (call ? call->args : apply->args)) return expr;
    if (call) return make_typed(expr->span, expr->dtype, expr->shape, CallFunction{call->function, args, call->name});
    return make_typed(expr->span, expr->dtype, expr->shape, Apply{apply->op, std::move(args), apply->attributes});
  }

  // Assigns a part of one of the statements' expressions to a value, and that to another in the wanted layout.
  void split(const NeededConversion& conversion, Block& all) {
    const auto holds = [&](const Statement& statement) {
      const Assign* assign = statement.as<Assign>();
      bool found = false;
      if (assign && assign->expr)
        walk(assign->expr, [&](const Typed& node) { found = found || &node == conversion.part.get(); });
      return found;
    };
    const auto holder = std::find_if(all.begin(), all.end(), holds);
    if (holder == all.end()) return;
    const ValueId made = in_layout(conversion, conversion.from, "_part"),
                  moved = in_layout(conversion, conversion.to, "_moved");
    Assign& assign = *holder->as<Assign>();
    assign.expr = replaced(assign.expr, conversion.part, use(program_, moved, conversion.part->span));
    const Span span = holder->span;
    const Statement parts[] = {{span, "", Assign{made, conversion.part}},
                               {span, "", Assign{moved, use(program_, made)}}};
    all.insert(holder, std::begin(parts), std::end(parts));
  }

  void replace(Statement& statement, const NeededConversion& conversion, ValueId as) {
    const ValueId value = conversion.value;
    if (Write* write = statement.as<Write>(); write && write->value == value) write->value = as;
    if (Put* put = statement.as<Put>(); put && put->value == value) put->value = as;
    change_own_expressions(statement, [&](TypedPtr& expr) {
      expr = rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
        const auto* used = node->as<LocalUse>();
        if (!used || used->id != value.index) return nullptr;
        const std::vector<TypedPtr>& uses = conversion.uses;
        const bool here = uses.empty() || std::find(uses.begin(), uses.end(), node) != uses.end();
        return here ? use(program_, as, node->span) : nullptr;
      });
    });
  }

  ValueId operand(const NeededConversion& conversion, Span span, std::vector<Converted>& available, Block& out) {
    for (const Converted& converted : available) {
      if (converted.value == conversion.value.index && *converted.layout == conversion.to) return converted.as;
    }
    const bool across = lies_across(conversion.to);
    const ValueId as = in_layout(conversion, conversion.to, across ? "_transposed" : "_moved");
    // Loads what was loaded from shared memory again, but not across its rows, which would conflict in the banks.
    const auto load = across ? loads_.end() : loads_.find(conversion.value.index);
    out.push_back({span, "", Assign{as, load == loads_.end() ? use(program_, conversion.value) : load->second}});
    available.push_back({conversion.value.index, program_.value(as).layout, as});
    return as;
  }

  ValueId in_layout(const NeededConversion& conversion, const ValueLayout& layout, const std::string& ending) {
    Value other = program_.value(conversion.value);
    other.name += ending;
    other.shape = layout.shape;
    if (conversion.part) other.dtype = conversion.part->dtype;
    if (conversion.part) other.home = Home::open;
    other.layout = std::make_shared<const ValueLayout>(layout);
    if (!is_partial(layout)) other.parts.reset();
    return add_value(program_, std::move(other));
  }

  Program& program_;
  std::map<const Statement*, std::vector<const NeededConversion*>> needed_;
  std::map<int, TypedPtr> loads_;  // the load of a value whose only definition is a load from shared memory
};

// Removes loads whose values nothing uses.
void drop_loads(Block& block, const std::set<int>& used, const Program& program) {
  std::erase_if(block, [&](const Statement& statement) {
    const auto* assign = statement.as<Assign>();
    return assign && (loaded_by(program, *assign) || part_loaded_by(program, *assign)) &&
           used.count(assign->value.index) == 0 && program.value(assign->value).home == Home::registers;
  });
  for (Statement& statement : block) {
    for (Block* inner : blocks_of(statement)) drop_loads(*inner, used, program);
  }
}

// Gives each use of a value a node of its own, as two uses may need different layouts.
void part_uses(Block& block) {
  for (Statement& statement : block) {
    change_expressions(statement, [](TypedPtr& expr) {
      expr = rewrite(expr, [](const TypedPtr& node) -> TypedPtr {
        const auto* used = node->as<LocalUse>();
        return used ? make_typed(node->span, node->dtype, node->shape, *used) : nullptr;
      });
    });
  }
}

// A number that all threads have needs no layout in the text.
bool is_plain(const Value& value, const ValueLayout& layout, int64_t role_threads) {
  return value.shape.empty() && layout == uniform_layout(role_threads);
}

}  // namespace

Program assign_layouts(const Program& given) {
  Program program = given;
  forward_copies(program);
  load_shared(program);
  for (Role& role : program.roles) part_uses(role.body);
  Program out = program;
  std::set<int> elsewhere;  // values of the roles before this one
  for (size_t i = 0; i < program.roles.size(); ++i) {
    const Role& role = program.roles[i];
    Inferred inferred = infer_layouts(program, role, role.threads());
    for (const auto& [value, layout] : inferred.layouts) {
      if (is_plain(program.value(value), layout, role.threads()) || elsewhere.count(value.index)) continue;
      out.values[static_cast<size_t>(value.index)].layout = std::make_shared<const ValueLayout>(layout);
    }
    for (const auto& [value, reduction] : inferred.parts) {
      if (out.value(value).layout) out.values[static_cast<size_t>(value.index)].parts = reduction;
    }
    std::move(inferred.decisions.begin(), inferred.decisions.end(), std::back_inserter(out.decisions));
    out.roles[i].body = Converter(out, role, inferred.conversions).run(role.body);
    drop_loads(out.roles[i].body, touched(out, out.roles[i].body).reads, out);
    const std::set<int> own = touched(program, role.body).defines;
    elsewhere.insert(own.begin(), own.end());
  }
  find_carries(out);
  return out;
}

std::vector<std::string> verify_layouts(const Program& program) {
  std::vector<std::string> wrong;
  for (const Value& value : program.values) {
    if (value.layout && !covers_shape(*value.layout))
      wrong.push_back(fmt::format("the layout of '{}' has no place for some of its elements", value.name));
  }
  for (const Role& role : program.roles) {
    for (const NeededConversion& missing : missing_conversions(program, role))
      wrong.push_back(fmt::format("'{}' is used in another layout than it has", program.value(missing.value).name));
  }
  return wrong;
}

}  // namespace pallasgen
