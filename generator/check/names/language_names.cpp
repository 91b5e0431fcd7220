#include <algorithm>

#include "check/words.h"
#include "expression/typed.h"
#include "names/language.h"

namespace pallasgen {

namespace {

// Words that are reserved, and refused until they have a meaning.
const std::vector<std::string> kLater = {"copy_gmem_to_smem",
                                         "copy_smem_to_gmem",
                                         "commit_group",
                                         "wait_smem_to_gmem",
                                         "wait_gmem_to_smem",
                                         "commit_smem",
                                         "barrier_arrive",
                                         "barrier_wait",
                                         "barrier_test",
                                         "wgmma",
                                         "wgmma_wait",
                                         "tcgen05_mma",
                                         "tcgen05_commit",
                                         "async_load_tmem",
                                         "wait_load_tmem",
                                         "async_store_tmem",
                                         "commit_tmem",
                                         "async_copy_smem_to_tmem",
                                         "async_copy_scales_to_tmem",
                                         "cluster_ref",
                                         "async_store_smem",
                                         "semaphore_signal",
                                         "semaphore_wait",
                                         "semaphore_read",
                                         "remote_ref",
                                         "try_cluster_cancel",
                                         "query_cluster_cancel",
                                         "planar_snake",
                                         "set_max_registers",
                                         "layout_cast",
                                         "optimization_barrier",
                                         "griddepcontrol_wait",
                                         "griddepcontrol_launch_dependents",
                                         "release"};

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

bool is_later_operation(const std::string& name) { return contains(kLater, name); }

const std::vector<std::string>& language_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> out = kLater;
    for (const LanguageWord& word : language_words()) {
      if (word.group != WordGroup::operators && word.name != "[]") out.push_back(word.name);
    }
    for (const DTypeInfo& row : dtypes()) out.emplace_back(row.name);
    return out;
  }();
  return kNames;
}

const std::vector<std::string>& names_of_calls() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> out;
    for (const LanguageWord& word : language_words()) {
      const bool called = word.signature.ends_with(')');
      if (called && word.group != WordGroup::operators) out.push_back(word.name);
    }
    for (const DTypeInfo& row : dtypes()) out.emplace_back(row.name);
    return out;
  }();
  return kNames;
}

const std::vector<std::string>& names_of_values() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> out;
    for (const LanguageWord& word : language_words()) {
      const bool function = word.group == WordGroup::elementwise || word.group == WordGroup::library;
      const bool named =
          word.group == WordGroup::values || word.group == WordGroup::grid || word.group == WordGroup::blocks;
      if (function || (named && !word.signature.ends_with(')'))) out.push_back(word.name);
    }
    for (const DTypeInfo& row : dtypes()) out.emplace_back(row.name);
    return out;
  }();
  return kNames;
}

bool is_language_name(const std::string& name) { return contains(language_names(), name); }

std::string_view language_kind(const std::string& name) {
  if (dtype_named(name)) return "a dtype";
  return operation_named(name) || is_later_operation(name) || library_function(name) ? "an operation" : "a word";
}

}  // namespace pallasgen
