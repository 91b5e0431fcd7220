#include "schedule/row_parts.h"

#include <algorithm>
#include <map>

#include "check/aliases.h"
#include "expression/index_map.h"
#include "expression/window.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

// The block of the tiles of a program's only role; null if the role has more statements.
const Block* tiles_of(const Program& program) {
  const Block& body = computing_role(program).body;
  if (has_several_roles(program) || body.size() != 1) return nullptr;
  const ForTiles* tiles = body.front().as<ForTiles>();
  return tiles ? &tiles->body : nullptr;
}

class RowParts {
 public:
  RowParts(const Program& program, const Block& block, int64_t rows, int64_t parts)
      : program_(program), block_(block), rows_(rows), size_(rows / parts), parts_(parts) {
    int loops = 0;
    for_each_statement(block, [&](const Statement& statement) {
      const For* loop = statement.as<For>();
      if (loop && loop->variable.kind == SymbolKind::loop) loops = std::max(loops, loop->variable.id + 1);
    });
    part_ = {SymbolKind::loop, loops, free_name(program, "part")};
    first_ = index_apply(Op::multiply, make_typed({}, DType::index, {}, part_), index_constant(size_));
  }

  std::optional<Program> run() {
    Block before, inside;
    for (size_t i = block_.size(); i-- > 0;) {
      Statement statement = block_[i];
      const auto made = defined_by(statement);
      if (Write* write = statement.as<Write>()) {
        if (write->path.kind != PathKind::direct) return std::nullopt;
        in_parts_.insert(write->value.index);
        if (!narrow(write->box)) return std::nullopt;
        inside.push_back(std::move(statement));
      } else if (made && in_parts_.count(made->index) > 0) {
        if (whole_.count(made->index) > 0 || !cut(statement)) return std::nullopt;
        inside.push_back(std::move(statement));
      } else if (made && (statement.as<Assign>() || statement.as<Read>())) {
        for (int used : used_by(statement)) whole_.insert(used);
        before.push_back(std::move(statement));
      } else {
        return std::nullopt;
      }
    }
    if (inside.empty() || !is_ordered(before, inside)) return std::nullopt;
    std::reverse(before.begin(), before.end());
    std::reverse(inside.begin(), inside.end());
    const Span span = inside.front().span;
    For loop{part_, index_constant(0), index_constant(parts_), index_constant(1), {}, std::move(inside), 1};
    before.push_back({span, "", std::move(loop)});
    Program out = program_;
    for (int value : in_parts_) out.values[static_cast<size_t>(value)].shape[0] = size_;
    computing_role(out).body.front().as<ForTiles>()->body = std::move(before);
    find_carries(out);
    return out;
  }

 private:
  // True if values are defined once and used by parts or whole, and writes meet no other place that is read.
  bool is_ordered(const Block& before, const Block& inside) const {
    std::map<int, int> definitions;
    for (const Block* block : {&before, &inside}) {
      for (const Statement& statement : *block) {
        if (const auto value = defined_by(statement)) ++definitions[value->index];
      }
    }
    const bool once =
        std::all_of(definitions.begin(), definitions.end(), [](const auto& entry) { return entry.second == 1; });
    const bool apart =
        std::none_of(whole_.begin(), whole_.end(), [&](int value) { return in_parts_.count(value) > 0; });
    const auto reads_elsewhere = [&](const Statement& read, const Box& written) {
      const Read* node = read.as<Read>();
      return node && same_buffer(*program_.declarations, node->box.ref, written.ref) && !same_place(node->box, written);
    };
    const auto meets = [&](const Statement& statement) {
      const Write* write = statement.as<Write>();
      return write && (std::any_of(inside.begin(), inside.end(),
                                   [&](const Statement& other) { return reads_elsewhere(other, write->box); }));
    };
    return once && apart && std::none_of(inside.begin(), inside.end(), meets);
  }

  bool narrow(Box& box) const {
    if (box.dims.empty()) return false;
    const auto rows =
        std::find_if(box.dims.begin(), box.dims.end(), [](const BoxDim& dim) { return dim.size.has_value(); });
    if (rows == box.dims.end() || rows->size != rows_) return false;
    advance(*rows, first_);
    rows->size = size_;
    rows->size_text = nullptr;
    return true;
  }

  // Makes the statement compute one part, and notes which values it takes by parts and which whole.
  bool cut(Statement& statement) {
    const Shape& shape = program_.value(*defined_by(statement)).shape;
    if (shape.empty() || shape[0] != rows_) return false;
    if (Read* read = statement.as<Read>()) return read->path.kind == PathKind::direct && narrow(read->box);
    Assign* assign = statement.as<Assign>();
    if (!assign || !assign->expr || assign->expr->shape != shape) return false;
    const TypedPtr part = window(assign->expr, 0, first_, size_);
    if (!part) return false;
    assign->expr = rewrite(part, [&](const TypedPtr& node) -> TypedPtr {
      const std::optional<IndexMap> map = index_map(*node);
      const auto* use = map ? node->as<Apply>()->args[0]->as<LocalUse>() : nullptr;
      if (!use || map->operand.empty() || map->operand[0] != rows_ || !map->takes_part(0, first_, size_))
        return nullptr;
      in_parts_.insert(use->id);
      return of_part(*node, *map, make_typed(node->span, node->dtype, map->taken(), *use));
    });
    walk(assign->expr, [&](const Typed& node) {
      const auto* use = node.as<LocalUse>();
      if (use && (node.shape.empty() || node.shape[0] != size_ || in_parts_.count(use->id) == 0))
        whole_.insert(use->id);
    });
    return true;
  }

  const Program& program_;
  const Block& block_;
  const int64_t rows_, size_, parts_;
  Symbol part_{};
  TypedPtr first_;
  std::set<int> in_parts_, whole_;  // values
};

}  // namespace

int64_t rows_written(const tile::Program& program) {
  const Block* block = tiles_of(program);
  std::set<int64_t> rows;
  for (const Statement& statement : block ? *block : Block{}) {
    const Write* write = statement.as<Write>();
    const Shape* shape = write ? &program.value(write->value).shape : nullptr;
    if (shape) rows.insert(!shape->empty() ? (*shape)[0] : 0);
  }
  return rows.size() == 1 ? *rows.begin() : 0;
}

std::optional<tile::Program> cut_rows(const tile::Program& program, int64_t parts) {
  const Block* block = tiles_of(program);
  const int64_t rows = rows_written(program);
  if (!block || rows == 0 || rows % parts != 0) return std::nullopt;
  return RowParts(program, *block, rows, parts).run();
}

}  // namespace pallasgen::schedule
