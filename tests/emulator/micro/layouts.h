#pragma once
#include <fstream>
#include <nlohmann/json.hpp>

#include "micro.h"

namespace micro {

// A table of tests/oracle/layouts; the folder is the program's first argument.
inline nlohmann::json table(int argc, char** argv, const std::string& name) {
  const std::string path = std::string(argc > 1 ? argv[1] : ".") + "/" + name + ".json";
  std::ifstream in(path);
  if (!in) {
    std::printf("FAILED: cannot read %s\n", path.c_str());
    std::exit(1);
  }
  return nlohmann::json::parse(in);
}

}  // namespace micro
