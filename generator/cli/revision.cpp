#include "revision.h"

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "loading.h"
#include "verify/process.h"

namespace pallasgen {

namespace fs = std::filesystem;

namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The first line that git prints in `folder`; nullopt if it fails, with the first line of its error in `why`.
std::optional<std::string> git(const fs::path& folder, const std::vector<std::string>& arguments, std::string& why) {
  std::vector<std::string> command{"git", "-C", folder.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const ProcessResult done = run_process(command);
  if (done.exit_code == 0) return first_line(done.output);
  why = first_line(done.output);
  return std::nullopt;
}

// Unpacks the folders of the commit into `scratch`. Returns the error, or an empty text.
std::string unpack(const fs::path& top, const std::string& commit, const std::vector<std::string>& folders,
                   const fs::path& scratch) {
  const std::string archive = (scratch / "revision.tar").string();
  std::vector<std::string> pack{"archive", "--format=tar", "--output=" + archive, commit, "--"};
  std::string why;
  for (const std::string& folder : folders)  // a folder that the revision does not have is not an error
    if (git(top, {"cat-file", "-e", commit + ":" + (folder == "." ? "" : folder)}, why)) pack.push_back(folder);
  if (pack.back() == "--") return "";
  if (!git(top, pack, why)) return why;
  const ProcessResult unpacked = run_process({"tar", "-xf", archive, "-C", scratch.string()});
  return unpacked.exit_code == 0 ? "" : "tar: " + first_line(unpacked.output);
}

}  // namespace

std::unique_ptr<Revision> Revision::take(const std::set<fs::path>& folders, const std::string& revision,
                                         Diagnostics& diagnostics) {
  const fs::path& folder = *folders.begin();
  const auto refuse = [&](const std::string& message) {
    diagnostics.error(kCommandLine, {}, message).note("with -D, and without --against, no git is needed");
    return nullptr;
  };
  if (find_program("git").empty()) return refuse("git, which knows what a spec was, is not in PATH");
  std::string why;
  const auto top = git(folder, {"rev-parse", "--show-toplevel"}, why);
  if (!top) return refuse(fmt::format("'{}' is in no git repository: {}", folder.string(), why));
  const auto commit =
      git(folder, {"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"}, why);
  if (!commit) return refuse(fmt::format("'{}' is no revision of the repository '{}'", revision, *top));
  std::string scratch = (fs::temp_directory_path() / "pallasgen-diff-XXXXXX").string();
  if (!mkdtemp(scratch.data())) return refuse(fmt::format("the folder '{}' cannot be made", scratch));
  std::unique_ptr<Revision> made(new Revision(fs::canonical(*top), scratch));
  std::vector<std::string> inside;
  for (const fs::path& each : folders) {
    const fs::path place = fs::canonical(each).lexically_relative(made->top_);
    if (*place.begin() == "..")
      return refuse(fmt::format("'{}' is not in the repository '{}' of '{}'", each.string(), *top, folder.string()));
    inside.push_back(place.generic_string());
  }
  fs::create_directories(made->copy());
  why = unpack(made->top_, *commit, inside, made->copy().string());
  return why.empty() ? std::move(made) : refuse(fmt::format("the specs of '{}' cannot be taken: {}", revision, why));
}

Revision::~Revision() {
  std::error_code ignored;
  fs::remove_all(scratch_, ignored);
}

fs::path Revision::place_of(const fs::path& path) const {
  return copy() / fs::weakly_canonical(path).lexically_relative(top_);
}

}  // namespace pallasgen
