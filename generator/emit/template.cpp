#include "emit/template.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "template_syntax.h"

namespace pallasgen {
namespace {

using Json = nlohmann::ordered_json;

// Names visible at one point of a template: the view, then the variables of the enclosing loops, innermost last.
using Scope = std::vector<std::pair<std::string, const Json*>>;

class Renderer {
 public:
  Renderer(const Templates& templates, const Json& view, TemplateError& error)
      : templates_(templates), view_(view), error_(error) {}

  bool file(const std::string& path, int from_line, const std::string& from_path) {
    if (++depth_ > kMaxIncludeDepth + 1) return fail(from_path, from_line, "includes nest too deep at '" + path + "'");
    std::optional<std::string> text = templates_.find(path);
    if (!text) return fail(from_path, from_line, "no template '" + path + "'");
    const std::shared_ptr<const TemplateNodes> nodes = parsed(path, std::move(*text));
    const bool done = nodes && render(path, *nodes);
    --depth_;
    return done;
  }

  std::string take() { return std::move(out_); }

 private:
  // A template is rendered many times, but parsed once per thread until its text changes, as a file in a folder may.
  std::shared_ptr<const TemplateNodes> parsed(const std::string& path, std::string text) {
    thread_local std::map<std::string, std::pair<std::string, std::shared_ptr<const TemplateNodes>>> all;
    auto& [of, nodes] = all[path];
    if (nodes && of == text) return nodes;
    std::optional<TemplateNodes> made = parse_template(path, text, error_);
    if (!made) return nullptr;
    of = std::move(text);
    return nodes = std::make_shared<const TemplateNodes>(std::move(*made));
  }

  bool fail(const std::string& path, int line, std::string message) {
    error_ = {path, line, std::move(message)};
    return false;
  }

  const Json* lookup(const std::string& path, int line, const std::string& name) {
    const size_t dot = name.find('.');
    const std::string head = name.substr(0, dot);
    const Json* value = nullptr;
    for (auto it = scope_.rbegin(); it != scope_.rend() && !value; ++it) {
      if (it->first == head) value = it->second;
    }
    if (!value && view_.contains(head)) value = &view_.at(head);
    for (size_t at = dot; value && at != std::string::npos;) {
      const size_t next = name.find('.', at + 1);
      const std::string key = name.substr(at + 1, next == std::string::npos ? next : next - at - 1);
      value = value->is_object() && value->contains(key) ? &value->at(key) : nullptr;
      at = next;
    }
    if (!value) fail(path, line, "undefined name '" + name + "'");
    return value;
  }

  bool render(const std::string& path, const TemplateNodes& nodes) {
    return std::all_of(nodes.begin(), nodes.end(), [&](const TemplateNode& node) { return render(path, node); });
  }

  bool render(const std::string& path, const TemplateNode& node) {
    if (++rendered_ > kMaxRenderedLines)
      return fail(path, node.line, "more than " + std::to_string(kMaxRenderedLines) + " lines are rendered");
    switch (node.kind) {
      case TemplateNode::text:
        return text(path, node);
      case TemplateNode::include:
        return file(node.name, node.line, path);
      case TemplateNode::branch: {
        const Json* value = lookup(path, node.line, node.name);
        if (!value) return false;
        bool taken = false;
        if (value->is_boolean()) {
          taken = value->get<bool>();
        } else if (value->is_string() || value->is_array()) {
          taken = value->is_string() ? !value->get_ref<const std::string&>().empty() : !value->empty();
        } else {
          return fail(path, node.line, "'" + node.name + "' is neither a bool, a text nor a list");
        }
        return render(path, taken ? node.body : node.otherwise);
      }
      case TemplateNode::loop: {
        const Json* list = lookup(path, node.line, node.name);
        if (!list) return false;
        if (!list->is_array()) return fail(path, node.line, "'" + node.name + "' is not a list");
        const bool hides =
            view_.contains(node.variable) ||
            std::any_of(scope_.begin(), scope_.end(), [&](const auto& s) { return s.first == node.variable; });
        if (hides) return fail(path, node.line, "the loop variable '" + node.variable + "' hides a name");
        for (const Json& item : *list) {
          scope_.emplace_back(node.variable, &item);
          if (!render(path, node.body)) return false;
          scope_.pop_back();
        }
        return true;
      }
    }
    return true;
  }

  bool text(const std::string& path, const TemplateNode& node) {
    const size_t line_start = out_.size();
    bool inserted = false, only_blanks = true;
    for (const TemplatePiece& piece : node.pieces) {
      if (!piece.insertion) {
        out_ += piece.text;
        only_blanks = only_blanks && piece.text.find_first_not_of(' ') == std::string::npos;
        continue;
      }
      const Json* value = lookup(path, node.line, piece.text);
      if (!value) return false;
      std::string inserted_text;
      if (value->is_string()) {
        inserted_text = value->get<std::string>();
      } else if (value->is_number_integer()) {
        inserted_text = value->dump();
      } else {
        return fail(path, node.line, "'" + piece.text + "' is neither a text nor an integer");
      }
      inserted = true;
      only_blanks = only_blanks && inserted_text.empty();
      insert(inserted_text);
    }
    if (inserted && only_blanks) {
      out_.resize(line_start);  // nothing but empty insertions: the line vanishes
    } else {
      out_ += '\n';
    }
    return true;
  }

  // Appends a value; its lines after the first begin at the column of the insertion; blank lines stay blank.
  void insert(const std::string& value) {
    const size_t newline = out_.rfind('\n');
    const size_t column = out_.size() - (newline == std::string::npos ? 0 : newline + 1);
    for (size_t i = 0; i < value.size(); ++i) {
      out_ += value[i];
      if (value[i] == '\n' && i + 1 < value.size() && value[i + 1] != '\n') out_.append(column, ' ');
    }
  }

  const Templates& templates_;
  const Json& view_;
  TemplateError& error_;
  Scope scope_;
  std::string out_;
  int depth_ = 0;
  int rendered_ = 0;  // lines and directives so far, counted once per rendering
};

}  // namespace

std::string to_string(const TemplateError& error) {
  return error.path + ":" + std::to_string(error.line) + ": " + error.message;
}

std::optional<std::string> Templates::find(std::string_view path) const {
  if (!directory_.empty()) {
    const std::filesystem::path relative(path);
    const bool inside = !relative.is_absolute() && std::find(relative.begin(), relative.end(), "..") == relative.end();
    const std::filesystem::path shadow = std::filesystem::path(directory_) / relative;
    std::error_code none;
    if (inside && std::filesystem::exists(shadow, none)) {
      // A folder or an unreadable file is no template; the embedded one is not what the user asked for.
      std::ifstream file(shadow, std::ios::binary);
      if (!file || !std::filesystem::is_regular_file(shadow, none)) return std::nullopt;
      return std::string(std::istreambuf_iterator<char>(file), {});
    }
  }
  for (const EmbeddedTemplate& row : embedded_templates()) {
    if (row.path == path) return std::string(row.text);
  }
  return std::nullopt;
}

std::vector<std::string> embedded_template_paths() {
  std::vector<std::string> paths;
  for (const EmbeddedTemplate& row : embedded_templates()) paths.emplace_back(row.path);
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::optional<std::string> render_template(const Templates& templates, std::string_view path, const Json& view,
                                           TemplateError& error) {
  Renderer renderer(templates, view, error);
  if (!renderer.file(std::string(path), 0, std::string(path))) return std::nullopt;
  return renderer.take();
}

}  // namespace pallasgen
