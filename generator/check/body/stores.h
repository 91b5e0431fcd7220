#pragma once

#include <optional>
#include <string>

#include "body/body_names.h"

namespace pallasgen {

// Statements of the body that write memory, typed and added to `out`; nothing is added after an error.

// `c[…] = …` and `c[…] += …`.
void store_part(BodyNames& names, const Stmt& stmt, const StoreSyntax& syntax, KernelStmts& out);
// `store(c, …)`.
void store_call(BodyNames& names, const Stmt& stmt, const CallExpr& call, KernelStmts& out);
// `atomic_add(…)`, or `old = atomic_add(…)`.
void atomic_call(BodyNames& names, const Stmt& stmt, const CallExpr& call, AtomicOp op, const AssignSyntax* old,
                 KernelStmts& out);

// The ref that is written, or a view of it. Errors: store-target, unknown-name.
std::optional<RefName> written_ref(BodyNames& names, const ExprPtr& base);
// The value as a part of the ref, of that shape, takes it. Errors: dtype-mismatch, shape-mismatch.
TypedPtr stored(TypingContext& in, const TypedPtr& value, const Ref& ref, const Shape& shape);
// Whether the ref is memory that several programs, or the threads of one, can write at once; store-target where not,
// in whose message `what` is done to it.
bool shared_memory(Context& context, const Ref& ref, Span span, const std::string& what);

}  // namespace pallasgen
