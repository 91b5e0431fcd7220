#include "key_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace pallasgen {

namespace {

constexpr KeyValues kRows[] = {
    {"spec", "pallasgen", "", R"j(1)j"},
    {"spec", "kernel", "", R"j("scale_rows")j"},
    {"spec", "doc", "", R"j("y = each row of x times its factor.")j"},
    {"spec", "target", R"j("sm_90a")j", R"j("sm_90a")j"},
    {"spec", "dims", "", R"j({"M": {}, "N": {"multiple_of": 8}})j"},
    {"spec", "consts", "", R"j({"bm": 128, "activation": "gelu", "eps": 1e-5})j"},
    {"spec", "functions", "", R"j({"swish(x, beta)": "x * logistic(beta * x)"})j"},
    {"spec", "extern", "", R"j({"header": "my_math.cuh", "functions": "my_exp"})j"},
    {"spec", "grid", R"j([])j", R"j([{"axis": "m", "size": "cdiv(M, bm)"}])j"},
    {"spec", "mesh", "", R"j({"grid": {"m": "cdiv(M, bm)"}, "threads": {"wg": 2}})j"},
    {"spec", "let", "", R"j({"shift": "(j + i) % 4"})j"},
    {"spec", "skip", R"j(false)j", R"j("j > i")j"},
    {"spec", "inputs", "", R"j({"x": {"type": "f32[M, N]", "block": ["bm", "bn"], "index_map": ["m", "n"]}})j"},
    {"spec", "outputs", "", R"j({"y": {"type": "f32[M, N]", "block": ["bm", "bn"], "index_map": ["m", "n"]}})j"},
    {"spec", "scratch", "", R"j({"acc": {"type": "f32[bm, bn]", "space": "acc"}})j"},
    {"spec", "workspace", "", R"j({"sums": {"type": "f32[M]", "init": 0}})j"},
    {"spec", "aliases", "", R"j({"y": "x"})j"},
    {"spec", "scalars", "", R"j({"alpha": "f32", "offsets": "i32[G + 1]"})j"},
    {"spec", "pipeline", "", R"j({"stages": 4, "warp_specialized": true, "compute_warpgroups": 2})j"},
    {"spec", "schedule", "", R"j({"persistent": true})j"},
    {"spec", "math", "", R"j({"approx": true})j"},
    {"spec", "body", "", R"j(["y[...] = x * factor[:, None]"])j"},
    {"spec", "checks", R"j([])j", R"j(["oob", "nan"])j"},
    {"spec", "reference", "", R"j({"y": "x * factor[:, None]"})j"},
    {"spec", "tests", "", R"j([{"dims": {"M": 10, "N": 2056}}])j"},
    {"spec", "tune", "", R"j({"values": {"bm": [64, 128]}})j"},
    {"spec", "vjp", "", R"j("scale_rows_bwd")j"},
    {"spec", "partition", "", R"j(["M"])j"},
    {"spec", "allow", "", R"j([{"warning": "slow-path", "reason": "rows of any length"}])j"},
    {"dim", "multiple_of", R"j(1)j", R"j(8)j"},
    {"dim", "min", R"j(0)j", R"j(1)j"},
    {"dim", "max", "", R"j(65536)j"},
    {"dim", "doc", "", R"j("columns")j"},
    {"axis", "axis", "", R"j("m")j"},
    {"axis", "size", "", R"j("cdiv(M, bm)")j"},
    {"axis", "semantics", R"j("parallel")j", R"j("sequential")j"},
    {"extern", "header", "", R"j("my_math.cuh")j"},
    {"extern", "functions", "", R"j(["my_exp"])j"},
    {"test", "dims", "", R"j({"M": 200, "N": 136})j"},
    {"test", "scalars", "", R"j({"alpha": 0.5, "offsets": [0, 3, 8]})j"},
    {"test", "inputs", "", R"j({"x": "x.npy"})j"},
    {"test", "seed", R"j(0)j", R"j(7)j"},
    {"test", "tolerance", "", R"j(0.01)j"},
    {"tune", "values", "", R"j({"bm": [64, 128], "pipeline.stages": [3, 4]})j"},
    {"tune", "where", R"j(true)j", R"j("bm * bn <= 32768")j"},
    {"allowed warning", "warning", "", R"j("slow-path")j"},
    {"allowed warning", "reason", "", R"j("rows of any length")j"},
    {"gradient", "kernel", "", R"j("scale_rows_bwd")j"},
    {"gradient", "with", "", R"j({"N": "B * S"})j"},
    {"ref", "type", "", R"j("bf16[M, K]")j"},
    {"ref", "block", "", R"j(["bm", "bk"])j"},
    {"ref", "index_map", "", R"j(["m", "k"])j"},
    {"ref", "strides", "", R"j(["lda", "_"])j"},
    {"ref", "space", R"j("smem")j", R"j("gmem")j"},
    {"ref", "fill", "", R"j(0)j"},
    {"ref", "init", "", R"j(0)j"},
    {"ref", "reduce", "", R"j("add")j"},
    {"ref", "present", R"j(true)j", R"j("with_bias")j"},
    {"ref", "stages", "", R"j(2)j"},
    {"ref", "delay_release", R"j(0)j", R"j(1)j"},
    {"ref", "multicast", "", R"j("m")j"},
    {"ref", "transforms", "", R"j([{"swizzle": 128}])j"},
    {"ref", "gradient", "", R"j("none")j"},
    {"ref", "doc", "", R"j("weights, by columns")j"},
    {"scratch", "space", "", R"j("acc")j"},
    {"scratch", "barrier", "", R"j({"arrivals": 1})j"},
    {"scratch", "cluster_barrier", "", R"j({"axes": ["m"]})j"},
    {"scratch", "semaphore", "", R"j({"scope": "grid"})j"},
    {"scratch", "cluster_cancel_result", "", R"j({"count": 1})j"},
    {"scratch", "union", "", R"j([["a", "b"], ["c"]])j"},
    {"scratch", "layout", "", R"j("wgmma")j"},
    {"scratch", "packed", R"j(false)j", R"j(true)j"},
    {"scratch", "collective", R"j(false)j", R"j(true)j"},
    {"barrier", "arrivals", R"j(1)j", R"j(2)j"},
    {"barrier", "count", R"j(1)j", R"j(4)j"},
    {"barrier", "orders_tensor_core", R"j(false)j", R"j(true)j"},
    {"barrier", "means", "", R"j("stage s is full")j"},
    {"transform", "tile", "", R"j([8, 64])j"},
    {"transform", "swizzle", "", R"j(128)j"},
    {"transform", "transpose", "", R"j([1, 0])j"},
    {"cluster_barrier", "axes", "", R"j(["c"])j"},
    {"cluster_barrier", "arrivals", R"j(1)j", R"j(2)j"},
    {"cluster_barrier", "count", R"j(1)j", R"j(4)j"},
    {"cluster_barrier", "orders_tensor_core", R"j(false)j", R"j(true)j"},
    {"semaphore", "count", R"j(1)j", R"j(4)j"},
    {"semaphore", "scope", "", R"j("grid")j"},
    {"cluster_cancel_result", "count", R"j(1)j", R"j(2)j"},
    {"pipeline", "stages", "", R"j(4)j"},
    {"pipeline", "delay_release", R"j(0)j", R"j(1)j"},
    {"pipeline", "prefetch", R"j(0)j", R"j(1)j"},
    {"pipeline", "warp_specialized", R"j(false)j", R"j(true)j"},
    {"pipeline", "compute_warpgroups", "", R"j(2)j"},
    {"schedule", "persistent", R"j(false)j", R"j(true)j"},
    {"schedule", "num_ctas", "", R"j(264)j"},
    {"schedule", "programs_per_cta", R"j(1)j", R"j(4)j"},
    {"schedule", "cooperative", R"j(false)j", R"j(true)j"},
    {"schedule", "dependent_launch", R"j(false)j", R"j(true)j"},
    {"schedule", "tile_order", R"j("row")j", R"j({"axis": "m", "width": 8})j"},
    {"schedule", "cluster", "", R"j({"m": 2})j"},
    {"schedule", "consumers", R"j("cooperative")j", R"j("separate")j"},
    {"schedule", "split", "", R"j("rows")j"},
    {"schedule", "take_turns", "", R"j(["s", "acc"])j"},
    {"schedule", "lookahead", "", R"j(["s"])j"},
    {"schedule", "split_k", "", R"j({"parts": 4, "mode": "serial"})j"},
    {"schedule", "stream_k", R"j(false)j", R"j(true)j"},
    {"schedule", "reduction", R"j("auto")j", R"j("halves")j"},
    {"tile_order", "axis", "", R"j("m")j"},
    {"tile_order", "width", "", R"j(8)j"},
    {"split_k", "parts", "", R"j(4)j"},
    {"split_k", "mode", "", R"j("serial")j"},
    {"math", "approx", R"j(false)j", R"j(true)j"},
    {"mesh", "grid", "", R"j({"m": "cdiv(M, bm)"})j"},
    {"mesh", "cluster", "", R"j({"c": 2})j"},
    {"mesh", "threads", "", R"j({"wg": 3})j"},
    {"mesh", "devices", "", R"j({"d": 2})j"},
    {"mesh pipeline", "axes", "", R"j({"k": "cdiv(K, bk)"})j"},
    {"mesh pipeline", "inputs", "", R"j({"a_smem": {"ref": "a", "block": ["bm", "bk"], "index_map": ["m", "k"]}})j"},
    {"mesh pipeline", "outputs", "", R"j({"c_smem": {"ref": "c", "block": ["bm", "bn"], "index_map": ["m", "n"]}})j"},
    {"mesh pipeline", "stages", "", R"j(4)j"},
    {"mesh pipeline", "memory_thread", "", R"j({"wg": 2})j"},
    {"mesh pipeline", "memory_registers", "", R"j(40)j"},
    {"mesh pipeline", "release", R"j("auto")j", R"j("manual")j"},
    {"mesh pipeline input", "ref", "", R"j("a")j"},
    {"mesh pipeline input", "block", "", R"j(["bm", "bk"])j"},
    {"mesh pipeline input", "index_map", "", R"j(["m", "k"])j"},
    {"mesh pipeline input", "fill", "", R"j(0)j"},
    {"mesh pipeline input", "transforms", "", R"j([{"swizzle": 128}])j"},
    {"mesh pipeline input", "stages", "", R"j(2)j"},
    {"mesh pipeline input", "delay_release", R"j(0)j", R"j(1)j"},
    {"mesh pipeline input", "collective_axes", "", R"j(["c"])j"},
    {"mesh pipeline output", "ref", "", R"j("c")j"},
    {"mesh pipeline output", "block", "", R"j(["bm", "bn"])j"},
    {"mesh pipeline output", "index_map", "", R"j(["m", "n"])j"},
    {"nd_loop", "axes", "", R"j({"m": "cdiv(M, bm)", "n": "cdiv(N, bn)"})j"},
    {"nd_loop", "over", "", R"j(["grid"])j"},
    {"nd_loop", "tile_order", R"j("row")j", R"j({"axis": "m", "width": 8})j"},
    {"nd_loop", "local_index", "", R"j("step")j"},
    {"dynamic_schedule", "axes", "", R"j(["m", "n"])j"},
    {"dynamic_schedule", "local_index", "", R"j("step")j"},
    {"statement when", "when", "", R"j("k == 0")j"},
    {"statement when", "do", "", R"j(["acc[...] = 0"])j"},
    {"statement when", "else", "", R"j(["acc[...] += x"])j"},
    {"statement for", "for", "", R"j("i")j"},
    {"statement for", "range", "", R"j("0, n")j"},
    {"statement for", "do", "", R"j(["acc[...] += x[i, :]"])j"},
    {"statement for", "unroll", R"j(1)j", R"j("full")j"},
    {"statement while", "while", "", R"j("found == 0")j"},
    {"statement while", "do", "", R"j(["found = atomic_max(flag, [0], 0, order=acquire)"])j"},
    {"statement scope", "scope", "", R"j({"buf": {"type": "f32[bm]", "space": "smem"}})j"},
    {"statement scope", "do", "", R"j(["buf[...] = x"])j"},
    {"statement print", "print", "", R"j("k={} sum={}")j"},
    {"statement print", "args", R"j([])j", R"j(["k", "sum(x)"])j"},
    {"statement assert", "assert", "", R"j("i < n")j"},
    {"statement assert", "message", "", R"j("the index is outside")j"},
    {"statement profile", "profile", "", R"j("load")j"},
    {"statement profile", "do", "", R"j(["acc[...] += x"])j"},
    {"statement inline_cuda", "inline_cuda", "", R"j("$y = __frcp_rn($x);")j"},
    {"statement inline_cuda", "reads", "", R"j(["x"])j"},
    {"statement inline_cuda", "writes", "", R"j(["y"])j"},
    {"statement thread", "thread", "", R"j({"wg": 0})j"},
    {"statement thread", "role", "", R"j("consumer")j"},
    {"statement thread", "registers", "", R"j(232)j"},
    {"statement thread", "do", "", R"j(["acc[...] = 0"])j"},
    {"statement warp", "warp", "", R"j(0)j"},
    {"statement warp", "do", "", R"j(["x[...] = 0"])j"},
    {"statement pipeline", "pipeline", "", R"j({"axes": {"k": "cdiv(K, bk)"}})j"},
    {"statement pipeline", "do", "", R"j(["acc[...] += dot(a_smem, b_smem)"])j"},
    {"statement nd_loop", "nd_loop", "", R"j({"axes": {"m": 4}, "over": ["grid"]})j"},
    {"statement nd_loop", "do", "", R"j(["c[...] = 0"])j"},
    {"statement dynamic_schedule", "dynamic_schedule", "", R"j({"axes": ["m", "n"]})j"},
    {"statement dynamic_schedule", "do", "", R"j(["c[...] = 0"])j"},
};

// Inputs, outputs, scratch and workspace share most of their keys.
bool is_ref_table(std::string_view table) {
  return table == "input" || table == "output" || table == "scratch" || table == "workspace";
}

}  // namespace

const KeyValues* key_values(std::string_view table, std::string_view key) {
  const KeyValues* shared = nullptr;
  for (const KeyValues& row : kRows) {
    if (row.key != key) continue;
    if (row.table == table) return &row;
    if (row.table == "ref" && is_ref_table(table)) shared = &row;
  }
  return shared;
}

std::string example_text(std::string_view key, char bracket) {
  const auto* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const KeyValues& each) {
    return each.key == key && each.example.starts_with(bracket);
  });
  if (row == std::end(kRows)) return "";
  // Words and numbers need no quotes in YAML.
  std::string text = fmt::format("; such as {}: ", key);
  for (std::string_view rest = row->example; !rest.empty();) {
    const size_t quote = rest.find('"');
    text += rest.substr(0, quote);
    if (quote == std::string_view::npos) break;
    rest.remove_prefix(quote + 1);
    const std::string_view word = rest.substr(0, rest.find('"'));
    const bool plain =
        std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; });
    text += plain ? std::string(word) : fmt::format("\"{}\"", word);
    rest.remove_prefix(word.size() + 1);
  }
  return text;
}

}  // namespace pallasgen
