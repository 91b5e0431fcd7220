#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "targets.h"

// Runs every file of CORPUS/<fuzzer>/ through its target: former finds of the fuzzers must stay fixed. An input may
// take one second of CPU time.
int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  if (argc != 2) return std::fprintf(stderr, "usage: fuzz_replay CORPUS\n"), 2;
  int passed = 0, failed = 0;
  for (const auto& target : pallasgen::fuzz::kTargets) {
    const fs::path folder = fs::path(argv[1]) / target.name;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    if (files.empty()) return std::fprintf(stderr, "no inputs in %s\n", folder.c_str()), 1;
    for (const fs::path& path : files) {
      std::ifstream file(path, std::ios::binary);
      const std::string text((std::istreambuf_iterator<char>(file)), {});
      std::fprintf(stderr, "%s\n", path.c_str());  // the last path printed is that of a crash
      const std::clock_t start = std::clock();
      target.run(text);
      const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      const bool fine = seconds < 1;
      if (!fine) std::printf("FAILED %s: %.1f s\n", path.c_str(), seconds);
      (fine ? passed : failed) += 1;
    }
  }
  std::printf("%d passed, %d failed, 0 skipped\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
