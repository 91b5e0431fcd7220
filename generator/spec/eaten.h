#pragma once

#include <string>

#include "diagnostics/diagnostic.h"
#include "node.h"

namespace pallasgen {

// Expressions that YAML took for something else: found again, and reported with the quoted form.

// Without blanks and line ends on both sides.
std::string_view trimmed(std::string_view text);

// The text in quotes, as it should stand in the spec; "…" for one too long for a message.
std::string quoted(std::string_view whole);

// An error that YAML reported at a byte, with the words it used.
void report_yaml_error(const SourceText& source, uint32_t offset, const std::string& message, Diagnostics& diagnostics);

// The text from `offset` up to where it ends in the source: the end of the line, or in a flow list or mapping the next
// `,` or closing bracket outside of brackets.
Span text_at(const SourceText& source, uint32_t offset, bool flow);

// Joins again what YAML split at commas inside brackets, and reports each.
void join_splits(Node& node, Diagnostics& diagnostics);

// Opening minus closing brackets outside of quotes.
int open_brackets(std::string_view text);

// Whether a text stops where something must follow: an open bracket, an operator or a comma at the end.
bool is_incomplete(std::string_view text);

// The ` # …` that cut this scalar short, or an empty span.
Span cut_comment(const Node& scalar);

// Whether a mapping looks like a text that YAML cut at `: `.
bool is_eaten_mapping(const Node& node);
void report_eaten_mapping(const Node& node, Diagnostics& diagnostics);

}  // namespace pallasgen
