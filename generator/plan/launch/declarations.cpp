#include "launch/declarations.h"

#include "program/device_sizes.h"
#include "program/program_walk.h"

namespace pallasgen {

namespace {

using namespace program;

struct Used {
  std::set<int> lets, sizes;
};

class Declarations {
 public:
  explicit Declarations(const Draft& draft) : draft_(draft), kernel_(*draft.kernel) {}

  void run(Statements& program) {
    for (Statement& statement : program) {
      if (ForTiles* tiles = std::get_if<ForTiles>(&statement.node)) {
        Used used = used_in(program);
        for (int let : draft_.plan.work.skip_lets) used.lets.erase(let);  // they are declared before the tile
        declare(tiles->body, used, {});
      }
    }
  }

 private:
  Used used_in(const Statements& program) const {
    Used used;
    for_each_statement(program, [&](const Statement& statement) {
      for_each_expression(draft_.plan, statement, [&](const TypedPtr& expr) { note(expr, used); });
      if (const auto* steps = std::get_if<ForSteps>(&statement.node)) note_size(steps->axis, used);
      if (const auto* fill = std::get_if<FillIfNoStep>(&statement.node)) note_size(fill->axis, used);
    });
    return used;
  }

  void note(const TypedPtr& expr, Used& used) const {
    walk(expr, [&](const Typed& node) {
      const Symbol* symbol = node.as<Symbol>();
      if (!symbol) return;
      if (symbol->kind == SymbolKind::let && used.lets.insert(symbol->id).second)
        note(kernel_.lets[symbol->id].value, used);
      if (symbol->kind == SymbolKind::axis_size) note_size(symbol->id, used);
    });
  }

  void note_size(int axis, Used& used) const {
    if (is_of_device(kernel_, kernel_.axes[axis].size) && used.sizes.insert(axis).second)
      note(kernel_.axes[axis].size, used);
  }

  // True if all sequential axes that the expression depends on are in `known`.
  bool is_known(const TypedPtr& expr, const std::set<int>& known) const {
    bool all = true;
    walk(expr, [&](const Typed& node) {
      const Symbol* symbol = node.as<Symbol>();
      if (!symbol) return;
      if (symbol->kind == SymbolKind::axis)
        all = all && (!kernel_.axes[symbol->id].sequential || known.count(symbol->id) > 0);
      if (symbol->kind == SymbolKind::let) all = all && is_known(kernel_.lets[symbol->id].value, known);
      if (symbol->kind == SymbolKind::axis_size) all = all && is_known(kernel_.axes[symbol->id].size, known);
    });
    return all;
  }

  // The part of `used` that a body uses: a loop may be in pieces, which do not all need it.
  Used within(const Statements& body, const Used& used) const {
    Used inside = used_in(body);
    std::erase_if(inside.lets, [&](int let) { return used.lets.count(let) == 0; });
    std::erase_if(inside.sizes, [&](int axis) { return used.sizes.count(axis) == 0; });
    return inside;
  }

  // Declares, at the start of a body in which the axes `known` have values, all that can be declared there. Lets are in
  // the order of the spec, in which each uses only earlier ones.
  void declare(Statements& body, Used used, const std::set<int>& known) {
    Statements declared;
    for (auto let = used.lets.begin(); let != used.lets.end();) {
      const bool now = is_known(kernel_.lets[*let].value, known);
      if (now) declared.push_back({"", false, DeclareLet{*let}});
      let = now ? used.lets.erase(let) : std::next(let);
    }
    for (auto axis = used.sizes.begin(); axis != used.sizes.end();) {
      const bool now = is_known(kernel_.axes[*axis].size, known);
      if (now) declared.push_back({"", false, DeclareSteps{*axis}});
      axis = now ? used.sizes.erase(axis) : std::next(axis);
    }
    for (Statement& statement : body) {
      if (ForSteps* steps = std::get_if<ForSteps>(&statement.node)) {
        std::set<int> inner = known;
        inner.insert(steps->axis);
        declare(steps->body, within(steps->body, used), inner);
      } else if (If* branch = std::get_if<If>(&statement.node)) {
        declare_inside(branch->then, used, known);
        declare_inside(branch->otherwise, used, known);
      }
    }
    body.insert(body.begin(), std::make_move_iterator(declared.begin()), std::make_move_iterator(declared.end()));
  }

  // Declares in the loops over steps inside a branch.
  void declare_inside(Statements& body, const Used& used, const std::set<int>& known) {
    for (Statement& statement : body) {
      if (ForSteps* steps = std::get_if<ForSteps>(&statement.node)) {
        std::set<int> inner = known;
        inner.insert(steps->axis);
        declare(steps->body, within(steps->body, used), inner);
      }
    }
  }

  const Draft& draft_;
  const Kernel& kernel_;
};

}  // namespace

void declare_in_tiles(const Draft& draft, Statements& program) { Declarations(draft).run(program); }

}  // namespace pallasgen
