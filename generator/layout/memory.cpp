#include "layout/memory.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "diagnostics/assert.h"
#include "parts.h"

namespace pallasgen {

namespace {

constexpr int64_t kBanks = 32, kBankBytes = 4, kChunkBytes = 16, kSwizzledRow = 128;

int64_t rows_of(const SharedForm& form, const std::vector<int64_t>& shape) {
  int64_t rows = 1;
  for (size_t d = 0; d < shape.size(); ++d) rows *= static_cast<int>(d) == form.minor ? 1 : shape[d];
  return rows;
}

int64_t swizzled(int64_t offset, int span) {
  const int64_t chunks = span / kChunkBytes;
  return chunks == 0 ? offset : offset ^ (offset / kSwizzledRow % chunks * kChunkBytes);
}

// Where each register of each thread lies, -1: nowhere.
std::vector<int64_t> offsets_of(const HeldElements& held, const ValueLayout& layout, const SharedForm& form,
                                int64_t element_bytes) {
  std::vector<int64_t> of_element, at(layout.shape.size(), 0);
  for (int64_t linear = 0; linear < held.elements(); ++linear) {
    of_element.push_back(offset_of(form, layout.shape, element_bytes, at));
    for (size_t d = at.size(); d-- > 0;) {
      if (++at[d] < layout.shape[d]) break;
      at[d] = 0;
    }
  }
  std::vector<int64_t> offsets;
  for (int thread = 0; thread < held.threads(); ++thread) {
    for (int reg = 0; reg < held.registers(); ++reg) {
      const int64_t element = held.at(thread, reg);
      offsets.push_back(element < 0 ? -1 : of_element[element]);
    }
  }
  return offsets;
}

// The widest vector of registers whose places, given for all registers of all threads (-1: none), are `step` apart and
// aligned to the whole vector.
int64_t widest(const std::vector<int64_t>& places, int64_t registers, int64_t step, int64_t most) {
  const auto fits = [&](int64_t width) {
    for (size_t first = 0; first < places.size(); first += width) {
      if (places[first] >= 0 && places[first] % (width * step) != 0) return false;
      for (int64_t v = 1; v < width; ++v) {
        const int64_t want = places[first] < 0 ? -1 : places[first] + v * step;
        if (places[first + v] != want) return false;
      }
    }
    return true;
  };
  int64_t width = 1;
  while (width * 2 <= most && registers % (width * 2) == 0 && fits(width * 2)) width *= 2;
  return width;
}

void add(SharedAccess& access, const std::vector<int64_t>& offsets, int64_t bytes) {
  const BankAccess one = bank_access(offsets, bytes);
  access.wavefronts += one.wavefronts;
  access.ideal += one.ideal;
}

// The addresses of the eight rows of the matrix that the two or more registers from `reg` of a warp's lanes hold, as
// `at(lane, register)` says where they lie; null unless each row lies together.
template <class At>
std::optional<std::array<int64_t, 8>> matrix_rows(const At& at, int reg, int64_t element_bytes, bool transposed) {
  const int per_word = static_cast<int>(kBankBytes / element_bytes);
  std::array<int64_t, 8> rows = {};
  for (int row = 0; row < 8; ++row) {
    rows[row] = transposed ? at(row / 2, reg + row % 2) : at(4 * row, reg);
    if (rows[row] < 0 || rows[row] % kChunkBytes != 0) return std::nullopt;
    for (int i = 0; i < kChunkBytes / element_bytes; ++i) {
      const int64_t place =
          transposed ? at(4 * i + row / 2, reg + row % 2) : at(4 * row + i / per_word, reg + i % per_word);
      if (place != rows[row] + i * element_bytes) return std::nullopt;
    }
  }
  return rows;
}

std::optional<SharedAccess> matrices_access(const HeldElements& held, const std::vector<int64_t>& offsets,
                                            int64_t element_bytes, bool transposed) {
  const int64_t per_word = kBankBytes / element_bytes, words = held.registers() / per_word;
  SharedAccess access;
  access.path = transposed ? SharedPath::matrix_transposed : SharedPath::matrix;
  access.vector = per_word;
  access.matrices = words % 4 == 0 ? 4 : words % 2 == 0 ? 2 : 1;
  access.instructions = words / access.matrices;
  for (int64_t warp = 0; warp < held.threads() / kLanes; ++warp) {
    const auto at = [&](int lane, int64_t reg) { return offsets[(warp * kLanes + lane) * held.registers() + reg]; };
    for (int64_t first = 0; first < words; first += access.matrices) {
      std::vector<int64_t> addresses;
      for (int64_t word = first; word < first + access.matrices; ++word) {
        const auto rows = matrix_rows(at, static_cast<int>(word * per_word), element_bytes, transposed);
        if (!rows) return std::nullopt;
        addresses.insert(addresses.end(), rows->begin(), rows->end());
      }
      add(access, addresses, kChunkBytes);
    }
  }
  return access;
}

}  // namespace

int64_t vector_width(const ValueLayout& layout, const std::vector<MemoryDim>& memory, int64_t alignment) {
  PALLASGEN_ASSERT(memory.size() == layout.shape.size());
  // A dim with an inexact stride is put so far out that no run crosses it, and what it may be off limits alignment.
  int64_t beyond = 1;
  for (size_t d = 0; d < memory.size(); ++d) {
    if (memory[d].exact) beyond += memory[d].stride * layout.shape[d];
    if (!memory[d].exact) alignment = std::gcd(alignment, memory[d].stride);
  }
  beyond = (beyond / alignment + 2) * alignment;
  std::vector<int64_t> strides(memory.size());
  for (size_t d = memory.size(); d-- > 0;) {
    strides[d] = memory[d].exact ? memory[d].stride : beyond;
    if (!memory[d].exact) beyond *= layout.shape[d] + 1;
  }
  const HeldElements held(layout);
  std::vector<int64_t> places;
  for (int thread = 0; thread < held.threads(); ++thread) {
    for (int reg = 0; reg < held.registers(); ++reg) {
      const int64_t linear = held.at(thread, reg);
      const std::vector<int64_t> at = linear < 0 ? std::vector<int64_t>() : coordinates_of(layout.shape, linear);
      places.push_back(linear < 0 ? -1 : std::inner_product(at.begin(), at.end(), strides.begin(), int64_t{0}));
    }
  }
  return widest(places, held.registers(), 1, alignment);
}

int64_t vector_width(const ValueLayout& layout) {
  std::vector<MemoryDim> memory(layout.shape.size(), {layout.shape.empty() ? 1 : layout.shape.back(), false});
  if (!memory.empty()) memory.back() = {1, true};
  // A block of one row is bounded by its own length alone.
  const bool one_row = std::all_of(layout.shape.begin(), layout.shape.end() - (layout.shape.empty() ? 0 : 1),
                                   [](int64_t size) { return size == 1; });
  if (one_row) std::fill(memory.begin(), memory.end(), MemoryDim{});
  return vector_width(layout, memory, int64_t{1} << 20);
}

SharedForm row_major_form(const std::vector<int64_t>& shape, int64_t element_bytes, int64_t padding) {
  const int64_t columns = shape.empty() ? 1 : shape.back();
  return {std::max(static_cast<int>(shape.size()) - 1, 0), 0, columns * element_bytes + padding, 0};
}

SharedForm swizzled_form(int64_t element_bytes, int span, int minor) {
  return {minor, span / element_bytes, span, span};
}

int64_t bytes_of(const SharedForm& form, const std::vector<int64_t>& shape, int64_t element_bytes) {
  const int64_t columns = shape.empty() ? 1 : shape[form.minor];
  const int64_t slabs = form.slab == 0 ? 1 : (columns + form.slab - 1) / form.slab;
  PALLASGEN_ASSERT(form.pitch >= (form.slab == 0 ? columns : form.slab) * element_bytes);
  return slabs * rows_of(form, shape) * form.pitch;
}

int64_t offset_of(const SharedForm& form, const std::vector<int64_t>& shape, int64_t element_bytes,
                  const std::vector<int64_t>& coordinates) {
  int64_t row = 0, column = 0, slabs = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (static_cast<int>(d) == form.minor)
      column = coordinates[d];
    else
      row = row * shape[d] + coordinates[d];
  }
  if (form.slab != 0) {
    slabs = column / form.slab;
    column %= form.slab;
  }
  return swizzled((slabs * rows_of(form, shape) + row) * form.pitch + column * element_bytes, form.swizzle);
}

BankAccess bank_access(const std::vector<int64_t>& offsets, int64_t bytes) {
  // Accesses of 8 and 16 bytes go by halves and quarters of a warp.
  const size_t at_once = static_cast<size_t>(kBanks * kBankBytes / std::max(kBankBytes, bytes));
  BankAccess access;
  for (size_t first = 0; first < offsets.size(); first += at_once) {
    std::vector<int64_t> words;
    for (size_t lane = first; lane < std::min(first + at_once, offsets.size()); ++lane) {
      for (int64_t byte = 0; offsets[lane] >= 0 && byte < bytes; byte += kBankBytes)
        words.push_back((offsets[lane] + byte) / kBankBytes);
    }
    if (words.empty()) continue;
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    std::array<int64_t, kBanks> of_bank = {};
    for (int64_t word : words) ++of_bank[word % kBanks];
    access.wavefronts += *std::max_element(of_bank.begin(), of_bank.end());
    access.ideal += 1;
  }
  return access;
}

SharedAccess vector_access(const ValueLayout& layout, const SharedForm& form, int64_t element_bytes) {
  const HeldElements held(layout);
  const std::vector<int64_t> offsets = offsets_of(held, layout, form, element_bytes);
  SharedAccess access;
  access.vector = widest(offsets, held.registers(), element_bytes, std::max<int64_t>(1, kChunkBytes / element_bytes));
  access.instructions = held.registers() / access.vector;
  for (int first = 0; first < held.threads(); first += kLanes) {
    for (int reg = 0; reg < held.registers(); reg += static_cast<int>(access.vector)) {
      std::vector<int64_t> of_warp;
      for (int thread = first; thread < std::min(first + kLanes, held.threads()); ++thread)
        of_warp.push_back(offsets[static_cast<int64_t>(thread) * held.registers() + reg]);
      add(access, of_warp, access.vector * element_bytes);
    }
  }
  return access;
}

std::optional<SharedAccess> matrix_access(const ValueLayout& layout, const SharedForm& form, int64_t element_bytes) {
  const HeldElements held(layout);
  if (element_bytes > kBankBytes || held.threads() % kLanes != 0 ||
      held.registers() % (kBankBytes / element_bytes) != 0)
    return std::nullopt;
  const std::vector<int64_t> offsets = offsets_of(held, layout, form, element_bytes);
  auto access = matrices_access(held, offsets, element_bytes, false);
  if (!access && element_bytes == 2) access = matrices_access(held, offsets, element_bytes, true);
  return access;
}

}  // namespace pallasgen
