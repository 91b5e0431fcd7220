#include "schedule/chunks.h"

#include <algorithm>
#include <map>

#include "conditions.h"
#include "expression/index_map.h"
#include "expression/window.h"
#include "hoisted_reductions.h"
#include "last_values.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

// Replaces a window of columns of a value in `made` by the value itself, which is a chunk in the loop.
TypedPtr of_chunks(const TypedPtr& expr, const std::set<int>& made, const TypedPtr& first, int64_t size) {
  return rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
    const std::optional<IndexMap> map = index_map(*node);
    const auto* use = map ? node->as<Apply>()->args[0]->as<LocalUse>() : nullptr;
    if (!use || !made.count(use->id) || !map->takes_part(map->dims.size() - 1, first, size)) return nullptr;
    return of_part(*node, *map, make_typed(node->span, node->dtype, map->taken(), *use));
  });
}

// True if the expression uses the value, and only these columns of it. A vector along rows has no columns.
bool takes_chunks_alone(const TypedPtr& expr, int value, const TypedPtr& first, int64_t size) {
  const auto count = [&](const TypedPtr& in, bool chunks) {
    int uses = 0;
    walk(in, [&](const Typed& node) {
      const auto* use = node.as<LocalUse>();
      uses += use && use->id == value && (!chunks || node.shape.back() == size) ? 1 : 0;
      const Apply* slice = chunks ? node.applies(Op::slice) : nullptr;
      const auto* of = slice ? slice->args[0]->as<LocalUse>() : nullptr;
      const bool rows = of && std::holds_alternative<IndexNewAxis>(slice->attributes.items.back());
      uses -= rows && of->id == value && slice->args[0]->shape.back() == size ? 1 : 0;
    });
    return uses;
  };
  const int uses = count(expr, false);
  return uses > 0 && uses == count(of_chunks(expr, {value}, first, size), true);
}

void narrow(Shape& shape, int64_t columns) { shape.back() = columns; }
void narrow(BoxDim& dim, const TypedPtr& first, int64_t columns) {
  advance(dim, first);
  dim.size = columns;
  dim.size_text = nullptr;
}

class Cutter {
 public:
  Cutter(const Program& program, const std::function<int64_t(const Channel&)>& columns)
      : program_(program), columns_(columns), facts_(program.declarations->facts()) {}

  Program run() {
    for (const Role& role : program_.roles) {
      for_each_statement(role.body, [&](const Statement& statement) {
        if (const Put* put = statement.as<Put>()) ++puts_[put->entry.channel.index];
        for (int value : used_by(statement)) ++uses_[value];
        if (const auto value = defined_by(statement)) ++definitions_[value->index];
        if (const For* loop = statement.as<For>(); loop && loop->variable.kind == SymbolKind::loop)
          loops_ = std::max(loops_, loop->variable.id + 1);
      });
    }
    for (const Role& role : program_.roles) note_stores(role.body);
    for (Role& role : program_.roles) block(role.body);
    for (Role& role : program_.roles) take_whole_entries(role.body);
    find_carries(program_);
    return std::move(program_);
  }

 private:
  // A store: the put at `put`, and unless another role stores it, a get and a write after it.
  struct Store {
    size_t put;
    int64_t chunk, chunks;
  };
  // How many places put into a channel, such as the pieces of a loop, and the loop over its chunks.
  struct Cut {
    int64_t places = 0, chunk = 0, chunks = 0;
    std::optional<Symbol> column = {};
  };

  void note_stores(const Block& statements) {
    for (size_t i = 0; i < statements.size(); ++i) {
      for (const Block* inner : blocks_of(statements[i])) note_stores(*inner);
      const std::optional<Store> store = store_at(statements, i);
      if (!store) continue;
      Cut& cut = cuts_[statements[i].as<Put>()->entry.channel.index];
      ++cut.places;
      cut.chunk = store->chunk;
      cut.chunks = store->chunks;
    }
  }

  void block(Block& statements) {
    for (size_t i = 0; i < statements.size(); ++i) {
      for (Block* inner : blocks_of(statements[i])) block(*inner);
      const Put* put = statements[i].as<Put>();
      const auto known = put ? cuts_.find(put->entry.channel.index) : cuts_.end();
      if (known == cuts_.end() || known->second.places != puts_.at(known->first)) continue;
      Store store{i, known->second.chunk, known->second.chunks};
      reduce_first(statements, store);
      i = cut(statements, store);
    }
  }

  // True if another role stores what is put: all columns are one chunk then.
  bool is_between(const Put& put) const {
    const Channel& channel = program_.channel(put.entry.channel);
    return put.value && channel.from != channel.to;
  }

  std::optional<Store> store_at(const Block& statements, size_t i) const {
    const Put* put = statements[i].as<Put>();
    if (put && is_between(*put)) {
      const int64_t whole = program_.channel(put->entry.channel).members[0].shape.back();
      return Store{i, whole, 1};
    }
    if (i + 2 >= statements.size()) return std::nullopt;
    const Get* get = statements[i + 1].as<Get>();
    const Write* write = statements[i + 2].as<Write>();
    if (!put || !put->value || !get || !write || get->value != write->value) return std::nullopt;
    const Channel& channel = program_.channel(put->entry.channel);
    if (get->entry.channel != put->entry.channel || channel.members.size() != 1) return std::nullopt;
    if (write->path.kind != PathKind::tensor || !write->box.dims.back().size) return std::nullopt;
    if (bounds(write->box.dims.back().first, facts_).minimum.value_or(-1) < 0) return std::nullopt;
    // No other statement uses the value that is got.
    if (uses_.at(get->value.index) != puts_.at(put->entry.channel.index)) return std::nullopt;
    const int64_t whole = channel.members[0].shape.back(), chunk = columns_(channel);
    if (chunk <= 0 || chunk > whole || whole % chunk != 0) return std::nullopt;
    return Store{i, chunk, whole / chunk};
  }

  // Gives reductions of whole rows that the store needs values of their own, or each chunk would reduce them again.
  void reduce_first(Block& statements, Store& store) {
    const Shape whole = program_.value(statements[store.put].as<Put>()->value).shape;
    for (size_t at = store.put; at-- > 0;) {
      Assign* assign = statements[at].as<Assign>();
      if (!assign || !assign->expr || assign->expr->shape != whole) continue;
      const size_t added = hoist_reductions(program_, statements, at);
      if (added == 0) continue;
      store.put += added;
      const std::set<int> left = used_by(statements[at + added]);
      std::map<int, int> moved;
      for (size_t i = at; i < at + added; ++i) {
        const int made = defined_by(statements[i])->index;
        definitions_[made] = uses_[made] = 1;
        for (int value : used_by(statements[i])) ++moved[value];
      }
      for (const auto& [value, users] : moved) uses_[value] += users - (left.count(value) > 0 ? 0 : 1);
    }
  }

  // Replaces the store and what is computed for it alone by a loop; returns the index of the loop.
  size_t cut(Block& statements, const Store& store) {
    Cut& all = cuts_.at(statements[store.put].as<Put>()->entry.channel.index);
    const bool first_place = !all.column;
    if (first_place) all.column = Symbol{SymbolKind::loop, loops_++, free_name(program_, "j")};
    const Symbol column = *all.column;
    const TypedPtr turn = make_typed({}, DType::index, {}, column);
    const TypedPtr first = index_apply(Op::multiply, turn, index_constant(store.chunk));
    std::map<size_t, TypedPtr> inside;  // by index: the chunk that the statement computes; null: it reads one
    for (size_t j = store.put; j-- > 0;) {
      TypedPtr expr = chunk_of(statements, j, store, first, inside);
      if (expr || reads_chunks(statements, j, store, first, inside)) inside[j] = std::move(expr);
    }
    std::set<int> made;
    for (const auto& [at, expr] : inside) made.insert(defined_by(statements[at])->index);

    Block body;
    for (auto& [at, expr] : inside) {
      if (Assign* assign = statements[at].as<Assign>()) assign->expr = of_chunks(expr, made, first, store.chunk);
      if (Read* read = statements[at].as<Read>()) narrow(read->box.dims.back(), first, store.chunk);
      narrow(value(*defined_by(statements[at])).shape, store.chunk);
      body.push_back(std::move(statements[at]));
    }
    std::stable_partition(body.begin(), body.end(), [](const Statement& made) { return made.as<Read>() != nullptr; });
    Put& put = *statements[store.put].as<Put>();
    if (!made.count(put.value.index)) {
      const Value& whole = program_.value(put.value);
      Value part{program_.channel(put.entry.channel).members[0].name + "_part", whole.dtype, whole.shape, whole.home};
      const TypedPtr expr = window(use(program_, put.value), part.shape.size() - 1, first, store.chunk);
      narrow(part.shape, store.chunk);
      put.value = add_value(program_, std::move(part));
      body.push_back({statements[store.put].span, "", Assign{put.value, expr}});
    }
    if (is_between(put)) {
      put.entry.at.push_back(turn);
      const size_t channel = static_cast<size_t>(put.entry.channel.index);
      if (first_place) program_.channels[channel].moves.push_back(column.name);
      const auto from = statements.begin() + static_cast<std::ptrdiff_t>(store.put);
      body.push_back(std::move(*from));
      statements.erase(from);
      return replace(statements, store, inside, over(column, store, std::move(body)));
    }
    Get& get = *statements[store.put + 1].as<Get>();
    Channel& channel = program_.channels[static_cast<size_t>(put.entry.channel.index)];
    if (first_place) {
      channel.moves.push_back(column.name);
      narrow(channel.members[0].shape, store.chunk);
      narrow(value(get.value).shape, store.chunk);
    }
    put.entry.at.push_back(turn);
    get.entry.at.push_back(turn);
    BoxDim& columns = statements[store.put + 2].as<Write>()->box.dims.back();
    narrow(columns, first, store.chunk);
    const TypedPtr starts = columns.first;
    const TypedPtr array_columns = program_.ref(statements[store.put + 2].as<Write>()->box.ref).array_shape.back();
    const bool leaves = columns.may_leave;  // a chunk that lies wholly outside is skipped

    const auto from = statements.begin() + static_cast<std::ptrdiff_t>(store.put);
    body.insert(body.end(), std::make_move_iterator(from), std::make_move_iterator(from + 3));
    const Span span = body.back().span;
    if (leaves) body = {{span, "", If{index_apply(Op::less, starts, array_columns), {}, std::move(body), {}}}};
    statements.erase(from, from + 3);
    return replace(statements, store, inside, over(column, store, std::move(body)));
  }

  // The loop over the chunks of a store.
  static Statement over(const Symbol& column, const Store& store, Block body) {
    const Span span = body.back().span;
    return {span, "",
            For{column,
                index_constant(0),
                index_constant(store.chunks),
                index_constant(1),
                {},
                std::move(body),
                store.chunks}};
  }
  // Puts the loop in place of the store and removes the statements that it has taken; returns the index of the loop.
  static size_t replace(Block& statements, const Store& store, const std::map<size_t, TypedPtr>& inside,
                        Statement loop) {
    for (auto at = inside.rbegin(); at != inside.rend(); ++at)
      statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(at->first));
    const size_t place = store.put - inside.size();
    statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(place), std::move(loop));
    return place;
  }

  // The other role gets and stores an entry in a loop of one iteration, too.
  void take_whole_entries(Block& statements) {
    for (size_t i = 0; i < statements.size(); ++i) {
      for (Block* inner : blocks_of(statements[i])) take_whole_entries(*inner);
      Get* get = statements[i].as<Get>();
      const auto known = get ? cuts_.find(get->entry.channel.index) : cuts_.end();
      if (known == cuts_.end() || !known->second.column) continue;
      const Channel& channel = program_.channel(get->entry.channel);
      if (channel.from == channel.to) continue;
      get->entry.at.push_back(make_typed({}, DType::index, {}, *known->second.column));
      const auto from = statements.begin() + static_cast<std::ptrdiff_t>(i);
      Block body(std::make_move_iterator(from), std::make_move_iterator(from + 2));  // with its write
      statements.erase(from + 1);
      statements[i] = over(*known->second.column, {i, known->second.chunk, 1}, std::move(body));
    }
  }

  // The chunk that the statement computes; null if others need its value, too, or if the loop cannot compute it.
  TypedPtr chunk_of(const Block& statements, size_t at, const Store& store, const TypedPtr& first,
                    const std::map<size_t, TypedPtr>& inside) const {
    const Assign* assign = statements[at].as<Assign>();
    if (!assign || !assign->expr || !may_go_inside(statements, at, store, first, inside)) return nullptr;
    if (assign->expr->shape != program_.value(assign->value).shape || reduces(assign->expr)) return nullptr;
    return window(assign->expr, assign->expr->shape.size() - 1, first, store.chunk);
  }

  // True if the statement reads rows, or one, of which only the loop needs chunks, and can read them there because
  // earlier chunks have not stored to them.
  bool reads_chunks(const Block& statements, size_t at, const Store& store, const TypedPtr& first,
                    const std::map<size_t, TypedPtr>& inside) const {
    const Read* read = statements[at].as<Read>();
    if (!read || read->path.kind != PathKind::direct || read->box.dims.empty()) return false;
    const BoxDim& columns = read->box.dims.back();
    // With one chunk, a vector of this length may also be one along rows.
    if (store.chunks == 1 && program_.value(read->value).shape.size() == 1) return false;
    if (!columns.size || columns.limit || !may_go_inside(statements, at, store, first, inside)) return false;
    if (is_between(*statements[store.put].as<Put>())) return true;  // nothing reads what it stores to
    const Write& write = *statements[store.put + 2].as<Write>();
    const bool meets =
        meet(touched(program_, statements[store.put + 2]).stores, touched(program_, statements[at]).loads);
    return !meets || same_place(read->box, write.box);
  }

  bool may_go_inside(const Block& statements, size_t at, const Store& store, const TypedPtr& first,
                     const std::map<size_t, TypedPtr>& inside) const {
    const int made = defined_by(statements[at])->index;
    if (definitions_.at(made) != 1) return false;
    const Shape& shape = program_.value({made}).shape;
    if (shape.empty() || shape.back() != store.chunk * store.chunks) return false;
    int users = statements[store.put].as<Put>()->value.index == made ? 1 : 0;
    for (const auto& [place, expr] : inside) {
      if (expr && takes_chunks_alone(expr, made, first, store.chunk)) ++users;
    }
    const auto uses = uses_.find(made);
    if (uses == uses_.end() || users != uses->second) return false;
    const Touched own = touched(program_, statements[at]);
    if (own.ordered) return false;
    for (size_t i = at + 1; i < store.put; ++i) {
      if (inside.count(i)) continue;
      const Touched passed = touched(program_, statements[i]);
      if (meet(passed.defines, own.reads) || meet(passed.stores, own.loads)) return false;
    }
    return true;
  }

  Value& value(ValueId id) { return program_.values[static_cast<size_t>(id.index)]; }

  Program program_;
  const std::function<int64_t(const Channel&)>& columns_;
  const SymbolFacts facts_;
  std::map<int, int> puts_;                // by channel
  std::map<int, int> uses_, definitions_;  // by value: number of statements
  std::map<int, Cut> cuts_;                // by channel
  int loops_ = 0;
};

}  // namespace

tile::Program cut_stores(const tile::Program& program, const std::function<int64_t(const tile::Channel&)>& columns) {
  tile::Program named = program;
  const std::vector<LastValue> last = name_last_values(named);
  tile::Program out = Cutter(named, columns).run();
  restore_names(out, last);
  find_carries(out);
  return out;
}

}  // namespace pallasgen::schedule
