#include "store_protocol.h"

#include <iterator>
#include <map>
#include <set>

#include "tile/walk.h"

namespace pallasgen {

namespace store_protocols {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Advance, tile::Block, tile::ChannelId, tile::FenceProxy, tile::ForTiles, tile::Get, tile::PathKind,
    tile::Program, tile::Put, tile::Role, tile::Statement, tile::Sync, tile::WaitStores, tile::Write;

class Staging {
 public:
  Staging(const Program& program, const Role& role) : program_(program) {
    std::map<int, int> got;  // by value: its channel
    tile::for_each_statement(role.body, [&](const Statement& statement) {
      if (const Get* get = statement.as<Get>()) got[get->value.index] = get->entry.channel.index;
      const Write* write = statement.as<Write>();
      if (write && tile::is_by_unit(write->path.kind) && got.count(write->value.index))
        staged_.insert(got[write->value.index]);
    });
  }

  void run(Block& body) {
    block(body);
    if (body.empty()) return;
    const Span span = body.back().span;
    for (int channel : staged_) body.push_back({span, "", WaitStores{{channel}, 0}});
  }

 private:
  void block(Block& statements) const {
    Block out;
    std::vector<ChannelId> moved;
    for (Statement& statement : statements) {
      for (Block* inner : blocks_of(statement)) block(*inner);
      const Put* put = statement.as<Put>();
      if (!put || !put->value || !staged_.count(put->entry.channel.index)) {
        out.push_back(std::move(statement));
        continue;
      }
      const ChannelId channel = put->entry.channel;
      const Span span = statement.span;
      moved.push_back(channel);
      // What is computed for the entry alone may go there piece by piece.
      const bool computed = !out.empty() && tile::defined_by(out.back()) == put->value;
      const auto place = out.end() - (computed ? 1 : 0);
      const Statement waits[] = {{span, "", WaitStores{channel, program_.channel(channel).slots.value_or(1) - 1}},
                                 {span, "", Sync{true}}};
      out.insert(place, std::begin(waits), std::end(waits));
      out.push_back(std::move(statement));
      out.push_back({span, "", FenceProxy{}});
      out.push_back({span, "", Sync{true}});
    }
    const Span span = out.empty() ? Span() : out.back().span;
    for (ChannelId channel : moved) out.push_back({span, "", Advance{channel}});
    statements = std::move(out);
  }

  const Program& program_;
  std::set<int> staged_;  // channels that are copied out of
};

}  // namespace store_protocols

void insert_store_protocol(const tile::Program& program, tile::Role& role) {
  store_protocols::Staging(program, role).run(role.body);
}

}  // namespace pallasgen
