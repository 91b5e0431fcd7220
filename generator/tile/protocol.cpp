#include <fmt/format.h>

#include <algorithm>

#include "layout/layout.h"
#include "protocol_text.h"
#include "reader.h"
#include "tile/walk.h"

namespace pallasgen::tile {

namespace {

const char* text_of(Freed which) {
  return which == Freed::entry ? "" : which == Freed::previous ? " previous" : " last";
}

// A statement that has a channel alone: its word, and how it is made and recognised.
struct ChannelWord {
  std::string_view word;
  decltype(Statement::node) (*make)(ChannelId channel);
  const ChannelId* (*channel_of)(const Statement& statement);
};
template <class T>
constexpr ChannelWord row(std::string_view word) {
  return {word, [](ChannelId channel) -> decltype(Statement::node) { return T{channel}; },
          [](const Statement& statement) {
            const T* node = statement.as<T>();
            return node ? &node->channel : nullptr;
          }};
}
constexpr ChannelWord kChannelWords[] = {row<Advance>("advance"), row<WaitFree>("wait_free"),
                                         row<WaitFull>("wait_full"), row<Expect>("expect"), row<Fill>("fill")};

const ChannelWord* channel_word(std::string_view word) {
  const auto* found = std::find_if(std::begin(kChannelWords), std::end(kChannelWords),
                                   [&](const ChannelWord& each) { return each.word == word; });
  return found == std::end(kChannelWords) ? nullptr : found;
}

// The words for what a sync or a fence orders: " filled(a b) read(c)".
std::string text_of(const Program& program, const Orders& orders) {
  std::string text;
  for (const auto& [word, channels] : {std::pair("filled", &orders.filled), std::pair("read", &orders.read)}) {
    std::string names;
    for (ChannelId channel : *channels) names += (names.empty() ? "" : " ") + program.channel(channel).name;
    if (!names.empty()) text += fmt::format(" {}({})", word, names);
  }
  return text;
}

}  // namespace

std::string protocol_text(const Program& program, const Statement& statement) {
  const auto on = [&](std::string_view word, ChannelId channel) {
    return fmt::format("{} {}", word, program.channel(channel).name);
  };
  if (statement.as<Commit>()) return "commit";
  if (const auto* fence = statement.as<FenceProxy>()) return "fence_proxy" + text_of(program, fence->orders);
  if (const auto* sync = statement.as<Sync>()) {
    const char* of = sync->of == SyncOf::role ? "sync" : sync->of == SyncOf::warpgroup ? "sync warpgroup" : "sync warp";
    return of + text_of(program, sync->orders);
  }
  if (const auto* clear = statement.as<Clear>()) return "clear " + program.value(clear->value).name;
  for (const ChannelWord& each : kChannelWords) {
    if (const ChannelId* channel = each.channel_of(statement)) return on(each.word, *channel);
  }
  if (const auto* release = statement.as<Release>()) return on("release", release->channel) + text_of(release->which);
  if (const auto* wait = statement.as<WaitStores>())
    return fmt::format("wait_stores {} {}", wait->pending, program.channel(wait->channel).name);
  if (const auto* turn = statement.as<TakeTurn>()) return turn->last ? "take_turn last" : "take_turn";
  if (const auto* turn = statement.as<PassTurn>()) return turn->first ? "pass_turn first" : "pass_turn";
  std::string names;
  if (const auto* wait = statement.as<WaitCopies>()) {
    for (ChannelId channel : wait->channels) names += " " + program.channel(channel).name;
    return fmt::format("wait_copies {}{}", wait->pending, names);
  }
  if (const auto* wait = statement.as<WaitMma>()) {
    for (ValueId value : wait->values) names += " " + program.value(value).name;
    return fmt::format("wait_mma {}{}", wait->pending, names);
  }
  return {};
}

bool is_protocol(const Statement& statement) {
  return statement.as<Commit>() || statement.as<FenceProxy>() || statement.as<Sync>() || statement.as<Advance>() ||
         statement.as<WaitFree>() || statement.as<WaitFull>() || statement.as<Expect>() || statement.as<Fill>() ||
         statement.as<Release>() || statement.as<WaitStores>() || statement.as<WaitCopies>() ||
         statement.as<WaitMma>() || statement.as<TakeTurn>() || statement.as<PassTurn>() || statement.as<Clear>();
}

bool is_widened(DType from, DType to) {
  if (is_packed(from)) return to != DType::boolean && to != from;
  const bool bytes = from == DType::i8 || from == DType::u8 || from == DType::f8e4m3 || from == DType::f8e5m2;
  return bytes && (to == DType::bf16 || to == DType::f16);
}

std::optional<ValueId> loaded_by(const Program& program, const Assign& assign) {
  const Home home = program.value(assign.value).home;
  if (!assign.expr || home == Home::shared || home == Home::scalar) return std::nullopt;
  const Apply* cast = assign.expr->applies(Op::cast);
  const LocalUse* use = (cast ? cast->args[0] : assign.expr)->as<LocalUse>();
  if (!use || program.value({use->id}).home != Home::shared) return std::nullopt;
  const bool loads = !cast || is_widened(cast->args[0]->dtype, assign.expr->dtype);
  return loads ? std::optional(ValueId{use->id}) : std::nullopt;
}

bool takes_own_copies(const Program& program, const Role& role, const Statement& statement, int value, int64_t vector,
                      const Shape& shape) {
  const Assign* assign = statement.as<Assign>();
  const std::optional<ValueId> loaded = assign ? loaded_by(program, *assign) : std::nullopt;
  if (!loaded || loaded->index != value) return false;
  const Value& to = program.value(assign->value);
  return to.layout && *to.layout == strided_layout(role.threads(), vector, shape);
}

bool reports_bytes(const Put& put) {
  const bool whole = std::all_of(put.box.dims.begin(), put.box.dims.end(),
                                 [](const BoxDim& dim) { return !dim.may_leave && !dim.limit; });
  return put.path.kind == PathKind::tensor || (put.path.kind == PathKind::bulk && whole);
}

namespace {

// Removes the words for what a sync or a fence orders from the end of a line.
Orders take_orders(std::vector<Piece>& words, Phrases& phrases) {
  Orders out;
  for (const auto& [word, channels] : {std::pair("read(", &out.read), std::pair("filled(", &out.filled)}) {
    const Piece last = words.back();
    const size_t named = std::string_view(word).size();
    if (!last.starts(word) || !last.text.ends_with(")")) continue;
    words.pop_back();
    for (const Piece& name : split(last.part(named, last.text.size() - named - 1), " "))
      channels->push_back(phrases.channel_named(name));
  }
  return out;
}

}  // namespace

std::optional<Statement> Reader::protocol(const Line& line) {
  const Piece& text = line.text;
  Statement out{text.span, line.origin, {}};
  std::vector<Piece> words = split(text, " ");
  if (words.empty()) return std::nullopt;
  const std::string_view word = words[0].text;
  // A line of an expression may begin with any of these.
  const std::pair<std::string_view, decltype(out.node)> whole[] = {{"commit", Commit{}},
                                                                   {"take_turn", TakeTurn{}},
                                                                   {"take_turn last", TakeTurn{true}},
                                                                   {"pass_turn", PassTurn{}},
                                                                   {"pass_turn first", PassTurn{true}}};
  for (const auto& [line_text, node] : whole) {
    if (text.text != line_text) continue;
    out.node = node;
    return out;
  }
  if (word == "fence_proxy" || word == "sync") {
    const Orders ordered = take_orders(words, phrases_);
    const std::string_view of = words.size() > 1 ? words[1].text : "";
    if (word == "fence_proxy" && words.size() == 1)
      out.node = FenceProxy{ordered};
    else if (word == "sync" && words.size() < 3 && (of.empty() || of == "warpgroup" || of == "warp"))
      out.node = Sync{of.empty() ? SyncOf::role : of == "warp" ? SyncOf::warp : SyncOf::warpgroup, ordered};
    else
      return std::nullopt;
    return out;
  }
  if (words.size() == 1) return std::nullopt;
  if (words[1].text.starts_with("=") || words[1].text.starts_with("<-")) return std::nullopt;
  if (word == "wait_copies") {
    WaitCopies wait{phrases_.number(words[1]).value_or(0), {}};
    for (size_t i = 2; i < words.size(); ++i) wait.channels.push_back(phrases_.channel_named(words[i]));
    out.node = std::move(wait);
  } else if (word == "wait_mma") {
    WaitMma wait{phrases_.number(words[1]).value_or(0), {}};
    for (size_t i = 2; i < words.size(); ++i) {
      if (const auto id = phrases_.value_named(words[i])) wait.values.push_back(*id);
    }
    out.node = std::move(wait);
  } else if (word == "wait_stores" && words.size() == 3) {
    out.node = WaitStores{phrases_.channel_named(words[2]), phrases_.number(words[1]).value_or(0)};
  } else if (word == "clear" && words.size() == 2) {
    if (const auto id = phrases_.value_named(words[1])) out.node = Clear{*id};
  } else if (const ChannelWord* known = channel_word(word)) {
    out.node = known->make(phrases_.channel_named(words[1]));
  } else if (word == "release") {
    const std::string_view which = words.size() > 2 ? words[2].text : "";
    out.node = Release{phrases_.channel_named(words[1]), which == "previous" ? Freed::previous
                                                         : which == "last"   ? Freed::last
                                                                             : Freed::entry};
  } else {
    return std::nullopt;
  }
  return out;
}

}  // namespace pallasgen::tile
