#include <nlohmann/json.hpp>

#include "ops_tree.h"
#include "spec/spec.h"

namespace pallasgen {
namespace {

using Json = nlohmann::ordered_json;

Json statements_of(const StmtList& list);

void put(Json& out, const char* key, const ExprPtr& expr) {
  if (expr != nullptr) out[key] = tree_of(*expr);
}

void put(Json& out, const char* key, const std::string& text) {
  if (!text.empty()) out[key] = text;
}

Json list_of(const std::vector<ExprPtr>& exprs) {
  Json out = Json::array();
  for (const ExprPtr& expr : exprs) out.push_back(tree_of(*expr));
  return out;
}

Json names_of(const std::vector<Named>& names) {
  Json out = Json::array();
  for (const Named& name : names) out.push_back(name.name);
  return out;
}

// Only types have an index without items: `f32[]`.
Json type_of(const TypeSpec& type) {
  if (!type.array) return tree_of(*type.dtype);
  return Json{{"op", "index"}, {"base", tree_of(*type.dtype)}, {"args", list_of(type.dims)}};
}

// A list stays a list of trees, so that it is read by the rules of lists.
Json value_of(const Expr& expr) {
  const ListExpr* list = expr.as<ListExpr>();
  if (list == nullptr) return tree_of(expr);
  Json out = Json::array();
  for (const ExprPtr& item : list->items) out.push_back(value_of(*item));
  return out;
}

Json settings_of(const std::vector<Setting>& settings);

Json setting_of(const Setting& setting) {
  // Transforms are a list, since one kind may occur twice.
  if (setting.name == "transforms") {
    Json out = Json::array();
    for (const Setting& entry : setting.entries) out.push_back(settings_of({entry}));
    return out;
  }
  if (setting.is_list()) {
    Json out = Json::array();
    for (const Setting& entry : setting.entries) out.push_back(setting_of(entry));
    return out;
  }
  return setting.value != nullptr ? value_of(*setting.value) : settings_of(setting.entries);
}

Json settings_of(const std::vector<Setting>& settings) {
  Json out = Json::object();
  for (const Setting& setting : settings) out[setting.name] = setting_of(setting);
  return out;
}

std::string_view word_of(MemorySpace space) {
  constexpr std::string_view words[] = {"", "smem", "gmem", "reg", "acc", "tmem"};
  return words[static_cast<size_t>(space)];
}

Json ref_of(const RefSpec& ref) {
  Json out = Json::object();
  if (ref.type.dtype != nullptr) out["type"] = type_of(ref.type);
  if (ref.block) out["block"] = list_of(*ref.block);
  if (ref.index_map) out["index_map"] = list_of(*ref.index_map);
  if (ref.strides) out["strides"] = list_of(*ref.strides);
  put(out, "space", std::string(word_of(ref.space)));
  put(out, "fill", ref.fill);
  put(out, "init", ref.init);
  put(out, "reduce", ref.reduce.value_or(""));
  put(out, "present", ref.present);
  put(out, "stages", ref.stages);
  put(out, "delay_release", ref.delay_release);
  put(out, "multicast", ref.multicast.value_or(""));
  for (const auto& [name, value] : ref.transforms) out["transforms"].push_back({{name, value_of(*value)}});
  if (!ref.has_gradient) out["gradient"] = "none";
  put(out, "doc", ref.doc);
  if (ref.barrier) {
    Json barrier = Json::object();
    put(barrier, "arrivals", ref.barrier->arrivals);
    put(barrier, "count", ref.barrier->count);
    if (ref.barrier->orders_tensor_core) barrier["orders_tensor_core"] = true;
    put(barrier, "means", ref.barrier->means);
    out["barrier"] = std::move(barrier);
  }
  for (const Setting& setting : ref.mesh_settings) out[setting.name] = setting_of(setting);
  return out;
}

Json refs_of(const std::vector<RefSpec>& refs, RefRole role) {
  Json out = Json::object();
  for (const RefSpec& ref : refs) {
    if (ref.role == role) out[ref.name] = ref_of(ref);
  }
  return out;
}

struct StatementJson {
  Json operator()(const StatementSyntax& s) const { return tree_of(s); }
  Json operator()(const WhenSyntax& s) const {
    Json out{{"when", tree_of(*s.condition)}, {"do", statements_of(s.then)}};
    if (s.has_otherwise) out["else"] = statements_of(s.otherwise);
    return out;
  }
  Json operator()(const ForSyntax& s) const {
    Json out{{"for", s.variable.name}, {"range", list_of(s.range)}, {"do", statements_of(s.body)}};
    put(out, "unroll", s.unroll);
    return out;
  }
  Json operator()(const WhileSyntax& s) const {
    return {{"while", tree_of(*s.condition)}, {"do", statements_of(s.body)}};
  }
  Json operator()(const ScopeSyntax& s) const {
    return {{"scope", refs_of(s.refs, RefRole::scratch)}, {"do", statements_of(s.body)}};
  }
  Json operator()(const PrintSyntax& s) const {
    Json out{{"print", s.format}};
    if (!s.args.empty()) out["args"] = list_of(s.args);
    return out;
  }
  Json operator()(const AssertSyntax& s) const {
    Json out{{"assert", tree_of(*s.condition)}};
    put(out, "message", s.message);
    return out;
  }
  Json operator()(const ProfileSyntax& s) const { return {{"profile", s.name}, {"do", statements_of(s.body)}}; }
  Json operator()(const InlineCudaSyntax& s) const {
    Json out{{"inline_cuda", s.code}};
    if (!s.reads.empty()) out["reads"] = names_of(s.reads);
    if (!s.writes.empty()) out["writes"] = names_of(s.writes);
    return out;
  }
  Json operator()(const MeshSyntax& s) const {
    Json out = settings_of(s.settings);
    out["do"] = statements_of(s.body);
    return out;
  }
};

Json statements_of(const StmtList& list) {
  Json out = Json::array();
  for (const Stmt& statement : list) out.push_back(std::visit(StatementJson{}, statement.node));
  return out;
}

Json dims_of(const std::vector<DimSpec>& dims) {
  Json out = Json::object();
  for (const DimSpec& dim : dims) {
    Json entry = Json::object();
    put(entry, "multiple_of", dim.multiple_of);
    put(entry, "min", dim.min);
    put(entry, "max", dim.max);
    put(entry, "doc", dim.doc);
    out[dim.name] = std::move(entry);
  }
  return out;
}

Json grid_of(const std::vector<AxisSpec>& grid) {
  Json out = Json::array();
  for (const AxisSpec& axis : grid) {
    Json entry{{"axis", axis.name}, {"size", tree_of(*axis.size)}};
    if (axis.sequential) entry["semantics"] = "sequential";
    out.push_back(std::move(entry));
  }
  return out;
}

std::string signature_of(const FunctionSpec& function) {
  std::string out;
  for (const Named& parameter : function.parameters) out += (out.empty() ? "" : ", ") + parameter.name;
  return function.name + "(" + out + ")";
}

template <class Value>
Json named_of(const std::vector<std::pair<Named, Value>>& entries) {
  Json out = Json::object();
  for (const auto& [name, value] : entries) {
    if constexpr (std::is_same_v<Value, ExprPtr>) {
      out[name.name] = value_of(*value);
    } else if constexpr (std::is_same_v<Value, std::vector<ExprPtr>>) {
      out[name.name] = list_of(value);
    } else if constexpr (std::is_same_v<Value, Named>) {
      out[name.name] = value.name;
    } else {
      out[name.name] = value;
    }
  }
  return out;
}

Json tests_of(const std::vector<TestSpec>& tests) {
  Json out = Json::array();
  for (const TestSpec& test : tests) {
    Json entry = Json::object();
    if (!test.dims.empty()) entry["dims"] = named_of(test.dims);
    if (!test.scalars.empty()) entry["scalars"] = named_of(test.scalars);
    if (!test.inputs.empty()) entry["inputs"] = named_of(test.inputs);
    put(entry, "seed", test.seed);
    put(entry, "tolerance", test.tolerance);
    out.push_back(std::move(entry));
  }
  return out;
}

Json gradients_of(const std::vector<GradientSpec>& gradients) {
  Json out = Json::array();
  for (const GradientSpec& gradient : gradients) {
    if (gradient.with.empty())
      out.push_back(gradient.name);
    else
      out.push_back({{"kernel", gradient.name}, {"with", named_of(gradient.with)}});
  }
  return out;
}

void put_present(Json& out, const char* key, Json value) {
  if (!value.empty()) out[key] = std::move(value);
}

// Puts the keys that the tables have before the refs.
void put_head(Json& out, const Spec& spec) {
  out["kernel"] = spec.kernel.name;
  put(out, "doc", spec.doc);
  put_present(out, "target", names_of(spec.targets));
  put_present(out, "dims", dims_of(spec.dims));
  for (const ConstSpec& constant : spec.consts) out["consts"][constant.name] = tree_of(*constant.value);
  for (const FunctionSpec& f : spec.functions) out["functions"][signature_of(f)] = tree_of(*f.body);
  if (!spec.extern_functions.empty()) {
    out["extern"] = {{"header", spec.extern_header.name}, {"functions", names_of(spec.extern_functions)}};
  }
  if (spec.has_grid) out["grid"] = grid_of(spec.grid);
  if (spec.has_mesh) out["mesh"] = settings_of(spec.mesh);
  for (const LetSpec& let : spec.lets) out["let"][let.name] = tree_of(*let.value);
  put(out, "skip", spec.skip);
}

}  // namespace

std::string to_ops_json(const Spec& spec) {
  Json out{{"pallasgen", 1}};
  put_head(out, spec);
  put_present(out, "inputs", refs_of(spec.refs, RefRole::input));
  put_present(out, "outputs", refs_of(spec.refs, RefRole::output));
  put_present(out, "scratch", refs_of(spec.refs, RefRole::scratch));
  put_present(out, "workspace", refs_of(spec.refs, RefRole::workspace));
  put_present(out, "aliases", named_of(spec.aliases));
  for (const ScalarSpec& scalar : spec.scalars) out["scalars"][scalar.name] = type_of(scalar.type);
  put_present(out, "pipeline", settings_of(spec.pipeline));
  put_present(out, "schedule", settings_of(spec.schedule));
  put_present(out, "math", settings_of(spec.math));
  out["body"] = statements_of(spec.body);
  put_present(out, "checks", names_of(spec.checks));
  if (!spec.reference.statements.empty()) {
    out["reference"] = statements_of(spec.reference.statements);
  } else {
    put_present(out, "reference", named_of(spec.reference.outputs));
  }
  put_present(out, "tests", tests_of(spec.tests));
  if (spec.tune) {
    out["tune"] = {{"values", named_of(spec.tune->values)}};
    put(out["tune"], "where", spec.tune->where);
  }
  put_present(out, "vjp", gradients_of(spec.vjp));
  Json partition = Json::array();
  for (const Setting& dim : spec.partition) partition.push_back(dim.name);
  put_present(out, "partition", std::move(partition));
  Json allow = Json::array();
  for (const AllowedWarning& known : spec.allow) allow.push_back({{"warning", known.rule}, {"reason", known.reason}});
  put_present(out, "allow", std::move(allow));
  // A -D may hold bytes that are not UTF-8.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace pallasgen
