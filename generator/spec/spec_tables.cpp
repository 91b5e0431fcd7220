#include <fmt/format.h>

#include <algorithm>

#include "spec/rules.h"
#include "tables.h"

namespace pallasgen {
namespace {

using enum ValueKind;
using K = const KeyInfo&;
using N = const Node&;

// Calls `take(name, value)` for each entry of a mapping whose keys are the user's names.
template <class Take>
void each_named(Reader& reader, const KeyInfo& key, const Node& node, Take take, bool nulls = false) {
  if (!reader.is_mapping(node, key)) return;
  for (const auto& [name_node, value] : node.entries) {
    std::optional<Named> name = reader.name(name_node);
    if (name && (nulls || reader.has_value(name_node, value))) take(*name, value);
  }
}

template <class T, class Make>
std::vector<std::pair<Named, T>> named_values(Reader& reader, const KeyInfo& key, const Node& node, Make make) {
  std::vector<std::pair<Named, T>> out;
  each_named(reader, key, node, [&](const Named& name, const Node& value) { out.emplace_back(name, make(value)); });
  return out;
}

const std::vector<Row<DimSpec>>& dim_rows() {
  static const std::vector<Row<DimSpec>> all_rows = {
      {{"multiple_of", expression, "a constant that divides the size"},
       [](Reader& r, K, N n, DimSpec& d) { d.multiple_of = r.expression(n); }},
      {{"min", expression, "the smallest size; 0 by default"},
       [](Reader& r, K, N n, DimSpec& d) { d.min = r.expression(n); }},
      {{"max", expression, "the largest size"}, [](Reader& r, K, N n, DimSpec& d) { d.max = r.expression(n); }},
      {{"doc", text, "what it counts"}, [](Reader& r, K, N n, DimSpec& d) { d.doc = r.text(n); }},
  };
  return all_rows;
}

const std::vector<Row<AxisSpec>>& axis_rows() {
  static const std::vector<Row<AxisSpec>> all_rows = {
      {{"axis", name, "the axis's name", true},
       [](Reader& r, K, N n, AxisSpec& a) {
         if (std::optional<Named> named = r.name(n)) static_cast<Named&>(a) = *named;
       }},
      {{"size", expression, "programs along it, or steps of a sequential axis", true},
       [](Reader& r, K, N n, AxisSpec& a) { a.size = r.expression(n); }},
      {{"semantics", choice, "whether its steps run in order in one program", false, {}, {"parallel", "sequential"}},
       [](Reader& r, K key, N n, AxisSpec& a) { a.sequential = r.choice(n, key) == "sequential"; }},
  };
  return all_rows;
}

const std::vector<Row<Spec>>& extern_rows() {
  static const std::vector<Row<Spec>> all_rows = {
      {{"header", text, "the header that declares them", true},
       [](Reader& r, K, N n, Spec& s) { s.extern_header = {r.text(n), n.span}; }},
      {{"functions", names, "the functions to be used", true},
       [](Reader& r, K, N n, Spec& s) { s.extern_functions = r.names(n); }},
  };
  return all_rows;
}

const std::vector<Row<TestSpec>>& test_rows() {
  static const std::vector<Row<TestSpec>> all_rows = {
      {{"dims", expression_map, "the size of each dim"},
       [](Reader& r, K key, N n, TestSpec& t) {
         t.dims = named_values<ExprPtr>(r, key, n, [&](N value) { return r.expression(value); });
       }},
      {{"scalars", value_map, "the value of each scalar, or the list of an array of them"},
       [](Reader& r, K key, N n, TestSpec& t) {
         t.scalars = named_values<ExprPtr>(r, key, n, [&](N value) { return r.value(value); });
       }},
      {{"inputs", text_map, "`.npy` files by ref, relative to the spec; the others are seeded"},
       [](Reader& r, K key, N n, TestSpec& t) {
         t.inputs = named_values<std::string>(r, key, n, [&](N value) {
           if (value.kind != Node::Kind::sequence) return r.text(value);
           r.diagnostics()
               .error(kWrongKind, value.span, "the path of a .npy file is wanted here, found a list")
               .note(
                   "the elements of an array of `scalars` may be a list, under `scalars` of the test; inputs without "
                   "a file are drawn at random, by `seed`");
           return std::string();
         });
       }},
      {{"seed", expression, "the seed of inputs"}, [](Reader& r, K, N n, TestSpec& t) { t.seed = r.expression(n); }},
      {{"tolerance", expression, "how far results may be apart"},
       [](Reader& r, K, N n, TestSpec& t) { t.tolerance = r.expression(n); }},
  };
  return all_rows;
}

const std::vector<Row<TuneSpec>>& tune_rows() {
  static const std::vector<Row<TuneSpec>> all_rows = {
      {{"values", values_map, "the values to try by const, or by path such as pipeline.stages", true},
       [](Reader& r, K key, N n, TuneSpec& t) {
         if (!r.is_mapping(n, key)) return;
         for (const auto& [name, value] : n.entries) {
           if (!r.has_value(name, value)) continue;
           std::optional<std::vector<ExprPtr>> values = r.expressions(value);
           if (values) t.values.emplace_back(Named{name.text, name.span}, std::move(*values));
         }
       }},
      {{"where", expression, "which combinations count"},
       [](Reader& r, K, N n, TuneSpec& t) { t.where = r.expression(n); }},
  };
  return all_rows;
}

// Reports a grid written as in Python, `(4, 4)`, `[4, 4]` or `4`, with named axes in a note. False for other forms.
bool report_bare_sizes(Reader& reader, const Node& node) {
  std::vector<std::string> sizes;
  if (node.is_sequence()) {
    for (const Node& item : node.items) {
      if (!item.is_scalar()) return false;
      sizes.emplace_back(item.text);
    }
  } else if (node.is_scalar() && !node.broken && !node.text.empty()) {
    std::string_view text = node.text;
    if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
    for (int depth = 0; const char c : text) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (sizes.empty() || (c == ',' && depth == 0)) sizes.emplace_back();
      if (!(c == ',' && depth == 0) && !(c == ' ' && sizes.back().empty())) sizes.back() += c;
    }
    while (sizes.size() > 1 && sizes.back().empty()) sizes.pop_back();
  }
  constexpr std::string_view kAxes = "ijklmnpq";
  if (sizes.empty() || sizes.size() > kAxes.size()) return false;
  std::string axes;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const bool quoted = sizes[i].find(',') != std::string::npos;
    axes += fmt::format("{}{{axis: {}, size: {}}}", i == 0 ? "" : ", ", kAxes[i],
                        quoted ? fmt::format("\"{}\"", sizes[i]) : sizes[i]);
  }
  reader.diagnostics()
      .error(kWrongKind, node.span, "'grid' is a list of axes, and these are sizes without names")
      .note(fmt::format("name the axes: write [{}]", axes));
  return true;
}

// Decodes each mapping of a list.
template <class T>
void read_list(Reader& reader, const KeyInfo& key, const Node& node, const std::vector<Row<T>>& rows,
               std::vector<T>& out) {
  if constexpr (std::is_same_v<T, AxisSpec>) {
    if (report_bare_sizes(reader, node)) return;
  }
  if (!reader.is_list(node, key)) return;
  for (const Node& item : node.items) {
    T entry;
    Span first = item.is_mapping() && !item.entries.empty() ? item.entries[0].key.span : item.span;
    entry.span = item.span;
    decode_mapping(reader, item, rows, key_table(key.table), first, entry);
    out.push_back(std::move(entry));
  }
}

void read_dims(Reader& reader, const KeyInfo& key, const Node& node, Spec& spec) {
  each_named(
      reader, key, node,
      [&](const Named& name, const Node& value) {
        DimSpec dim;
        static_cast<Named&>(dim) = name;
        // A dim without a value means {}.
        if (!value.is_null()) decode_mapping(reader, value, dim_rows(), key_table("dim"), name.span, dim);
        spec.dims.push_back(std::move(dim));
      },
      true);
}

void read_functions(Reader& reader, const KeyInfo& key, const Node& node, Spec& spec) {
  if (!reader.is_mapping(node, key)) return;
  for (const auto& [signature, value] : node.entries) {
    std::optional<FunctionSpec> function = reader.signature(signature);
    if (!reader.has_value(signature, value)) continue;
    ExprPtr body = reader.expression(value);
    if (!function) continue;
    function->body = std::move(body);
    spec.functions.push_back(std::move(*function));
  }
}

void read_reference(Reader& reader, const KeyInfo& key, const Node& node, Spec& spec) {
  spec.reference.span = node.span;
  if (node.is_sequence()) {
    spec.reference.statements = read_statements(reader, node, "'reference'");
  } else {
    spec.reference.outputs =
        named_values<ExprPtr>(reader, key, node, [&](N value) { return reader.expression(value); });
  }
}

const std::vector<Row<GradientSpec>>& gradient_rows() {
  static const std::vector<Row<GradientSpec>> all_rows = {
      {{"kernel", name, "a kernel whose spec is beside this one", true},
       [](Reader& r, K, N n, GradientSpec& g) {
         if (std::optional<Named> named = r.name(n)) static_cast<Named&>(g) = *named;
       }},
      {{"with", expression_map, "what its inputs, outputs, dims and scalars are called in this spec"},
       [](Reader& r, K key, N n, GradientSpec& g) {
         g.with = named_values<ExprPtr>(r, key, n, [&](N value) { return r.expression(value); });
       }},
  };
  return all_rows;
}

// Reads one entry, or a list of entries; an entry is a name or a mapping.
void read_vjp(Reader& reader, const KeyInfo& key, const Node& node, Spec& spec) {
  spec.vjp_span = node.span;
  const auto add = [&](const Node& item) {
    if (!item.is_mapping()) {
      for (const Named& kernel : reader.names(item)) spec.vjp.push_back({kernel, {}});
      return;
    }
    GradientSpec gradient;
    decode_mapping(reader, item, gradient_rows(), key_table(key.table), item.span, gradient);
    if (!gradient.name.empty()) spec.vjp.push_back(std::move(gradient));
  };
  if (!node.is_sequence()) return add(node);
  for (const Node& item : node.items) add(item);
}

template <RefRole role>
void add_refs(Reader& reader, const KeyInfo&, const Node& node, Spec& spec) {
  for (RefSpec& ref : read_refs(reader, node, role)) spec.refs.push_back(std::move(ref));
}

const std::vector<Row<AllowedWarning>>& allowed_rows() {
  static const std::vector<Row<AllowedWarning>> all_rows = {
      {{"warning",
        choice,
        "its name, which stands behind its text",
        true,
        {},
        {"slow-path", "unread-value", "race-doubt", "random-counter", "axis-dim", "element-index", "unreached-block",
         "guarded-output", "unguarded-output", "idle-unroll"}},
       [](Reader& r, K key, N n, AllowedWarning& a) { a.rule = r.choice(n, key); }},
      {{"reason", text, "why it stays", true}, [](Reader& r, K, N n, AllowedWarning& a) { a.reason = r.text(n); }},
  };
  return all_rows;
}

const std::vector<Row<Spec>>& spec_rows() {
  static const std::vector<Row<Spec>> all_rows = {
      {{"pallasgen", version, "the format version, 1", true}, [](Reader& r, K, N n, Spec&) { r.version(n); }},
      {{"kernel", name, "the kernel's name, a C++ identifier", true},
       [](Reader& r, K, N n, Spec& s) { s.kernel = r.name(n).value_or(Named{}); }},
      {{"doc", text, "what it computes; copied into the generated header"},
       [](Reader& r, K, N n, Spec& s) { s.doc = r.text(n); }},
      {{"target",
        choices,
        "the architectures, one or a list; sm_90a by default",
        false,
        {},
        {"sm_80", "sm_86", "sm_89", "sm_90a", "sm_100a", "sm_103a", "sm_120a"}},
       [](Reader& r, K key, N n, Spec& s) { s.targets = r.choices(n, key); }},
      {{"dims", table_map, "sizes known at launch", false, "dim"}, read_dims},
      {{"consts", expression_map, "compile-time values: numbers, bools, dtypes, names of functions, texts"},
       [](Reader& r, K key, N n, Spec& s) {
         each_named(r, key, n, [&](const Named& name, N value) { s.consts.push_back({name, r.expression(value)}); });
       }},
      {{"functions", signature_map, "functions in the expression language"}, read_functions},
      {{"extern", table, "device functions of a C++ header", false, "extern"},
       [](Reader& r, K key, N n, Spec& s) {
         s.extern_span = n.span;
         decode_mapping(r, n, extern_rows(), key_table(key.table), n.span, s);
       }},
      {{"grid", table_list, "the axes, the slowest first", false, "axis"},
       [](Reader& r, K key, N n, Spec& s) {
         s.has_grid = true;
         read_list(r, key, n, axis_rows(), s.grid);
       }},
      {{"mesh", table, "the blocks, threads and devices of a kernel over explicit threads", false, "mesh"},
       [](Reader& r, K key, N n, Spec& s) {
         s.has_mesh = true;
         s.mesh = read_settings(r, n, key_table(key.table));
       }},
      {{"let", expression_map, "index values of a program that index maps and body share"},
       [](Reader& r, K key, N n, Spec& s) {
         each_named(r, key, n, [&](const Named& name, N value) { s.lets.push_back({name, r.expression(value)}); });
       }},
      {{"skip", expression, "where true, a program does nothing"},
       [](Reader& r, K, N n, Spec& s) { s.skip = r.expression(n); }},
      {{"inputs", table_map, "arrays that are read", false, "input"}, add_refs<RefRole::input>},
      {{"outputs", table_map, "arrays that are written", false, "output"}, add_refs<RefRole::output>},
      {{"scratch", table_map, "buffers of a program", false, "scratch"}, add_refs<RefRole::scratch>},
      {{"workspace", table_map, "global memory shared by the programs of a launch", false, "workspace"},
       add_refs<RefRole::workspace>},
      {{"aliases", name_map, "outputs that are the buffer of an input: {output: input}"},
       [](Reader& r, K key, N n, Spec& s) {
         each_named(r, key, n, [&](const Named& output, N value) {
           if (std::optional<Named> input = r.name(value)) s.aliases.emplace_back(output, *input);
         });
       }},
      {{"scalars", type_map, "values given at launch; arrays of them are in device memory"},
       [](Reader& r, K key, N n, Spec& s) {
         each_named(r, key, n, [&](const Named& name, N value) { s.scalars.push_back({name, r.type(value)}); });
       }},
      {{"pipeline", table, "how copies overlap with computing", false, "pipeline"},
       [](Reader& r, K key, N n, Spec& s) { s.pipeline = read_settings(r, n, key_table(key.table)); }},
      {{"schedule", table, "how work is dealt out", false, "schedule"},
       [](Reader& r, K key, N n, Spec& s) { s.schedule = read_settings(r, n, key_table(key.table)); }},
      {{"math", table, "which approximations are allowed", false, "math"},
       [](Reader& r, K key, N n, Spec& s) { s.math = read_settings(r, n, key_table(key.table)); }},
      {{"body", statements, "what a program does", true},
       [](Reader& r, K, N n, Spec& s) { s.body = read_statements(r, n, "'body'"); }},
      {{"checks", choices, "run-time checks compiled in", false, {}, {"oob", "nan"}},
       [](Reader& r, K key, N n, Spec& s) { s.checks = r.choices(n, key); }},
      {{"reference", reference, "the oracle: outputs on whole arrays"}, read_reference},
      {{"tests", table_list, "shapes and values to test with", false, "test"},
       [](Reader& r, K key, N n, Spec& s) { read_list(r, key, n, test_rows(), s.tests); }},
      {{"tune", table, "what tuning tries", false, "tune"},
       [](Reader& r, K key, N n, Spec& s) {
         s.tune.emplace();
         s.tune->span = n.span;
         decode_mapping(r, n, tune_rows(), key_table(key.table), n.span, *s.tune);
       }},
      {{"vjp", value_or_table, "the kernels of its gradient, in the order in which they run", false, "gradient"},
       read_vjp},
      {{"partition", names, "dims that may be sharded"},
       [](Reader& r, K, N n, Spec& s) {
         for (const Named& dim : r.names(n)) s.partition.push_back({dim, nullptr, {}, dim.span});
       }},
      {{"allow", table_list, "warnings that are known and stay, each with the reason", false, "allowed warning"},
       [](Reader& r, K key, N n, Spec& s) { read_list(r, key, n, allowed_rows(), s.allow); }},
  };
  return all_rows;
}

}  // namespace

void read_top_level(Reader& reader, const Node& node, Spec& spec) {
  // A missing key of the file is reported at the start of the file.
  Span begin = node.span.sub(0, 1);
  decode_mapping(reader, node, spec_rows(), key_table("spec"), begin, spec);
  // Spec keeps refs by role, whatever their order in the file.
  std::stable_sort(spec.refs.begin(), spec.refs.end(),
                   [](const RefSpec& a, const RefSpec& b) { return a.role < b.role; });
}

std::vector<Table> spec_tables() {
  return {table_of("spec", "the spec", spec_rows()),
          table_of("dim", "a dim", dim_rows()),
          table_of("axis", "an axis of 'grid'", axis_rows()),
          table_of("extern", "'extern'", extern_rows()),
          table_of("test", "a test", test_rows()),
          table_of("tune", "'tune'", tune_rows()),
          table_of("gradient", "an entry of 'vjp'", gradient_rows()),
          table_of("allowed warning", "an entry of 'allow'", allowed_rows())};
}

}  // namespace pallasgen
