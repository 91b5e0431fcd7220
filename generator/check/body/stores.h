#pragma once

#include <optional>
#include <string>

#include "body/body_names.h"

namespace pallasgen {

// Type statements of the body that write memory and add them to `out`; after an error they add nothing.

// `c[…] = …` and `c[…] += …`.
void store_part(BodyNames& names, const Stmt& stmt, const StoreSyntax& syntax, KernelStmts& out);
// `store(c, …)`.
void store_call(BodyNames& names, const Stmt& stmt, const CallExpr& call, KernelStmts& out);
// `atomic_add(…)`, or `old = atomic_add(…)`.
void atomic_call(BodyNames& names, const Stmt& stmt, const CallExpr& call, AtomicOp op, const AssignSyntax* old,
                 KernelStmts& out);

// The ref that a statement writes, or a view of it. Errors: store-target, unknown-name.
std::optional<RefName> written_ref(BodyNames& names, const ExprPtr& base);
// The value converted for a part of the ref that has that shape. Errors: dtype-mismatch, shape-mismatch.
TypedPtr stored(TypingContext& in, const TypedPtr& value, const Ref& ref, const Shape& shape);
// True if several programs, or the threads of one, can write the ref's memory at once; otherwise reports store-target,
// with `what` as the operation in the message.
bool shared_memory(Context& context, const Ref& ref, Span span, const std::string& what);

}  // namespace pallasgen
