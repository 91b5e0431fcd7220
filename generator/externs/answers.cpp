#include "answers.h"

#include <filesystem>

#include "output/output.h"

namespace pallasgen {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

std::optional<DType> dtype_of(const Json& said) {
  return said.is_string() ? dtype_named(said.get<std::string>()) : std::nullopt;
}

ExternPassing passing_of(const std::string& word) {
  if (word == "value") return ExternPassing::value;
  if (word == "const reference") return ExternPassing::const_reference;
  if (word == "pointer") return ExternPassing::pointer;
  return word == "reference" ? ExternPassing::reference : ExternPassing::rvalue_reference;
}

ExternMatch match_of(const std::string& kind) {
  if (kind == "found") return ExternMatch::found;
  if (kind == "ambiguous") return ExternMatch::ambiguous;
  return kind == "body" ? ExternMatch::body : ExternMatch::none;
}

}  // namespace

HeaderAnswers::HeaderAnswers(Sources& sources, std::string folder, std::string shown_as)
    : sources_(sources), folder_(std::move(folder)), shown_as_(std::move(shown_as)) {}

std::string HeaderAnswers::shown(const std::string& path) const {
  const fs::path inside = fs::path(path).lexically_normal().lexically_relative(folder_);
  if (inside.empty() || *inside.begin() == "..") return path;
  return (fs::path(shown_as_) / inside).string();
}

Span HeaderAnswers::span(const Json& place) {
  if (!place.is_object() || !place.contains("file")) return {};
  const std::string path = place.at("file").get<std::string>();
  auto found = read_.find(path);
  if (found == read_.end()) {
    Diagnostics unsaid;
    const std::optional<std::string> text = read_file(path, unsaid);
    found = read_.emplace(path, text ? &sources_.add(shown(path), *text) : nullptr).first;
  }
  if (found->second == nullptr) return {};
  const std::string_view text = found->second->text();
  size_t at = 0;
  for (unsigned line = 1; line < place.at("line").get<unsigned>() && at < text.size(); ++line)
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  const size_t begin = std::min(at + place.at("column").get<size_t>() - 1, text.size());
  const size_t end = std::min(begin + place.value("length", size_t{1}), text.size());
  return {found->second, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

Note HeaderAnswers::note(const Json& said) { return {span(said), said.at("text").get<std::string>()}; }

ExternCandidate HeaderAnswers::candidate(const Json& said) {
  ExternCandidate out;
  out.place = span(said);
  out.text = said.at("text").get<std::string>();
  for (const Json& parameter : said.at("parameters"))
    out.parameters.push_back({dtype_of(parameter.at("dtype")), parameter.at("type").get<std::string>(),
                              passing_of(parameter.at("passing").get<std::string>())});
  out.required = said.at("required").get<size_t>();
  out.result = dtype_of(said.at("result").at("dtype"));
  out.result_type = said.at("result").at("type").get<std::string>();
  out.is_template = said.at("template").get<bool>();
  out.is_device = said.at("device").get<bool>();
  out.is_host = said.at("host").get<bool>();
  out.is_kernel = said.at("kernel").get<bool>();
  return out;
}

ExternDeclared HeaderAnswers::declared(const Json& said) {
  ExternDeclared out;
  for (const Json& each : said.at("candidates")) out.candidates.push_back(candidate(each));
  if (!said.at("macro").is_null()) out.macro = span(said.at("macro"));
  if (!said.at("other").is_null()) out.other = span(said.at("other"));
  return out;
}

ExternAnswer HeaderAnswers::answer(const Json& said) {
  ExternAnswer out;
  out.match = match_of(said.at("kind").get<std::string>());
  for (const Json& error : said.at("errors")) out.errors.push_back(note(error));
  if (said.contains("candidates"))
    for (const Json& each : said.at("candidates")) out.candidates.push_back(candidate(each));
  if (out.match != ExternMatch::found) return out;
  out.function = candidate(said.at("function"));
  out.is_defined = said.at("function").at("defined").get<bool>();
  for (const Json& effect : said.at("function").at("effects")) out.effects.push_back(note(effect));
  return out;
}

std::vector<Note> HeaderAnswers::misfits(const Json& said, const std::string& stem, const std::string& source) {
  std::vector<Note> out;
  for (const Json& error : said.at("errors")) {
    const std::string path = error.value("file", "");
    if (path.ends_with("/texts/" + stem + ".cu")) read_[path] = &sources_.add(stem + ".cu", source);
    out.push_back(note(error));
    if (!error.value("macro", Json()).is_object()) continue;
    if (const Span macro = span(error.at("macro")); macro.source) out.push_back({macro, "a macro puts this there"});
  }
  return out;
}

}  // namespace pallasgen
