#pragma once

#include "keys.h"
#include "reader.h"

namespace pallasgen {

// The tables of one part of the language, for key_tables().
std::vector<Table> spec_tables();       // the top level and its mappings, except the following
std::vector<Table> ref_tables();        // inputs, outputs, scratch, workspace
std::vector<Table> setting_tables();    // pipeline, schedule, math, mesh
std::vector<Table> statement_tables();  // one per form of statement

// Reads the refs of one section, or of a `scope` statement.
std::vector<RefSpec> read_refs(Reader& reader, const Node& node, RefRole role);

// Reads a list of statements; `what` names it in errors.
StmtList read_statements(Reader& reader, const Node& node, std::string_view what);

// Reads the whole file.
void read_top_level(Reader& reader, const Node& node, Spec& spec);

// Replaces consts and settings by the values of `-D name=value`.
void apply_defines(Reader& reader, const std::vector<Define>& defines, Sources& sources, Spec& spec);

}  // namespace pallasgen
