#include <algorithm>
#include <map>
#include <set>

#include "layout_parts.h"
#include "plan/layout.h"

namespace pallasgen {

namespace {

constexpr int kBanks = 32, kBankBytes = 4;

int64_t linear_of(const ValueLayout& layout, const std::vector<int64_t>& at) {
  int64_t linear = 0;
  for (size_t d = 0; d < at.size(); ++d) linear = linear * layout.shape[d] + at[d];
  return linear;
}

// Registers [reg, reg + vector) of the thread hold consecutive elements, or none at all.
bool is_run(const ValueLayout& layout, int thread, int reg, int64_t vector) {
  const auto first = element_of(layout, thread, reg);
  for (int64_t v = 1; v < vector; ++v) {
    const auto next = element_of(layout, thread, reg + static_cast<int>(v));
    if (first.has_value() != next.has_value()) return false;
    if (first && linear_of(layout, *next) != linear_of(layout, *first) + v) return false;
    // A run stays within one row.
    if (first && next->size() > 1 && !std::equal(first->begin(), first->end() - 1, next->begin())) return false;
  }
  return true;
}

int64_t swizzled(int64_t offset, int span) {
  const int64_t chunks = span / 16;
  return chunks == 0 ? offset : offset ^ (offset / 128 % chunks * 16);
}

}  // namespace

int64_t vector_width(const ValueLayout& layout) {
  const int64_t registers = registers_per_thread(layout);
  int64_t width = 1;
  for (int64_t wider = 2; registers % wider == 0; wider *= 2) {
    for (int thread = 0; thread < threads(layout); ++thread) {
      for (int reg = 0; reg < registers; reg += static_cast<int>(wider)) {
        if (!is_run(layout, thread, reg, wider)) return width;
      }
    }
    width = wider;
  }
  return width;
}

BankAccess bank_access(const ValueLayout& layout, int element_bytes, int64_t vector, int first_register,
                       int64_t row_bytes, int swizzle) {
  BankAccess worst;
  const int64_t bytes = std::max<int64_t>(kBankBytes, vector * element_bytes);
  const int lanes_at_once =
      static_cast<int>(kLanes * kBankBytes / bytes);  // 8- and 16-byte accesses go by half and quarter warps
  for (int warp = 0; warp < threads(layout) / kLanes; ++warp) {
    BankAccess access;
    for (int first = 0; first < kLanes; first += lanes_at_once) {
      std::map<int64_t, std::set<int64_t>> words;  // by bank
      for (int lane = first; lane < first + lanes_at_once; ++lane) {
        const auto at = element_of(layout, warp * kLanes + lane, first_register);
        if (!at) continue;
        int64_t row = 0;
        for (size_t d = 0; d + 1 < at->size(); ++d) row = row * layout.shape[d] + (*at)[d];
        const int64_t offset = row * row_bytes + at->back() * element_bytes;
        for (int64_t byte = 0; byte < vector * element_bytes; byte += kBankBytes) {
          const int64_t word = swizzled(offset + byte, swizzle) / kBankBytes;
          words[word % kBanks].insert(word);
        }
      }
      size_t most = words.empty() ? 0 : 1;
      for (const auto& [bank, set] : words) most = std::max(most, set.size());
      access.wavefronts += static_cast<int64_t>(most);
      access.ideal += words.empty() ? 0 : 1;
    }
    if (access.wavefronts > worst.wavefronts) worst = access;
  }
  return worst;
}

bool stmatrix_legal(const ValueLayout& layout, int element_bytes) {
  if (element_bytes != 2 || layout.shape.size() != 2 || layout.flat) return false;
  const int64_t registers = registers_per_thread(layout);
  if (registers % 2 != 0) return false;
  for (int warp = 0; warp < threads(layout) / kLanes; ++warp) {
    for (int reg = 0; reg < registers; reg += 2) {
      const auto origin = element_of(layout, warp * kLanes, reg);
      if (!origin || (*origin)[1] % 8 != 0) return false;
      for (int lane = 0; lane < kLanes; ++lane) {
        for (int half = 0; half < 2; ++half) {
          const auto at = element_of(layout, warp * kLanes + lane, reg + half);
          if (!at || (*at)[0] != (*origin)[0] + lane / 4 || (*at)[1] != (*origin)[1] + 2 * (lane % 4) + half)
            return false;
        }
      }
    }
  }
  return true;
}

}  // namespace pallasgen
