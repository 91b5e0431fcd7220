#include "wgmma.h"

#include <algorithm>
#include <cstring>

#include "current.h"
#include "matrix_descriptor.h"
#include "multiply.h"
#include "report.h"

namespace pallasgen::emulator {
namespace {

constexpr int kM = AccumulatorTile::kM;
constexpr int kThreads = AccumulatorTile::kThreads;
constexpr uint32_t kInFlight = 0x7fbadacc;  // a NaN that no arithmetic produces

/// Where the pair of values v, v + 1 (v even) of a thread lies in the 64 x n accumulator: row and first column.
struct Pair {
  int row, column;
};
Pair pair_of(int thread, int v) {
  return {16 * (thread / 32) + thread % 32 / 4 + 8 * (v / 2 % 2), 8 * (v / 4) + 2 * (thread % 4)};
}

class WgmmaExecution : public AsyncOperation {
 public:
  WgmmaExecution(WgmmaUnit& unit, const Cta& cta) : unit_(unit), cta_(cta) {}
  bool advance() override {
    unit_.execute_next();
    return true;
  }
  bool uses_shared_memory_of(const Cta& cta) const override { return &cta == &cta_; }
  std::string describe() const override { return "wgmma of " + emulator::describe(cta_); }

 private:
  WgmmaUnit& unit_;
  const Cta& cta_;
};

bool same(const WgmmaInstruction& a, const WgmmaInstruction& b) {
  return a.n == b.n && a.type == b.type && a.a_mn_major == b.a_mn_major && a.b_mn_major == b.b_mn_major && a.a == b.a &&
         a.b == b.b && (a.a_registers == nullptr) == (b.a_registers == nullptr) &&
         (a.accumulate != 0) == (b.accumulate != 0);
}

}  // namespace

WgmmaUnit::WgmmaUnit(Cta& cta, int index, const std::string& cta_name) : cta_(cta), index_(index) {
  context_ = race::create(text("wgmma of warpgroup %d of %s", index, cta_name.c_str()).c_str());
}

WgmmaUnit::~WgmmaUnit() { race::destroy(context_); }

WgmmaUnit::Operation& WgmmaUnit::operation(const Thread& thread, const WgmmaInstruction& instruction, const void* pc) {
  const uint64_t number = thread.wgmma.issued;
  if (number == first_ + operations_.size()) {
    operations_.push_back(std::make_unique<Operation>());
    Operation& created = *operations_.back();
    created.instruction = instruction;
    created.pc = pc;
    created.group = thread.wgmma.committed;
    if (instruction.a_registers != nullptr) created.a.resize(kM * kMmaK);
  }
  Operation& operation = *operations_[number - first_];
  if (!same(operation.instruction, instruction) || operation.group != thread.wgmma.committed)
    rule_broken(
        "wgmma: threads of the warpgroup disagree on instruction %llu (m64n%dk16, descriptors 0x%llx and 0x%llx here; "
        "m64n%dk16, 0x%llx and 0x%llx before)",
        static_cast<unsigned long long>(number), instruction.n, static_cast<unsigned long long>(instruction.a),
        static_cast<unsigned long long>(instruction.b), operation.instruction.n,
        static_cast<unsigned long long>(operation.instruction.a),
        static_cast<unsigned long long>(operation.instruction.b));
  return operation;
}

void WgmmaUnit::issue(Thread& thread, const WgmmaInstruction& instruction, const void* pc) {
  const int place = thread.index % kThreads;
  Operation& op = operation(thread, instruction, pc);
  if (instruction.a_registers != nullptr) {
    // Register r of the A fragment holds a pair along k: row as in an accumulator, column 8 (r / 2) + 2 (t % 4).
    for (int r = 0; r < 4; ++r) {
      const auto [row, column] = pair_of(place, 2 * r);
      for (int half = 0; half < 2; ++half)
        op.a[static_cast<size_t>(column + half) * kM + static_cast<size_t>(row)] =
            static_cast<uint16_t>(instruction.a_registers[r] >> 16 * half);
    }
  }
  join_tile(thread, op, instruction.d, instruction.accumulate != 0);
  race::release(thread.agent, op.sync);
  ++thread.wgmma.issued;
  if (++op.issued == kThreads)
    execution().async.issue(std::make_unique<WgmmaExecution>(*this, cta_), execution().options().mma);
}

void WgmmaUnit::join_tile(Thread& thread, Operation& op, float* d, bool accumulate) {
  WgmmaThread& state = thread.wgmma;
  const int place = thread.index % kThreads;
  const int n = op.instruction.n;
  const auto found = std::find_if(state.open.begin(), state.open.end(),
                                  [&](const WgmmaThread::Open& open) { return open.tile->registers[place] == d; });
  AccumulatorTile* tile = found == state.open.end() ? op.tile : found->tile;
  if (tile == nullptr) {
    if (spare_tiles_.empty()) spare_tiles_.push_back(std::make_unique<AccumulatorTile>());
    tiles_.push_back(std::move(spare_tiles_.back()));
    spare_tiles_.pop_back();
    tile = tiles_.back().get();
    std::fill(std::begin(tile->registers), std::end(tile->registers), nullptr);
    tile->n = n;
    tile->values.resize(static_cast<size_t>(n) * kM);
    tile->written_back = 0;
  }
  if (op.tile == nullptr) op.tile = tile;
  if (op.tile != tile) rule_broken("wgmma: threads of the warpgroup disagree on the accumulator");
  if (tile->n != n)
    rule_broken("wgmma: m64n%dk16 on an accumulator that m64n%dk16 still works on, without a wait between", n, tile->n);
  if (found != state.open.end()) {
    found->last = state.issued;
    return;
  }
  const auto touched = std::find_if(state.touched.begin(), state.touched.end(),
                                    [=](const WgmmaThread::Touched& entry) { return entry.d == d; });
  if (state.fences == 0 || (touched != state.touched.end() && touched->fences == state.fences))
    rule_broken("wgmma: no wgmma.fence since the accumulator's registers were last accessed");
  tile->registers[place] = d;
  state.open.push_back({tile, state.issued});
  for (int v = 0; v < n / 2; v += 2) {
    const auto [row, column] = pair_of(place, v);
    if (accumulate) std::memcpy(tile->values.data() + row * n + column, d + v, 2 * sizeof(float));
    std::memcpy(d + v, &kInFlight, sizeof(float));
    std::memcpy(d + v + 1, &kInFlight, sizeof(float));
  }
}

void WgmmaUnit::execute_next() {
  Operation& op = *operations_.front();
  const WgmmaInstruction& i = op.instruction;
  const int n = i.n;
  a_bits_.resize(kM * kMmaK);
  b_bits_.resize(static_cast<size_t>(n) * kMmaK);
  a_.resize(a_bits_.size());
  b_.resize(b_bits_.size());
  race::acquire(context_, op.sync.async);
  if (i.a_registers == nullptr)
    read_operand(cta_, i.a, i.a_mn_major, kM, a_bits_.data(), context_, op.pc, "wgmma operand A");
  read_operand(cta_, i.b, i.b_mn_major, n, b_bits_.data(), context_, op.pc, "wgmma operand B");
  race::release(context_, done_[op.group % WgmmaThread::kGroups]);
  race::release(context_, cta_.end);
  widen(i.type, i.a_registers == nullptr ? a_bits_.data() : op.a.data(), a_.data(), kM * kMmaK);
  widen(i.type, b_bits_.data(), b_.data(), n * kMmaK);
  multiply(op.tile->values.data(), a_.data(), b_.data(), n, i.accumulate != 0);
  ++mutable_statistics().mmas;
  mutable_statistics().multiply_adds += static_cast<double>(kM) * n * kMmaK;
  operations_.pop_front();
  ++first_;
  ++executed_;
  waiting_.wake_all();
}

void WgmmaUnit::commit(Thread& thread) {
  WgmmaThread& state = thread.wgmma;
  state.group_end[state.committed++ % WgmmaThread::kGroups] = state.issued;
}

void WgmmaUnit::wait(Thread& thread, int pending) {
  WgmmaThread& state = thread.wgmma;
  if (state.committed <= static_cast<uint64_t>(pending)) return;
  const uint64_t group = state.committed - static_cast<uint64_t>(pending) - 1;
  const uint64_t end = state.group_end[group % WgmmaThread::kGroups];
  while (executed_ < end) {
    waiting_.add(thread);
    execution().block(thread, {.kind = Wait::Kind::kMma, .number = static_cast<int>(executed_)});
  }
  race::acquire(thread.agent, done_[group % WgmmaThread::kGroups]);
  std::erase_if(state.open, [&](const WgmmaThread::Open& open) {
    if (open.last >= end) return false;
    write_back(thread, *open.tile);
    return true;
  });
}

void WgmmaUnit::write_back(Thread& thread, AccumulatorTile& tile) {
  WgmmaThread& state = thread.wgmma;
  const int place = thread.index % kThreads;
  float* d = tile.registers[place];
  for (int v = 0; v < tile.n / 2; v += 2) {
    for (int half = 0; half < 2; ++half) {
      uint32_t bits;
      std::memcpy(&bits, d + v + half, sizeof bits);
      if (bits != kInFlight) rule_broken("wgmma: the accumulator was written while instructions on it were in flight");
    }
    const auto [row, column] = pair_of(place, v);
    std::memcpy(d + v, tile.values.data() + row * tile.n + column, 2 * sizeof(float));
  }
  const auto touched =
      std::find_if(state.touched.begin(), state.touched.end(), [=](const auto& entry) { return entry.d == d; });
  if (touched == state.touched.end())
    state.touched.push_back({d, state.fences});
  else
    touched->fences = state.fences;
  if (++tile.written_back < kThreads) return;
  const auto owner = std::find_if(tiles_.begin(), tiles_.end(), [&](const auto& t) { return t.get() == &tile; });
  spare_tiles_.push_back(std::move(*owner));
  tiles_.erase(owner);
}

void WgmmaUnit::check_at_exit(const Thread& thread) const {
  if (!thread.wgmma.open.empty()) rule_broken("the thread exits without waiting for the wgmma instructions it issued");
}

std::string WgmmaUnit::describe(int instruction) const {
  const uint64_t number = static_cast<uint64_t>(instruction);
  if (number < first_ || number >= first_ + operations_.size()) return text("instruction %d", instruction);
  return text("instruction %d was issued by %d of %d threads of warpgroup %d", instruction,
              operations_[number - first_]->issued, kThreads, index_);
}

namespace {

WgmmaUnit& unit_of(Thread& thread, const char* what) {
  const size_t warpgroup = static_cast<size_t>(thread.index / kThreads);
  if (thread.cta->threads.size() < (warpgroup + 1) * kThreads)
    rule_broken("%s: thread %d is in no whole warpgroup", what, thread.index);
  return *thread.cta->wgmma_units[warpgroup];
}

}  // namespace

void wgmma(const WgmmaInstruction& instruction) {
  const void* pc = __builtin_return_address(0);
  Entry entry("wgmma");
  unit_of(entry.thread, "wgmma").issue(entry.thread, instruction, pc);
}

void wgmma_fence() {
  Entry entry("wgmma.fence");
  ++entry.thread.wgmma.fences;
}

void wgmma_commit_group() {
  Entry entry("wgmma.commit_group");
  unit_of(entry.thread, "wgmma.commit_group").commit(entry.thread);
}

void wgmma_wait_group(int pending) {
  Entry entry("wgmma.wait_group");
  unit_of(entry.thread, "wgmma.wait_group").wait(entry.thread, pending);
}

}  // namespace pallasgen::emulator
