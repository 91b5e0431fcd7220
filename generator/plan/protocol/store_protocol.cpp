#include "protocol/store_protocol.h"

#include <iterator>
#include <map>
#include <set>

#include "program/index_terms.h"
#include "tile/walk.h"

namespace pallasgen {

namespace store_protocols {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Advance, tile::Block, tile::ChannelId, tile::FenceProxy, tile::Fill, tile::For, tile::ForTiles, tile::Get,
    tile::PathKind, tile::Program, tile::Put, tile::Release, tile::Role, tile::Statement, tile::Sync, tile::WaitFree,
    tile::WaitFull, tile::WaitStores, tile::Write;

class Staging {
 public:
  Staging(const Program& program, const Role& role) : program_(program), role_(role) {
    std::map<int, int> got;  // by value: its channel
    tile::for_each_statement(role.body, [&](const Statement& statement) {
      if (const Get* get = statement.as<Get>()) got[get->value.index] = get->entry.channel.index;
      const Write* write = statement.as<Write>();
      const bool stores = write && tile::is_by_unit(write->path.kind) && got.count(write->value.index);
      if (stores && !tile::is_staged_between(program, {got[write->value.index]}))
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
      if (const ChannelId channel = delegated_by(statement)) {
        moved.push_back(channel);
        delegate(std::move(statement), channel, out);
        continue;
      }
      for (Block* inner : blocks_of(statement)) block(*inner);
      const Put* put = statement.as<Put>();
      if (!put || !put->value || !staged_.count(put->entry.channel.index)) {
        out.push_back(std::move(statement));
        continue;
      }
      const ChannelId channel = put->entry.channel;
      const Span span = statement.span;
      moved.push_back(channel);
      // A value that is computed only for the entry may be written there piece by piece.
      const bool computed = !out.empty() && tile::defined_by(out.back()) == put->value;
      const auto place = out.end() - (computed ? 1 : 0);
      const Statement waits[] = {{span, "", WaitStores{channel, program_.channel(channel).slots.value_or(1) - 1}},
                                 {span, "", Sync{tile::SyncOf::warpgroup, {.read = {channel}}}}};
      out.insert(place, std::begin(waits), std::end(waits));
      out.push_back(std::move(statement));
      out.push_back({span, "", FenceProxy{{.filled = {channel}}}});
      out.push_back({span, "", Sync{tile::SyncOf::warpgroup, {.filled = {channel}}}});
    }
    const Span span = out.empty() ? Span() : out.back().span;
    for (ChannelId channel : moved) out.push_back({span, "", Advance{channel}});
    statements = std::move(out);
  }

  // The channel of which the loop fills an entry for another role to store, or stores another role's; none for neither.
  ChannelId delegated_by(const Statement& statement) const {
    const For* loop = statement.as<For>();
    if (!loop || loop->variable.kind != SymbolKind::loop) return {};
    for (const Statement& inner : loop->body) {
      const Put* put = inner.as<Put>();
      const Get* get = inner.as<Get>();
      const ChannelId channel = put ? put->entry.channel : get ? get->entry.channel : ChannelId{};
      if (channel && tile::is_staged_between(program_, channel)) return channel;
    }
    return {};
  }

  // The role that fills the entry waits until it has been read, and signals when all threads have written their parts;
  // the role that stores it frees it when the copies have read it.
  void delegate(Statement loop, ChannelId channel, Block& out) const {
    const Span span = loop.span;
    const bool fills = program_.channel(channel).from == role_.name;
    const auto add = [&](auto node) { out.push_back({span, "", std::move(node)}); };
    if (fills)
      add(WaitFree{channel});
    else
      add(WaitFull{channel});
    out.push_back(std::move(loop));
    if (fills) {
      add(FenceProxy{{.filled = {channel}}});
      add(Sync{tile::SyncOf::warpgroup, {.filled = {channel}}});
      add(Fill{channel});
    } else {
      add(WaitStores{channel, 0});
      add(Release{channel});
    }
  }

  const Program& program_;
  const Role& role_;
  std::set<int> staged_;  // channels of the role's own from which entries are copied to memory
};

}  // namespace store_protocols

void insert_store_protocol(const tile::Program& program, tile::Role& role) {
  store_protocols::Staging(program, role).run(role.body);
}

}  // namespace pallasgen
