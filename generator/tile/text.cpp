#include "tile/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "check/print_format.h"
#include "choices_text.h"
#include "declarations_text.h"
#include "expression/constant_text.h"
#include "expression/index_text.h"
#include "layout/names.h"
#include "protocol_text.h"
#include "tile/walk.h"

namespace pallasgen::tile {

namespace {

// The names of consts that are sizes of blocks, by size; empty if several consts have the size. Skips scratch.
std::map<int64_t, std::string> size_names(const Kernel& kernel) {
  std::map<int64_t, std::string> out;
  for (const Ref& ref : kernel.refs) {
    if (ref.role == RefRole::scratch) continue;
    for (const BlockDim& dim : ref.block) {
      const Constant* constant = dim.size_expr ? dim.size_expr->as<Constant>() : nullptr;
      if (!constant || !is_const(*constant)) continue;
      const auto [found, added] = out.try_emplace(dim.size, constant->name);
      if (!added && found->second != constant->name) found->second.clear();
    }
  }
  return out;
}

std::string attributes(const std::vector<std::string>& words) {
  return words.empty() ? "" : fmt::format(" {{{}}}", fmt::join(words, ", "));
}

std::string path_text(const Path& path) {
  switch (path.kind) {
    case PathKind::open:
      return "";
    case PathKind::tensor:
      return " {path tma}";
    case PathKind::bulk:
      return " {path bulk}";
    case PathKind::async:
      return fmt::format(" {{path cp_async, vector {}}}", path.vector);
    case PathKind::direct:
      return fmt::format(" {{path direct, vector {}}}", path.vector);
  }
  return "";
}

std::string operand(const std::string& text, bool transposed) { return transposed ? "(" + text + ").T" : text; }

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program), sizes_(size_names(*program.declarations)) {}

  std::string run() {
    for (const Channel& channel : program_.channels) out_ += channel_text(channel);
    for (const Role& role : program_.roles) {
      role_threads_ = role.threads();
      out_ += fmt::format("  role {}{}:\n", role.name, role_text(role));
      lines(role.body, 2);
    }
    const Kernel& kernel = *program_.declarations;
    return fmt::format("tile 1 {} {} after {}\n", kernel.name, program_.target, program_.pass) +
           declarations_text(program_, functions_) + fmt::format("kernel {}:\n", kernel.name) + choices_text(program_) +
           out_;
  }
  std::string run(const Block& block) {
    lines(block, 0);
    return std::move(out_);
  }
  std::vector<std::string> frame() {
    run();  // finds the functions that statements call
    std::vector<std::string> out;
    std::istringstream declared(declarations_text(program_, functions_));
    for (std::string line; std::getline(declared, line);) out.push_back(line);
    for (const Role& role : program_.roles) {
      out.push_back(fmt::format("role {}{}", role.name, role_text(role)));
      std::set<std::string> families;
      for_each_statement(role.body, [&](const Statement& statement) {
        if (const auto* tiles = statement.as<ForTiles>()) out.push_back("for tile in work" + work_text(*tiles));
        if (const auto* dot = statement.as<Dot>(); dot && families.insert(dot->family).second)
          out.push_back("family " + dot->family);
      });
    }
    return out;
  }

 private:
  void line(const std::string& text, const Statement& statement, int depth) {
    out_ += std::string(static_cast<size_t>(depth) * 2, ' ') + text;
    if (!statement.origin.empty() && text.back() != ':') out_ += "  # " + statement.origin;
    out_ += '\n';
  }

  std::string role_text(const Role& role) const {
    std::vector<std::string> words;
    if (role.duties.computes && !duties_by_channels(program_, role).computes) words.push_back("computes");
    if (role.warps > 0) words.push_back(fmt::format("warps {}", role.warps));
    if (role.ctas > 1) words.push_back(fmt::format("ctas {}", role.ctas));
    if (role.registers > 0) words.push_back(fmt::format("registers {}", role.registers));
    return attributes(words);
  }

  void lines(const Block& block, int depth) {
    for (const Statement& statement : block) print(statement, depth);
  }

  std::string text(const TypedPtr& expr) {
    note_functions(expr);
    return to_string(expr, TypedText::exact);
  }

  // Adds parentheses if a value has the name of a word that begins another statement.
  std::string assigned(const TypedPtr& expr) {
    const std::string plain = text(expr);
    const bool other =
        plain == "undef" || plain.starts_with("read ") || plain.starts_with("get ") || plain.starts_with("mma ");
    return other ? "(" + plain + ")" : plain;
  }

  // Adds functions in the order in which calls are met; callees come before their callers.
  void note_functions(const TypedPtr& expr) {
    walk(expr, [&](const Typed& node) {
      const auto* call = node.as<CallFunction>();
      if (!call || std::find(functions_.begin(), functions_.end(), call->function) != functions_.end()) return;
      note_functions(program_.declarations->functions[static_cast<size_t>(call->function)].body);  // null for externs
      functions_.push_back(call->function);
    });
  }

  std::string size(int64_t size) const {
    const auto found = sizes_.find(size);
    return found == sizes_.end() || found->second.empty() ? fmt::format("{}", size) : found->second;
  }

  std::string type(DType dtype, const Shape& shape) const {
    std::string dims;
    for (int64_t extent : shape) dims += (dims.empty() ? "" : ", ") + size(extent);
    return fmt::format("{}[{}]", name_of(dtype), dims);
  }

  std::string head(ValueId id) const {
    const Value& value = program_.value(id);
    constexpr std::string_view kHomes[] = {"", " in reg", " in smem", " in scalar"};  // in the order of Home
    const std::string_view home = value.inlined ? " inlined" : kHomes[static_cast<size_t>(value.home)];
    // An index is a number that all threads have; a scalar of another dtype is a value without dims.
    if (value.dtype == DType::index && value.shape.empty())
      return fmt::format("{}: index{} = ", value.name, value.home == Home::scalar ? home : "");
    const std::string parts = value.parts ? fmt::format("({})", operation(*value.parts).name) : "";
    const std::string layout =
        value.layout ? " @" + layout_text(*value.layout, role_threads_, bytes_of(value.dtype, 1)) + parts : "";
    return fmt::format("{}: {}{}{} = ", value.name, type(value.dtype, value.shape), layout, home);
  }

  std::string channel_text(const Channel& channel) const {
    std::string members;
    for (const Channel::Member& member : channel.members)
      members += fmt::format("{}{}: {}", members.empty() ? "" : ", ", member.name, type(member.dtype, member.shape));
    std::string moves = "tile";
    for (const std::string& loop : channel.moves) moves += " " + loop;
    std::string formed;
    if (channel.formed) formed = channel.slots ? fmt::format(", slots {}", *channel.slots) : ", slots auto";
    if (channel.delay > 0) formed += fmt::format(", delay {}", channel.delay);
    return fmt::format("  channel {}({}) {{moves {}, from {}, to {}{}}}\n", channel.name, members, moves, channel.from,
                       channel.to, formed);
  }

  std::string entry(const Entry& entry) {
    const Channel& channel = program_.channel(entry.channel);
    std::string at;
    for (const TypedPtr& coordinate : entry.at) at += (at.empty() ? "" : ", ") + text(coordinate);
    return fmt::format("{}[{}].{}", channel.name, at, channel.members[static_cast<size_t>(entry.member)].name);
  }

  std::string box(const Box& box) {
    std::string out;
    for (const BoxDim& dim : box.dims) {
      out += out.empty() ? "" : ", ";
      if (dim.each) out += "each " + text(dim.each) + " from ";
      out += text(dim.first);
      const bool named = dim.size_text && dim.size_text->as<Constant>();
      if (dim.size) out += " +: " + (named ? text(dim.size_text) : fmt::format("{}", *dim.size));
      if (dim.may_leave) out += '?';
      if (dim.limit) out += " :< " + text(dim.limit);
    }
    return fmt::format("{}[{}]", program_.ref(box.ref).name, out);
  }

  std::string work_text(const ForTiles& tiles) const {
    if (!tiles.work) return "";
    const TileOrder& order = tiles.work->order;
    const WorkKind kind = tiles.work->kind;
    std::vector<std::string> words = {kind == WorkKind::one_per_cta ? "one_per_cta"
                                      : kind == WorkKind::dynamic   ? "dynamic"
                                                                    : "static_persistent"};
    if (order.kind == TileOrderKind::column) words.push_back("column");
    if (order.kind == TileOrderKind::strips) {
      const std::vector<Axis>& axes = program_.declarations->axes;
      words.push_back(fmt::format("strips {} {}", axes[static_cast<size_t>(order.axis)].name, order.width));
    }
    if (order.kind == TileOrderKind::listed) {
      std::string parts = "order";
      for (const TileOrderPart& part : order.parts) {
        const std::string& name = program_.declarations->axes[static_cast<size_t>(part.axis)].name;
        parts += fmt::format(" {}{}", part.reversed ? "-" : "", name);
        if (part.width > 0) parts += fmt::format(":{}", part.width);
      }
      words.push_back(parts);
    }
    return attributes(words);
  }

  std::string carry(const std::vector<ValueId>& carried, std::vector<std::string> others = {}) const {
    if (!carried.empty()) {
      std::string names = "carry";
      for (ValueId id : carried) names += " " + program_.value(id).name;
      others.insert(others.begin(), std::move(names));
    }
    return attributes(others) + ":";
  }

  std::string dot_text(const Dot& dot) {
    const Apply& product = *dot.product->as<Apply>();
    std::vector<std::string> others;
    if (!product.attributes.precision.empty()) others.push_back("precision " + product.attributes.precision);
    if (!dot.family.empty()) others.push_back("family " + dot.family);
    if (dot.accumulate) others.push_back("accumulate " + text(dot.accumulate));
    if (dot.in_flight) others.push_back(fmt::format("in_flight {}", *dot.in_flight));
    if (const std::string numbers = numbers_text(program_, dot.product); !numbers.empty()) others.push_back(numbers);
    return fmt::format("{}{} {}, {}, {}{}", head(dot.value), dot.by->word, dot.start ? text(dot.start) : "0",
                       operand(text(dot_operand(product, 0)), product.attributes.trans_a),
                       operand(text(dot_operand(product, 1)), product.attributes.trans_b), attributes(others));
  }

  std::string read_path(const Read& read) {
    const std::string path = path_text(read.path);
    if (!read.of) return path;
    return (path.empty() ? " {" : path.substr(0, path.size() - 1) + ", ") +
           fmt::format("of {} = {}}}", read.of->loop.name, text(read.of->turn));
  }

  std::string put_text(const Put& put) {
    if (put.value) return fmt::format("put {} <- {}", entry(put.entry), program_.value(put.value).name);
    std::string path = path_text(put.path);
    if (put.ahead)
      path = (path.empty() ? " {" : path.substr(0, path.size() - 1) + ", ") + "ahead " + text(put.ahead) + "}";
    return fmt::format("put {} <- {}{}", entry(put.entry), box(put.box), path);
  }

  std::string target(int ref, const std::vector<IndexItem>& index, bool whole) {
    const std::string& name = program_.ref(ref).name;
    if (whole) return name + "[...]";
    return text(make_typed({}, DType::f32, {}, RefRead{ref, index, false, {}, {}, name}));
  }

  std::string list(int ref, const std::vector<IndexItem>& index, bool whole) {
    target(ref, index, whole);
    return whole ? "[...]" : index_list_text(index);
  }

  void print(const Statement& statement, int depth);
  void print_loop(const Statement& statement, const For& loop, int depth);
  std::string store_text(const StoreStmt& store);
  std::string atomic_text(const AtomicStmt& atomic);

  const Program& program_;
  std::map<int64_t, std::string> sizes_;
  std::vector<int> functions_;
  int64_t role_threads_ = 0;
  std::string out_;
};

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + '"';
}

std::string Printer::store_text(const StoreStmt& store) {
  if (!store.mask && store.order == MemoryOrder::weak) {
    const std::string op = store.op ? std::string(operation(*store.op).name) : "";
    return fmt::format("{} {}= {}", target(store.ref, store.index, store.whole), op, text(store.value));
  }
  const std::string index = list(store.ref, store.index, store.whole);
  std::string out = fmt::format("store({}, {}, {}", program_.ref(store.ref).name, index, text(store.value));
  if (store.mask) out += ", mask=" + text(store.mask);
  if (store.order != MemoryOrder::weak) out += fmt::format(", order={}", name_of(store.order));
  return out + ")";
}

std::string Printer::atomic_text(const AtomicStmt& atomic) {
  const std::string index = list(atomic.ref, atomic.index, atomic.whole);
  std::string out = atomic.old >= 0 ? head({atomic.old}) : "";
  out += fmt::format("{}({}, {}, ", name_of(atomic.op), program_.ref(atomic.ref).name, index);
  if (atomic.compare) out += text(atomic.compare) + ", ";
  out += text(atomic.value);
  if (atomic.mask) out += ", mask=" + text(atomic.mask);
  return out + fmt::format(", order={}, scope={})", name_of(atomic.order), name_of(atomic.scope));
}

void Printer::print_loop(const Statement& statement, const For& loop, int depth) {
  std::vector<std::string> others;
  if (constant_value(loop.step) != 1) others.push_back("step " + text(loop.step));
  if (loop.unroll) others.push_back(fmt::format("unroll {}", *loop.unroll));
  line(fmt::format("for {} in {} .. {}{}", loop.variable.name, text(loop.first), text(loop.last),
                   carry(loop.carry, std::move(others))),
       statement, depth);
  lines(loop.body, depth + 1);
}

void Printer::print(const Statement& statement, int depth) {
  if (const auto* assign = statement.as<Assign>()) {
    std::vector<std::string> others;
    if (const std::string numbers = numbers_text(program_, assign->expr); !numbers.empty()) others.push_back(numbers);
    line(head(assign->value) + (assign->expr ? assigned(assign->expr) : "undef") + attributes(others), statement,
         depth);
  } else if (const auto* read = statement.as<Read>()) {
    line(head(read->value) + "read " + box(read->box) + read_path(*read), statement, depth);
  } else if (const auto* dot = statement.as<Dot>()) {
    line(dot_text(*dot), statement, depth);
  } else if (const auto* write = statement.as<Write>()) {
    line(fmt::format("write {} <- {}{}", box(write->box), program_.value(write->value).name, path_text(write->path)),
         statement, depth);
  } else if (const auto* put = statement.as<Put>()) {
    line(put_text(*put), statement, depth);
  } else if (const auto* get = statement.as<Get>()) {
    const std::string rows = get->rows ? fmt::format(" {{rows {}}}", text(get->rows)) : "";
    line(fmt::format("{}get {}{}", head(get->value), entry(get->entry), rows), statement, depth);
  } else if (const std::string protocol = protocol_text(program_, statement); !protocol.empty()) {
    line(protocol, statement, depth);
  } else if (const auto* forget = statement.as<Forget>()) {
    line("forget " + program_.ref(forget->ref).name, statement, depth);
  } else if (const auto* prefetch = statement.as<Prefetch>()) {
    const std::string path = path_text(prefetch->path),
                      way = path.empty() ? " {" : path.substr(0, path.size() - 1) + ", ";
    line(fmt::format("prefetch {}{}ahead {}}}", box(prefetch->box), way, prefetch->ahead), statement, depth);
  } else if (const auto* fetch = statement.as<Fetch>()) {
    line("fetch " + box(fetch->box) + path_text(fetch->path), statement, depth);
  } else if (const auto* flush = statement.as<Flush>()) {
    line("flush " + box(flush->box) + path_text(flush->path), statement, depth);
  } else if (const auto* tiles = statement.as<ForTiles>()) {
    std::vector<std::string> axes;
    for (const Axis& axis : program_.declarations->axes) {
      if (!axis.sequential) axes.push_back(axis.name);
    }
    line(fmt::format("for tile in work({}){}:", fmt::join(axes, ", "), work_text(*tiles)), statement, depth);
    lines(tiles->body, depth + 1);
  } else if (const auto* loop = statement.as<For>()) {
    print_loop(statement, *loop, depth);
  } else if (const auto* loop = statement.as<While>()) {
    line(fmt::format("while {}{}", text(loop->condition), carry(loop->carry)), statement, depth);
    if (!loop->test.empty()) line("test:", {}, depth + 1);
    lines(loop->test, depth + 2);
    lines(loop->body, depth + 1);
  } else if (const auto* branch = statement.as<If>()) {
    line(fmt::format("if {}{}", text(branch->condition), carry(branch->carry)), statement, depth);
    lines(branch->then, depth + 1);
    if (branch->otherwise.empty()) return;
    line("else:", statement, depth);
    lines(branch->otherwise, depth + 1);
  } else if (const auto* store = statement.as<StoreStmt>()) {
    line(store_text(*store), statement, depth);
  } else if (const auto* atomic = statement.as<AtomicStmt>()) {
    line(atomic_text(*atomic), statement, depth);
  } else if (const auto* print_stmt = statement.as<PrintStmt>()) {
    std::string out = "print " + quoted(print_format(print_stmt->texts));
    for (const TypedPtr& arg : print_stmt->args) out += ", " + text(arg);
    line(out, statement, depth);
  } else if (const auto* assertion = statement.as<AssertStmt>()) {
    line(fmt::format("assert {}, {}", text(assertion->condition), quoted(assertion->message)), statement, depth);
  } else {
    line("grid_sync()", statement, depth);
  }
}

}  // namespace

std::vector<std::string> frame_of(const Program& program) { return Printer(program).frame(); }

std::string to_text(const Program& program) { return Printer(program).run(); }

std::string to_text(const Program& program, const Block& block) { return Printer(program).run(block); }

}  // namespace pallasgen::tile
