#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnostics/source.h"

namespace pallasgen {

struct NodeEntry;

// YAML or JSON as the file has it, before any meaning. Every node has the place of its bytes.
struct Node {
  enum class Kind { null, scalar, sequence, mapping };
  Kind kind = Kind::null;
  Span span;            // for a quoted scalar the bytes between the quotes
  bool plain = false;   // a scalar without quotes
  bool broken = false;  // reported already: readers report nothing more about it
  bool flow = false;    // a list or mapping in brackets
  std::string text;     // a scalar's value
  std::vector<Node> items;
  std::vector<NodeEntry> entries;  // those of a mapping; keys are scalars, each once

  bool is_null() const { return kind == Kind::null; }
  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_sequence() const { return kind == Kind::sequence; }
  bool is_mapping() const { return kind == Kind::mapping; }
  // True for the JSON tree of an expression or statement: a mapping whose first key is `op`.
  bool is_tree() const;
  // The value of a key, or null.
  const Node* find(std::string_view key) const;
};

struct NodeEntry {
  Node key, value;
};

inline bool Node::is_tree() const { return is_mapping() && !entries.empty() && entries[0].key.text == "op"; }

inline const Node* Node::find(std::string_view key) const {
  for (const NodeEntry& entry : entries) {
    if (entry.key.text == key) return &entry.value;
  }
  return nullptr;
}

// "a list", "a mapping", "a text", "nothing": for messages.
std::string_view name_of(Node::Kind kind);

}  // namespace pallasgen
