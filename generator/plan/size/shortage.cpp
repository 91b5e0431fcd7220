#include "size/shortage.h"

#include <fmt/format.h>

#include <algorithm>

#include "plan/rules.h"
#include "plan/words.h"
#include "proofs/element_site.h"
#include "questions/clusters.h"
#include "questions/computed_operands.h"
#include "select/dot_remedies.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

// Remedies for the first dot by instructions; Shortage::stages has the number of stages that fits.
std::vector<std::string> remedies(const tile::Program& made) {
  if (!computed_operands(made).empty()) return {};  // the search does not cover these
  const tile::Dot* first = nullptr;
  for (const tile::Role& role : made.roles) {
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      if (!first) first = dot_if(statement, &tile::Product::by_instructions);
    });
  }
  return first ? dot_remedies(made, *first, false) : std::vector<std::string>{};
}

}  // namespace

tile::Shortage shortage_of(const ProgramMemory& memory, const tile::Program& program, const Target& target) {
  tile::Program smallest = program;
  tile::Shortage out{&kPlanSharedMemory,        "bytes of shared memory", memory.total(), target.shared_limit, {},
                     "smaller blocks need less"};
  for (const auto& [bytes, of] : memory.parts) out.counted.push_back(fmt::format("{} for {}", grouped(bytes), of));
  out.works = remedies(smallest);
  const IntegerSetting& given = smallest.declarations->pipeline.stages;
  if (given.value) out.span = given.span;
  // The input of the largest channel may set its own number of stages, which causes the shortage.
  int64_t largest = 0;
  for (const tile::Channel& channel : smallest.channels) {
    for (const tile::Channel::Member& member : channel.members) {
      const int64_t bytes = channel.slots.value_or(1) * bytes_of(member.dtype, elements_of(member.shape));
      if (bytes <= largest) continue;
      largest = bytes;
      const std::vector<Ref>& refs = smallest.declarations->refs;
      const auto ref = std::find_if(refs.begin(), refs.end(), [&](const Ref& one) { return one.name == member.name; });
      if (ref != refs.end() && ref->stages && !ref->automatic_stages)
        out.span = ref->span;
      else
        out.span = given.value ? given.span : Span();
    }
  }
  if (!program.channels.empty()) out.remedy = "not even 1 stage fits: smaller blocks need less";
  int64_t stages = 1;
  for (const tile::Channel& channel : smallest.channels) stages = std::max(stages, channel.slots.value_or(1));
  while (--stages > 0) {
    for (tile::Channel& channel : smallest.channels) channel.slots = std::min(stages, channel.slots.value_or(1));
    if (memory_of(smallest).total() > target.shared_limit) continue;
    out.stages = stages;
    out.remedy = "smaller blocks need less";
    break;
  }
  out.remedy += cluster_remedy(program);
  return out;
}

}  // namespace pallasgen
