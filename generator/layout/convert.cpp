#include "layout/convert.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "diagnostics/assert.h"
#include "lane_rounds.h"
#include "layout/derive.h"
#include "parts.h"
#include "price.h"

namespace pallasgen {

namespace {

constexpr int64_t kTurnBytes = 128;

int64_t warps_of(int64_t threads) { return (threads + kLanes - 1) / kLanes; }

// Shuffles, selects where lanes differ in the registers that they give, take into or keep, and what packs elements of
// less than a word that do not lie in one.
MovePrice price_of(const LaneMoves& moves, int64_t registers, int64_t element_bytes) {
  const int64_t words = price::words_of(element_bytes), warps = warps_of(static_cast<int64_t>(moves.own.size()));
  const int64_t per_word = std::max<int64_t>(1, price::kWordBytes / element_bytes);
  std::vector<std::set<int>> origins(registers);  // of a register of the new layout: own ones, and rounds behind them
  int64_t others = 0;
  for (const std::vector<int>& own : moves.own) {
    for (int64_t reg = 0; reg < registers; ++reg) {
      if (own[reg] >= 0) origins[reg].insert(own[reg]);
    }
  }
  for (size_t round = 0; round < moves.rounds.size(); ++round) {
    std::set<std::vector<int>> given, into;
    for (const LaneExchange& lane : moves.rounds[round].lanes) {
      if (!lane.gives.empty()) given.insert(lane.gives);
      if (lane.takes < 0) continue;
      into.insert(lane.into);
      for (int reg : lane.into) origins[reg].insert(-1 - static_cast<int>(round));
    }
    others += std::max<int64_t>(0, static_cast<int64_t>(given.size()) - 1);
    const auto lies_in_words = [&](const std::vector<int>& word) {
      return word.front() % per_word == 0 && static_cast<int64_t>(word.size()) == per_word &&
             word.back() == word.front() + per_word - 1 && std::is_sorted(word.begin(), word.end());
    };
    const auto packed = [&](const std::set<std::vector<int>>& list) {
      return per_word == 1 || std::all_of(list.begin(), list.end(), lies_in_words);
    };
    others += (packed(given) ? 0 : 1) + (packed(into) ? 0 : 1);
    others += moves.rounds[round].mask == 0 ? 1 : 0;  // the lane that it takes from
  }
  // Registers that make one word of the new layout and have the same origins are selected together.
  for (int64_t reg = 0; reg < registers; ++reg) {
    const bool with_last = reg % per_word != 0 && origins[reg].size() == origins[reg - 1].size();
    if (!with_last && origins[reg].size() > 1) others += static_cast<int64_t>(origins[reg].size()) - 1;
  }
  const int64_t shuffles = static_cast<int64_t>(moves.rounds.size()) * words;
  MovePrice price;
  price.instructions = shuffles + others * words;
  price.cycles = price::issue(others * words, warps) + shuffles * warps + (shuffles > 0 ? price::kShuffleLatency : 0);
  return price;
}

// The lanes and warps whose index in every replicated part is 0.
void choose_storers(const ValueLayout& layout, MemoryTrip& trip) {
  const std::vector<TracedPart> parts = traced_parts(layout);
  const auto first = [&](int64_t index, Holder holder) {
    bool is_first = true;
    for (size_t i = parts.size(); i-- > 0;) {
      if (parts[i].holder != holder) continue;
      is_first = is_first && (parts[i].source >= 0 || index % parts[i].size == 0);
      index /= parts[i].size;
    }
    return is_first;
  };
  const auto count = [&](Holder holder) {
    int64_t product = 1;
    for (const TracedPart& part : parts) product *= part.holder == holder ? part.size : 1;
    return product;
  };
  for (int64_t lane = 0; lane < count(Holder::lane); ++lane)
    trip.lanes |= first(lane, Holder::lane) ? uint32_t{1} << lane : 0;
  const int64_t in_group = count(Holder::warp);
  for (int64_t warp = 0; warp < in_group * count(Holder::warpgroup); ++warp) {
    if (first(warp % in_group, Holder::warp) && first(warp / in_group, Holder::warpgroup))
      trip.warps.push_back(static_cast<int>(warp));
  }
}

// The smallest group of threads each of which loads only what its own group stored.
Meeting meeting_of(const HeldElements& from, const HeldElements& to, const MemoryTrip& trip) {
  std::vector<int> storer(from.elements(), -1);
  for (int warp : trip.warps) {
    for (int lane = 0; lane < kLanes && warp * kLanes + lane < from.threads(); ++lane) {
      if ((trip.lanes >> lane & 1) == 0) continue;
      for (int reg = 0; reg < from.registers(); ++reg) {
        const int64_t element = from.at(warp * kLanes + lane, reg);
        if (element >= 0) storer[element] = warp * kLanes + lane;
      }
    }
  }
  Meeting meeting = Meeting::warp;
  for (int thread = 0; thread < to.threads(); ++thread) {
    for (int reg = 0; reg < to.registers(); ++reg) {
      const int64_t element = to.at(thread, reg);
      if (element < 0) continue;
      PALLASGEN_ASSERT(storer[element] >= 0);
      if (storer[element] / kGroupThreads != thread / kGroupThreads) return Meeting::all;
      if (storer[element] / kLanes != thread / kLanes) meeting = Meeting::warpgroup;
    }
  }
  return meeting;
}

int64_t turns(const SharedAccess& access, int64_t warps) {
  return std::max(access.wavefronts, access.instructions * warps);
}

// The turns of accesses that are all as wide as the banks.
int64_t least_turns(const ValueLayout& layout, int64_t element_bytes) {
  return warps_of(threads(layout)) * kLanes * registers_per_thread(layout) * element_bytes / kTurnBytes;
}

SharedAccess best_access(const ValueLayout& layout, const SharedForm& form, int64_t element_bytes, bool matrices) {
  const int64_t warps = warps_of(threads(layout));
  SharedAccess best = vector_access(layout, form, element_bytes);
  if (!matrices) return best;
  const auto cost = [&](const SharedAccess& access) { return std::pair(turns(access, warps), access.instructions); };
  if (const auto access = matrix_access(layout, form, element_bytes); access && cost(*access) < cost(best))
    best = *access;
  return best;
}

// Those without padding first.
std::vector<SharedForm> forms_of(const std::vector<int64_t>& shape, int64_t element_bytes) {
  std::vector<SharedForm> forms = {row_major_form(shape, element_bytes, 0)};
  for (int minor = static_cast<int>(shape.size()) - 1; minor >= 0; --minor) {
    const int64_t row = shape[minor] * element_bytes,
                  all = std::accumulate(shape.begin(), shape.end(), element_bytes, std::multiplies<>());
    if (row == all) continue;
    for (int span : {128, 64, 32}) {
      if (row % span == 0) forms.push_back(swizzled_form(element_bytes, span, minor));
    }
    for (int64_t padding : {0, 4, 8, 16, 32}) {
      const SharedForm form{minor, 0, row + padding, 0};
      if (padding % element_bytes == 0 && form != forms[0]) forms.push_back(form);
    }
  }
  return forms;
}

Conversion through_memory(const ValueLayout& from, const ValueLayout& to, int64_t element_bytes, bool store_matrices) {
  const int64_t warps = warps_of(std::max(threads(from), threads(to)));
  const int64_t least = least_turns(from, element_bytes) + least_turns(to, element_bytes);
  Conversion conversion;
  conversion.path = MovePath::memory;
  std::tuple<int64_t, int64_t, int64_t> best;
  for (const SharedForm& form : forms_of(from.shape, element_bytes)) {
    MemoryTrip trip;
    trip.form = form;
    trip.bytes = bytes_of(form, from.shape, element_bytes);
    trip.store = best_access(from, form, element_bytes, store_matrices);
    trip.load = best_access(to, form, element_bytes, true);
    const std::tuple cost(turns(trip.store, warps) + turns(trip.load, warps), trip.bytes,
                          trip.store.instructions + trip.load.instructions);
    if (conversion.memory.bytes != 0 && cost >= best) continue;
    conversion.memory = trip;
    best = cost;
    if (std::get<0>(cost) <= least) break;
  }
  choose_storers(from, conversion.memory);
  conversion.memory.meeting = meeting_of(HeldElements(from), HeldElements(to), conversion.memory);
  conversion.price.instructions = conversion.memory.store.instructions + conversion.memory.load.instructions + 1;
  conversion.price.cycles = std::get<0>(best) + 2 * price::kSharedLatency + price::kSyncLatency;
  return conversion;
}

// One row where all threads can do the same; what a thread does not want it may have.
void merge_own(std::vector<std::vector<int>>& own) {
  std::vector<int> common(own.front().size(), -1);
  for (const std::vector<int>& of_thread : own) {
    for (size_t reg = 0; reg < common.size(); ++reg) {
      if (of_thread[reg] < 0) continue;
      if (common[reg] >= 0 && common[reg] != of_thread[reg]) return;
      common[reg] = of_thread[reg];
    }
  }
  own = {common};
}

// One warp's table where all warps do the same.
void merge_warps(LaneRound& round) {
  const auto begin = round.lanes.begin();
  for (auto warp = begin; warp != round.lanes.end(); warp += kLanes) {
    if (round.lanes.end() - warp < kLanes || !std::equal(begin, begin + kLanes, warp)) return;
  }
  round.lanes.resize(kLanes);
}

}  // namespace

Conversion convert_layout(const ValueLayout& from, const ValueLayout& to, int64_t element_bytes, bool store_matrices) {
  PALLASGEN_ASSERT(from.shape == to.shape && !is_partial(from) && !is_partial(to));
  const HeldElements before(from), after(to);
  Conversion within;
  bool is_within = false;
  if (auto moves = lane_moves(before, after, element_bytes)) {
    is_within = true;
    within.price = price_of(*moves, after.registers(), element_bytes);
    within.path = moves->rounds.empty() ? MovePath::registers : MovePath::lanes;
    within.own = std::move(moves->own);
    within.rounds = std::move(moves->rounds);
    merge_own(within.own);
    for (LaneRound& round : within.rounds) merge_warps(round);
    const std::vector<int>& first = within.own.front();
    bool stays = within.rounds.empty() && within.own.size() == 1 && before.registers() == after.registers();
    for (size_t reg = 0; reg < first.size(); ++reg)
      stays = stays && (first[reg] < 0 || first[reg] == static_cast<int>(reg));
    if (stays) within.path = MovePath::none;
    if (within.price.cycles == 0) return within;
  }
  Conversion memory = through_memory(from, to, element_bytes, store_matrices);
  return is_within && within.price.cycles <= memory.price.cycles ? within : memory;
}

}  // namespace pallasgen
