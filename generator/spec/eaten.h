#pragma once

#include <string>

#include "diagnostics/diagnostic.h"
#include "node.h"

namespace pallasgen {

// Finds expressions that YAML took for something else, and reports them with the quoted form.

// The text without blanks and line ends on both sides.
std::string_view trimmed(std::string_view text);

// The text in quotes, as the spec should have it; "…" if it is too long for a message.
std::string quoted(std::string_view whole);

// Reports an error that libfyaml found at a byte, with its own words if the cause is unknown.
void report_yaml_error(const SourceText& source, uint32_t offset, const std::string& message, Diagnostics& diagnostics);

// The text from `offset` to its end: the end of the line, or in a flow list or mapping (`flow`) the next `,` or closing
// bracket outside of brackets.
Span text_at(const SourceText& source, uint32_t offset, bool flow);

// Joins the parts of texts that YAML split at commas inside brackets, and reports each.
void join_splits(Node& node, Diagnostics& diagnostics);

// The number of opening brackets minus that of closing ones, outside of quotes.
int open_brackets(std::string_view text);

// True if the text cannot be complete: a bracket or quote is open, or it ends in an operator or a comma.
bool is_incomplete(std::string_view text);

// The comment (` # …`) that cut this scalar short, or an empty span.
Span cut_comment(const Node& scalar);

// True if the mapping looks like a text that YAML cut at `: `.
bool is_eaten_mapping(const Node& node);
void report_eaten_mapping(const Node& node, Diagnostics& diagnostics);

}  // namespace pallasgen
