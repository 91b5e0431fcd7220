#include "matmul_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "memory.h"
#include "registers.h"

namespace pallasgen {

namespace {

constexpr int64_t kMemoryAlignment = 1024;  // the period of the widest swizzle

int64_t contiguous_bytes(const MatmulShape& shape, Major major, int64_t mn) {
  return (major == Major::k ? shape.bk : mn) * shape.element_bytes;
}

// Of 64 rows in each thread.
int64_t accumulator_registers(const MatmulShape& shape) { return shape.bn * shape.accumulator_bytes / 8; }

}  // namespace

int widest_swizzle(const Target& target, int64_t bytes, int limit) {
  for (int span : target.swizzles) {
    if (span <= limit && bytes % span == 0) return span;
  }
  return 0;
}

int64_t store_columns(const Target& target, int64_t bn, int64_t element_bytes, int limit) {
  const int span = widest_swizzle(target, bn * element_bytes, limit);
  return span > 0 ? span / element_bytes : 16 / element_bytes;
}

MatmulEpilogue matmul_epilogue(const MatmulShape& shape, const Target& target) {
  const int64_t available = registers_available(target, shape.consumers);
  std::optional<MatmulEpilogue> least;
  for (int span : {128, 64, 32, 16}) {
    // Outputs are walked in chunks of one width: what divides every store. Without stores all columns are one walk.
    int64_t columns = shape.store_bytes.empty() ? shape.bn : 0;
    for (int64_t bytes : shape.store_bytes) columns = std::gcd(columns, store_columns(target, shape.bn, bytes, span));
    for (int64_t chunk : {16, 8}) {
      if (columns % chunk != 0) continue;
      MatmulEpilogue epilogue{span, chunk, {}};
      // Only what is staged or loaded ahead makes chunks hold registers at the same time.
      const int64_t chunks = shape.store_bytes.empty() && shape.epilogue.vectors == 0 ? 1 : columns / chunk;
      epilogue.registers = consumer_registers(shape.rows_per_consumer(), shape.bn, chunk, chunks, shape.epilogue);
      epilogue.registers.accumulators = shape.rows_per_consumer() * accumulator_registers(shape) / 64;
      if (epilogue.registers.needed() <= available) return epilogue;
      if (!least || epilogue.registers.needed() < least->registers.needed()) least = epilogue;
    }
  }
  return *least;
}

MatmulMemory matmul_memory(const MatmulShape& shape, const Target& target, int64_t buffers) {
  MatmulMemory memory;
  memory.a = shape.bm * shape.bk * shape.element_bytes;
  memory.b = shape.bn * shape.bk * shape.element_bytes;
  memory.buffers = buffers;
  const int span = shape.store_bytes.empty() ? 128 : matmul_epilogue(shape, target).span;
  for (int64_t bytes : shape.store_bytes)
    memory.staging += buffers * shape.bm * store_columns(target, shape.bn, bytes, span) * bytes;
  memory.barriers = 2 * shape.stages * kBarrierBytes;
  const int64_t used = shape.stages * (memory.a + memory.b) + memory.staging + memory.barriers;
  memory.padding = (kMemoryAlignment - used % kMemoryAlignment) % kMemoryAlignment;
  memory.total = used + memory.padding;
  return memory;
}

int64_t staging_buffers(const MatmulShape& shape, const Target& target) {
  return matmul_memory(shape, target, 2).total <= target.shared_limit ? 2 : 1;
}

int64_t stages_that_fit(const MatmulShape& shape, const Target& target) {
  MatmulShape other = shape;
  for (other.stages = 64; other.stages > 0; --other.stages) {
    if (matmul_memory(other, target, 1).total <= target.shared_limit) break;
  }
  return other.stages;
}

std::optional<MatmulProblem> matmul_problem(const MatmulShape& shape, const Target& target) {
  if (shape.bk % (target.mma_k_bytes / shape.element_bytes) != 0) return MatmulProblem::depth;
  if (shape.bn % target.mma_n_step != 0 || shape.bn > target.mma_max_n) return MatmulProblem::columns;
  if (registers_available(target, shape.consumers) == 0) return MatmulProblem::pool;
  if (shape.bm % (target.mma_rows * shape.consumers) != 0) return MatmulProblem::rows;
  if (widest_swizzle(target, contiguous_bytes(shape, shape.major_a, shape.bm)) == 0) return MatmulProblem::swizzle_a;
  if (widest_swizzle(target, contiguous_bytes(shape, shape.major_b, shape.bn)) == 0) return MatmulProblem::swizzle_b;
  if (!mma_instruction_fits(shape.consumers, accumulator_registers(shape))) return MatmulProblem::instruction;
  if (matmul_epilogue(shape, target).registers.needed() > registers_available(target, shape.consumers))
    return MatmulProblem::registers;
  if (!shape.store_bytes.empty() && shape.rows_per_consumer() > target.max_box) return MatmulProblem::store_box;
  if (shape.stages < 1) return MatmulProblem::stages;
  if (matmul_memory(shape, target, 1).total > target.shared_limit) return MatmulProblem::memory;
  return std::nullopt;
}

namespace {

struct Candidate {
  MatmulShape shape;
  std::vector<std::string> changes;
  double distance = 0;
};

// Sorted by how few numbers change, then by how little.
class Search {
 public:
  Search(const MatmulShape& from, const MatmulNames& names, const Target& target)
      : from_(from), names_(names), target_(target) {}

  std::vector<std::string> run() {
    std::vector<std::string> singles;
    for (int which = 0; which < kNumbers; ++which) {
      std::optional<Candidate> best;
      each({which}, best);
      if (best) singles.push_back(listed(best->changes));
    }
    if (!singles.empty()) return unique(singles);
    for (int count = 2; count <= kNumbers; ++count) {
      std::optional<Candidate> best;
      for (unsigned set = 0; set < 1u << kNumbers; ++set) {
        if (__builtin_popcount(set) != count) continue;
        std::vector<int> which;
        for (int i = 0; i < kNumbers; ++i) {
          if (set >> i & 1) which.push_back(i);
        }
        each(which, best);
      }
      if (best) return {listed(best->changes)};
    }
    return {};
  }

 private:
  static constexpr int kNumbers = 5;

  static std::vector<std::string> unique(std::vector<std::string> texts) {
    std::vector<std::string> kept;
    for (std::string& text : texts) {
      if (std::find(kept.begin(), kept.end(), text) == kept.end()) kept.push_back(std::move(text));
    }
    return kept;
  }

  int64_t& at(MatmulShape& shape, int which) const {
    int64_t* const numbers[kNumbers] = {&shape.bm, &shape.bn, &shape.bk, &shape.consumers, &shape.stages};
    return *numbers[which];
  }

  const std::string& name(int which) const {
    static const std::string kWarpgroups = "compute_warpgroups", kStages = "stages";
    switch (which) {
      case 0:
        return names_.bm;
      case 1:
        return names_.bn;
      case 2:
        return names_.bk;
      case 3:
        return kWarpgroups;
      default:
        return kStages;
    }
  }

  static std::vector<int64_t> values(int which) {
    std::vector<int64_t> list;
    const int64_t step = which == 0 ? 64 : which == 1 ? 8 : which == 2 ? 16 : 1;
    const int64_t last = which < 3 ? 256 : which == 3 ? 3 : 8;
    for (int64_t value = step; value <= last; value += step) list.push_back(value);
    return list;
  }

  void each(const std::vector<int>& which, std::optional<Candidate>& best) {
    Candidate candidate{from_, {}, 0};
    vary(which, 0, candidate, best);
  }

  void vary(const std::vector<int>& which, size_t depth, Candidate& candidate, std::optional<Candidate>& best) {
    if (depth == which.size()) {
      if (!tied(candidate.shape) || matmul_problem(candidate.shape, target_)) return;
      if (!best || candidate.distance < best->distance) best = candidate;
      return;
    }
    MatmulShape from = from_;
    const int64_t before = at(from, which[depth]);
    for (int64_t value : values(which[depth])) {
      if (value == before) continue;
      Candidate next = candidate;
      at(next.shape, which[depth]) = value;
      // Other blocks named by the same const change with it.
      for (int other = 0; other < 3; ++other) {
        if (which[depth] < 3 && other != which[depth] && name(other) == name(which[depth]))
          at(next.shape, other) = value;
      }
      next.changes.push_back(fmt::format("{} {}", name(which[depth]), value));
      next.distance +=
          std::abs(std::log2(static_cast<double>(value) / static_cast<double>(std::max<int64_t>(before, 1))));
      vary(which, depth + 1, next, best);
    }
  }

  bool tied(const MatmulShape& shape) const {
    return (names_.bm != names_.bn || shape.bm == shape.bn) && (names_.bm != names_.bk || shape.bm == shape.bk) &&
           (names_.bn != names_.bk || shape.bn == shape.bk);
  }

  const MatmulShape from_;
  const MatmulNames& names_;
  const Target& target_;
};

}  // namespace

std::vector<std::string> nearest_that_work(const MatmulShape& shape, const MatmulNames& names, const Target& target) {
  return Search(shape, names, target).run();
}

}  // namespace pallasgen
