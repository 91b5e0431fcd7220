#include "read_declarations.h"

#include <fmt/format.h>

#include "tile/rules.h"

namespace pallasgen::tile {

namespace {

class Declarations {
 public:
  Declarations(Spec& spec, Diagnostics& diagnostics) : spec_(spec), diagnostics_(diagnostics) {}

  void read(const Piece& line) {
    const size_t blank = line.text.find(' ');
    const std::string_view word = line.text.substr(0, blank);
    const Piece rest = blank == std::string_view::npos ? line.part(line.text.size()) : line.part(blank);
    if (word == "dim") return dims(rest);
    if (word == "const") return constant(rest);
    if (word == "extern") return external(rest);
    if (word == "fn") return function(rest);
    if (word == "scalar") return scalar(rest);
    if (word == "axis") return axis(rest);
    if (word == "let") return let(rest);
    if (word == "ref") return ref(rest);
    if (word == "alias") return alias(rest);
    if (word == "ask") return setting(rest);
    if (word == "skip") {
      spec_.skip = expression(rest);
      return;
    }
    if (word == "check") {
      spec_.checks.push_back(named(rest));
      return;
    }
    refuse(line.span, fmt::format("'{}' begins no declaration", word));
  }

 private:
  void refuse(Span span, std::string message) {
    diagnostics_.error(kTileText, span, std::move(message))
        .note("declarations are dim, const, extern, fn, scalar, axis, let, ref, alias, skip, ask and check");
  }

  static Named named(const Piece& piece) { return {std::string(piece.text), piece.span}; }

  ExprPtr expression(const Piece& piece) { return parse_expression(piece.text, piece.span, diagnostics_); }

  std::optional<std::pair<Named, Piece>> pair(const Piece& piece, std::string_view separator) {
    const auto parts = split_once(piece, separator);
    if (parts) return std::pair{named(parts->first), parts->second};
    refuse(piece.span, fmt::format("'{}' is missing here", separator));
    return std::nullopt;
  }

  void dims(const Piece& piece) {
    for (const Piece& entry : split(piece, ",")) {
      const std::vector<Piece> words = split(entry, " ");
      if (words.empty()) return refuse(piece.span, "the name of a dim is missing here");
      DimSpec dim;
      static_cast<Named&>(dim) = named(words[0]);
      for (size_t i = 1; i + 1 < words.size(); i += 2) {
        const ExprPtr value = expression(words[i + 1]);
        if (words[i].text == "multiple_of")
          dim.multiple_of = value;
        else if (words[i].text == "min")
          dim.min = value;
        else if (words[i].text == "max")
          dim.max = value;
        else
          refuse(words[i].span, fmt::format("'{}' is no fact of a dim", words[i].text));
      }
      spec_.dims.push_back(std::move(dim));
    }
  }

  void constant(const Piece& piece) {
    const auto parts = pair(piece, " = ");
    if (parts) spec_.consts.push_back({parts->first, expression(parts->second)});
  }

  void external(const Piece& piece) {
    const auto parts = pair(piece, ": ");
    if (!parts) return;
    spec_.extern_header = parts->first;
    spec_.extern_span = piece.span;
    for (const Piece& name : split(parts->second, ",")) spec_.extern_functions.push_back(named(name));
  }

  void function(const Piece& piece) {
    const auto parts = split_once(piece, " = ");
    const size_t open = parts ? parts->first.text.find('(') : std::string_view::npos;
    if (open == std::string_view::npos) return refuse(piece.span, "a function is `name(parameters) = expression`");
    FunctionSpec function;
    static_cast<Named&>(function) = named(parts->first.part(0, open));
    for (const Piece& parameter : split(parts->first.part(open + 1, parts->first.text.size() - open - 2), ","))
      function.parameters.push_back(named(parameter));
    function.body = expression(parts->second);
    spec_.functions.push_back(std::move(function));
  }

  TypeSpec type(const Piece& piece) {
    TypeSpec type;
    type.span = piece.span;
    const size_t open = piece.text.find('[');
    type.array = open != std::string_view::npos;
    type.dtype = expression(piece.part(0, open));
    if (type.array) type.dims = list(piece.part(open)).value_or(std::vector<ExprPtr>{});
    return type;
  }

  // `[a, b]`
  std::optional<std::vector<ExprPtr>> list(const Piece& piece) {
    std::vector<ExprPtr> out;
    for (const Piece& entry : split(piece.part(1, piece.text.size() - 2), ",")) out.push_back(expression(entry));
    return out;
  }

  void scalar(const Piece& piece) {
    const auto parts = pair(piece, ": ");
    if (!parts) return;
    ScalarSpec scalar;
    static_cast<Named&>(scalar) = parts->first;
    scalar.type = type(parts->second);
    spec_.scalars.push_back(std::move(scalar));
  }

  void axis(const Piece& piece) {
    const auto name = split_once(piece, " ");
    const auto rest = name ? split_once(name->second, " ") : std::nullopt;
    if (!rest) return refuse(piece.span, "an axis is `name parallel size` or `name sequential size`");
    AxisSpec axis;
    static_cast<Named&>(axis) = named(name->first);
    axis.sequential = rest->first.text == "sequential";
    axis.size = expression(rest->second);
    spec_.grid.push_back(std::move(axis));
    spec_.has_grid = true;
  }

  void let(const Piece& piece) {
    const auto parts = pair(piece, " = ");
    if (parts) spec_.lets.push_back({parts->first, expression(parts->second)});
  }

  void alias(const Piece& piece) {
    const auto parts = pair(piece, " = ");
    if (parts) spec_.aliases.emplace_back(parts->first, named(parts->second));
  }

  void setting(const Piece& piece) {
    const auto parts = pair(piece, " = ");
    if (!parts) return;
    const std::vector<Piece> path =
        split(Piece{piece.text.substr(0, parts->first.name.size()), parts->first.span}, ".");
    if (path.empty()) return refuse(piece.span, "the name of a setting is missing here");
    std::vector<Setting>* list = path[0].text == "pipeline"   ? &spec_.pipeline
                                 : path[0].text == "schedule" ? &spec_.schedule
                                 : path[0].text == "math"     ? &spec_.math
                                                              : nullptr;
    if (!list || path.size() < 2) return refuse(piece.span, fmt::format("'{}' is no setting", parts->first.name));
    for (size_t i = 1; i < path.size(); ++i) {
      if (list->empty() || list->back().name != path[i].text || i + 1 == path.size()) {
        Setting setting;
        static_cast<Named&>(setting) = named(path[i]);
        list->push_back(std::move(setting));
      }
      if (i + 1 == path.size()) {
        list->back().value = expression(parts->second);
        list->back().value_span = parts->second.span;
      }
      list = &list->back().entries;
    }
  }

  void ref(const Piece& piece) {
    const WithAttributes parts = attributes_of(piece);
    const auto head = pair(parts.text, ": ");
    if (!head) return;
    RefSpec ref;
    static_cast<Named&>(ref) = head->first;
    ref.type = type(head->second);
    for (const Piece& attribute : parts.attributes) attribute_of(ref, attribute);
    spec_.refs.push_back(std::move(ref));
  }

  void attribute_of(RefSpec& ref, const Piece& attribute) {
    const auto parts = split_once(attribute, " ");
    const std::string word(parts ? parts->first.text : attribute.text);
    static const std::map<std::string, RefRole> kRoles{{"in", RefRole::input},
                                                       {"out", RefRole::output},
                                                       {"scratch", RefRole::scratch},
                                                       {"workspace", RefRole::workspace}};
    static const std::map<std::string_view, MemorySpace> kSpaces{{"smem", MemorySpace::smem},
                                                                 {"gmem", MemorySpace::gmem},
                                                                 {"reg", MemorySpace::reg},
                                                                 {"acc", MemorySpace::acc},
                                                                 {"tmem", MemorySpace::tmem}};
    if (const auto role = kRoles.find(word); role != kRoles.end() && !parts) {
      ref.role = role->second;
      return;
    }
    if (!parts) return refuse(attribute.span, fmt::format("'{}' is nothing that a ref has", word));
    const Piece& value = parts->second;
    if (word == "space") {
      const auto space = kSpaces.find(value.text);
      if (space == kSpaces.end()) return refuse(value.span, fmt::format("'{}' is no memory space", value.text));
      ref.space = space->second;
    } else if (word == "block") {
      ref.block = list(value);
    } else if (word == "at") {
      ref.index_map = list(value);
    } else if (word == "strides") {
      ref.strides = list(value);
    } else if (word == "fill") {
      ref.fill = expression(value);
    } else if (word == "init") {
      ref.init = expression(value);
    } else if (word == "reduce") {
      ref.reduce = std::string(value.text);
    } else if (word == "stages") {
      ref.stages = expression(value);
    } else if (word == "delay_release") {
      ref.delay_release = expression(value);
    } else if (word == "multicast") {
      ref.multicast = std::string(value.text);
    } else if (word == "tile" || word == "swizzle" || word == "transpose") {
      ref.transforms.emplace_back(word, expression(value));
    } else {
      refuse(attribute.span, fmt::format("'{}' is nothing that a ref has", word));
    }
  }

  Spec& spec_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::shared_ptr<Spec> read_declarations(const std::vector<Line>& lines, size_t& at, const SourceText& source,
                                        Diagnostics& diagnostics) {
  auto spec = std::make_shared<Spec>();
  spec->source = &source;
  const int errors = diagnostics.errors();
  Declarations declarations(*spec, diagnostics);
  for (; at < lines.size() && !lines[at].text.starts("kernel "); ++at) declarations.read(lines[at].text);
  return diagnostics.errors() == errors ? spec : nullptr;
}

}  // namespace pallasgen::tile
