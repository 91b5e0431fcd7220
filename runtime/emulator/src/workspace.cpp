#include <pallasgen/emulator/instructions.h>

#include <map>
#include <vector>

#include "global_memory.h"
#include "host_call.h"
#include "options.h"
#include "report.h"

// The parts of the workspaces that launchers take, and those that workspace_bytes functions count.
namespace pallasgen::emulator {
namespace {

struct PartSize {
  size_t bytes, behind;
};

struct Workspace {
  std::vector<PartSize> parts;
  char* base = nullptr;  // null: only counted, or not yet found to serve

  size_t bytes() const {
    size_t sum = 0;
    for (const PartSize& part : parts) sum += part.bytes + part.behind;
    return sum;
  }
};

std::map<const void*, Workspace>& workspaces() {
  static std::map<const void*, Workspace> map;
  return map;
}

// The parts of the workspace that ended last without having served.
std::vector<PartSize>& counted() {
  static std::vector<PartSize> parts;
  return parts;
}

std::string listed(const std::vector<PartSize>& parts) {
  std::string list;
  for (const PartSize& part : parts) list += text("%s%zu", list.empty() ? "" : ", ", part.bytes);
  return list.empty() ? "no part" : "parts of " + list + " bytes";
}

}  // namespace

void workspace_part(const void* workspace, size_t bytes, size_t behind) {
  host_call_without_result([&] { workspaces()[workspace].parts.push_back({bytes, behind}); });
}

void workspace_serves(const void* workspace, void* base) {
  host_call_without_result([&] {
    Workspace& taken = workspaces()[workspace];
    if (options().counted_workspace) {
      const std::string wanted = listed(counted()), found = listed(taken.parts);
      if (wanted != found)
        rule_broken("the launcher takes a workspace of %s, its size was counted for %s", found.c_str(), wanted.c_str());
    }
    taken.base = static_cast<char*>(base);
    char* p = taken.base;
    for (const PartSize& part : taken.parts) {
      add_part(p, part.bytes, part.behind);
      p += part.bytes + part.behind;
    }
  });
}

void workspace_ends(const void* workspace) {
  host_call_without_result([&] {
    const auto found = workspaces().find(workspace);
    if (found == workspaces().end()) return;
    const Workspace ended = std::move(found->second);
    workspaces().erase(found);
    if (ended.base == nullptr)
      counted() = ended.parts;
    else
      remove_parts(ended.base, ended.bytes());
  });
}

}  // namespace pallasgen::emulator
