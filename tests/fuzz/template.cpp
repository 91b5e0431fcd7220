#include "emit/template.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "targets.h"

namespace pallasgen::fuzz {

namespace {

// A folder in memory for the template, which the engine reads as a user's.
struct Folder {
  std::string path;
  Folder() {
    const std::filesystem::path memory = "/dev/shm";
    std::error_code error;
    const auto root = std::filesystem::is_directory(memory, error) ? memory : std::filesystem::temp_directory_path();
    path = (root / ("pallasgen-fuzz-" + std::to_string(getpid()))).string();
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

const nlohmann::ordered_json& view() {
  static const nlohmann::ordered_json made = nlohmann::ordered_json::parse(R"({
    "yes": true, "no": false, "text": "first\nsecond", "empty": "", "number": 64,
    "list": [{"name": "a", "last": false, "parts": ["x", "y"]}, {"name": "b", "last": true, "parts": []}],
    "words": ["one", "two", "three"], "none": [], "ring": {"slots": 4, "multicast": true}})");
  return made;
}

}  // namespace

void templates(std::string_view input) {
  static const Folder folder;
  std::ofstream(folder.path + "/t.in", std::ios::binary) << input;
  TemplateError error;
  const std::optional<std::string> text = render_template(Templates(folder.path), "t.in", view(), error);
  require(text.has_value() || !error.message.empty(), "what is not rendered is refused with a message");
  require(text.has_value() || !to_string(error).empty(), "an error prints");
}

}  // namespace pallasgen::fuzz
