#include "schedule/channels.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "conditions.h"
#include "own_channels.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

// A member that is this many times smaller than another may join its channel if it is used inside the other's time:
// nothing waits longer for it, and it needs no barrier of its own.
constexpr int64_t kSmall = 16;

int64_t bytes_of(const Channel& channel) {
  int64_t bits = 0;
  for (const Channel::Member& member : channel.members) {
    bits += std::accumulate(member.shape.begin(), member.shape.end(), int64_t{info(member.dtype).bits},
                            std::multiplies<>());
  }
  return bits / 8;
}

// The moments (moments_of) of the block that gets an entry at which its values are first and last used. A wait for one
// entry holds up nothing if the others are first used at the same moment.
struct Use {
  const Block* block = nullptr;
  int64_t first = 0, last = 0;
  auto operator<=>(const Use&) const = default;
};

// What is known of a channel before channels are merged.
struct ChannelFacts {
  std::vector<Use> uses;           // one for each get
  std::vector<int> runs;           // the numbers of the runs of puts that it is in
  std::string at;                  // the coordinates of its first put
  PathKind path = PathKind::open;  // open: from values
  bool tells = false;              // its copies report how many bytes they bring
  std::optional<int64_t> slots;
  int64_t delay = 0;
};

class ChannelBuilder {
 public:
  explicit ChannelBuilder(const Program& program) : program_(program) {}

  Program run() {
    add_own_channels(program_);
    facts_.resize(program_.channels.size());
    for (const Role& role : program_.roles) {
      note_puts(role.body);
      note_gets(role.body);
    }
    for (size_t i = 0; i < facts_.size(); ++i) choose(program_.channels[i], facts_[i]);
    merge();
    find_carries(program_);
    return std::move(program_);
  }

 private:
  ChannelFacts& facts_of(const Entry& entry) { return facts_[static_cast<size_t>(entry.channel.index)]; }

  // Numbers runs of puts: only puts, gets and index values are in one, and the gets can all follow its last put.
  void note_puts(const Block& block) {
    bool open = false;
    std::set<int> got, filled;  // in this run: values, channels
    for (const Statement& statement : block) {
      const Put* put = statement.as<Put>();
      const Get* get = statement.as<Get>();
      const Assign* assign = statement.as<Assign>();
      open = open && (put || get || (assign && program_.value(assign->value).dtype == DType::index)) &&
             !meet(used_by(statement), got);
      if (put) {
        const int channel = put->entry.channel.index;
        if (!open || filled.count(channel)) {
          ++runs_;
          got.clear();
          filled.clear();
        }
        open = true;
        filled.insert(channel);
        ChannelFacts& of = facts_of(put->entry);
        of.runs.push_back(runs_);
        of.path = put->value ? PathKind::open : put->path.kind;
        of.tells = !put->value && reports_bytes(*put);
        if (of.at.empty()) of.at = coordinates(put->entry);
        if (!put->value) note_ref(program_.ref(put->box.ref), program_.channel(put->entry.channel), of);
      }
      if (get) got.insert(get->value.index);
      for (const Block* inner : blocks_of(statement)) note_puts(*inner);
    }
  }
  std::string coordinates(const Entry& entry) const {
    std::string out;
    for (const TypedPtr& at : entry.at) out += to_string(at, TypedText::exact) + ",";
    return out;
  }
  // Sets the slots and the delay that the spec asks for, of the operand or of all; one slot if no step moves the entry.
  // Slots that nothing asks for stay open.
  void note_ref(const Ref& ref, const Channel& channel, ChannelFacts& of) {
    const PipelineSettings& pipeline = program_.declarations->pipeline;
    of.delay = ref.delay_release.value_or(pipeline.delay_release.value.value_or(0));
    const auto moves = [](const Channel& other) { return !other.moves.empty(); };
    const bool stays = channel.moves.empty() && std::any_of(program_.channels.begin(), program_.channels.end(), moves);
    if (stays || (channel.from == channel.to && !moves_on_axis(channel))) {
      of.slots = 1;  // the same for all steps of a program, or copied when it is used
      of.delay = 0;
    } else if (ref.stages) {
      of.slots = std::max<int64_t>(1, *ref.stages);
    } else if (!ref.automatic_stages && pipeline.stages.value) {
      of.slots = std::max<int64_t>(1, *pipeline.stages.value);
    }
  }

  // True if the iterations of its innermost loop are steps, which copies may run ahead of.
  bool moves_on_axis(const Channel& channel) const {
    const std::vector<Axis>& axes = program_.declarations->axes;
    return !channel.moves.empty() &&
           std::any_of(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.name == channel.moves.back(); });
  }

  void note_gets(const Block& block) {
    const std::vector<int64_t> moments = moments_of(block);
    for (size_t i = 0; i < block.size(); ++i) {
      if (const Get* get = block[i].as<Get>())
        facts_of(get->entry).uses.push_back(use_of(block, i, get->value.index, moments));
      for (const Block* inner : blocks_of(block[i])) note_gets(*inner);
    }
  }
  // The moment of each statement: later after each instruction, and after waits for results of instructions.
  std::vector<int64_t> moments_of(const Block& block) const {
    std::vector<int64_t> moments;
    int64_t moment = 0;
    std::set<int> running;  // results of instructions that nothing has waited for
    for (size_t i = 0; i < block.size(); ++i) {
      const Touched at = touched(program_, block[i]);
      if (!is_instruction(block[i]) && (meet(at.reads, running) || meet(at.defines, running))) {
        ++moment;
        std::erase_if(running, [&](int value) { return at.reads.count(value) > 0 || at.defines.count(value) > 0; });
      }
      moments.push_back(moment);
      if (is_instruction(block[i])) running.insert(block[i].as<Dot>()->value.index);
      if (!is_awaited_with_next(block, i)) moment += instructions_in(block[i]);
    }
    return moments;
  }
  static int64_t instructions_in(const Statement& statement) {
    int64_t count = is_instruction(statement) ? 1 : 0;
    for (const Block* inner : blocks_of(statement)) {
      for (const Statement& each : *inner) count += instructions_in(each);
    }
    return count;
  }
  static bool is_instruction(const Statement& statement) { return dot_if(statement, &Product::runs_on) != nullptr; }
  // Consecutive dots that all run on while the next step begins are waited for together.
  static bool is_awaited_with_next(const Block& block, size_t i) {
    const auto runs_on = [](const Statement& statement) {
      return is_instruction(statement) && statement.as<Dot>()->in_flight.value_or(0) > 0;
    };
    size_t next = i + 1;
    while (next < block.size() && block[next].as<Get>()) ++next;
    return runs_on(block[i]) && next < block.size() && runs_on(block[next]);
  }
  Use use_of(const Block& block, size_t get, int value, const std::vector<int64_t>& moments) const {
    Use use{&block, -1, 0};
    for (size_t i = get + 1; i < block.size(); ++i) {
      const Touched at = touched(program_, block[i]);
      if (at.reads.count(value)) {
        if (use.first < 0) use.first = moments[i];
        // In a loop or a branch, the value is used until its end.
        use.last = moments[i] + (is_instruction(block[i]) ? 0 : instructions_in(block[i]));
      }
      if (at.defines.count(value)) break;
    }
    use.first = std::max<int64_t>(use.first, 0);
    return use;
  }

  void choose(Channel& channel, const ChannelFacts& of) {
    channel.formed = true;
    channel.slots = of.slots;
    // The next value that threads put would overwrite what instructions of other warpgroups still read.
    if (of.path == PathKind::open) limit_in_flight(channel, 0);
    // Threads that fill the channel themselves need a slot to copy ahead into, besides those that instructions read.
    const int64_t ahead = channel.from == channel.to ? 1 : 0;
    if (of.slots) limit_in_flight(channel, std::max<int64_t>(0, *of.slots - 1 - ahead));
    channel.delay = std::max(of.delay, in_flight(channel));
    if (of.path == PathKind::open) return;
    if (!channel.moves.empty()) program_.honoured.insert("pipeline.stages");
    program_.honoured.insert("pipeline.delay_release");
  }
  std::set<int> values_of(const Role& role, const Channel& channel) const {
    std::set<int> values;
    for_each_statement(role.body, [&](const Statement& statement) {
      const Get* get = statement.as<Get>();
      if (get && &program_.channel(get->entry.channel) == &channel) values.insert(get->value.index);
    });
    return values;
  }
  // Lets instructions run on only while slots can keep their entries besides the next one.
  void limit_in_flight(const Channel& channel, int64_t most) {
    const auto limit = [&](const auto& self, Block& block, const std::set<int>& values) -> void {
      for (Statement& statement : block) {
        for (Block* inner : blocks_of(statement)) self(self, *inner, values);
        Dot* dot = statement.as<Dot>();
        if (dot && dot->in_flight > most && meet(used_by(statement), values)) dot->in_flight = most;
      }
    };
    for (Role& role : program_.roles) limit(limit, role.body, values_of(role, channel));
  }
  // The most steps for which instructions that read the channel's values run on.
  int64_t in_flight(const Channel& channel) const {
    int64_t most = 0;
    for (const Role& role : program_.roles) {
      const std::set<int> values = values_of(role, channel);
      for_each_statement(role.body, [&](const Statement& statement) {
        const Dot* dot = statement.as<Dot>();
        if (!dot || !dot->in_flight) return;
        for (int value : used_by(statement)) {
          if (values.count(value)) most = std::max(most, *dot->in_flight);
        }
      });
    }
    return most;
  }

  bool join(size_t a, size_t b) const {
    const Channel &one = program_.channels[a], &other = program_.channels[b];
    const ChannelFacts &of = facts_[a], &with = facts_[b];
    if (one.from != other.from || one.to != other.to || one.moves != other.moves || of.at != with.at) return false;
    if (of.runs != with.runs || one.slots != other.slots || one.delay != other.delay) return false;
    if (of.path == PathKind::open || !report_alike(one, of, with)) return false;
    if (of.uses == with.uses) return true;
    if (of.uses.size() != with.uses.size() || bytes_of(other) * kSmall > bytes_of(one)) return false;
    for (size_t i = 0; i < of.uses.size(); ++i) {
      const Use &outer = of.uses[i], &inner = with.uses[i];
      // A member that is first used later must not be waited for earlier, before the instructions between the two.
      if (outer.block != inner.block || inner.first != outer.first || inner.last > outer.last) return false;
    }
    return true;
  }

  // True if an entry can report in one way that both have arrived.
  static bool report_alike(const Channel& channel, const ChannelFacts& one, const ChannelFacts& other) {
    if (channel.from == channel.to) return one.path == other.path || (is_by_unit(one.path) && is_by_unit(other.path));
    return is_by_unit(one.path) == is_by_unit(other.path) && one.tells == other.tells;
  }

  // Each channel joins the first one that it can join; channels that joined the same one become one.
  void merge() {
    std::vector<size_t> into(program_.channels.size());
    for (size_t i = 0; i < into.size(); ++i) {
      into[i] = i;
      for (size_t j = 0; j < i && into[i] == i; ++j) {
        if (into[j] == j && (join(j, i) || join(i, j))) into[i] = j;
      }
    }
    std::vector<Channel> merged;
    std::map<int, std::pair<int, int>> places;  // by old channel: the new one, and the index of its first member there
    for (size_t i = 0; i < into.size(); ++i) {
      const Channel& old = program_.channels[i];
      if (into[i] == i) {
        places[static_cast<int>(i)] = {static_cast<int>(merged.size()), 0};
        merged.push_back(old);
        continue;
      }
      const int at = places[static_cast<int>(into[i])].first;
      Channel& channel = merged[static_cast<size_t>(at)];
      places[static_cast<int>(i)] = {at, static_cast<int>(channel.members.size())};
      for (Channel::Member member : old.members) {
        const auto taken = [&](const Channel::Member& other) { return other.name == member.name; };
        while (std::any_of(channel.members.begin(), channel.members.end(), taken)) member.name += '_';
        channel.members.push_back(std::move(member));
      }
    }
    program_.channels.clear();
    for (Channel& channel : merged) {
      if (channel.members.size() > 1) channel.name = channel_name(program_, joined(channel));
      program_.channels.push_back(std::move(channel));
    }
    for (Role& role : program_.roles) rename(role.body, places);
  }
  static std::string joined(const Channel& channel) {
    const bool letters = std::all_of(channel.members.begin(), channel.members.end(),
                                     [](const Channel::Member& member) { return member.name.size() == 1; });
    std::string name;
    for (const Channel::Member& member : channel.members) name += (letters || name.empty() ? "" : "_") + member.name;
    return name;
  }
  void rename(Block& block, const std::map<int, std::pair<int, int>>& places) {
    for (Statement& statement : block) {
      Entry* entry = nullptr;
      if (Put* put = statement.as<Put>()) entry = &put->entry;
      if (Get* get = statement.as<Get>()) entry = &get->entry;
      if (entry) {
        const auto [channel, member] = places.at(entry->channel.index);
        entry->channel = {channel};
        entry->member += member;
      }
      for (Block* inner : blocks_of(statement)) rename(*inner, places);
    }
    move_gets_behind_puts(block);
  }
  // Moves gets after the last put of their run, as an entry is filled before any of its members is taken.
  static void move_gets_behind_puts(Block& block) {
    for (size_t i = 1; i < block.size(); ++i) {
      const Put* put = block[i].as<Put>();
      if (!put) continue;
      std::set<size_t> late;
      for (size_t j = i; j-- > 0;) {
        if (!block[j].as<Get>() && !block[j].as<Put>() && !block[j].as<Assign>()) break;
        if (can_follow(block, j, i)) late.insert(j);
      }
      Block behind;
      for (auto j = late.rbegin(); j != late.rend(); ++j) {
        behind.insert(behind.begin(), std::move(block[*j]));
        block.erase(block.begin() + static_cast<std::ptrdiff_t>(*j));
      }
      i -= late.size();
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::make_move_iterator(behind.begin()),
                   std::make_move_iterator(behind.end()));
    }
  }
  // True if the statement gets another member of the entry that the put fills, and can move after the put.
  static bool can_follow(const Block& block, size_t at, size_t put) {
    const Get* get = block[at].as<Get>();
    const Entry& filled = block[put].as<Put>()->entry;
    if (!get || get->entry.channel != filled.channel || get->entry.member == filled.member) return false;
    for (size_t i = at + 1; i <= put; ++i) {
      const Put* other = block[i].as<Put>();
      if (other && other->entry.channel == get->entry.channel && other->entry.member == get->entry.member) return false;
      if (used_by(block[i]).count(get->value.index) || defined_by(block[i]) == get->value) return false;
    }
    return true;
  }

  Program program_;
  std::vector<ChannelFacts> facts_;  // by channel
  int runs_ = 0;
};

}  // namespace

tile::Program form_channels(const tile::Program& program) { return ChannelBuilder(program).run(); }

}  // namespace pallasgen::schedule
