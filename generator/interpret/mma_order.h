#pragma once

#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "tile/program.h"

namespace pallasgen::interpreter {

// Matrix instructions of a role that run until it waits for them, and what they read and write meanwhile.
class MmaOrder {
 public:
  explicit MmaOrder(const tile::Program& program) : program_(program) {}

  // Throws Fault if a statement, not of the protocol, touches sums of running instructions or redefines their operands
  // in registers, or does so after they end but before a wait names these registers.
  void touch(const tile::Statement& statement) const;
  // Starts the instructions of a dot, which read their operands in registers, ...
  void start(const tile::Dot& dot);
  // ... and an entry in shared memory.
  void reads(tile::ChannelId channel, int64_t entry) { running_.back().shared.emplace_back(channel.index, entry); }
  // Returns the entries that the instructions which end by this wait have read.
  std::vector<std::pair<int, int64_t>> wait(const tile::WaitMma& wait);

  bool runs() const { return !running_.empty(); }
  bool is_read(tile::ChannelId channel, int64_t entry) const;

 private:
  struct Group {
    int sum = -1;
    std::set<int> operands;                       // in registers
    std::vector<std::pair<int, int64_t>> shared;  // entries, by channel
  };

  const tile::Program& program_;
  std::deque<Group> running_;  // oldest first
  std::map<int, bool> done_;   // registers of ended groups that no wait has named; true: sums
};

}  // namespace pallasgen::interpreter
