
#include <algorithm>

#include "diagnostics/assert.h"
#include "spec/rules.h"
#include "tables.h"

namespace pallasgen {
namespace {

enum : unsigned { kInput = 1, kOutput = 2, kScratch = 4, kWorkspace = 8, kArrays = kInput | kOutput };

// A key of refs and the sections that have it.
struct RefRow {
  unsigned where;
  Row<RefSpec> row;
};

void mesh_setting(Reader& reader, const KeyInfo& key, const Node& value, RefSpec& ref) {
  Node name;
  name.text = key.name;
  name.span = value.span;
  std::optional<Setting> setting = read_setting(reader, name, value, key);
  if (setting) ref.mesh_settings.push_back(std::move(*setting));
}

MemorySpace space_of(std::string_view word) {
  static constexpr std::pair<std::string_view, MemorySpace> spaces[] = {{"smem", MemorySpace::smem},
                                                                        {"gmem", MemorySpace::gmem},
                                                                        {"reg", MemorySpace::reg},
                                                                        {"acc", MemorySpace::acc},
                                                                        {"tmem", MemorySpace::tmem}};
  for (auto [name, space] : spaces) {
    if (name == word) return space;
  }
  return MemorySpace::automatic;
}

const std::vector<Row<BarrierSpec>>& barrier_rows() {
  using enum ValueKind;
  static const std::vector<Row<BarrierSpec>> all_rows = {
      {{"arrivals", expression, "logical arrivals that complete a phase"},
       [](Reader& r, const KeyInfo&, const Node& n, BarrierSpec& b) { b.arrivals = r.expression(n); }},
      {{"count", expression, "how many barriers; `name.at[i]` is one of them"},
       [](Reader& r, const KeyInfo&, const Node& n, BarrierSpec& b) { b.count = r.expression(n); }},
      {{"orders_tensor_core", choice, "whether tensor memory is ordered too", false, {}, {"true", "false"}},
       [](Reader& r, const KeyInfo&, const Node& n, BarrierSpec& b) { b.orders_tensor_core = r.boolean(n); }},
      {{"means", text, "what a completed phase means, for the generated comments"},
       [](Reader& r, const KeyInfo&, const Node& n, BarrierSpec& b) { b.means = r.text(n); }},
  };
  return all_rows;
}

const std::vector<RefRow>& ref_rows() {
  using enum ValueKind;
  using K = const KeyInfo&;
  using N = const Node&;
  static const std::vector<RefRow> all_rows = {
      {kArrays | kScratch | kWorkspace,
       {{"type", type, "`dtype[dim, …]`"}, [](Reader& r, K, N n, RefSpec& ref) { ref.type = r.type(n); }}},
      {kArrays,
       {{"block", expressions,
         "one entry per array dim: a size, `squeezed`, `element(n, lo, hi)` or `bounded_slice(n)`"},
        [](Reader& r, K, N n, RefSpec& ref) {
          ref.block = r.expressions(n);
          ref.block_span = n.span;
        }}},
      {kArrays,
       {{"index_map", expressions, "the block's index, one integer expression per array dim"},
        [](Reader& r, K, N n, RefSpec& ref) {
          ref.index_map = r.expressions(n);
          ref.index_map_span = n.span;
        }}},
      {kArrays,
       {{"strides", expressions, "elements between neighbours per dim, `_` where contiguous"},
        [](Reader& r, K, N n, RefSpec& ref) {
          ref.strides = r.expressions(n);
          ref.strides_span = n.span;
        }}},
      {kArrays | kScratch,
       {{"space", choice, "where the block or buffer is", false, {}, {"smem", "gmem", "reg", "acc", "tmem"}},
        [](Reader& r, K key, N n, RefSpec& ref) {
          ref.space = space_of(r.choice(n, key));
          ref.space_span = n.span;
        }}},
      {kArrays,
       {{"fill", expression, "what reading past the end gives"},
        [](Reader& r, K, N n, RefSpec& ref) { ref.fill = r.expression(n); }}},
      {kOutput | kWorkspace,
       {{"init", expression, "what the launcher fills the array with first"},
        [](Reader& r, K, N n, RefSpec& ref) { ref.init = r.expression(n); }}},
      {kOutput,
       {{"reduce", choice, "how the block is combined into memory", false, {}, {"add", "min", "max"}},
        [](Reader& r, K key, N n, RefSpec& ref) {
          std::string word = r.choice(n, key);
          if (!word.empty()) ref.reduce = word;
          ref.reduce_span = n.span;
        }}},
      {kArrays | kScratch | kWorkspace,
       {{"present", expression, "a constant condition; where false, the ref does not exist"},
        [](Reader& r, K, N n, RefSpec& ref) { ref.present = r.expression(n); }}},
      {kArrays,
       {{"stages", expression, "slots of this operand's ring"},
        [](Reader& r, K, N n, RefSpec& ref) { ref.stages = r.expression(n); }}},
      {kArrays,
       {{"delay_release", expression, "steps that a slot is kept longer"},
        [](Reader& r, K, N n, RefSpec& ref) { ref.delay_release = r.expression(n); }}},
      {kInput,
       {{"multicast", text, "whether, or over which axis, the copy goes to the whole cluster"},
        [](Reader& r, K, N n, RefSpec& ref) { ref.multicast = r.text(n); }}},
      {kArrays | kScratch,
       {{"transforms", transforms, "the form in shared memory", false, "transform"},
        [](Reader& r, K key, N n, RefSpec& ref) {
          Node name;
          name.text = "transforms";
          std::optional<Setting> all = read_setting(r, name, n, key);
          if (!all) return;
          for (const Setting& s : all->entries) ref.transforms.emplace_back(s.name, s.value);
        }}},
      {kInput,
       {{"gradient", choice, "that `vjp` gives no gradient of it", false, {}, {"none"}},
        [](Reader& r, K key, N n, RefSpec& ref) { ref.has_gradient = r.choice(n, key).empty(); }}},
      {kArrays | kScratch | kWorkspace,
       {{"doc", text, "what it holds"}, [](Reader& r, K, N n, RefSpec& ref) { ref.doc = r.text(n); }}},
      {kScratch,
       {{"barrier", table, "an mbarrier of a mesh kernel", false, "barrier"},
        [](Reader& r, K, N n, RefSpec& ref) {
          ref.barrier.emplace();
          decode_mapping(r, n, barrier_rows(), key_table("barrier"), n.span, *ref.barrier);
        }}},
      {kScratch,
       {{"cluster_barrier", table, "a barrier of the whole cluster", false, "cluster_barrier"}, mesh_setting}},
      {kScratch, {{"semaphore", table, "a counter that blocks or devices wait for", false, "semaphore"}, mesh_setting}},
      {kScratch,
       {{"cluster_cancel_result", table, "an answer of cluster launch control", false, "cluster_cancel_result"},
        mesh_setting}},
      {kScratch, {{"union", name_lists, "groups of scratch that share their bytes"}, mesh_setting}},
      {kScratch, {{"layout", expression, "the layout of values or of tensor memory"}, mesh_setting}},
      {kScratch, {{"packed", expression, "whether narrow elements share a tensor memory column"}, mesh_setting}},
      {kScratch, {{"collective", expression, "whether two blocks of a cluster share it"}, mesh_setting}},
  };
  return all_rows;
}

struct Section {
  RefRole role;
  unsigned where;
  std::string_view table, doc;
};
constexpr Section kSections[] = {{RefRole::input, kInput, "input", "an input"},
                                 {RefRole::output, kOutput, "output", "an output"},
                                 {RefRole::scratch, kScratch, "scratch", "a scratch buffer"},
                                 {RefRole::workspace, kWorkspace, "workspace", "a workspace buffer"}};

std::vector<Row<RefSpec>> rows_of(unsigned where) {
  std::vector<Row<RefSpec>> rows;
  for (const RefRow& row : ref_rows()) {
    if (row.where & where) rows.push_back(row.row);
    if (row.where & where && row.row.key.name == "type") rows.back().key.required = where != kScratch;
  }
  return rows;
}

const std::vector<Row<RefSpec>>& rows_of(RefRole role) {
  static const std::vector<Row<RefSpec>> all_rows[] = {rows_of(kInput), rows_of(kOutput), rows_of(kScratch),
                                                       rows_of(kWorkspace)};
  return all_rows[static_cast<size_t>(role)];
}

// A buffer has a type; a barrier, a semaphore, a cancel result or a union has a key of its own instead.
void check_scratch(Reader& reader, const Node& node, const RefSpec& ref) {
  static constexpr std::string_view typeless_keys[] = {"barrier", "cluster_barrier", "semaphore",
                                                       "cluster_cancel_result", "union"};
  bool typeless = std::any_of(std::begin(typeless_keys), std::end(typeless_keys),
                              [&](std::string_view key) { return node.find(key) != nullptr; });
  if (!typeless && node.is_mapping() && node.find("type") == nullptr) {
    reader.missing_key(ref.span, "type", key_table("scratch"));
  }
}

}  // namespace

std::vector<RefSpec> read_refs(Reader& reader, const Node& node, RefRole role) {
  const Section& section = kSections[static_cast<size_t>(role)];
  std::vector<RefSpec> refs;
  if (!reader.is_mapping(node, "a list of refs by name")) return refs;
  for (const auto& [key, value] : node.entries) {
    std::optional<Named> name = reader.name(key);
    if (!name || !reader.has_value(key, value)) continue;
    RefSpec ref;
    static_cast<Named&>(ref) = *name;
    ref.role = role;
    decode_mapping(reader, value, rows_of(role), key_table(section.table), key.span, ref);
    if (role == RefRole::scratch) check_scratch(reader, value, ref);
    refs.push_back(std::move(ref));
  }
  return refs;
}

std::vector<Table> ref_tables() {
  using enum ValueKind;
  std::vector<Table> tables;
  for (const Section& section : kSections)
    tables.push_back(table_of(section.table, section.doc, rows_of(section.role)));
  tables.push_back({"transform",
                    "a transform",
                    {{"tile", expressions, "the tile's shape"},
                     {"swizzle", expression, "32, 64 or 128 bytes"},
                     {"transpose", expressions, "the order of dims"}}});
  tables.push_back(table_of("barrier", "'barrier'", barrier_rows()));
  tables.push_back({"cluster_barrier",
                    "'cluster_barrier'",
                    {{"axes", names, "mesh axes whose blocks share it", true},
                     {"arrivals", expression, "arrivals that complete a phase"},
                     {"count", expression, "how many barriers"},
                     {"orders_tensor_core", expression, "whether tensor memory is ordered too"}}});
  tables.push_back({"semaphore",
                    "'semaphore'",
                    {{"count", expression, "how many"}, {"scope", expression, "`block`, `grid` or `device`"}}});
  tables.push_back({"cluster_cancel_result", "'cluster_cancel_result'", {{"count", expression, "how many"}}});
  return tables;
}

}  // namespace pallasgen
