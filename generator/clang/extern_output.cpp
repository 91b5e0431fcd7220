#include <clang/AST/RecursiveASTVisitor.h>

#include <set>

#include "extern_errors.h"
#include "externs.h"

namespace pallasgen::externs {

using namespace clang;

namespace {

// Finds calls in a generated file that select a function of the user's header instead of the runtime's.
class HeaderCalls : public RecursiveASTVisitor<HeaderCalls> {
 public:
  HeaderCalls(const SourceManager& sources, const std::string& runtime, const std::set<std::string>& called,
              Errors& errors)
      : sources_(sources), runtime_(runtime), called_(called), errors_(errors) {}

  bool VisitDeclRefExpr(DeclRefExpr* use) {
    const ValueDecl* found = use->getDecl();
    const SourceLocation at = sources_.getExpansionLoc(found->getLocation());
    const bool is_function = isa<FunctionDecl>(found) && found->getIdentifier() != nullptr;
    if (!is_function || sources_.isInMainFile(at) || sources_.isInSystemHeader(at)) return true;
    if (sources_.getFilename(at).starts_with(runtime_) || called_.count(found->getNameAsString()) > 0) return true;
    errors_.add(&sources_, use->getLocation(),
                "'" + found->getNameAsString() + "' would be the function of the header, not the one of the runtime");
    return true;
  }

 private:
  const SourceManager& sources_;
  const std::string& runtime_;
  const std::set<std::string>& called_;
  Errors& errors_;
};

}  // namespace

Json errors_of_output(const vet::ParseOptions& options, const Json& question) {
  const auto stem = question.at("generated").get<std::string>();
  vet::ParseOptions host = options;
  host.extra.push_back("--cuda-host-only");
  vet::Parser parser(host);
  Errors errors;
  const auto called = question.at("functions").get<std::set<std::string>>();
  parser.parse_texts({{stem + ".cu", question.at("source").get<std::string>()},
                      {stem + ".h", question.at("header").get<std::string>()}},
                     errors, [&](CompilerInstance& compiler) {
                       const SourceManager& sources = compiler.getSourceManager();
                       HeaderCalls header_calls(sources, options.runtime, called, errors);
                       for (Decl* each : compiler.getASTContext().getTranslationUnitDecl()->decls())
                         if (sources.isInMainFile(sources.getExpansionLoc(each->getLocation())))
                           header_calls.TraverseDecl(each);
                     });
  return {{"errors", errors.take()}};
}

}  // namespace pallasgen::externs
