#include "emit/emit.h"

#include <fmt/format.h>

#include "emit/template.h"
#include "file_view.h"
#include "fold_lines.h"
#include "free_names.h"
#include "output/hash.h"
#include "program_writer.h"
#include "python_names.h"

namespace pallasgen {
namespace {

using Json = nlohmann::ordered_json;

// The content of a file after the provenance lines, which carry its hash and `spec`.
std::optional<std::string> with_provenance(const Templates& templates, const char* path, const std::string& content,
                                           const EmitOptions& options, const std::string& spec, TemplateError& error) {
  const Json provenance = {{"spec_path", options.spec_path},
                           {"format", kOutputFormat},
                           {"content_hash", hash_text(content_hash(content))},
                           {"spec", spec}};
  const auto head = render_template(templates, path, provenance, error);
  if (!head) return std::nullopt;
  return *head + content;
}

// Renders one C++ file and folds its lines to the maximum width. `avoided`: spec names that the file may use as they
// are, with the identifiers that replace them otherwise.
std::optional<std::string> file(const Templates& templates, const char* path, const Json& view,
                                const std::map<std::string, std::string>& avoided, const EmitOptions& options,
                                const std::string& spec, TemplateError& error) {
  const auto sections = render_template(templates, path, view, error);
  if (!sections) return std::nullopt;
  const std::string content = fold_lines(with_free_names(*sections, avoided), kMaxColumns);
  return with_provenance(templates, "file/provenance.in", content, options, spec, error);
}

std::optional<std::string> python_file(const Plan& plan, const Templates& templates, const EmitOptions& options,
                                       TemplateError& error) {
  const Json view = {{"name", plan.kernel->name}, {"python", python_view(plan)}};
  const auto content = render_template(templates, "file/kernel.py.in", view, error);
  if (!content) return std::nullopt;
  return with_provenance(templates, "file/provenance.py.in", *content, options, "", error);
}

}  // namespace

std::optional<EmittedFiles> emit(const Plan& plan, const EmitOptions& options, Diagnostics& diagnostics) {
  if (options.python && !is_python_module(options.stem)) {
    diagnostics.error(kPythonModule, {}, fmt::format("'{}.py' is no module that Python can import", options.stem))
        .note("a name of letters, digits and '_' that is no keyword of Python can be: rename the spec's file");
    return std::nullopt;
  }
  const Templates templates(options.template_dir);
  TemplateError error;
  const Json view = file_view(plan, options, templates, error);
  auto cu = view.is_null() ? std::nullopt
                           : file(templates, "file/source.cu.in", view, avoided_names(*plan.kernel), options,
                                  "  spec " + options.spec_hash, error);
  // A header carries no hash of the spec, so it changes only with its own declarations and comments.
  auto header = cu ? file(templates, "file/header.h.in", view, {}, options, "", error) : std::nullopt;
  std::optional<std::string> ffi = header ? std::optional<std::string>("") : std::nullopt;
  if (header && options.ffi) {
    const Json exports = {{"stem", options.stem}, {"name", plan.kernel->name}, {"ffi", ffi_view(plan)}};
    ffi = file(templates, "file/ffi.cpp.in", exports, avoided_names(*plan.kernel), options, "", error);
  }
  auto python = ffi ? std::optional<std::string>("") : std::nullopt;
  if (ffi && options.python) python = python_file(plan, templates, options, error);
  if (!python) {
    diagnostics.error(kTemplateRule, {}, to_string(error));
    return std::nullopt;
  }
  return EmittedFiles{std::move(*cu), std::move(*header), std::move(*ffi), std::move(*python), options.spec_hash};
}

std::optional<std::string> emit_statements(const Plan& plan, const std::string& template_dir,
                                           Diagnostics& diagnostics) {
  const Templates templates(template_dir);
  TemplateError error;
  Json fields = Json::array(), programs = Json::array();
  for (const SharedField& field : plan.shared.fields) {
    std::string place = field.overlay < 0 ? "" : fmt::format(", in place {}", field.overlay);
    if (plan.shared.total > 0) place += fmt::format(", at {}", field.offset);
    fields.push_back({{"text", fmt::format("shared {} {}{}  // {} bytes{}", type_of(field), field.name,
                                           bounds_of(field), field.bytes, place)}});
  }
  bool failed = false;
  const auto add = [&](const RolePlan& role, const std::string& head, const program::Statements& statements) {
    ProgramWriter writer(plan, role, templates, error);
    programs.push_back({{"head", head}, {"body", writer.write(statements)}});
    failed = failed || writer.failed();
  };
  for (const RolePlan& role : plan.roles) add(role, "role " + (role.name.empty() ? "all" : role.name), role.program);
  for (const PartPlan& part : plan.parts)
    add(plan.roles[static_cast<size_t>(part.role)], "part " + part.name, part.program);
  const auto text =
      failed ? std::nullopt
             : render_template(templates, "file/statements.in", {{"fields", fields}, {"programs", programs}}, error);
  if (text) return fold_lines(with_free_names(*text, avoided_names(*plan.kernel)), kMaxColumns);
  diagnostics.error(kTemplateRule, {}, to_string(error));
  return std::nullopt;
}

}  // namespace pallasgen
