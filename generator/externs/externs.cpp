#include "externs/externs.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "answers.h"
#include "externs/rules.h"
#include "header_program.h"
#include "loops.h"
#include "verify/installation.h"
#include "verify/process.h"
#include "verify/rules.h"
#include "verify/toolkit.h"

namespace pallasgen {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct HeaderPrograms::State {
  std::mutex mutex;
  std::map<std::vector<std::string>, std::shared_ptr<HeaderProgram>> running;  // by command

  std::shared_ptr<HeaderProgram> program(const std::vector<std::string>& command) {
    const std::lock_guard lock(mutex);
    std::shared_ptr<HeaderProgram>& found = running[command];
    if (!found) found = std::make_shared<HeaderProgram>(command);
    return found;
  }
};

HeaderPrograms::HeaderPrograms() : state_(std::make_shared<State>()) {}
HeaderPrograms::~HeaderPrograms() = default;

namespace {

// The folders that the arguments add to the include path.
std::vector<std::string> include_folders(const std::vector<std::string>& arguments) {
  std::vector<std::string> folders;
  for (size_t i = 0; i < arguments.size(); ++i) {
    for (const std::string option : {"-I", "-isystem"}) {
      if (arguments[i] == option && i + 1 < arguments.size())
        folders.push_back(arguments[i + 1]);
      else if (arguments[i].rfind(option, 0) == 0 && arguments[i].size() > option.size())
        folders.push_back(arguments[i].substr(option.size()));
    }
  }
  return folders;
}

// The arguments for reading a header. Folders of `-isystem` become those of `-I`, except the toolkit's, so that changes
// of the user's files in them are noticed.
std::vector<std::string> followed(std::vector<std::string> arguments, const std::string& toolkit) {
  constexpr std::string_view kSystem = "-isystem";
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].starts_with(kSystem)) continue;
    const bool is_apart = arguments[i].size() == kSystem.size();
    if (is_apart && i + 1 == arguments.size()) break;
    const std::string folder = is_apart ? arguments[i + 1] : arguments[i].substr(kSystem.size());
    const fs::path inside = fs::absolute(folder).lexically_normal().lexically_relative(fs::path(toolkit).parent_path());
    if (inside.empty() || *inside.begin() == "..") arguments[i].replace(0, kSystem.size(), "-I");
  }
  return arguments;
}

class Opening {
 public:
  Opening(const Spec& spec, const std::vector<std::string>& arguments, Diagnostics& diagnostics)
      : spec_(spec), arguments_(arguments), diagnostics_(diagnostics) {
    folder_ = fs::path(spec.source ? spec.source->path() : "").parent_path().string();
  }

  std::shared_ptr<const ExternHeader> open(HeaderPrograms::State& programs, const std::string& cache_folder,
                                           Sources& sources) {
    const std::string header = header_path();
    const std::vector<std::string> command = header.empty() ? std::vector<std::string>() : command_for(header);
    if (command.empty()) return nullptr;
    const std::shared_ptr<HeaderProgram> program = programs.program(command);
    const auto answers = std::make_shared<HeaderAnswers>(sources, own_folder().string(), folder_);
    const Json greeting = program->greeting() ? Json::parse(*program->greeting(), nullptr, false) : Json();
    if (!greeting.is_object()) {
      does_not_answer(command.front());
      return nullptr;
    }
    if (!greeting.at("errors").empty()) {
      does_not_parse(header, greeting, *answers);
      return nullptr;
    }
    return made(program, answers, header, greeting, cache_folder);
  }

 private:
  Diagnostic& refuse(const Rule& rule, Span span, std::string message) {
    return diagnostics_.error(rule, span, std::move(message));
  }

  fs::path own_folder() const { return fs::absolute(folder_.empty() ? "." : folder_).lexically_normal(); }

  // The path of the header; empty after an error.
  std::string header_path() {
    const Named& name = spec_.extern_header;
    if (name.name.empty() || fs::path(name.name).is_absolute() ||
        name.name.find_first_of("\"\\\n") != std::string::npos) {
      refuse(kExternHeader, name.span,
             fmt::format("'{}' is no path of a header that a generated file can include", name.name))
          .note("write the path from the spec's folder, such as my_ops.cuh: outputs are the same on every machine");
      return "";
    }
    std::vector<std::string> folders = include_folders(arguments_);
    folders.insert(folders.begin(), own_folder().string());
    for (const std::string& folder : folders) {
      const fs::path path = fs::absolute(fs::path(folder) / name.name).lexically_normal();
      if (fs::is_regular_file(path)) return path.string();
    }
    Diagnostic& out = refuse(kExternHeader, name.span, fmt::format("there is no header \"{}\"", name.name));
    out.note(
        "it is looked for in the spec's folder, then in the include paths that --extern-arg=-Ifolder and "
        "--compile-commands add");
    return "";
  }

  std::vector<std::string> command_for(const std::string& header) {
    const std::string program = clang_program();
    if (program.empty()) {
      refuse(kExternProgram, spec_.extern_span,
             "`extern` needs the program pallasgen-clang beside pallasgen, which was not built")
          .note(kBuildClangProgram);
      return {};
    }
    const std::string toolkit = toolkit_include();
    if (toolkit.empty()) {
      refuse(kHostToolkit, spec_.extern_span,
             "the headers of the CUDA Toolkit, with which `extern` is read, are not to be found")
          .note("install the toolkit, or set CUDAToolkit_ROOT to the folder that holds its include folder");
      return {};
    }
    std::vector<std::string> command = {program, "--cuda", fs::path(toolkit).parent_path().string(), "--extra-arg",
                                        "-I" + own_folder().string()};
    for (const std::string& argument : followed(arguments_, toolkit))
      command.insert(command.end(), {"--extra-arg", argument});
    command.insert(command.end(), {"--extern", header});
    return command;
  }

  // Without arguments the program prints its usage; one that cannot be loaded prints what is missing.
  void does_not_answer(const std::string& program) {
    Diagnostic& out = refuse(kExternProgram, spec_.extern_span, fmt::format("'{}' does not answer", program));
    const std::string said = run_process({program}).output;
    if (said.find("shared librar") != std::string::npos)
      out.note(said.substr(0, said.find('\n'))).note(kInstallClangLibraries);
    else
      out.note("pallasgen and pallasgen-clang are of one build; install both anew");
  }

  void does_not_parse(const std::string& header, const Json& greeting, HeaderAnswers& answers) {
    Diagnostic& out = refuse(kExternHeader, spec_.extern_header.span,
                             fmt::format("\"{}\" does not parse as CUDA", spec_.extern_header.name));
    for (const Json& error : greeting.at("errors")) {
      const Note note = answers.note(error);
      if (note.span.source)
        out.note(note.span, note.message);
      else
        out.note(note.message);
    }
    out.note(fmt::format("{} must include what it uses itself; --extern-arg gives Clang include paths and defines",
                         answers.shown(header)));
  }

  std::shared_ptr<const ExternHeader> made(const std::shared_ptr<HeaderProgram>& program,
                                           const std::shared_ptr<HeaderAnswers>& answers, const std::string& header,
                                           const Json& greeting, const std::string& cache_folder) const {
    auto out = std::make_shared<ExternHeader>();
    out->include = spec_.extern_header.name;
    out->compile_args = {"-I" + own_folder().string()};
    out->compile_args.insert(out->compile_args.end(), arguments_.begin(), arguments_.end());
    const auto files = greeting.at("files").get<std::vector<std::string>>();
    for (const std::string& path : files) out->files.push_back(answers->shown(path));
    for (const Json& name : greeting.at("names")) out->names.insert(name.get<std::string>());
    const auto loops = std::make_shared<ExternLoops>(header, out->compile_args, files, cache_folder);
    const auto asked = [program](const Json& question) {
      const std::optional<std::string> line = program->ask(question.dump());
      return line ? Json::parse(*line, nullptr, false) : Json();
    };
    out->declared = [asked, answers](const std::string& name) {
      const Json said = asked({{"describe", name}});
      ExternDeclared out = said.is_object() ? answers->declared(said) : ExternDeclared();
      out.is_known = said.is_object();
      return out;
    };
    out->resolve = [asked, answers, loops](const std::string& name, const std::vector<DType>& types) {
      std::vector<std::string> words;
      for (const DType type : types) words.emplace_back(name_of(type));
      const Json said = asked({{"function", name}, {"types", words}});
      if (!said.is_object()) return ExternAnswer();
      ExternAnswer answer = answers->answer(said);
      if (answer.match == ExternMatch::found && answer.function.result)
        loops->expect(name, types, *answer.function.result);
      return answer;
    };
    out->misfits = [asked, answers](const std::string& stem, const std::string& source, const std::string& text,
                                    const std::set<std::string>& functions) {
      const Json said = asked({{"generated", stem}, {"source", source}, {"header", text}, {"functions", functions}});
      if (!said.is_object()) return std::vector<Note>{{{}, "`pallasgen-clang` has stopped; please report the header"}};
      return answers->misfits(said, stem, source);
    };
    out->run = [loops](const ExternFunction& function, const std::vector<const void*>& args, void* result,
                       int64_t count) { return loops->run(function, args, result, count); };
    return out;
  }

  const Spec& spec_;
  const std::vector<std::string>& arguments_;
  Diagnostics& diagnostics_;
  std::string folder_;  // the spec's folder, as given
};

}  // namespace

OpenExtern extern_reader(const HeaderPrograms& programs, const std::vector<std::string>& arguments,
                         const std::string& cache_folder, Sources& sources) {
  return [state = programs.state(), arguments, cache_folder, &sources](const Spec& spec, Diagnostics& diagnostics) {
    return Opening(spec, arguments, diagnostics).open(*state, cache_folder, sources);
  };
}

}  // namespace pallasgen
