#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

// Both ptx folders, the device's and the emulator's, declare the same functions with the same signatures.
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string squeezed(std::string text) {
  static const std::regex blanks(R"(\s+)"), around(R"( ?([(),<>&*]) ?)"), at_ends(R"(^ | $)");
  text = std::regex_replace(text, blanks, " ");
  text = std::regex_replace(text, around, "$1");
  return std::regex_replace(text, at_ends, "");
}

// "template<int N>void f(uint32_t,const void*)": parameters without names.
std::string signature(const std::string& prefix, const std::string& parameters) {
  static const std::regex operand("^emulator::OperandRegister\\b"), reference(R"(\(&(\w+)\))"), name(R"(([ *&])\w+$)");
  std::string types;
  for (size_t start = 0; start < parameters.size();) {
    size_t comma = parameters.find(',', start);
    if (comma == std::string::npos) comma = parameters.size();
    std::string parameter = squeezed(parameters.substr(start, comma - start));
    // The emulator's type also records a register's variable.
    parameter = std::regex_replace(parameter, operand, "uint32_t");
    // The name follows the type: "float(&d)[4]", "uint32_t bar", "const void*map".
    parameter = std::regex_replace(parameter, reference, "(&)");
    parameter = std::regex_replace(parameter, name, "$1");
    types += (types.empty() ? "" : ",") + squeezed(parameter);
    start = comma + 1;
  }
  return squeezed(prefix) + "(" + types + ")";
}

// Expands the emulator's macro for the many shapes of wgmma where it is used, one line each.
std::string expanded(const std::string& text) {
  std::smatch macro;
  if (!std::regex_search(text, macro,
                         std::regex(R"(#define PALLASGEN_WGMMA\(N, SIZE, NAME, KA, KB\)([\s\S]*?[^\\])\n)")))
    return text;
  const std::string body = std::regex_replace(macro[1].str(), std::regex(R"(\\\n)"), "\n");
  const std::regex use(R"(\nPALLASGEN_WGMMA\((\d+), (\d+), (\w+), \w+, \w+\))");
  std::string out;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), use); it != std::sregex_iterator(); ++it) {
    std::string function = std::regex_replace(body, std::regex(R"(##N##)"), (*it)[1].str());
    function = std::regex_replace(function, std::regex(R"(\bSIZE\b)"), (*it)[2].str());
    out += std::regex_replace(function, std::regex(R"(##NAME\b(##)?)"), (*it)[3].str());
  }
  return out;
}

// Expands the macros of atomic.cuh: each has functions with ##parameter## in their names, and some call another macro.
std::string atomics_expanded(std::string text) {
  for (const std::string macro : {"PALLASGEN_ATOMIC", "PALLASGEN_ATOM", "PALLASGEN_CAS", "PALLASGEN_ACCESS"}) {
    std::smatch definition;
    const std::regex define("#define " + macro + R"(\(([^)]*)\)((?:[^\n]*\\\n)*[^\n]*\n))");
    if (!std::regex_search(text, definition, define)) continue;
    const std::string parameters = definition[1].str();
    const std::string body = std::regex_replace(definition[2].str(), std::regex(R"(\\\n)"), "\n");
    text = definition.prefix().str() + definition.suffix().str();
    const std::regex call("\n" + macro + R"(\(([^\n]*)\))");
    std::string out;
    auto rest = text.cbegin();
    for (auto it = std::sregex_iterator(text.begin(), text.end(), call); it != std::sregex_iterator(); ++it) {
      std::string one = body;
      const std::string arguments = (*it)[1].str();
      for (size_t p = 0, a = 0; p < parameters.size();) {
        const size_t p_end = std::min(parameters.find(", ", p), parameters.size());
        const size_t a_end = p_end == parameters.size() ? arguments.size() : arguments.find(", ", a);
        const std::string name = parameters.substr(p, p_end - p), value = arguments.substr(a, a_end - a);
        one = std::regex_replace(one, std::regex("##" + name + "(##)?"), value);
        one = std::regex_replace(one, std::regex(R"(([(,] ?| ))" + name + R"(\b)"), "$1" + value);
        p = p_end + 2;
        a = a_end + 2;
      }
      out.append(rest, (*it)[0].first);
      // The next macro finds a call inside the body at the start of its line.
      out += std::regex_replace(one, std::regex(R"(\n\s+PALLASGEN)"), "\nPALLASGEN");
      rest = (*it)[0].second;
    }
    out.append(rest, text.cend());
    text = out;
  }
  return text;
}

std::set<std::string> functions(const std::string& folder) {
  std::set<std::string> found;
  const std::regex function(
      R"((template <[^>]*>\s*)?__device__ __forceinline__ ([\w\s:]+\s\w+)\(((?:[^()]|\(&\w+\))*)\)\s*\{)");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    // Only one of the two declares the function's meaning.
    static const std::regex meaning(R"(PALLASGEN_MEANS\("[^"]*"\)\s*)");
    const std::string whole = std::regex_replace(read(entry.path()), meaning, "");
    const std::string text = file == "atomic.cuh" ? atomics_expanded(whole) : expanded(whole);
    int matches = 0, declared = 0;
    for (auto it = std::sregex_iterator(text.begin(), text.end(), function); it != std::sregex_iterator(); ++it) {
      ++matches;
      found.insert(file + ": " + signature((*it)[1].str() + (*it)[2].str(), (*it)[3].str()));
    }
    for (size_t at = 0; (at = text.find("__forceinline__", at)) != std::string::npos; ++at) ++declared;
    CHECK_MESSAGE(matches == declared, folder, "/", file, ": ", declared, " functions, of which this test reads ",
                  matches);
    CHECK_MESSAGE(declared > 0, folder, "/", file, ": no function");
  }
  return found;
}

}  // namespace

TEST_CASE("the emulator has the functions of ptx/, no more and no less") {
  const std::string root = std::string(PALLASGEN_SOURCE_DIR) + "/runtime/";
  const std::set<std::string> device = functions(root + "pallasgen/ptx");
  const std::set<std::string> host = functions(root + "emulator/include/pallasgen/ptx");
  CHECK(device.size() > 1000);
  for (const std::string& f : device) CHECK_MESSAGE(host.count(f) == 1, "the emulator lacks ", f);
  for (const std::string& f : host) CHECK_MESSAGE(device.count(f) == 1, "only the emulator has ", f);
}
