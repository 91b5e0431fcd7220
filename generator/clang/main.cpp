#include <clang/Basic/DiagnosticIDs.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Lex/Preprocessor.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "externs.h"
#include "parse.h"
#include "vet.h"

namespace pallasgen::vet {
namespace {

enum Exit { kFine = 0, kWrong = 1, kUsage = 2, kFiles = 4 };

// The runtime's headers: those of an installed tree, otherwise those of the tree of the build.
std::string runtime_folder() {
  std::error_code unknown;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", unknown);
  const std::filesystem::path headers = self.parent_path().parent_path() / "include";
  return !unknown && std::filesystem::exists(headers / "pallasgen/version.h") ? headers.string()
                                                                              : PALLASGEN_RUNTIME_DIR;
}

struct Options {
  ParseOptions parse{runtime_folder(), PALLASGEN_CUDA_DIR, {}};
  std::vector<std::string> files;
  std::string format = "text";
  bool wants_facts = false, says_what_is_left_out = false;
  std::string header;  // a user's header, for questions about its functions
};

// Prints findings in the form of Clang diagnostics: file, line, column, the line itself, and the replacement.
void print_text(clang::CompilerInstance& compiler, const Findings& findings) {
  using namespace clang;
  llvm::IntrusiveRefCntPtr<DiagnosticOptions> options(new DiagnosticOptions(compiler.getDiagnosticOpts()));
  TextDiagnosticPrinter printer(llvm::errs(), options.get());
  DiagnosticsEngine engine(llvm::IntrusiveRefCntPtr<DiagnosticIDs>(new DiagnosticIDs), options, &printer, false);
  engine.setSourceManager(&compiler.getSourceManager());
  printer.BeginSourceFile(compiler.getLangOpts(), &compiler.getPreprocessor());
  const unsigned error = engine.getCustomDiagID(DiagnosticsEngine::Error, "%0 [%1]");
  const unsigned note = engine.getCustomDiagID(DiagnosticsEngine::Note, "%0");
  const SourceManager& sources = compiler.getSourceManager();
  for (const Finding& finding : findings) {
    {
      auto reported = engine.Report(finding.at, error);
      reported << finding.text << finding.rule;
      if (finding.fix) {
        const SourceLocation from = sources.getLocForStartOfFile(sources.getMainFileID())
                                        .getLocWithOffset(static_cast<int>(finding.fix->first));
        const SourceLocation to = from.getLocWithOffset(static_cast<int>(finding.fix->length));
        reported << FixItHint::CreateReplacement(CharSourceRange::getCharRange(from, to), finding.fix->text);
      }
    }
    for (const auto& [at, text] : finding.notes) engine.Report(at, note) << text;
  }
  printer.EndSourceFile();
}

void print_lines(clang::CompilerInstance& compiler, const std::string& file, const Findings& findings, bool is_json) {
  const clang::SourceManager& sources = compiler.getSourceManager();
  for (const Finding& finding : findings) {
    const unsigned line = sources.getExpansionLineNumber(finding.at),
                   column = sources.getExpansionColumnNumber(finding.at);
    if (is_json) {
      nlohmann::ordered_json json = {
          {"file", file}, {"line", line}, {"column", column}, {"rule", finding.rule}, {"message", finding.text}};
      if (finding.fix) json["fix"] = finding.fix->text;
      std::fprintf(stderr, "%s\n", json.dump().c_str());
    } else {
      std::fprintf(stderr, "::error file=%s,line=%u,col=%u,title=%s::%s\n", file.c_str(), line, column,
                   finding.rule.c_str(), finding.text.c_str());
    }
  }
}

int run(const Options& options) {
  bool is_wrong = false;
  for (const std::string& file : options.files) {
    if (!std::filesystem::is_regular_file(file)) {
      const bool is_folder = std::filesystem::is_directory(file);
      std::fprintf(stderr, "error: %s: %s\n", file.c_str(),
                   is_folder ? "is a folder; name its files, such as *.cu" : "no such file");
      return kFiles;
    }
  }
  Parser parser(options.parse);
  nlohmann::ordered_json facts = nlohmann::ordered_json::array();
  for (const std::string& file : options.files) {
    Report report;
    const bool is_parsed = parser.parse(file, [&](clang::CompilerInstance& compiler) {
      report = vet(compiler, options.wants_facts);
      if (options.format == "text")
        print_text(compiler, report.findings);
      else
        print_lines(compiler, file, report.findings, options.format == "json");
    });
    if (!is_parsed) std::fprintf(stderr, "%s: not checked: Clang does not take it as CUDA (see above)\n", file.c_str());
    is_wrong = is_wrong || !is_parsed || !report.findings.empty();
    const bool is_partly = is_parsed && !report.not_checked.empty();
    if (is_partly && options.says_what_is_left_out)
      for (const std::string& each : report.not_checked)
        std::fprintf(stderr, "%s: not checked: %s\n", file.c_str(), each.c_str());
    if (options.wants_facts && is_parsed && !report.facts.empty())
      facts.push_back({{"file", file}, {"kernels", nlohmann::ordered_json::parse(report.facts)}});
  }
  if (options.wants_facts) std::printf("%s\n", facts.dump(2).c_str());
  return is_wrong ? kWrong : kFine;
}

}  // namespace
}  // namespace pallasgen::vet

int main(int count, char** words) {
  using namespace pallasgen::vet;
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&]() -> std::string { return i + 1 < count ? words[++i] : ""; };
    if (word == "--facts")
      options.wants_facts = true;
    else if (word == "--not-checked")
      options.says_what_is_left_out = true;
    else if (word == "--error-format")
      options.format = value();
    else if (word == "--runtime")
      options.parse.runtime = value();
    else if (word == "--cuda")
      options.parse.cuda = value();
    else if (word == "--extra-arg")
      options.parse.extra.push_back(value());
    else if (word == "--extern")
      options.header = value();
    else if (word.rfind("-", 0) == 0) {
      std::fprintf(stderr, "pallasgen-clang: unknown option %s\n", word.c_str());
      return kUsage;
    } else
      options.files.push_back(word);
  }
  if (!options.header.empty()) return pallasgen::externs::serve(options.parse, options.header);
  if (options.files.empty()) {
    std::fprintf(stderr,
                 "usage: pallasgen-clang [--facts] [--not-checked] [--error-format text|json|github] FILE.cu...\n"
                 "       pallasgen-clang --extern HEADER < questions\n");
    return kUsage;
  }
  return run(options);
}
