#include <fmt/format.h>

#include "eaten.h"
#include "expression/python.h"
#include "spec/rules.h"
#include "tables.h"

namespace pallasgen {
namespace {

using enum ValueKind;
using K = const KeyInfo&;
using N = const Node&;

const std::vector<Row<WhenSyntax>>& when_rows() {
  static const std::vector<Row<WhenSyntax>> all_rows = {
      {{"when", expression, "a scalar condition", true},
       [](Reader& r, K, N n, WhenSyntax& s) { s.condition = r.expression(n); }},
      {{"do", statements, "where it holds", true},
       [](Reader& r, K, N n, WhenSyntax& s) { s.then = read_statements(r, n, "'do'"); }},
      {{"else", statements, "where it does not"},
       [](Reader& r, K, N n, WhenSyntax& s) {
         s.otherwise = read_statements(r, n, "'else'");
         s.has_otherwise = true;
       }},
  };
  return all_rows;
}

void read_range(Reader& reader, const KeyInfo&, const Node& node, ForSyntax& out) {
  std::optional<std::vector<ExprPtr>> range = reader.expressions(node);
  if (!range) return;
  if (range->empty() || range->size() > 3) {
    reader.diagnostics().error(
        kRangeForm, node.span,
        fmt::format("'range' has {} numbers: write 'size', 'lo, hi' or 'lo, hi, step'", range->size()));
    return;
  }
  out.range = std::move(*range);
}

const std::vector<Row<ForSyntax>>& for_rows() {
  static const std::vector<Row<ForSyntax>> all_rows = {
      {{"for", name, "the loop variable", true},
       [](Reader& r, K, N n, ForSyntax& s) { s.variable = r.name(n).value_or(Named{}); }},
      {{"range", expressions, "`size`, `lo, hi` or `lo, hi, step`", true}, read_range},
      {{"do", statements, "what each step does", true},
       [](Reader& r, K, N n, ForSyntax& s) { s.body = read_statements(r, n, "'do'"); }},
      {{"unroll", expression, "steps that are unrolled together"},
       [](Reader& r, K, N n, ForSyntax& s) { s.unroll = r.expression(n); }},
  };
  return all_rows;
}

const std::vector<Row<WhileSyntax>>& while_rows() {
  static const std::vector<Row<WhileSyntax>> all_rows = {
      {{"while", expression, "a scalar condition", true},
       [](Reader& r, K, N n, WhileSyntax& s) { s.condition = r.expression(n); }},
      {{"do", statements, "what is repeated while it holds", true},
       [](Reader& r, K, N n, WhileSyntax& s) { s.body = read_statements(r, n, "'do'"); }},
  };
  return all_rows;
}

const std::vector<Row<ScopeSyntax>>& scope_rows() {
  static const std::vector<Row<ScopeSyntax>> all_rows = {
      {{"scope", table_map, "scratch that lives as long as the statement", true, "scratch"},
       [](Reader& r, K, N n, ScopeSyntax& s) { s.refs = read_refs(r, n, RefRole::scratch); }},
      {{"do", statements, "what uses it", true},
       [](Reader& r, K, N n, ScopeSyntax& s) { s.body = read_statements(r, n, "'do'"); }},
  };
  return all_rows;
}

const std::vector<Row<PrintSyntax>>& print_rows() {
  static const std::vector<Row<PrintSyntax>> all_rows = {
      {{"print", text, "the text, with {} for each argument", true},
       [](Reader& r, K, N n, PrintSyntax& s) { s.format = r.text(n); }},
      {{"args", expressions, "the arguments"},
       [](Reader& r, K, N n, PrintSyntax& s) { s.args = r.expressions(n).value_or(std::vector<ExprPtr>()); }},
  };
  return all_rows;
}

const std::vector<Row<AssertSyntax>>& assert_rows() {
  static const std::vector<Row<AssertSyntax>> all_rows = {
      {{"assert", expression, "a scalar condition that must hold", true},
       [](Reader& r, K, N n, AssertSyntax& s) { s.condition = r.expression(n); }},
      {{"message", text, "what to say where it does not"},
       [](Reader& r, K, N n, AssertSyntax& s) { s.message = r.text(n); }},
  };
  return all_rows;
}

const std::vector<Row<ProfileSyntax>>& profile_rows() {
  static const std::vector<Row<ProfileSyntax>> all_rows = {
      {{"profile", text, "the name of a span of the in-kernel profiler", true},
       [](Reader& r, K, N n, ProfileSyntax& s) { s.name = r.text(n); }},
      {{"do", statements, "what is measured", true},
       [](Reader& r, K, N n, ProfileSyntax& s) { s.body = read_statements(r, n, "'do'"); }},
  };
  return all_rows;
}

const std::vector<Row<InlineCudaSyntax>>& inline_cuda_rows() {
  static const std::vector<Row<InlineCudaSyntax>> all_rows = {
      {{"inline_cuda", text, "CUDA C++ with `$name` for names of the spec", true},
       [](Reader& r, K, N n, InlineCudaSyntax& s) { s.code = r.text(n); }},
      {{"reads", names, "names that it reads"}, [](Reader& r, K, N n, InlineCudaSyntax& s) { s.reads = r.names(n); }},
      {{"writes", names, "names that it writes"},
       [](Reader& r, K, N n, InlineCudaSyntax& s) { s.writes = r.names(n); }},
  };
  return all_rows;
}

const KeyInfo kMeshDo{"do", statements, "what is executed", true};

const std::vector<Table>& mesh_forms() {
  static const std::vector<Table> all_forms = {
      {"thread",
       "'thread'",
       {{"thread", value_map, "the Pallas threads that execute it", true},
        {"role", expression, "what the thread is for, as generated code calls it"},
        {"registers", expression, "registers of each CUDA thread"},
        kMeshDo}},
      {"warp", "'warp'", {{"warp", expression, "the warp that executes it", true}, kMeshDo}},
      {"pipeline",
       "'pipeline'",
       {{"pipeline", table, "axes, inputs and outputs of the ring", true, "mesh pipeline"}, kMeshDo}},
      {"nd_loop", "'nd_loop'", {{"nd_loop", table, "axes and who shares their tiles", true, "nd_loop"}, kMeshDo}},
      {"dynamic_schedule",
       "'dynamic_schedule'",
       {{"dynamic_schedule", table, "axes of the grid that tiles are given out of", true, "dynamic_schedule"},
        kMeshDo}},
  };
  return all_forms;
}

std::string table_name(std::string_view form) { return fmt::format("statement {}", form); }

// Reads the settings of a mesh form, and its `do`.
void read_mesh(Reader& reader, const Node& node, const Table& table, Stmt& out) {
  MeshSyntax mesh;
  mesh.form = table.name;
  for (const auto& [key, value] : node.entries) {
    const KeyInfo* info = table.find(key.text);
    if (info == nullptr) {
      reader.unknown_key(key, table);
    } else if (!reader.has_value(key, value)) {
      continue;
    } else if (info->kind == statements) {
      mesh.body = read_statements(reader, value, "'do'");
    } else if (std::optional<Setting> setting = read_setting(reader, key, value, *info)) {
      mesh.settings.push_back(std::move(*setting));
    }
  }
  for (const KeyInfo& info : table.keys) {
    if (info.required && node.find(info.name) == nullptr) {
      reader.missing_key(node.entries[0].key.span, info.name, table);
    }
  }
  out.node = std::move(mesh);
}

// A form of statement that is a mapping: the key that determines it, its table, and its reader.
struct Form {
  std::string_view key;
  Table table;
  void (*read)(Reader&, const Node&, const Table&, Stmt&);
};

template <class T, const std::vector<Row<T>>& (*rows)()>
Form form_of(std::string_view key, std::string_view doc) {
  return {key, table_of(key, doc, rows()), [](Reader& reader, const Node& node, const Table& table, Stmt& out) {
            T syntax;
            decode_mapping(reader, node, rows(), table, node.entries[0].key.span, syntax);
            out.node = std::move(syntax);
          }};
}

const std::vector<Form>& forms() {
  static const std::vector<Form> all_forms = [] {
    std::vector<Form> all = {form_of<WhenSyntax, when_rows>("when", "'when'"),
                             form_of<ForSyntax, for_rows>("for", "'for'"),
                             form_of<WhileSyntax, while_rows>("while", "'while'"),
                             form_of<ScopeSyntax, scope_rows>("scope", "'scope'"),
                             form_of<PrintSyntax, print_rows>("print", "'print'"),
                             form_of<AssertSyntax, assert_rows>("assert", "'assert'"),
                             form_of<ProfileSyntax, profile_rows>("profile", "'profile'"),
                             form_of<InlineCudaSyntax, inline_cuda_rows>("inline_cuda", "'inline_cuda'")};
    for (const Table& table : mesh_forms()) all.push_back({table.name, table, read_mesh});
    return all;
  }();
  return all_forms;
}

// Reports a mapping that is no form of statement: a text that YAML cut at `: `, a misspelt form, or anything else.
void report_unknown_form(Reader& reader, const Node& node) {
  Span place = node.entries.empty() ? node.span : node.entries[0].key.span;
  std::string first = node.entries.empty() ? std::string("{}") : node.entries[0].key.text;
  // `- for i in range(4):` is a mapping with that key.
  if (const std::string remedy = remedy_for_python(first);
      !remedy.empty() && (first == "else" || first.find(' ') != std::string::npos)) {
    reader.diagnostics()
        .error(kStatementForm, place,
               fmt::format("'{}' is a statement of Python: here an entry has a key for it", first))
        .note(remedy);
    return;
  }
  if (is_eaten_mapping(node)) return report_eaten_mapping(node, reader.diagnostics());
  std::vector<std::string> known;
  for (const Form& form : forms()) known.emplace_back(form.key);
  Diagnostic& d =
      reader.diagnostics().error(kStatementForm, place, fmt::format("no form of statement has the key '{}'", first));
  std::string near = first == "if" ? "when" : nearest(first, known);
  if (near.empty()) {
    d.note(fmt::format("the forms are {}; a text with ': ' in it is quoted", fmt::join(known, ", ")));
  } else {
    d.note(fmt::format("did you mean '{}'?", near));
  }
}

bool read_statement(Reader& reader, const Node& node, Stmt& out) {
  out.span = node.span;
  if (!node.is_mapping() || node.is_tree()) {
    std::optional<StatementSyntax> syntax = reader.statement(node);
    if (!syntax) return false;
    out.text = to_string(*syntax);
    out.node = std::move(*syntax);
    return true;
  }
  for (const auto& [key, value] : node.entries) {
    for (const Form& form : forms()) {
      if (form.key != key.text) continue;
      // `for: i in range(4)` has the range in the place of the name.
      const std::string remedy = form.key == "for" && value.is_scalar() && value.text.find(" in ") != std::string::npos
                                     ? remedy_for_python("for " + value.text + ":")
                                     : "";
      if (!remedy.empty()) {
        reader.diagnostics()
            .error(kStatementForm, value.span,
                   fmt::format("'{}' is a loop of Python: here its range has a key", value.text))
            .note(remedy);
        return false;
      }
      form.read(reader, node, form.table, out);
      return true;
    }
  }
  report_unknown_form(reader, node);
  return false;
}

}  // namespace

StmtList read_statements(Reader& reader, const Node& node, std::string_view what) {
  StmtList out;
  if (!reader.is_list(node, what)) return out;
  for (const Node& item : node.items) {
    Stmt statement;
    if (read_statement(reader, item, statement)) out.push_back(std::move(statement));
  }
  return out;
}

std::vector<Table> statement_tables() {
  // They have other names, since `pipeline` is also a key of the file.
  static const std::vector<std::string> all_names = [] {
    std::vector<std::string> names;
    for (const Form& form : forms()) names.push_back(table_name(form.key));
    return names;
  }();
  std::vector<Table> tables;
  for (size_t i = 0; i < forms().size(); ++i) {
    tables.push_back(forms()[i].table);
    tables.back().name = all_names[i];
  }
  return tables;
}

}  // namespace pallasgen
