#include "lane_rounds.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "price.h"

namespace pallasgen {

namespace {

struct LaneRegister {
  int64_t element = 0;
  int lane = 0, reg = 0;
  auto operator<=>(const LaneRegister&) const = default;
};

// Who holds an element, of the threads [first, first + count).
class Holders {
 public:
  Holders(const HeldElements& held, int first, int count) {
    for (int lane = 0; lane < count && first + lane < held.threads(); ++lane) {
      for (int reg = 0; reg < held.registers(); ++reg) {
        if (const int64_t element = held.at(first + lane, reg); element >= 0) all_.push_back({element, lane, reg});
      }
    }
    std::sort(all_.begin(), all_.end());
  }
  using Range = std::pair<std::vector<LaneRegister>::const_iterator, std::vector<LaneRegister>::const_iterator>;
  Range of(int64_t element) const {
    return {std::lower_bound(all_.begin(), all_.end(), LaneRegister{element, 0, 0}),
            std::lower_bound(all_.begin(), all_.end(), LaneRegister{element + 1, 0, 0})};
  }

 private:
  std::vector<LaneRegister> all_;
};

// A word that some lanes take from one.
struct Message {
  int source = 0;
  std::vector<int> gives;
  std::vector<int> takers;
  std::vector<std::vector<int>> into;  // of each taker
};

// For each message the first round in which its source gives nothing and none of its takers takes anything. Where the
// messages come in the order of their masks, that is seldom one too many.
std::vector<int> rounds_of(const std::vector<Message>& messages) {
  std::array<std::set<int>, kLanes> giving, taking;  // the rounds in which a lane does
  std::vector<int> rounds;
  for (const Message& message : messages) {
    const auto busy = [&](int round) {
      return giving[message.source].contains(round) ||
             std::any_of(message.takers.begin(), message.takers.end(),
                         [&](int lane) { return taking[lane].contains(round); });
    };
    int round = 0;
    while (busy(round)) ++round;
    giving[message.source].insert(round);
    for (int lane : message.takers) taking[lane].insert(round);
    rounds.push_back(round);
  }
  return rounds;
}

// For each register of `to`, the register of the same thread that has its element: as few different ones as the threads
// have in common.
std::vector<std::vector<int>> own_registers(const HeldElements& from, const HeldElements& to, int count) {
  std::vector<std::vector<int>> own(count, std::vector<int>(to.registers(), -1));
  std::vector<Holders> of_thread;
  for (int thread = 0; thread < count; ++thread) of_thread.emplace_back(from, thread, 1);
  for (int reg = 0; reg < to.registers(); ++reg) {
    std::vector<int> open;
    for (int thread = 0; thread < std::min(count, to.threads()); ++thread) {
      const auto [first, last] = of_thread[thread].of(to.at(thread, reg));
      if (first != last) open.push_back(thread);
    }
    while (!open.empty()) {
      std::map<int, int> votes;
      for (int thread : open) {
        const auto [first, last] = of_thread[thread].of(to.at(thread, reg));
        for (auto holder = first; holder != last; ++holder) ++votes[holder->reg];
      }
      const auto fewer = [&](const auto& a, const auto& b) {
        return std::pair(a.second, a.first == reg) < std::pair(b.second, b.first == reg);
      };
      const int most = std::max_element(votes.begin(), votes.end(), fewer)->first;
      std::erase_if(open, [&](int thread) {
        if (from.at(thread, most) != to.at(thread, reg)) return false;
        own[thread][reg] = most;
        return true;
      });
    }
  }
  return own;
}

// The words that the lanes of a warp need of others; null where no lane of the warp has one.
std::optional<std::vector<Message>> messages_of(const HeldElements& from, const HeldElements& to, int first,
                                                const std::vector<std::vector<int>>& own, int64_t per_word) {
  const Holders holders(from, first, kLanes);
  std::map<std::pair<int, std::vector<int>>, Message> messages;
  for (int lane = 0; lane < kLanes && first + lane < to.threads(); ++lane) {
    std::map<int, std::vector<std::pair<int, int>>> wanted;  // by source: registers there and here
    for (int reg = 0; reg < to.registers(); ++reg) {
      const int64_t element = to.at(first + lane, reg);
      if (element < 0 || own[first + lane][reg] >= 0) continue;
      const auto [begin, end] = holders.of(element);
      if (begin == end) return std::nullopt;
      const LaneRegister& nearest = *std::min_element(
          begin, end, [&](const auto& a, const auto& b) { return (a.lane ^ lane) < (b.lane ^ lane); });
      wanted[nearest.lane].emplace_back(nearest.reg, reg);
    }
    for (auto& [source, registers] : wanted) {
      std::sort(registers.begin(), registers.end());
      for (size_t next = 0; next < registers.size();) {
        std::vector<int> gives, into;
        // A register that goes to several takes its place in the word once.
        for (std::set<int> word; next < registers.size(); ++next) {
          word.insert(registers[next].first);
          if (static_cast<int64_t>(word.size()) > per_word) break;
          gives.push_back(registers[next].first);
          into.push_back(registers[next].second);
        }
        Message& message = messages[{source, gives}];
        message.source = source;
        message.gives = gives;
        message.takers.push_back(lane);
        message.into.push_back(into);
      }
    }
  }
  std::vector<Message> all;
  for (auto& [key, message] : messages) all.push_back(std::move(message));
  const auto order = [](const Message& m) {
    return std::tuple(m.takers.size() == 1, m.source ^ m.takers[0], m.into[0], m.source);
  };
  std::sort(all.begin(), all.end(), [&](const Message& a, const Message& b) { return order(a) < order(b); });
  return all;
}

// The bits in which every lane that takes differs from the one it takes from; 0: there are no such.
int mask_of(const std::vector<LaneExchange>& lanes) {
  int mask = 0;
  for (int thread = 0; thread < static_cast<int>(lanes.size()); ++thread) {
    if (lanes[thread].takes < 0) continue;
    const int bits = thread % kLanes ^ lanes[thread].takes;
    if (bits == 0 || (mask != 0 && bits != mask)) return 0;
    mask = bits;
  }
  return mask;
}

// Where all others take what one lane gives, that lane takes it, too, so that none has to choose between the word and
// its own register.
void take_from_itself(LaneRound& round, std::vector<std::vector<int>>& own) {
  std::vector<int> into;
  for (const LaneExchange& lane : round.lanes) {
    if (lane.takes >= 0 && !into.empty() && lane.into != into) return;
    if (lane.takes >= 0) into = lane.into;
  }
  const auto holds = [&](int thread) {
    const std::vector<int>& gives = round.lanes[thread].gives;
    if (gives.size() != into.size()) return false;
    for (size_t i = 0; i < into.size(); ++i) {
      if (own[thread][into[i]] != gives[i]) return false;
    }
    return true;
  };
  const int count = static_cast<int>(round.lanes.size());
  for (int thread = 0; thread < count; ++thread) {
    if (round.lanes[thread].takes < 0 && !holds(thread)) return;
  }
  for (int thread = 0; thread < count; ++thread) {
    if (round.lanes[thread].takes >= 0) continue;
    round.lanes[thread].takes = thread % kLanes;
    round.lanes[thread].into = into;
    for (int reg : into) own[thread][reg] = -1;
  }
}

}  // namespace

std::optional<LaneMoves> lane_moves(const HeldElements& from, const HeldElements& to, int64_t element_bytes) {
  const int count = std::max(from.threads(), to.threads());
  const int64_t per_word = std::max<int64_t>(1, price::kWordBytes / element_bytes);
  LaneMoves moves;
  moves.own = own_registers(from, to, count);
  for (int first = 0; first < count; first += kLanes) {
    const auto messages = messages_of(from, to, first, moves.own, per_word);
    if (!messages) return std::nullopt;
    const std::vector<int> rounds = rounds_of(*messages);
    for (size_t i = 0; i < messages->size(); ++i) {
      const Message& message = (*messages)[i];
      while (static_cast<int>(moves.rounds.size()) <= rounds[i])
        moves.rounds.push_back({std::vector<LaneExchange>(count)});
      std::vector<LaneExchange>& lanes = moves.rounds[rounds[i]].lanes;
      lanes[first + message.source].gives = message.gives;
      for (size_t taker = 0; taker < message.takers.size(); ++taker) {
        lanes[first + message.takers[taker]].takes = message.source;
        lanes[first + message.takers[taker]].into = message.into[taker];
      }
    }
  }
  for (LaneRound& round : moves.rounds) {
    take_from_itself(round, moves.own);
    round.mask = mask_of(round.lanes);
  }
  return moves;
}

}  // namespace pallasgen
