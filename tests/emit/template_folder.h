#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

// A folder of templates for one test, removed at its end.
class TemplateFolder {
 public:
  TemplateFolder() {
    static int made = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("pallasgen-templates-" + std::to_string(getpid()) + "-" + std::to_string(made++));
    std::filesystem::create_directories(path_);
  }
  ~TemplateFolder() { std::filesystem::remove_all(path_); }
  TemplateFolder(const TemplateFolder&) = delete;
  TemplateFolder& operator=(const TemplateFolder&) = delete;

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};
