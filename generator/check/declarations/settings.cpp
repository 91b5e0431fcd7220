#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "declarations/declarations.h"
#include "expressions/evaluate.h"
#include "names/language.h"

namespace pallasgen {

namespace {

// Ranges of the integer settings, which hold for any target. Targets narrow them further.
constexpr int64_t kMostWarpgroups = 7;  // a CTA's 1024 threads are 8 warpgroups, one of them the producer
constexpr int64_t kMostPrefetch = 8;    // steps
constexpr int64_t kMostCluster = 16;    // CTAs of a non-portable cluster

class Settings {
 public:
  explicit Settings(Context& context) : context_(context), constants_{context, kConstantPlace} {}

  void pipeline() {
    PipelineSettings& out = context_.kernel.pipeline;
    for (const Setting& setting : context_.spec.pipeline) {
      if (setting.name == "stages") integer(setting, 0, kMostStages, true, out.stages);
      if (setting.name == "delay_release") integer(setting, 0, kMostStages - 1, false, out.delay_release);
      if (setting.name == "prefetch") integer(setting, 0, kMostPrefetch, false, out.prefetch);
      if (setting.name == "warp_specialized") flag(setting, out.warp_specialized);
      if (setting.name == "compute_warpgroups") integer(setting, 1, kMostWarpgroups, true, out.compute_warpgroups);
    }
  }

  void schedule() {
    ScheduleSettings& out = context_.kernel.schedule;
    for (const Setting& setting : context_.spec.schedule) {
      const std::string& name = setting.name;
      if (name == "persistent" && setting.value && word_of(setting.value) == "dynamic") {
        out.persistent = {true, true, setting.span};
        out.dynamic = true;
        continue;
      }
      for (const auto& [flag_name, flag_setting] : {std::pair{"persistent", &out.persistent},
                                                    {"cooperative", &out.cooperative},
                                                    {"dependent_launch", &out.dependent_launch}}) {
        if (name != flag_name) continue;
        flag(setting, *flag_setting);
        flag_setting->span = setting.span;
      }
      if (name == "num_ctas") {
        integer(setting, 1, INT32_MAX, false, out.num_ctas);
        out.num_ctas.span = setting.span;
      }
      if (name == "programs_per_cta") integer(setting, 1, INT32_MAX, false, out.programs_per_cta);
      if (name == "tile_order") tile_order(setting, out.tile_order);
      if (name == "cluster") cluster(setting, out);
      if (name == "consumers") out.consumers = {choice(setting, {"cooperative", "separate"}), setting.span};
      if (name == "split") out.split = {choice(setting, {"rows", "columns"}), setting.span};
      if (name == "take_turns") out.take_turns = {values(setting), setting.span};
      if (name == "lookahead") out.lookahead = {values(setting), setting.span};
      if (name == "split_k" || name == "stream_k") out.others.emplace_back(name, setting.span);
      if (name == "reduction")
        out.reduction = {choice(setting, {"neighbours", "halves", "shuffle", "auto"}), setting.span};
      if (name == "split_k") split_k(setting);
    }
  }

  void checks() {
    for (const Named& check : context_.spec.checks) {
      std::vector<std::string>& list = context_.kernel.checks;
      context_.kernel.checks_span = list.empty() ? check.span : join(context_.kernel.checks_span, check.span);
      if (std::find(list.begin(), list.end(), check.name) == list.end()) list.push_back(check.name);
    }
  }

  void math() {
    for (const Setting& setting : context_.spec.math) {
      FlagSetting approx;
      if (setting.name == "approx") flag(setting, approx);
      context_.kernel.approximate_math = approx.value;
    }
  }

 private:
  Context& context_;
  TypingContext constants_;

  Diagnostic& error(Span span, std::string message) {
    return context_.diagnostics.error(kSettingValue, span, std::move(message));
  }

  const ExprPtr* value_of(const Setting& setting) {
    if (setting.value) return &setting.value;
    error(setting.span, fmt::format("'{}' is one value, not a mapping", setting.name));
    return nullptr;
  }

  void integer(const Setting& setting, int64_t least, int64_t most, bool may_be_auto, IntegerSetting& out) {
    const ExprPtr* expr = value_of(setting);
    if (!expr) return;
    out.span = (*expr)->span;
    const NameExpr* word = (*expr)->as<NameExpr>();
    const Name* named = context_.find("auto");
    if (word && word->name == "auto" && !(named && named->kind == NameKind::constant)) {
      out.automatic = true;
      if (!may_be_auto)
        error(out.span, fmt::format("'{}' cannot be auto", setting.name))
            .note(fmt::format("write a number from {} to {}", least, most));
      return;
    }
    const std::optional<int64_t> value = constant_integer(constants_, *expr, fmt::format("'{}'", setting.name));
    if (!value) return;
    if (*value < least || *value > most) {
      error(out.span, fmt::format("'{}' is {}, but must be {} to {}", setting.name, *value, least, most))
          .note(fmt::format("the nearest is {}", *value < least ? least : most));
      return;
    }
    out.value = *value;
  }

  void flag(const Setting& setting, FlagSetting& out) {
    const ExprPtr* expr = value_of(setting);
    if (!expr) return;
    out.given = true;
    out.span = (*expr)->span;
    const NameExpr* word = (*expr)->as<NameExpr>();
    if (word && !context_.find(word->name) && !is_language_name(word->name) && operation_called(word->name).empty()) {
      const bool is_persistent = setting.name == "persistent";
      error(out.span, fmt::format("'{}' is {}, not {}", setting.name,
                                  is_persistent ? "true, false or dynamic" : "true or false", word->name));
      return;
    }
    out.value = constant_bool(constants_, *expr, fmt::format("'{}'", setting.name)).value_or(false);
  }

  // A word, or the text of a const; empty after an error.
  std::string word_of(const ExprPtr& expr) {
    if (const NameExpr* name = expr->as<NameExpr>()) {
      const auto found = context_.consts.find(name->name);
      if (found == context_.consts.end()) return name->name;
      const Text* text = found->second.as<Text>();
      return text ? text->value : "";
    }
    const StringExpr* text = expr->as<StringExpr>();
    return text ? text->value : "";
  }

  std::string choice(const Setting& setting, const std::vector<std::string>& choices) {
    const ExprPtr* expr = value_of(setting);
    if (!expr) return "";
    const std::string word = word_of(*expr);
    if (std::find(choices.begin(), choices.end(), word) != choices.end()) return word;
    Diagnostic& out = error((*expr)->span, fmt::format("'{}' is {}, not {}", setting.name, fmt::join(choices, " or "),
                                                       word.empty() ? to_string(**expr) : word));
    const std::string near = nearest(word, choices);
    if (!near.empty()) out.note(fmt::format("did you mean '{}'?", near));
    return "";
  }

  // The index of an axis in the grid; -1 after an error.
  int axis_named(const std::string& name, Span span, bool parallel, std::string_view what) {
    const Name* entry = context_.find(name);
    if (context_.clashes(name)) return -1;
    const std::vector<AxisSpec>& grid = context_.spec.grid;
    std::vector<std::string> axes;
    for (const AxisSpec& axis : grid) {
      if (!axis.sequential || !parallel) axes.push_back(axis.name);
    }
    if (!entry || entry->kind != NameKind::axis) {
      Diagnostic& out = error(span, fmt::format("'{}' in '{}' is no axis of the grid", name, what));
      const std::string near = nearest(name, axes);
      if (!near.empty())
        out.note(fmt::format("did you mean '{}'?", near));
      else if (!axes.empty())
        out.note(fmt::format("the parallel axes are {}", fmt::join(axes, ", ")));
      return -1;
    }
    if (parallel && grid[entry->id].sequential) {
      Diagnostic& out =
          error(span, fmt::format("'{}' in '{}' is a sequential axis, whose steps one program takes", name, what));
      if (!axes.empty()) out.note(fmt::format("the parallel axes are {}", fmt::join(axes, ", ")));
      return -1;
    }
    return entry->id;
  }

  void tile_order(const Setting& setting, TileOrder& out) {
    out.span = setting.span;
    if (setting.value) {
      if (const ListExpr* list = setting.value->as<ListExpr>()) {  // a list of names alone, as from `-D`
        Setting items = setting;
        for (const ExprPtr& item : list->items) {
          Setting& entry = items.entries.emplace_back();
          entry.name = fmt::format("{}", items.entries.size() - 1);
          entry.span = item->span;
          entry.value = item;
        }
        return listed_order(items, out);
      }
      const std::string word = choice(setting, {"row", "column"});
      out.kind = word == "column" ? TileOrderKind::column : TileOrderKind::row;
      return;
    }
    if (setting.is_list()) return listed_order(setting, out);
    out.kind = TileOrderKind::strips;
    std::tie(out.axis, out.width) = axis_and_width(setting);
  }

  // The axis and width of strips or groups; the axis is -1 after an error.
  std::pair<int, int64_t> axis_and_width(const Setting& setting) {
    std::pair<int, int64_t> out(-1, 1);
    for (const Setting& entry : setting.entries) {
      if (!entry.value) continue;
      if (entry.name == "axis") {
        out.first = axis_named(word_of(entry.value), entry.value->span, true, "tile_order");
      } else if (entry.name == "width") {
        IntegerSetting width;
        integer(entry, 1, INT32_MAX, false, width);
        out.second = width.value.value_or(1);
      }
    }
    return out;
  }

  void listed_order(const Setting& setting, TileOrder& out) {
    out.kind = TileOrderKind::listed;
    std::set<int> found;
    bool known = true;
    for (const Setting& entry : setting.entries) {
      TileOrderPart part;
      if (entry.value) {
        const UnaryExpr* minus = entry.value->as<UnaryExpr>();
        part.reversed = minus && minus->op == UnaryOp::negate;
        const ExprPtr& name = part.reversed ? minus->operand : entry.value;
        const std::string word = word_of(name);
        part.axis = axis_named(word.empty() ? to_string(*name) : word, entry.span, true, "tile_order");
      } else if (entry.is_list()) {
        error(entry.span, "a list in 'tile_order' has no meaning")
            .note("it lists axes, and groups as {axis: h, width: 4}");
      } else {
        std::tie(part.axis, part.width) = axis_and_width(entry);
      }
      known = known && part.axis >= 0;
      if (part.axis < 0) continue;
      const std::string& name = context_.spec.grid[static_cast<size_t>(part.axis)].name;
      if (part.width == 0 && !found.insert(part.axis).second)
        error(entry.span, fmt::format("'{}' stands twice in 'tile_order'", name))
            .note("each parallel axis stands there once");
      else if (part.width > 0 && found.count(part.axis) > 0)
        error(entry.span, fmt::format("groups along '{}' stand behind '{}' in 'tile_order'", name, name))
            .note("groups stand further out than what they hold");
      out.parts.push_back(part);
    }
    for (size_t axis = 0; axis < context_.spec.grid.size(); ++axis) {
      const AxisSpec& missing = context_.spec.grid[axis];
      if (!known || missing.sequential || found.count(static_cast<int>(axis)) > 0) continue;
      error(setting.span, fmt::format("'{}' is missing in 'tile_order'", missing.name))
          .note(fmt::format("each parallel axis stands there once: `[…, {}]` works", missing.name));
    }
  }

  void cluster(const Setting& setting, ScheduleSettings& out) {
    out.cluster_span = setting.span;
    int64_t ctas = 1;
    for (const Setting& entry : setting.entries) {
      const int axis = axis_named(entry.name, entry.span, true, "cluster");
      IntegerSetting size;
      integer(entry, 1, kMostCluster, false, size);
      if (axis < 0 || !size.value) continue;
      out.cluster.emplace_back(axis, *size.value);
      ctas *= *size.value;
    }
    if (ctas > kMostCluster) {
      error(setting.span, fmt::format("a cluster of {} CTAs: the most is {}", ctas, kMostCluster))
          .note("8 are portable, 16 where the device allows it");
    }
  }

  void split_k(const Setting& setting) {
    for (const Setting& entry : setting.entries) {
      IntegerSetting parts;
      if (entry.name == "parts") integer(entry, 1, INT32_MAX, true, parts);
      if (entry.name == "mode") choice(entry, {"serial", "atomic", "separate"});
    }
  }

  // Names of values that the body assigns or of refs that it accumulates into. Any name passes if the kernel has
  // declarations but no body, as for tile programs.
  std::vector<std::string> values(const Setting& setting) {
    std::vector<std::string> out;
    const ExprPtr* expr = value_of(setting);
    if (!expr) return out;
    std::vector<ExprPtr> entries{*expr};
    if (const ListExpr* list = (*expr)->as<ListExpr>()) entries = list->items;
    std::vector<std::string> known;
    collect_names(context_.kernel.body, known);
    for (const ExprPtr& entry : entries) {
      const std::string word = word_of(entry);
      const bool bodiless = context_.kernel.body.empty() && !word.empty();
      if (bodiless || std::find(known.begin(), known.end(), word) != known.end()) {
        out.push_back(word);
        continue;
      }
      if (context_.diagnostics.has_errors()) continue;  // the body may be incomplete after errors
      Diagnostic& diagnostic = error(
          entry->span, fmt::format("'{}' in '{}' is no value that the body assigns", to_string(*entry), setting.name));
      const std::string near = nearest(word, known);
      if (!near.empty()) diagnostic.note(fmt::format("did you mean '{}'?", near));
    }
    return out;
  }

  void collect_names(const KernelStmts& stmts, std::vector<std::string>& out) {
    for_each_statement(stmts, [&](const KernelStmt& stmt) {
      if (const auto* bind = std::get_if<BindStmt>(&stmt.node)) out.push_back(bind->name);
      if (const auto* store = std::get_if<StoreStmt>(&stmt.node)) out.push_back(context_.kernel.refs[store->ref].name);
    });
  }
};

}  // namespace

void check_settings(Context& context) {
  Settings settings(context);
  settings.pipeline();
  settings.schedule();
  settings.math();
  settings.checks();
}

}  // namespace pallasgen
