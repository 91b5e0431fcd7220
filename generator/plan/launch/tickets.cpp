#include "launch/tickets.h"

#include "program/memory.h"

namespace pallasgen {

using namespace program;

void take_ticket(Draft& draft, Statements& tile) {
  bool uses = false;
  for_each_value(draft.kernel->body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      const Symbol* symbol = node.as<Symbol>();
      uses = uses || (symbol && symbol->kind == SymbolKind::ticket);
    });
  });
  if (!uses) return;
  SharedField field;
  field.name = "ticket_slot";
  field.dtype = DType::u32;
  field.alignment = 4;
  field.purpose = "ticket_slot";
  const int slot = add_field(draft, std::move(field));
  tile.insert(tile.begin(), {"its place in the order in which programs start", false, TakeTicket{slot}});
}

}  // namespace pallasgen
