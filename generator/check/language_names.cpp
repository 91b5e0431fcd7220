#include <algorithm>

#include "typer.h"

namespace pallasgen {

namespace {

// Words of SPEC.md sections 5 and 10 that are read and refused until they have a meaning.
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

// Operations and words without a row in the table of operations.
const std::vector<std::string> kOthers = {"program_id",
                                          "num_programs",
                                          "load",
                                          "store",
                                          "ds",
                                          "zeros",
                                          "softmax",
                                          "logsumexp",
                                          "pow",
                                          "neg",
                                          "inf",
                                          "nan",
                                          "pi",
                                          "log2e",
                                          "ln2",
                                          "true",
                                          "false",
                                          "None",
                                          "and",
                                          "or",
                                          "not",
                                          "if",
                                          "else",
                                          "in",
                                          "is",
                                          "lambda",
                                          "squeezed",
                                          "element",
                                          "bounded_slice",
                                          "axis_index",
                                          "axis_size",
                                          "num_sms",
                                          "ticket",
                                          "einsum",
                                          "quantize",
                                          "dequantize",
                                          "grad",
                                          "uniform",
                                          "normal",
                                          "grid_sync",
                                          "atomic_add",
                                          "atomic_max",
                                          "atomic_min",
                                          "atomic_and",
                                          "atomic_or",
                                          "atomic_xor",
                                          "atomic_xchg",
                                          "atomic_cas"};

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

bool is_later_operation(const std::string& name) { return contains(kLater, name); }

const std::vector<std::string>& language_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> out = kOthers;
    out.insert(out.end(), kLater.begin(), kLater.end());
    for (const Operation& row : operations()) {
      if (operation_named(row.name)) out.emplace_back(row.name);
    }
    for (const DTypeInfo& row : dtypes()) out.emplace_back(row.name);
    out.insert(out.end(), library_names().begin(), library_names().end());
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
