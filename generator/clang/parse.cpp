#include "parse.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/VirtualFileSystem.h>

#include "meaning.h"

namespace pallasgen::vet {
namespace {

using namespace clang;

const std::string kTexts = "/pallasgen-vet-headers/texts/";
constexpr const char* kHeaders = "/pallasgen-vet-headers/headers.cu";
constexpr const char* kHeadersText = R"(#include <cuda_runtime.h>
#include <pallasgen/device.cuh>
#include <pallasgen/launch.h>
extern "C" __device__ int printf(const char*, ...);
)";

// True if the body of a function is needed: bodies of the file itself and of the runtime are, except for its assembly
// and for functions with a declared meaning.
bool has_needed_body(const Decl& decl, const SourceManager& sources) {
  const SourceLocation at = sources.getExpansionLoc(decl.getLocation());
  if (sources.isInMainFile(at)) return true;
  const StringRef file = sources.getFilename(at);
  if (!file.contains("/pallasgen/") || file.contains("/pallasgen/ptx/")) return false;
  return !has_meaning(decl);
}

using NeedsBody = bool (*)(const Decl& decl, const SourceManager& sources);

bool is_of_user(const Decl& decl, const SourceManager& sources) {
  return !sources.isInSystemHeader(sources.getExpansionLoc(decl.getLocation()));
}

// Lets the parser skip the bodies that are not needed.
class SkipBodies : public ASTConsumer {
 public:
  explicit SkipBodies(NeedsBody needs_body) : needs_body_(needs_body) {}
  bool shouldSkipFunctionBody(Decl* decl) override {
    return !needs_body_(*decl, decl->getASTContext().getSourceManager());
  }

 private:
  NeedsBody needs_body_;
};

class Reading : public SkipBodies {
 public:
  Reading(CompilerInstance& compiler, const std::function<void(CompilerInstance&)>& read, NeedsBody needs_body)
      : SkipBodies(needs_body), compiler_(compiler), read_(read) {}
  void HandleTranslationUnit(ASTContext& context) override {
    if (!context.getDiagnostics().hasUncompilableErrorOccurred()) read_(compiler_);
  }

 private:
  CompilerInstance& compiler_;
  const std::function<void(CompilerInstance&)>& read_;
};

class ReadAction : public ASTFrontendAction {
 public:
  ReadAction(const std::function<void(CompilerInstance&)>& read, NeedsBody needs_body)
      : read_(read), needs_body_(needs_body) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, StringRef) override {
    return std::make_unique<Reading>(compiler, read_, needs_body_);
  }

 private:
  const std::function<void(CompilerInstance&)>& read_;
  NeedsBody needs_body_;
};

class HeadersAction : public GeneratePCHAction {
 public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, StringRef file) override {
    std::vector<std::unique_ptr<ASTConsumer>> both;
    both.push_back(GeneratePCHAction::CreateASTConsumer(compiler, file));
    if (!both.back()) return nullptr;
    both.push_back(std::make_unique<SkipBodies>(has_needed_body));
    return std::make_unique<MultiplexConsumer>(std::move(both));
  }
};

// The files of the machine, two that exist in memory only (one that includes the headers, and an empty header that
// Clang includes but toolkits from CUDA 13 on lack), and the given texts by their names.
llvm::IntrusiveRefCntPtr<FileManager> file_manager(const std::vector<std::pair<std::string, std::string>>& texts = {}) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> files(
      new llvm::vfs::OverlayFileSystem(llvm::vfs::getRealFileSystem()));
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> ours(new llvm::vfs::InMemoryFileSystem);
  ours->addFile("/pallasgen-vet-headers/texture_fetch_functions.h", 0, llvm::MemoryBuffer::getMemBuffer(""));
  ours->addFile(kHeaders, 0, llvm::MemoryBuffer::getMemBuffer(kHeadersText));
  for (const auto& [name, text] : texts) ours->addFile(kTexts + name, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
  files->pushOverlay(ours);
  return new FileManager(FileSystemOptions(), files);
}

// Runs one action after changing the invocation.
class Runner : public tooling::ToolAction {
 public:
  std::function<void(CompilerInvocation&)> change;
  std::function<std::unique_ptr<FrontendAction>()> action;

  bool runInvocation(std::shared_ptr<CompilerInvocation> invocation, FileManager* files,
                     std::shared_ptr<PCHContainerOperations> containers, DiagnosticConsumer* consumer) override {
    invocation->getFrontendOpts().SkipFunctionBodies = true;
    invocation->getFrontendOpts().DisableFree = false;
    change(*invocation);
    CompilerInstance compiler(std::move(containers));
    compiler.setInvocation(std::move(invocation));
    compiler.setFileManager(files);
    compiler.createDiagnostics(consumer, /*ShouldOwnClient=*/false);
    compiler.createSourceManager(*files);
    const bool done = compiler.ExecuteAction(*action());
    return done && !compiler.getDiagnostics().hasErrorOccurred();
  }
};

}  // namespace

Parser::Parser(ParseOptions options) : options_(std::move(options)) {}

Parser::~Parser() {
  if (!compiled_headers_.empty()) llvm::sys::fs::remove(compiled_headers_);
}

std::vector<std::string> Parser::arguments(const std::string& path) const {
  std::vector<std::string> words = {"pallasgen-clang",
                                    "-x",
                                    "cuda",
                                    "--cuda-device-only",
                                    "--cuda-gpu-arch=sm_90a",
                                    "-std=c++20",
                                    "-fsyntax-only",
                                    "-Wno-unknown-cuda-version",
                                    "-Wno-unknown-attributes",
                                    "-resource-dir",
                                    PALLASGEN_CLANG_RESOURCES,
                                    "--cuda-path=" + options_.cuda,
                                    "-isystem",
                                    "/pallasgen-vet-headers",
                                    "-DPALLASGEN_VET",
                                    "-I" + options_.runtime,
                                    "-isystem",
                                    options_.cuda + "/include/cccl"};  // libcu++, since CUDA 13
  words.insert(words.end(), options_.extra.begin(), options_.extra.end());
  words.push_back(path);
  return words;
}

void Parser::compile_headers() {
  if (headers_tried_) return;
  headers_tried_ = true;
  llvm::SmallString<128> file;
  if (llvm::sys::fs::createTemporaryFile("pallasgen-vet", "pch", file)) return;
  Runner runner;
  runner.change = [&](CompilerInvocation& invocation) {
    invocation.getFrontendOpts().OutputFile = std::string(file.str());
    invocation.getFrontendOpts().ProgramAction = frontend::GeneratePCH;
  };
  runner.action = [] { return std::make_unique<HeadersAction>(); };
  const auto files = file_manager();
  tooling::ToolInvocation invocation(arguments(kHeaders), &runner, files.get(),
                                     std::make_shared<PCHContainerOperations>());
  IgnoringDiagConsumer silent;
  TextDiagnosticPrinter shown(llvm::errs(), new DiagnosticOptions);
  const bool wants_to_see = std::getenv("PALLASGEN_VET_VERBOSE") != nullptr;
  invocation.setDiagnosticConsumer(wants_to_see ? static_cast<DiagnosticConsumer*>(&shown) : &silent);
  if (invocation.run())
    compiled_headers_ = std::string(file.str());
  else
    llvm::sys::fs::remove(file);
}

bool Parser::parse(const std::string& path, const std::function<void(CompilerInstance&)>& read) {
  compile_headers();
  Runner runner;
  runner.change = [&](CompilerInvocation& invocation) {
    if (!compiled_headers_.empty()) invocation.getPreprocessorOpts().ImplicitPCHInclude = compiled_headers_;
  };
  runner.action = [&] { return std::make_unique<ReadAction>(read, has_needed_body); };
  const auto files = file_manager();
  tooling::ToolInvocation invocation(arguments(path), &runner, files.get(), std::make_shared<PCHContainerOperations>());
  return invocation.run();
}

bool Parser::parse_texts(const std::vector<std::pair<std::string, std::string>>& texts, DiagnosticConsumer& told,
                         const std::function<void(CompilerInstance&)>& read) {
  Runner runner;
  runner.change = [](CompilerInvocation&) {};
  runner.action = [&] { return std::make_unique<ReadAction>(read, is_of_user); };
  const auto files = file_manager(texts);
  tooling::ToolInvocation invocation(arguments(kTexts + texts.front().first), &runner, files.get(),
                                     std::make_shared<PCHContainerOperations>());
  invocation.setDiagnosticConsumer(&told);
  return invocation.run();
}

}  // namespace pallasgen::vet
