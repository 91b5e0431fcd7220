// Interprets every oracle case with the tool and compares its outputs with the committed arrays.
//
//   oracle_cases TOOL FOLDER PENDING [NAME...]
//
// Reads .npy files itself: the witness shares no code with the code that it judges. Prints one line per failure and a
// last line `N passed, N failed, N skipped`; exits 1 if a case fails, or if a case of the list PENDING passes.

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct NpyArray {
  std::string descr;  // the header's dtype, such as <f4
  std::string shape;  // as written in the header
  std::string data;
};

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.filename().string());
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Returns the text between `open` and `close` after `key` in a .npy header.
std::string header_field(const std::string& header, const std::string& key, char open, char close) {
  const size_t at = header.find("'" + key + "'");
  const size_t first = at == std::string::npos ? at : header.find(open, at + key.size() + 2);
  const size_t last = first == std::string::npos ? first : header.find(close, first + 1);
  if (last == std::string::npos) throw std::runtime_error("no " + key + " in the .npy header");
  std::string field = header.substr(first + 1, last - first - 1);
  std::erase(field, ' ');
  if (field.ends_with(',')) field.pop_back();  // (3,) and (3) are the same shape
  return field;
}

NpyArray read_npy(const fs::path& path) {
  const std::string file = read_file(path);
  if (file.size() < 12 || file.compare(0, 6, "\x93NUMPY") != 0) throw std::runtime_error("not a .npy file");
  const bool short_header = file[6] == 1;
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(file[i])); };
  const size_t length = byte(8) + (byte(9) << 8) + (short_header ? 0 : (byte(10) << 16) + (byte(11) << 24));
  const size_t start = short_header ? 10 : 12;
  const std::string header = file.substr(start, length);
  if (header.find("'fortran_order': False") == std::string::npos) throw std::runtime_error("not in C order");
  return {header_field(header, "descr", '\'', '\''), header_field(header, "shape", '(', ')'),
          file.substr(start + length)};
}

template <class T>
T element(const std::string& data, size_t i) {
  T value;
  std::memcpy(&value, data.data() + i * sizeof(T), sizeof(T));
  return value;
}

// Returns the value of the bits of a small float format with subnormals.
double small_float(uint32_t bits, int exponent_bits, int mantissa_bits, bool has_infinity) {
  const uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
  const uint32_t exponent = (bits >> mantissa_bits) & ((1u << exponent_bits) - 1);
  const uint32_t top = (1u << exponent_bits) - 1;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const double sign = bits >> (exponent_bits + mantissa_bits) ? -1 : 1;
  if (exponent == top && has_infinity) return mantissa == 0 ? sign * INFINITY : NAN;
  if (exponent == top && mantissa == (1u << mantissa_bits) - 1) return NAN;  // e4m3 has one NaN and no infinity
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
  return sign * std::ldexp((1u << mantissa_bits) + mantissa, static_cast<int>(exponent) - bias - mantissa_bits);
}

struct Format {
  size_t bytes;
  double (*value)(const std::string& data, size_t i);
};

const std::map<std::string, Format>& float_formats() {
  static const std::map<std::string, Format> formats = {
      {"f64", {8, [](const std::string& d, size_t i) { return element<double>(d, i); }}},
      {"f32", {4, [](const std::string& d, size_t i) { return static_cast<double>(element<float>(d, i)); }}},
      {"f16", {2, [](const std::string& d, size_t i) { return small_float(element<uint16_t>(d, i), 5, 10, true); }}},
      {"bf16", {2, [](const std::string& d, size_t i) { return small_float(element<uint16_t>(d, i), 8, 7, true); }}},
      {"f8e5m2", {1, [](const std::string& d, size_t i) { return small_float(element<uint8_t>(d, i), 5, 2, true); }}},
      {"f8e4m3", {1, [](const std::string& d, size_t i) { return small_float(element<uint8_t>(d, i), 4, 3, false); }}},
  };
  return formats;
}

// Returns the first difference of the arrays; empty if they agree.
std::string difference(const NpyArray& got, const NpyArray& want, const std::string& dtype, double tolerance) {
  if (got.descr != want.descr) return "dtype " + got.descr + ", expected " + want.descr;
  if (got.shape != want.shape) return "shape (" + got.shape + "), expected (" + want.shape + ")";
  if (got.data.size() != want.data.size()) return "another number of bytes";
  const auto format = float_formats().find(dtype);
  if (format == float_formats().end()) {
    if (got.data == want.data) return "";
    const auto [at, ignored] = std::mismatch(got.data.begin(), got.data.end(), want.data.begin());
    const size_t bytes = want.descr.size() == 3 ? static_cast<size_t>(want.descr[2] - '0') : 1;
    return "element " + std::to_string(static_cast<size_t>(at - got.data.begin()) / bytes) + " differs";
  }
  const auto [bytes, value] = format->second;
  for (size_t i = 0; i < want.data.size() / bytes; ++i) {
    const double g = value(got.data, i), w = value(want.data, i);
    if (std::isnan(g) && std::isnan(w)) continue;
    const bool same_bits = std::memcmp(&got.data[i * bytes], &want.data[i * bytes], bytes) == 0;
    if (same_bits) continue;
    const bool finite = std::isfinite(g) && std::isfinite(w);
    if (tolerance > 0 && finite && std::abs(g - w) <= tolerance * std::max(1.0, std::abs(w))) continue;
    char text[120];
    std::snprintf(text, sizeof text, "element %zu is %.9g, expected %.9g", i, g, w);
    return text;
  }
  return "";
}

// Runs the tool; its diagnostics go to `log`. Returns the exit code, 128 + signal if it was killed.
int run(const std::vector<std::string>& arguments, const fs::path& log) {
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int errors = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), nothing = open("/dev/null", O_WRONLY);
    if (errors < 0 || nothing < 0 || dup2(errors, 2) < 0 || dup2(nothing, 1) < 0) _exit(126);
    execv(pointers[0], pointers.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Returns why the case fails; empty if it passes.
std::string judge(const std::string& tool, const fs::path& folder, const fs::path& scratch) {
  const json description = json::parse(read_file(folder / "case.json"));
  std::vector<std::string> arguments = {tool, "interpret", (folder / "spec.yaml").string()};
  const auto add = [&](const char* option, const std::string& name, const std::string& value) {
    arguments.insert(arguments.end(), {option, name + "=" + value});
  };
  for (const auto& [name, size] : description.at("dims").items()) add("--dim", name, size.dump());
  for (const auto& [name, value] : description.at("scalars").items())
    add("--in", name, value.is_string() ? (folder / value.get<std::string>()).string() : value.dump());
  for (const auto& [name, file] : description.at("inputs").items())
    add("--in", name, (folder / file.get<std::string>()).string());
  for (const auto& [name, file] : description.at("outputs").items())
    add("--out", name, (scratch / file.get<std::string>()).string());
  for (const auto& entry : fs::directory_iterator(scratch)) fs::remove(entry);
  const int code = run(arguments, scratch / "log");
  if (code != 0) {
    const std::string log = read_file(scratch / "log");
    return "exit " + std::to_string(code) + ": " + log.substr(0, log.find('\n'));
  }
  for (const auto& [name, file] : description.at("outputs").items()) {
    const std::string at =
        difference(read_npy(scratch / file.get<std::string>()), read_npy(folder / file.get<std::string>()),
                   description.at("dtypes").at(name), description.at("tolerance"));
    if (!at.empty()) return name + ": " + at;
  }
  return "";
}

std::set<std::string> read_pending(const fs::path& path) {
  std::set<std::string> names;
  std::istringstream lines(read_file(path));
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line[0] != '#') names.insert(line.substr(0, line.find(' ')));
  return names;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: oracle_cases TOOL FOLDER PENDING [NAME...]\n";
    return 2;
  }
  const std::set<std::string> pending = read_pending(argv[3]), only(argv + 4, argv + argc);
  std::string pattern = (fs::temp_directory_path() / "oracle_cases_XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    std::cerr << "cannot make a temporary folder\n";
    return 4;
  }
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(argv[2])) names.insert(entry.path().filename().string());
  int passed = 0, failed = 0, skipped = 0;
  for (const std::string& name : names) {
    if (!only.empty() && !only.contains(name)) continue;
    std::string why;
    try {
      why = judge(argv[1], fs::path(argv[2]) / name, pattern);
    } catch (const std::exception& error) {
      why = error.what();
    }
    if (pending.contains(name)) {
      if (!why.empty()) {
        ++skipped;
        continue;
      }
      why = "passes; take it off the list of pending cases";
    }
    ++(why.empty() ? passed : failed);
    if (!why.empty()) std::cout << "FAIL " << name << ": " << why << "\n";
  }
  for (const std::string& name : pending) {
    if (names.contains(name)) continue;
    ++failed;
    std::cout << "FAIL " << name << ": pending, but no such case\n";
  }
  fs::remove_all(pattern);
  std::cout << passed << " passed, " << failed << " failed, " << skipped << " skipped\n";
  return failed == 0 && passed + skipped > 0 ? 0 : 1;
}
