#include "template_syntax.h"

#include <algorithm>
#include <cctype>

namespace pallasgen {
namespace {

bool is_name(std::string_view name, bool dots) {
  bool start = true;
  for (const char c : name) {
    if (c == '.' && dots && !start) {
      start = true;
      continue;
    }
    const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (!letter && (start || std::isdigit(static_cast<unsigned char>(c)) == 0)) return false;
    start = false;
  }
  return !start;
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = text.find_first_not_of(' ', at);
    if (begin == std::string_view::npos) break;
    at = std::min(text.find(' ', begin), text.size());
    result.emplace_back(text.substr(begin, at - begin));
  }
  return result;
}

class Parser {
 public:
  Parser(const std::string& path, std::string_view text, TemplateError& error) : path_(path), error_(error) {
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      std::string_view line = text.substr(at, end - at);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      lines_.push_back(line);
      at = end + 1;
    }
  }

  std::optional<TemplateNodes> file() {
    if (lines_.size() > static_cast<size_t>(kMaxTemplateLines)) {
      fail(kMaxTemplateLines + 1, "a template has at most " + std::to_string(kMaxTemplateLines) + " lines");
      return std::nullopt;
    }
    TemplateNodes nodes;
    if (!block(nodes)) return std::nullopt;
    if (at_ < lines_.size()) {
      fail(line_number(), "'" + closer_ + "' closes nothing");
      return std::nullopt;
    }
    return nodes;
  }

 private:
  bool fail(int line, std::string message) {
    error_ = {path_, line, std::move(message)};
    return false;
  }
  int line_number() const { return static_cast<int>(at_) + 1; }

  // Parses up to the end of the file or to an `$else` or `$end`, which is not consumed and is named in closer_.
  bool block(TemplateNodes& nodes) {
    closer_.clear();
    for (; at_ < lines_.size(); ++at_) {
      const std::string_view line = lines_[at_];
      const size_t first = line.find_first_not_of(' ');
      const std::string_view rest = first == std::string_view::npos ? std::string_view{} : line.substr(first);
      const bool directive =
          rest.size() >= 1 && rest[0] == '$' && (rest.size() == 1 || (rest[1] != '{' && rest[1] != '$'));
      if (!directive) {
        if (!text_line(line, first, nodes)) return false;
        continue;
      }
      if (rest.starts_with("$#")) continue;
      const std::vector<std::string> word = words(rest);
      if (word[0] == "$else" || word[0] == "$end") {
        closer_ = word[0];
        if (word.size() > 1) return fail(line_number(), "'" + closer_ + "' takes no argument");
        return true;
      }
      if (!opener(word, nodes)) return false;
    }
    return true;
  }

  bool opener(const std::vector<std::string>& word, TemplateNodes& nodes) {
    TemplateNode node{TemplateNode::text, line_number(), {}, {}, {}, {}, {}};
    if (word[0] == "$include") {
      const bool quoted = word.size() == 2 && word[1].size() > 2 && word[1].front() == '"' && word[1].back() == '"';
      if (!quoted) return fail(node.line, "write $include \"path\"");
      node.kind = TemplateNode::include;
      node.name = word[1].substr(1, word[1].size() - 2);
    } else if (word[0] == "$if") {
      if (word.size() != 2 || !is_name(word[1], true)) return fail(node.line, "write $if name");
      if (nested_if_ == kMaxNestedIf) return fail(node.line, "more than two $if inside each other");
      node.kind = TemplateNode::branch;
      node.name = word[1];
      ++nested_if_;
      ++at_;
      if (!block(node.body)) return false;
      if (closer_ == "$else") {
        ++at_;
        if (!block(node.otherwise)) return false;
      }
      --nested_if_;
      if (closer_ != "$end") return fail(node.line, "$if without $end");
    } else if (word[0] == "$for") {
      const bool formed = word.size() == 4 && is_name(word[1], false) && word[2] == "in" && is_name(word[3], true);
      if (!formed) return fail(node.line, "write $for name in list");
      node.kind = TemplateNode::loop;
      node.variable = word[1];
      node.name = word[3];
      ++at_;
      if (!block(node.body)) return false;
      if (closer_ != "$end") return fail(node.line, "$for without $end");
    } else {
      return fail(node.line, "unknown directive '" + word[0] + "'");
    }
    nodes.push_back(std::move(node));
    return true;
  }

  bool text_line(std::string_view line, size_t first, TemplateNodes& nodes) {
    TemplateNode node{TemplateNode::text, line_number(), {}, {}, {}, {}, {}};
    std::string literal;
    for (size_t i = 0; i < line.size();) {
      const std::string_view rest = line.substr(i);
      if (rest.starts_with("$${")) {
        literal += "${";
        i += 3;
      } else if (i == first && rest.starts_with("$$")) {
        literal += '$';
        i += 2;
      } else if (rest.starts_with("${")) {
        const size_t close = rest.find('}');
        const std::string_view name = rest.substr(2, close == std::string_view::npos ? close : close - 2);
        if (close == std::string_view::npos || !is_name(name, true)) {
          return fail(node.line, "'${' needs a name and a '}'; a literal '${' is '$${'");
        }
        if (!literal.empty()) node.pieces.push_back({false, std::move(literal)});
        literal.clear();
        node.pieces.push_back({true, std::string(name)});
        i += close + 1;
      } else {
        literal += line[i++];
      }
    }
    if (!literal.empty()) node.pieces.push_back({false, std::move(literal)});
    nodes.push_back(std::move(node));
    return true;
  }

  const std::string& path_;
  TemplateError& error_;
  std::vector<std::string_view> lines_;
  size_t at_ = 0;
  int nested_if_ = 0;
  std::string closer_;
};

}  // namespace

std::optional<TemplateNodes> parse_template(const std::string& path, std::string_view text, TemplateError& error) {
  return Parser(path, text, error).file();
}

}  // namespace pallasgen
