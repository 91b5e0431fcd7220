#include "yaml.h"

#include <fmt/format.h>
#include <libfyaml.h>

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "bytes.h"
#include "eaten.h"
#include "spec/rules.h"

namespace pallasgen {
namespace {

constexpr size_t kMaxDepth = 64;
// A JSON tree takes two levels per operation, and an expression may be 200 operations deep.
constexpr size_t kMaxTreeDepth = 500;
constexpr size_t kMaxNodes = 1000000;

using DiagPtr = std::unique_ptr<fy_diag, decltype(&fy_diag_destroy)>;
using ParserPtr = std::unique_ptr<fy_parser, decltype(&fy_parser_destroy)>;

// Builds nodes from libfyaml's events. Its documents hide the places of anchors, tags and duplicates. The events come
// from an iterative parser, so that this class can limit the depth.
class YamlReader {
 public:
  YamlReader(const SourceText& source, Diagnostics& diagnostics) : source_(source), diagnostics_(diagnostics) {}

  std::optional<Node> run() {
    // A diagnostics object of its own collects errors; the default one would write to stderr.
    fy_diag_cfg diag_cfg;
    fy_diag_cfg_default(&diag_cfg);
    diag_cfg.fp = nullptr;
    diag_cfg.output_fn = [](fy_diag*, void*, const char*, size_t) {};
    DiagPtr diag(fy_diag_create(&diag_cfg), &fy_diag_destroy);
    fy_diag_set_collect_errors(diag.get(), true);
    fy_parse_cfg cfg{};
    cfg.diag = diag.get();
    // libfyaml wants flags or-ed. NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange)
    cfg.flags = static_cast<fy_parse_cfg_flags>(FYPCF_QUIET | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_DISABLE_DEPTH_LIMIT |
                                                FYPCF_JSON_NONE);
    ParserPtr parser(fy_parser_create(&cfg), &fy_parser_destroy);
    mark_ = byte_order_mark(source_.text());
    std::string_view text = source_.text().substr(mark_);
    if (parser == nullptr || fy_parser_set_string(parser.get(), text.data(), text.size()) != 0) return std::nullopt;

    while (fy_event* event = fy_parser_parse(parser.get())) {
      bool go_on = take(*event);
      fy_parser_event_free(parser.get(), event);
      if (!go_on) return std::nullopt;
    }
    if (fy_parser_get_stream_error(parser.get())) {
      report_error(*diag);
      return std::nullopt;
    }
    if (!root_) {
      diagnostics_.error(kFileEmpty, at(0, 0), "the file holds nothing: a spec begins with 'pallasgen: 1'");
      return std::nullopt;
    }
    return std::move(root_);
  }

 private:
  // A list or mapping that is not closed yet.
  struct Open {
    Node node;
    std::optional<Node> key;  // the last key of a mapping, until its value is read
    std::unordered_map<std::string, Span> seen;
    bool tree = false;  // part of a JSON tree
    bool drop_value = false;
  };

  Span at(size_t begin, size_t end) const {
    return {&source_, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  }

  Span span_of(fy_token* token) const {
    const fy_mark* begin = token == nullptr ? nullptr : fy_token_start_mark(token);
    const fy_mark* end = token == nullptr ? nullptr : fy_token_end_mark(token);
    if (begin == nullptr || end == nullptr) return at(last_, last_);
    return at(begin->input_pos + mark_, end->input_pos + mark_);
  }

  bool take(fy_event& event) {
    switch (event.type) {
      case FYET_DOCUMENT_START:
        return take_document(event);
      case FYET_SCALAR:
        return take_scalar(event);
      case FYET_ALIAS:
        return take_alias(event);
      case FYET_SEQUENCE_START:
        refuse_properties(event.sequence_start.anchor, event.sequence_start.tag);
        return open(Node::Kind::sequence, event.sequence_start.sequence_start);
      case FYET_MAPPING_START:
        refuse_properties(event.mapping_start.anchor, event.mapping_start.tag);
        return open(Node::Kind::mapping, event.mapping_start.mapping_start);
      case FYET_SEQUENCE_END:
        return close(event.sequence_end.sequence_end);
      case FYET_MAPPING_END:
        return close(event.mapping_end.mapping_end);
      default:
        return true;
    }
  }

  bool take_document(const fy_event& event) {
    Span place = span_of(event.document_start.document_start);
    if (root_) {
      diagnostics_.error(kYamlDocuments, place, "a second document begins here: one file describes one kernel");
      return false;
    }
    fy_document_state* state = event.document_start.document_state;
    if (fy_document_state_version_explicit(state) || fy_document_state_tags_explicit(state)) {
      size_t line = source_.text().find('%');
      diagnostics_.error(kYamlDirective, at(line, line + source_.line_at(static_cast<uint32_t>(line)).size()),
                         "YAML directives have no meaning here: remove this line");
    }
    return true;
  }

  void refuse_properties(fy_token* anchor, fy_token* tag) {
    if (anchor != nullptr)
      refuse_leading(kYamlAnchor, '&', span_of(anchor), "an anchor", "write the value where it is used");
    if (tag != nullptr) refuse_leading(kYamlTag, '!', span_of(tag), "a tag", "remove it");
  }

  // The marks of anchors and aliases lie after the character that makes them one.
  void refuse_leading(const Rule& rule, char character, Span token, std::string_view meaning, std::string_view remedy) {
    uint32_t begin = token.begin;
    if (begin > 0 && source_.text()[begin] != character && source_.text()[begin - 1] == character) --begin;
    last_ = token.end;
    refused_line_ = source_.position(begin).line;
    Span text = text_at(source_, begin, !stack_.empty() && stack_.back().node.flow);
    std::string_view written = source_.text().substr(text.begin, text.end - text.begin);
    diagnostics_.error(rule, text,
                       fmt::format("YAML takes '{}' at the begin of a text as {}, which specs do not have: {}; "
                                   "an expression is quoted: {}",
                                   character, meaning, remedy, quoted(written)));
  }

  bool take_alias(const fy_event& event) {
    Span place = span_of(event.alias.anchor);
    refuse_leading(kYamlAlias, '*', place, "an alias", "write the value out");
    Node node;
    node.span = place;
    node.broken = true;
    return add(std::move(node));
  }

  bool take_scalar(const fy_event& event) {
    refuse_properties(event.scalar.anchor, event.scalar.tag);
    size_t size = 0;
    const char* text = fy_token_get_text(event.scalar.value, &size);
    Node node;
    node.span = span_of(event.scalar.value);
    node.text.assign(text == nullptr ? "" : text, size);
    node.plain = fy_token_scalar_style(event.scalar.value) == FYSS_PLAIN;
    bool nothing = node.plain && (node.text.empty() || node.text == "null");
    node.kind = nothing ? Node::Kind::null : Node::Kind::scalar;
    if (node.plain && node.text.empty() && event.scalar.anchor == nullptr) node.span = nothing_span();
    node.broken = event.scalar.anchor != nullptr || event.scalar.tag != nullptr;
    return add(std::move(node));
  }

  // An absent value has no token. Its place is the `-` of its item in a block list, else the end of the last token.
  Span nothing_span() const {
    if (stack_.empty() || !stack_.back().node.is_sequence() || stack_.back().node.flow) return at(last_, last_);
    std::string_view text = source_.text();
    size_t dash = last_;
    while (dash < text.size() && text[dash] != '-') {
      dash = text[dash] == '#' ? std::min(text.find('\n', dash), text.size()) : dash + 1;
    }
    return dash < text.size() ? at(dash, dash + 1) : at(last_, last_);
  }

  bool open(Node::Kind kind, fy_token* token) {
    if (!stack_.empty() && stack_.back().node.is_mapping() && !stack_.back().key) return complex_key(span_of(token));
    Open opened;
    opened.node.kind = kind;
    opened.node.span = span_of(token);
    opened.node.flow = opened.node.span.end > opened.node.span.begin;
    opened.tree = !stack_.empty() && (stack_.back().tree || stack_.back().seen.contains("op"));
    stack_.push_back(std::move(opened));
    size_t limit = stack_.back().tree ? kMaxTreeDepth : kMaxDepth;
    if (stack_.size() <= limit) return true;
    diagnostics_.error(kYamlDepth, stack_.back().node.span,
                       fmt::format("lists and mappings are nested more than {} deep here", limit));
    return false;
  }

  bool complex_key(Span place) {
    Span text = text_at(source_, place.begin, stack_.back().node.flow);
    std::string_view written = source_.text().substr(text.begin, text.end - text.begin);
    diagnostics_.error(kYamlKey, place,
                       fmt::format("a list or mapping stands where a key is wanted: keys are names; an "
                                   "expression is quoted: {}",
                                   quoted(written)));
    return false;
  }

  bool close(fy_token* token) {
    Open closed = std::move(stack_.back());
    stack_.pop_back();
    Node& node = closed.node;
    // The end mark of a block list or mapping lies after blank lines and comments.
    if (node.flow) {
      node.span.end = span_of(token).end;
    } else {
      node.span.end = static_cast<uint32_t>(std::max<size_t>(last_, node.span.begin));
    }
    return add(std::move(node));
  }

  bool add(Node node) {
    if (++nodes_ > kMaxNodes) {
      diagnostics_.error(kFileSize, node.span, fmt::format("the spec has more than {} values", kMaxNodes));
      return false;
    }
    last_ = std::max<size_t>(last_, node.span.end);
    if (stack_.empty()) {
      root_ = std::move(node);
      return true;
    }
    Open& parent = stack_.back();
    if (parent.node.is_sequence()) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.key) {
      take_key(parent, std::move(node));
    } else {
      if (!parent.drop_value) parent.node.entries.push_back({std::move(*parent.key), std::move(node)});
      parent.key.reset();
    }
    return true;
  }

  // Duplicates and merge keys are reported, and dropped with their values.
  void take_key(Open& parent, Node key) {
    auto [first, fresh] = parent.seen.emplace(key.text, key.span);
    // `f(a, b): 1` in braces ends in a key `b)`, which join_splits makes whole.
    if (key.plain && open_brackets(key.text) != 0) fresh = true;
    parent.drop_value = !fresh;
    if (key.text == "<<") {
      diagnostics_.error(kYamlMerge, key.span, "merge keys have no meaning here: write the entries out");
      parent.drop_value = true;
    } else if (key.text.empty() && key.is_null()) {
      diagnostics_.error(kYamlKey, key.span, "a key is missing before ':'");
      parent.drop_value = true;
    } else if (!fresh) {
      diagnostics_.error(kDuplicateKey, key.span, fmt::format("the key '{}' stands twice in this mapping", key.text))
          .note(first->second, "first here");
    }
    if (key.is_null() && !key.text.empty()) key.kind = Node::Kind::scalar;  // `null: 1` has the key "null"
    parent.key = std::move(key);
  }

  void report_error(fy_diag& diag) {
    void* at = nullptr;
    const fy_diag_error* error = fy_diag_errors_iterate(&diag, &at);
    if (error == nullptr) {
      diagnostics_.error(kYamlSyntax, this->at(last_, last_), "YAML cannot read the file from here");
      return;
    }
    // An error after an anchor, alias or tag follows from the text having been taken for one.
    if (error->line == refused_line_) return;
    uint32_t offset = offset_of(error->line, error->column);
    const Node* flow = !stack_.empty() && stack_.back().node.flow ? &stack_.back().node : nullptr;
    std::string_view message = error->msg;
    bool at_end = source_.text().find_first_not_of(" \t\r\n", offset) == std::string_view::npos;
    if (flow != nullptr && (at_end || message.find("without a closing") != std::string_view::npos)) {
      diagnostics_.error(
          kYamlSyntax, flow->span,
          fmt::format("this '{}' is not closed before the end of the file", flow->is_mapping() ? '{' : '['));
      return;
    }
    report_yaml_error(source_, offset, error->msg, diagnostics_);
  }

  // Lines and columns of libfyaml's errors count from 1, columns in code points.
  uint32_t offset_of(int line, int column) const {
    std::string_view text = source_.text();
    size_t offset = mark_;
    for (; line > 1 && offset < text.size(); --line) {
      size_t next = text.find('\n', offset);
      offset = next == std::string_view::npos ? text.size() : next + 1;
    }
    for (; column > 1 && offset < text.size() && text[offset] != '\n'; --column) {
      ++offset;
      while (offset < text.size() && (static_cast<unsigned char>(text[offset]) & 0xC0) == 0x80) ++offset;
    }
    return static_cast<uint32_t>(offset);
  }

  const SourceText& source_;
  Diagnostics& diagnostics_;
  std::vector<Open> stack_;
  std::optional<Node> root_;
  size_t nodes_ = 0;
  size_t mark_ = 0;       // bytes of the byte-order mark, which is not passed to libfyaml
  size_t last_ = 0;       // end of the last token
  int refused_line_ = 0;  // where an anchor, alias or tag was refused
};

}  // namespace

std::optional<Node> read_yaml(const SourceText& source, Diagnostics& diagnostics) {
  std::optional<Node> root = YamlReader(source, diagnostics).run();
  if (root) join_splits(*root, diagnostics);
  return root;
}

}  // namespace pallasgen
