#include "select/window_reads.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "questions/families.h"
#include "schedule/parts_of_names.h"
#include "tile/parts.h"
#include "tile/walk.h"

namespace pallasgen {

namespace window_reads {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Assign, tile::Block, tile::Box, tile::BoxDim, tile::For, tile::Program, tile::Read, tile::Role,
    tile::Statement, tile::ValueId;

// How often parts may read a block, by elements: threads find in a cache what one of them has read.
constexpr int64_t kMostReads = 4;

int64_t count(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

// The proper part that a node takes of a block that is a value, at a constant place; nothing if it takes none.
struct BlockPart {
  int block;
  IndexMap map;
};
std::optional<BlockPart> part_in(const Typed& node) {
  const Apply* slice = node.applies(Op::slice);
  const auto* block = slice ? slice->args[0]->as<LocalUse>() : nullptr;
  const std::optional<IndexMap> map = block ? index_map(node) : std::nullopt;
  const bool proper = map && tile::is_part(*map) && tile::shape_of_part(*map) != map->operand;
  return proper ? std::optional(BlockPart{block->id, *map}) : std::nullopt;
}

std::string key_of(const IndexMap& part) {
  std::string key;
  for (size_t d = 0; d < part.dims.size(); ++d) {
    const bool range = !part.dims[d].along.empty();
    key += to_string(part.dims[d].first, TypedText::exact) + (range ? ":" + std::to_string(part.taken(d)) : "") + ",";
  }
  return key;
}

class Windows {
 public:
  Windows(Program& program, const Target& target) : program_(program), target_(target) {}

  void run() {
    for (const Role& role : program_.roles) note_in(role.body, false);
    for (auto& [block, parts] : parts_) {
      if (!is_split(block)) continue;
      for (auto& [key, part] : parts) split_.insert(block), name(block, part);
    }
    find_read_at();
    for (const int block : split_) read_at_.erase(block);
    for (Role& role : program_.roles) split_in(role.body);
    std::set<int> made;
    for (int block : split_) {
      for (const auto& [key, part] : parts_.at(block)) made.insert(part.value.index);
    }
    for (const auto& [block, box] : read_at_) made.insert(block);
    for (Role& role : program_.roles) {
      use_in(role.body);
      if (!read_at_.empty()) read_at_uses(role.body);
      drop_unused(role.body, made, tile::touched(program_, role.body).reads);
    }
  }

 private:
  struct Part {
    IndexMap map;
    size_t order = 0;         // among the parts of the block, in the order of the body
    ValueId value = {};       // the first value that is this part and nothing else, if there is one
    std::string origin = {};  // the text of such a value in the spec
  };
  struct Name {
    const Assign* assign;
    std::string origin;
  };
  struct Known {
    std::vector<const Read*> reads;
    bool plain = true;    // the block is of an input that nothing writes, and parts of it may be read
    bool copied = false;  // copied ahead of the steps that use it
  };

  bool is_copied(const Ref& ref) const {
    const PipelineSettings& pipeline = program_.declarations->pipeline;
    const bool open = pipeline.warp_specialized.value && !pipeline.stages.value;
    return open || pipeline.stages.value.value_or(0) > 0 || pipeline.stages.automatic || ref.stages ||
           ref.automatic_stages;
  }

  void note_in(const Block& block, bool in_steps) {
    for (const Statement& statement : block) {
      note(statement, in_steps);
      const For* loop = statement.as<For>();
      const bool steps = in_steps || (loop && loop->variable.kind == SymbolKind::axis);
      for (const Block* inner : tile::blocks_of(statement)) note_in(*inner, steps);
    }
  }

  void note(const Statement& statement, bool in_steps) {
    if (const Read* read = statement.as<Read>()) {
      const Ref& ref = program_.ref(read->box.ref);
      const std::vector<Ref>& refs = program_.declarations->refs;
      const bool written =
          std::any_of(refs.begin(), refs.end(), [&](const Ref& other) { return other.alias_of == read->box.ref; });
      Known& known = blocks_[read->value.index];
      known.reads.push_back(read);
      known.plain = known.plain && ref.role == RefRole::input && !is_view(ref) && !is_packed(ref.dtype) && !written;
      known.copied = known.copied || (in_steps && is_copied(ref));
    } else if (const auto defined = tile::defined_by(statement)) {
      ++made_[defined->index];
    }
    std::set<int> used = tile::used_by(statement), in_parts, elsewhere;
    tile::for_each_expression(statement, [&](const TypedPtr& expr) {
      if (!expr) return;
      rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
        if (const auto part = part_in(*node)) {
          in_parts.insert(part->block);
          std::map<std::string, Part>& parts = parts_[part->block];
          parts.try_emplace(key_of(part->map), Part{part->map, parts.size(), {}, {}});
          return node;
        }
        if (const auto* use = node->as<LocalUse>()) elsewhere.insert(use->id);
        return nullptr;
      });
    });
    for (int value : used) {
      if (in_parts.count(value) == 0 || elsewhere.count(value) > 0) whole_.insert(value);
    }
    const Assign* assign = statement.as<Assign>();
    if (assign) note_name(*assign, statement.origin);
    if (assign && assign->expr) tile::find_by_elements(assign->expr, by_elements_);
    const tile::Dot* dot = statement.as<tile::Dot>();
    if (!assign && !dot) by_elements_.insert(used.begin(), used.end());
    if (!dot || tile::given_up(program_, tile::ChoiceKind::instructions, *dot)) return;
    const Apply& product = *dot->product->as<Apply>();
    if (!choose_family(target_, product, program_.value(dot->value).dtype, program_.declarations->approximate_math).row)
      return;
    for (const TypedPtr& operand : product.args) operands_.insert(operand->as<LocalUse>()->id);
  }

  // Notes a value that is a part of a block and nothing else.
  void note_name(const Assign& assign, const std::string& origin) {
    const auto part = assign.expr ? part_in(*assign.expr) : std::nullopt;
    if (part && part->map.added().empty()) names_[part->block].push_back({&assign, origin});
  }

  // True if instructions read the part: it has a name, and is an operand of a dot.
  bool is_operand(int block, const std::string& key) const {
    const auto named = names_.find(block);
    return named != names_.end() && std::any_of(named->second.begin(), named->second.end(), [&](const Name& name) {
             return operands_.count(name.assign->value.index) > 0 && key_of(part_in(*name.assign->expr)->map) == key;
           });
  }

  bool is_split(int block) const {
    const auto known = blocks_.find(block);
    if (known == blocks_.end() || !known->second.plain || made_.count(block) > 0 || by_elements_.count(block) > 0)
      return false;
    const bool checked = program_.declarations->checks_for("oob");
    bool operands = whole_.count(block) == 0;
    int64_t elements = 0;
    for (const auto& [key, part] : parts_.at(block)) {
      // Threads read rows of it: one column has elements in as many cache lines as the block.
      const int last = part.map.result_dim(part.map.dims.size() - 1);
      const bool rows = last >= 0 && last + 1 == static_cast<int>(part.map.result.size());
      const bool operand = is_operand(block, key);
      for (const Read* read : known->second.reads) {
        const bool meets = tile::overlaps_array(read->box, part.map) || !checked;
        if (!meets || !tile::has_part(read->box, part.map)) return false;
      }
      if (!rows && part.map.operand.back() != 1 && !operand) return false;
      operands = operands && operand;
      elements += count(tile::shape_of_part(part.map));
    }
    if (operands) return true;
    // Threads load parts of a block that is copied ahead from the copy.
    const int64_t whole = count(program_.value({block}).shape);
    return !known->second.copied && elements + (whole_.count(block) > 0 ? whole : 0) <= kMostReads * whole;
  }

  // The part keeps a name that the spec has for it alone.
  void name(int block, Part& part) {
    const std::string key = key_of(part.map);
    std::vector<const Assign*> same;
    for (const auto& [assign, origin] : names_[block]) {
      if (key_of(part_in(*assign->expr)->map) != key || !is_all_of(*assign)) continue;
      if (!part.value && !origin.empty()) part.value = assign->value, part.origin = origin;
      same.push_back(assign);
    }
    const tile::Value whole = program_.value({block});
    if (!part.value)
      part.value = tile::add_value(
          program_, {whole.name + tile::place_of_part(part.map), whole.dtype, tile::shape_of_part(part.map)});
    for (const Assign* assign : same) same_.emplace(assign->value.index, part.value);
  }

  // Replaces the read of a block by reads of its parts.
  void split_in(Block& block) {
    Block out;
    for (Statement& statement : block) {
      for (Block* inner : tile::blocks_of(statement)) split_in(*inner);
      const Read* read = statement.as<Read>();
      if (!read || split_.count(read->value.index) == 0) {
        out.push_back(std::move(statement));
        continue;
      }
      std::vector<Statement> reads(parts_.at(read->value.index).size());
      for (const auto& [key, part] : parts_.at(read->value.index)) {
        Box box = tile::part_of(read->box, part.map);
        reads[part.order] = {statement.span, part.origin, Read{part.value, std::move(box), read->path, read->of}};
      }
      std::move(reads.begin(), reads.end(), std::back_inserter(out));
      if (whole_.count(read->value.index) > 0) out.push_back(std::move(statement));
    }
    block = std::move(out);
  }

  void use_in(Block& block) {
    std::erase_if(block, [&](const Statement& statement) {
      const Assign* assign = statement.as<Assign>();
      return assign && same_.count(assign->value.index) > 0;
    });
    for (Statement& statement : block) {
      if (auto* write = statement.as<tile::Write>()) write->value = held(write->value);
      if (auto* put = statement.as<tile::Put>(); put && put->value) put->value = held(put->value);
      tile::change_own_expressions(statement, [&](TypedPtr& expr) {
        if (!expr) return;
        expr = rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
          if (const auto* use = node->as<LocalUse>()) {
            const ValueId value = held({use->id});
            return value.index == use->id ? nullptr : tile::use(program_, value, node->span);
          }
          const auto part = part_in(*node);
          if (!part || split_.count(part->block) == 0) return nullptr;
          const ValueId value = parts_.at(part->block).at(key_of(part->map)).value;
          return of_part(*node, part->map, tile::use(program_, value, node->span));
        });
      });
      for (Block* inner : tile::blocks_of(statement)) use_in(*inner);
    }
  }

  ValueId held(ValueId value) const {
    const auto same = same_.find(value.index);
    return same == same_.end() ? value : same->second;
  }

  // Drops reads of parts that no piece of a cut loop uses, and of blocks that are read in parts instead.
  static void drop_unused(Block& block, const std::set<int>& made, const std::set<int>& used) {
    std::erase_if(block, [&](const Statement& statement) {
      const Read* read = statement.as<Read>();
      return read && made.count(read->value.index) > 0 && used.count(read->value.index) == 0;
    });
    for (Statement& statement : block) {
      for (Block* inner : tile::blocks_of(statement)) drop_unused(*inner, made, used);
    }
  }

  // Reads a block that nothing copies ahead in parts, where statements use them, like slices of arrays.
  void read_at_uses(Block& block) {
    Block out;
    for (Statement& statement : block) {
      for (Block* inner : tile::blocks_of(statement)) read_at_uses(*inner);
      Assign* assign = statement.as<Assign>();
      if (assign && assign->expr) {
        const bool alone = is_read_where_used(*assign->expr) && is_all_of(*assign);
        if (alone) {
          statement.node = Read{assign->value, box_of_part(*assign->expr)};
        } else {
          assign->expr = rewrite(assign->expr, [&](const TypedPtr& node) -> TypedPtr {
            if (!is_read_where_used(*node)) return nullptr;
            const std::string name = program_.value({block_of(*node)}).name + tile::place_of_part(*index_map(*node));
            const ValueId part = tile::add_value(program_, {name, node->dtype, node->shape});
            out.push_back({statement.span, "", Read{part, box_of_part(*node)}});
            return tile::use(program_, part, node->span);
          });
        }
      }
      out.push_back(std::move(statement));
    }
    block = std::move(out);
  }

  // True if the value is always equal to its expression.
  bool is_all_of(const Assign& assign) const {
    const tile::Value& value = program_.value(assign.value);
    return made_.at(assign.value.index) == 1 && assign.expr->shape == value.shape && assign.expr->dtype == value.dtype;
  }

  Box box_of_part(const Typed& node) const { return tile::part_of(read_at_.at(block_of(node)), *index_map(node)); }

  bool is_read_where_used(const Typed& node) const {
    const Apply* slice = node.applies(Op::slice);
    const auto* block = slice ? slice->args[0]->as<LocalUse>() : nullptr;
    const std::optional<IndexMap> map = block ? index_map(node) : std::nullopt;
    return map && read_at_.count(block->id) > 0 && !node.shape.empty() && node.shape != map->operand &&
           tile::is_box(program_, *map);
  }
  static int block_of(const Typed& part) { return part.as<Apply>()->args[0]->as<LocalUse>()->id; }

  // Finds the blocks to read where their parts are used: each has one box.
  void find_read_at() {
    for (const auto& [block, known] : blocks_) {
      if (!known.plain || known.copied || known.reads.size() != 1 || made_.count(block) > 0 ||
          by_elements_.count(block) > 0 || program_.declarations->checks_for("oob"))
        continue;
      const Box& box = known.reads.front()->box;
      const auto parts = parts_.find(block);
      const bool past_the_end =
          parts != parts_.end() && std::any_of(parts->second.begin(), parts->second.end(), [&](const auto& part) {
            return is_operand(block, part.first) && !tile::overlaps_array(box, part.second.map);
          });
      if (!past_the_end && std::none_of(box.dims.begin(), box.dims.end(), [](const BoxDim& dim) { return dim.limit; }))
        read_at_.emplace(block, box);
    }
  }

  Program& program_;
  const Target& target_;
  std::map<int, Box> read_at_;                        // by block: its box, if parts are read where they are used
  std::map<int, std::map<std::string, Part>> parts_;  // by block
  std::map<int, Known> blocks_;                       // by block: its reads
  std::map<int, std::vector<Name>> names_;            // by block: values that are parts of it
  std::map<int, int> made_;                           // by value: how many statements compute it
  std::set<int> whole_;                               // values that statements take whole
  std::set<int> by_elements_;                         // values that statements by elements use
  std::set<int> operands_;                            // operands of dots by instructions
  std::set<int> split_;                               // blocks that are read by parts
  std::map<int, ValueId> same_;                       // by value that is a part: the value that holds it
};

// The most bytes of shared memory for blocks of which threads load parts.
constexpr int64_t kMostBytes = 48 << 10;

}  // namespace window_reads

std::set<int> blocks_of_parts(const tile::Program& program) {
  std::set<int> read, found, others;
  for (const tile::Role& role : program.roles) {
    tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto* box = statement.as<tile::Read>();
      const auto defined = tile::defined_by(statement);
      if (!box && defined) others.insert(defined->index);
      if (!box) return;
      const Ref& ref = program.ref(box->box.ref);
      const bool limited =
          std::any_of(box->box.dims.begin(), box->box.dims.end(), [](const tile::BoxDim& dim) { return dim.limit; });
      if (ref.role == RefRole::input && !is_view(ref) && !is_packed(ref.dtype) && !limited)
        read.insert(box->value.index);
    });
    tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto* assign = statement.as<tile::Assign>();
      if (!assign || !assign->expr || assign->expr->shape.empty()) {
        others.merge(tile::used_by(statement));
        return;
      }
      tile::find_by_elements(assign->expr, others);
      walk(assign->expr, [&](const Typed& node) {
        const Apply* slice = node.applies(Op::slice);
        const auto* block = slice ? slice->args[0]->as<LocalUse>() : nullptr;
        if (!block || read.count(block->id) == 0 || node.shape.empty() || node.shape == slice->args[0]->shape) return;
        if (const auto map = index_map(node); map && tile::has_rows_apart(program, *map)) found.insert(block->id);
      });
    });
  }
  std::erase_if(found, [&](int block) { return others.count(block) > 0; });
  int64_t bytes = 0;
  for (const int block : found)
    bytes += bytes_of(program.value({block}).dtype, window_reads::count(program.value({block}).shape));
  if (bytes > window_reads::kMostBytes) found.clear();
  return found;
}

void read_windows(tile::Program& program, const Target& target) {
  schedule::take_parts_of_names(program);
  window_reads::Windows(program, target).run();
}

}  // namespace pallasgen
