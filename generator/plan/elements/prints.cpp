#include "elements/prints.h"

#include <iterator>

namespace pallasgen {

program::Statements print_of(const PrintStmt& print, FragmentValues& values) {
  program::Statements out;
  program::Print node{print.texts, {}, {}};
  for (const TypedPtr& arg : print.args) {
    ElementValue of = values.number_of(arg, out);
    const int first = static_cast<int>(node.bindings.size());
    node.args.push_back(rewrite(of.value, [&](const TypedPtr& leaf) -> TypedPtr {
      const auto* use = leaf->as<LocalUse>();
      return use ? make_typed(leaf->span, leaf->dtype, leaf->shape, LocalUse{use->id + first, use->name}) : nullptr;
    }));
    std::move(of.bindings.begin(), of.bindings.end(), std::back_inserter(node.bindings));
  }
  out.push_back({"", false, std::move(node)});
  return out;
}

}  // namespace pallasgen
