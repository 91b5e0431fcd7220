#include <clang/AST/DeclTemplate.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Lookup.h>
#include <clang/Sema/Sema.h>

#include <cstdio>
#include <iostream>
#include <map>
#include <set>

#include "extern_errors.h"
#include "externs.h"

namespace pallasgen::externs {

using namespace clang;

namespace {

// The toolkit's number types come after the header, which must include whatever it uses itself.
std::string text_including(const std::string& header) {
  return "#include \"" + header +
         "\"\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <cuda_fp8.h>\n"
         "__device__ void pallasgen_caller() {}\n";
}

class Header {
 public:
  explicit Header(CompilerInstance& compiler)
      : compiler_(compiler), sources_(compiler.getSourceManager()), context_(compiler.getASTContext()) {}

  Json description() const {
    Json errors = Json::array();
    find_twins(*context_.getTranslationUnitDecl(), errors);
    return {{"errors", errors}, {"files", files()}, {"names", names()}};
  }

  // The declarations of the name: functions and templates, a macro, anything else.
  Json declared(const std::string& name) const {
    Json out = {{"candidates", Json::array()}, {"macro", nullptr}, {"other", nullptr}};
    IdentifierInfo* identifier = &context_.Idents.get(name);
    if (const MacroInfo* macro = compiler_.getPreprocessor().getMacroInfo(identifier))
      out["macro"] = place_of(sources_, context_.getLangOpts(), macro->getDefinitionLoc());
    Sema& sema = compiler_.getSema();
    LookupResult found(sema, DeclarationName(identifier), SourceLocation(), Sema::LookupOrdinaryName);
    found.suppressDiagnostics();
    sema.LookupQualifiedName(found, context_.getTranslationUnitDecl());
    for (const NamedDecl* each : found) {
      const NamedDecl* target = each->getUnderlyingDecl();
      const auto* pattern = dyn_cast<FunctionTemplateDecl>(target);
      const auto* function = pattern ? pattern->getTemplatedDecl() : dyn_cast<FunctionDecl>(target);
      if (function)
        out["candidates"].push_back(function_json(context_, *function));
      else
        out["other"] = place_of(sources_, context_.getLangOpts(), target->getLocation());
    }
    return out;
  }

 private:
  bool is_of_user(SourceLocation at) const {
    const SourceLocation place = sources_.getExpansionLoc(at);
    return place.isValid() && !sources_.isInSystemHeader(place) && !sources_.isInMainFile(place) &&
           !sources_.isWrittenInBuiltinFile(place) && !sources_.isWrittenInCommandLineFile(place);
  }

  // Reports functions of the user that differ only in `__host__` and `__device__`: nvcc, unlike Clang, rejects them.
  void find_twins(const DeclContext& scope, Json& errors) const {
    std::map<std::pair<DeclarationName, const Type*>, const FunctionDecl*> first;
    for (const Decl* each : scope.decls()) {
      if (const auto* inner = dyn_cast<NamespaceDecl>(each)) find_twins(*inner, errors);
      if (const auto* linkage = dyn_cast<LinkageSpecDecl>(each)) find_twins(*linkage, errors);
      const auto* function = dyn_cast<FunctionDecl>(each);
      if (!function || !is_of_user(function->getLocation())) continue;
      const FunctionDecl* canonical = function->getCanonicalDecl();
      const auto [other, is_new] = first.emplace(
          std::pair(function->getDeclName(), context_.getCanonicalType(function->getType()).getTypePtr()), canonical);
      if (is_new || other->second == canonical) continue;
      Json error = place_of(sources_, context_.getLangOpts(), function->getLocation());
      error["text"] = "'" + function->getNameAsString() +
                      "' is declared for the host and for the device apart; nvcc takes one function, "
                      "__host__ __device__, with `#ifdef __CUDA_ARCH__` in its body";
      errors.push_back(std::move(error));
    }
  }

  // The files that were read, without system headers: the answers depend on them.
  Json files() const {
    std::set<std::string> paths;
    for (unsigned i = 0; i < sources_.local_sloc_entry_size(); ++i) {
      const SrcMgr::SLocEntry& entry = sources_.getLocalSLocEntry(i);
      if (!entry.isFile() || SrcMgr::isSystem(entry.getFile().getFileCharacteristic())) continue;
      const OptionalFileEntryRef file = entry.getFile().getContentCache().OrigEntry;
      if (file && file->getName().find("/pallasgen-vet-headers/") == llvm::StringRef::npos)
        paths.insert(file->getName().str());
    }
    return Json(paths);
  }

  // The names of the header that could clash with generated code: those at file scope, and macros.
  Json names() const {
    std::set<std::string> found;
    for (const Decl* each : context_.getTranslationUnitDecl()->decls()) {
      const auto* named = dyn_cast<NamedDecl>(each);
      if (named && named->getIdentifier() && is_of_user(named->getLocation())) found.insert(named->getNameAsString());
    }
    Preprocessor& preprocessor = compiler_.getPreprocessor();
    for (const auto& [name, state] : preprocessor.macros()) {
      const MacroInfo* macro = preprocessor.getMacroInfo(name);
      if (macro && is_of_user(macro->getDefinitionLoc())) found.insert(name->getName().str());
    }
    found.erase("");
    return Json(found);
  }

  CompilerInstance& compiler_;
  SourceManager& sources_;
  ASTContext& context_;
};

void print_line(const Json& line) {
  // Clang's texts may quote a header that is not valid UTF-8.
  std::printf("%s\n", line.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
  std::fflush(stdout);
}

void answer(const vet::ParseOptions& options, CompilerInstance& compiler, const Header& header, Errors& errors) {
  for (std::string line; std::getline(std::cin, line);) {
    const Json question = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!question.is_object()) return;
    if (question.contains("generated")) {
      print_line(errors_of_output(options, question));
      continue;
    }
    Json said = question.contains("describe") ? header.declared(question.at("describe").get<std::string>())
                                              : resolve(compiler, question.at("function").get<std::string>(),
                                                        question.at("types").get<std::vector<std::string>>());
    said["errors"] = errors.take();
    print_line(said);
  }
}

}  // namespace

int serve(const vet::ParseOptions& options, const std::string& header) {
  vet::Parser parser(options);
  Errors errors;
  bool is_read = false;
  parser.parse_texts({{"text.cu", text_including(header)}}, errors, [&](CompilerInstance& compiler) {
    is_read = true;
    const Header read(compiler);
    print_line(read.description());
    answer(options, compiler, read, errors);
  });
  if (!is_read) {
    Json failed = errors.take();
    if (failed.empty()) failed.push_back({{"text", "Clang cannot be started"}});
    print_line({{"errors", failed}});
  }
  return 0;
}

}  // namespace pallasgen::externs
