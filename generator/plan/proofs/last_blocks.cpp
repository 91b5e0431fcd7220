#include "proofs/last_blocks.h"

#include <algorithm>

#include "proofs/tensor_copies.h"

namespace pallasgen {

namespace {

class LastBlocks {
 public:
  explicit LastBlocks(const Kernel& kernel) : kernel_(kernel), facts_(kernel.facts()) {
    facts_.maximum = [this](const Symbol& symbol) { return maximum(symbol); };
  }

  void limit(const TypedPtr& first, int64_t size) {
    const std::optional<int64_t> most = bounds(first, facts_).maximum;
    if (!most || *most > INT32_MAX || *most <= INT32_MAX - (size - 1)) return;
    const std::set<int> dims = dims_of(first);
    if (dims.empty()) return;
    // The start of a block grows with the dims, so a binary search finds the limit.
    int64_t fits = 0, over = INT32_MAX;
    while (over - fits > 1) {
      const int64_t tried = fits + (over - fits) / 2;
      for (int dim : dims) tried_[dim] = tried;
      const std::optional<int64_t> last = bounds(first, facts_).maximum;
      (last && *last <= INT32_MAX - (size - 1) ? fits : over) = tried;
    }
    tried_.clear();
    for (int dim : dims) {
      const auto known = most_.try_emplace(dim, fits).first;
      known->second = std::min(known->second, fits);
    }
  }

  std::map<int, int64_t> found() const {
    std::map<int, int64_t> lower;
    for (const auto& [dim, most] : most_) {
      if (!kernel_.dims[static_cast<size_t>(dim)].max || *kernel_.dims[static_cast<size_t>(dim)].max > most)
        lower[dim] = most;
    }
    return lower;
  }

 private:
  const Kernel& kernel_;
  SymbolFacts facts_;
  std::map<int, int64_t> tried_, most_;

  std::optional<int64_t> maximum(const Symbol& symbol) const {
    switch (symbol.kind) {
      case SymbolKind::dim: {
        const auto tried = tried_.find(symbol.id);
        const int64_t most = kernel_.dims[static_cast<size_t>(symbol.id)].max.value_or(INT32_MAX);
        return std::min<int64_t>({most, INT32_MAX, tried == tried_.end() ? INT32_MAX : tried->second});
      }
      case SymbolKind::axis:
      case SymbolKind::axis_size: {
        const TypedPtr& size = kernel_.axes[static_cast<size_t>(symbol.id)].size;
        const std::optional<int64_t> most = size ? bounds(size, facts_).maximum : std::nullopt;
        if (!most) return std::nullopt;
        return symbol.kind == SymbolKind::axis ? std::max<int64_t>(*most - 1, 0) : *most;
      }
      case SymbolKind::let:
        return bounds(kernel_.lets[static_cast<size_t>(symbol.id)].value, facts_).maximum;
      default:
        return std::nullopt;
    }
  }

  std::set<int> dims_of(const TypedPtr& expr) const {
    std::set<int> dims;
    walk(expr, [&](const Typed& node) {
      const Symbol* symbol = node.as<Symbol>();
      if (!symbol) return;
      TypedPtr inner;
      if (symbol->kind == SymbolKind::dim) dims.insert(symbol->id);
      if (symbol->kind == SymbolKind::axis || symbol->kind == SymbolKind::axis_size)
        inner = kernel_.axes[static_cast<size_t>(symbol->id)].size;
      if (symbol->kind == SymbolKind::let) inner = kernel_.lets[static_cast<size_t>(symbol->id)].value;
      if (inner) dims.merge(dims_of(inner));
    });
    return dims;
  }
};

}  // namespace

std::map<int, int64_t> dims_of_last_blocks(const Draft& draft) {
  const Kernel& kernel = *draft.kernel;
  LastBlocks blocks(kernel);
  for (size_t ref = 0; ref < kernel.refs.size(); ++ref) {
    if (kernel.refs[ref].role == RefRole::scratch) continue;
    const std::vector<TypedPtr> first = block_coordinates(draft, static_cast<int>(ref));
    for (size_t d = 0; d < first.size(); ++d)
      blocks.limit(first[d], std::max<int64_t>(kernel.refs[ref].block[d].size, 1));
  }
  return blocks.found();
}

}  // namespace pallasgen
