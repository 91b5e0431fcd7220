#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/SmallString.h>

#include <utility>

#include "externs.h"

namespace pallasgen::externs {

// Keeps the first errors of a parse and of later template instantiations, each with its place and `text`.
class Errors : public clang::DiagnosticConsumer {
 public:
  Json take() { return std::exchange(errors_, Json::array()); }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& told) override {
    DiagnosticConsumer::HandleDiagnostic(level, told);
    if (level < clang::DiagnosticsEngine::Error || errors_.size() >= kMostErrors) return;
    llvm::SmallString<256> text;
    told.FormatDiagnostic(text);
    add(told.hasSourceManager() ? &told.getSourceManager() : nullptr, told.getLocation(), std::string(text.str()));
  }

  void add(const clang::SourceManager* sources, clang::SourceLocation at, const std::string& text) {
    Json error = Json::object();
    if (sources && at.isValid()) {
      const Json place = place_of(*sources, clang::LangOptions(), at);
      if (!place.is_null()) error = place;
      // The spelling of what a macro expands to is elsewhere.
      if (at.isMacroID()) error["macro"] = place_of(*sources, clang::LangOptions(), sources->getSpellingLoc(at));
    }
    error["text"] = text;
    errors_.push_back(std::move(error));
  }

 private:
  static constexpr size_t kMostErrors = 5;
  Json errors_ = Json::array();
};

}  // namespace pallasgen::externs
