#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "check/externs.h"

namespace pallasgen {

// Converts answers of pallasgen-clang into the check's terms. Places become spans of sources, which are read when a
// place first points to them.
class HeaderAnswers {
 public:
  // Files below `folder`, an absolute path, are shown as lying below `shown_as`.
  HeaderAnswers(Sources& sources, std::string folder, std::string shown_as);

  ExternDeclared declared(const nlohmann::json& said);
  ExternAnswer answer(const nlohmann::json& said);
  // Errors of a generated file, whose text is `source`, with their places in it.
  std::vector<Note> misfits(const nlohmann::json& said, const std::string& stem, const std::string& source);
  // A message with its place; a span without a source if it has none.
  Note note(const nlohmann::json& said);
  std::string shown(const std::string& path) const;

 private:
  Span span(const nlohmann::json& place);
  ExternCandidate candidate(const nlohmann::json& said);

  Sources& sources_;
  const std::string folder_, shown_as_;
  std::map<std::string, const SourceText*> read_;
};

}  // namespace pallasgen
