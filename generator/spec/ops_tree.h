#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "diagnostics/diagnostic.h"
#include "expression/expr.h"
#include "node.h"

namespace pallasgen {

// Expressions and statements as JSON trees (`pallasgen lower --to ops`). Every node is an object whose first key is
// `op`:
//
//   int     {"op": "int", "value": 16}                 name   {"op": "name", "name": "bm"}
//   float   {"op": "float", "value": "1e-5"}           string {"op": "string", "value": "ij,jk->ik"}
//   bool    {"op": "bool", "value": true}              none, ellipsis: {"op": …}
//   unary   {"op": "neg" | "pos" | "not" | "invert", "args": [x]}
//   binary  {"op": "+" | "-" | … | "and" | "or", "args": [x, y]}
//   compare {"op": "compare", "operators": ["<", "<="], "args": [x, y, z]}
//   if      {"op": "if", "args": [then, condition, else]}
//   call    {"op": "call", "callee": f, "args": [x, …], "keywords": {"axis": y}}   (`keywords` where there are some)
//   index   {"op": "index", "base": x, "args": [i, …]}
//   slice   {"op": "slice", "start": a, "stop": b, "step": c}                      (each where it is written)
//   attribute {"op": "attribute", "base": x, "name": "T"}
//   list, tuple {"op": …, "args": [x, …]}              mapping {"op": "mapping", "entries": {"c": i}}
//
// and of statements, besides a call:
//
//   assign  {"op": "assign", "names": ["a", "b"], "value": x}
//   store   {"op": "store", "target": t, "update": "+", "value": x}                (`update` of `op=`)
nlohmann::ordered_json tree_of(const Expr& expr);
nlohmann::ordered_json tree_of(const StatementSyntax& statement);

// The canonical text of a tree; nothing after an error.
std::optional<std::string> expression_text_of_tree(const Node& node, Diagnostics& diagnostics);
std::optional<std::string> statement_text_of_tree(const Node& node, Diagnostics& diagnostics);

}  // namespace pallasgen
