#include "wgmma.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <type_traits>

#include "current.h"
#include "matrix_descriptor.h"
#include "multiply.h"
#include "operand.h"
#include "report.h"
#include "source_place.h"

namespace pallasgen::emulator {
namespace {

constexpr int kM = AccumulatorTile::kM;
constexpr int kThreads = AccumulatorTile::kThreads;
/// The content of registers of accumulators in flight: NaNs that no arithmetic produces, or a pair of them.
constexpr uint32_t kInFlight = 0x7fbadacc, kPairInFlight = 0x7fba7fcc;

/// The place of the values v, v + 1 (v even) of a thread in the 64 x n accumulator: row and first column.
struct Pair {
  int row, column;
};
Pair pair_of(int thread, int v) {
  return {16 * (thread / 32) + thread % 32 / 4 + 8 * (v / 2 % 2), 8 * (v / 4) + 2 * (thread % 4)};
}

/// The offset of the register with value v of a thread, in bytes; f16 values share one in pairs.
size_t register_offset(AccumulatorType type, int v) {
  return static_cast<size_t>(type == AccumulatorType::kF16 ? v / 2 : v) * sizeof(uint32_t);
}

/// A hash of their bits, word by word: AddressSanitizer would check a copy, and the variable may be gone.
uint64_t sum_of_registers(const char* registers, size_t bytes) {
  uint64_t sum = 0;
  const auto* words = reinterpret_cast<const volatile uint32_t*>(registers);
  for (size_t i = 0; i < bytes / sizeof(uint32_t); ++i) sum = (sum ^ words[i]) * 0x9e3779b97f4a7c15u + (sum >> 29);
  return sum;
}

bool is_8_bit_float(OperandType type) { return type == OperandType::kE4m3 || type == OperandType::kE5m2; }

TensorCoreSums sums_of(const WgmmaInstruction& i) {
  const bool f8 = is_8_bit_float(i.a_type);
  return {.unit_bits = f8 ? 13 : 25,
          .result_bits = f8 ? 14 : 24,
          .least_a = least_exponent(i.a_type),
          .least_b = least_exponent(i.b_type),
          .to_odd = i.d_type == AccumulatorType::kF16};
}

int depth_of(const WgmmaInstruction& instruction) { return kMmaBytes / operand_bytes(instruction.a_type); }

std::string shape_of(int n, const WgmmaInstruction& instruction) { return text("m64n%dk%d", n, depth_of(instruction)); }

/// Copies the values v, v + 1 from registers to the tile.
void take_pair(AccumulatorTile& tile, const char* registers, int v, const Pair& at) {
  const char* from = registers + register_offset(tile.type, v);
  const size_t to = static_cast<size_t>(at.row * tile.n + at.column);
  if (tile.type == AccumulatorType::kF32) {
    std::memcpy(tile.values.data() + to, from, 2 * sizeof(float));
  } else if (tile.type == AccumulatorType::kS32) {
    std::memcpy(tile.integers.data() + to, from, 2 * sizeof(uint32_t));
  } else {
    uint32_t word;
    std::memcpy(&word, from, sizeof word);
    tile.values[to] = f16_value(static_cast<uint16_t>(word));
    tile.values[to + 1] = f16_value(static_cast<uint16_t>(word >> 16));
  }
}

/// Copies them back.
void give_pair(const AccumulatorTile& tile, char* registers, int v, const Pair& at) {
  char* to = registers + register_offset(tile.type, v);
  const size_t from = static_cast<size_t>(at.row * tile.n + at.column);
  if (tile.type == AccumulatorType::kF32) {
    std::memcpy(to, tile.values.data() + from, 2 * sizeof(float));
  } else if (tile.type == AccumulatorType::kS32) {
    std::memcpy(to, tile.integers.data() + from, 2 * sizeof(uint32_t));
  } else {
    const uint32_t word = f16_bits(tile.values[from]) | static_cast<uint32_t>(f16_bits(tile.values[from + 1])) << 16;
    std::memcpy(to, &word, sizeof word);
  }
}

/// The place of byte b of register r of a thread's A fragment: row, and byte along k (PTX ISA, figures of matrix A of
/// wgmma). The four registers are two rows, eight apart, of two chunks of 16 bytes.
struct BytePlace {
  int row, byte;
};
BytePlace byte_of(int thread, int r, int b) {
  return {16 * (thread / 32) + thread % 32 / 4 + 8 * (r % 2), 16 * (r / 2) + 4 * (thread % 4) + b};
}

class WgmmaExecution : public AsyncOperation {
 public:
  WgmmaExecution(WgmmaUnit& unit, const Cta& cta) : unit_(unit), cta_(cta) {}
  bool advance() override {
    unit_.execute_next();
    return true;
  }
  bool uses_shared_memory_of(const Cta& cta) const override { return &cta == &cta_; }
  std::string describe() const override { return unit_.describe_next(); }

 private:
  WgmmaUnit& unit_;
  const Cta& cta_;
};

bool same(const WgmmaInstruction& a, const WgmmaInstruction& b) {
  return a.n == b.n && a.d_type == b.d_type && a.a_type == b.a_type && a.b_type == b.b_type &&
         a.a_mn_major == b.a_mn_major && a.b_mn_major == b.b_mn_major && a.a == b.a && a.b == b.b &&
         (a.a_registers == nullptr) == (b.a_registers == nullptr) && (a.accumulate != 0) == (b.accumulate != 0);
}

}  // namespace

WgmmaUnit::WgmmaUnit(Cta& cta, int index, const std::string& cta_name) : cta_(cta), index_(index) {
  for (int warp = 0; warp < kWarps; ++warp)
    contexts_[warp] = race::create(text("wgmma of warp %d of %s", index * kWarps + warp, cta_name.c_str()).c_str());
}

WgmmaUnit::~WgmmaUnit() {
  for (race::Context context : contexts_) race::destroy(context);
}

WgmmaUnit::Operation& WgmmaUnit::operation(const Thread& thread, const WgmmaInstruction& instruction, const void* pc) {
  const uint64_t number = thread.wgmma.issued;
  if (number == first_ + operations_.size()) {
    operations_.push_back(std::make_unique<Operation>());
    Operation& created = *operations_.back();
    created.instruction = instruction;
    created.pc = pc;
    created.group = thread.wgmma.committed;
    if (instruction.a_registers != nullptr) created.a.resize(kM * kMmaBytes);
  }
  Operation& operation = *operations_[number - first_];
  if (!same(operation.instruction, instruction) || operation.group != thread.wgmma.committed)
    rule_broken(
        "wgmma: threads of the warpgroup disagree on instruction %llu (%s, descriptors 0x%llx and 0x%llx here; "
        "%s, 0x%llx and 0x%llx before)",
        static_cast<unsigned long long>(number), shape_of(instruction.n, instruction).c_str(),
        static_cast<unsigned long long>(instruction.a), static_cast<unsigned long long>(instruction.b),
        shape_of(operation.instruction.n, operation.instruction).c_str(),
        static_cast<unsigned long long>(operation.instruction.a),
        static_cast<unsigned long long>(operation.instruction.b));
  return operation;
}

void AccumulatorClock::take(const Thread& thread, const void* registers, size_t bytes, const void* pc) {
  if (!race::enabled() || execution().options().per_thread) return;
  if (context_ == nullptr)
    context_ = race::create(
        text("wgmma of warp %d of %s", thread.index / kWarpSize, emulator::describe(*thread.cta).c_str()).c_str());
  race::release(thread.agent.generic, taken_);
  race::acquire(context_, taken_);
  race::Accesses(context_, pc).write(registers, bytes);
}

void AccumulatorClock::give_back(const Thread& thread) {
  race::release(context_, given_back_);
  if (context_ != nullptr) race::acquire(thread.agent.generic, given_back_);
}

void WgmmaUnit::issue(Thread& thread, const WgmmaInstruction& instruction, const void* pc) {
  const int place = thread.index % kThreads;
  Operation& op = operation(thread, instruction, pc);
  if (instruction.a_registers != nullptr) {
    const int size = operand_bytes(instruction.a_type);
    for (int r = 0; r < 4; ++r)
      for (int b = 0; b < 4; ++b) {
        const BytePlace at = byte_of(place, r, b);
        op.a[static_cast<size_t>((at.byte / size * kM + at.row) * size + at.byte % size)] =
            static_cast<uint8_t>(instruction.a_registers[r].value >> 8 * b);
      }
  }
  join_tile(thread, op, static_cast<char*>(instruction.d));
  if (instruction.a_registers != nullptr) thread.wgmma.operands.use(instruction.a_registers, thread.wgmma.issued);
  race::release(thread.agent, op.issued_by[place / kWarpSize]);
  ++thread.wgmma.issued;
  if (++op.issued == kThreads)
    execution().async.issue(std::make_unique<WgmmaExecution>(*this, cta_), execution().options().mma);
}

void WgmmaUnit::join_tile(Thread& thread, Operation& op, char* d) {
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
    tile->type = op.instruction.d_type;
    tile->values.resize(static_cast<size_t>(n) * kM);
    tile->integers.resize(tile->values.size());
    tile->written_back = 0;
  }
  if (op.tile == nullptr) op.tile = tile;
  if (op.tile != tile) rule_broken("wgmma: threads of the warpgroup disagree on the accumulator");
  if (tile->n != n || tile->type != op.instruction.d_type)
    rule_broken(
        "wgmma: %s on an accumulator of another shape or type that m64n%d still works on, without a wait between",
        shape_of(n, op.instruction).c_str(), tile->n);
  if (found != state.open.end()) {
    found->last = state.issued;
    return;
  }
  const auto touched = std::find_if(state.touched.begin(), state.touched.end(),
                                    [=](const WgmmaThread::Touched& entry) { return entry.d == d; });
  const size_t bytes = register_offset(tile->type, n / 2);
  const bool known = touched != state.touched.end();
  const bool written =
      known && op.instruction.accumulate != 0 && touched->bytes == bytes && touched->sum != sum_of_registers(d, bytes);
  if (state.fences == 0 || written || (known && touched->fences == state.fences))
    rule_broken("wgmma: no wgmma.fence since the accumulator's registers were last accessed");
  tile->registers[place] = d;
  state.open.push_back({tile, state.issued});
  thread.warp->accumulators.take(thread, d, bytes, op.pc);
  const size_t words = tile->type == AccumulatorType::kF16 ? 1 : 2;
  const uint32_t in_flight[] = {words == 1 ? kPairInFlight : kInFlight, kInFlight};
  for (int v = 0; v < n / 2; v += 2) {
    if (op.instruction.accumulate != 0) take_pair(*tile, d, v, pair_of(place, v));
    std::memcpy(d + register_offset(tile->type, v), in_flight, words * sizeof(uint32_t));
  }
}

void WgmmaUnit::execute_next() {
  Operation& op = *operations_.front();
  const WgmmaInstruction& i = op.instruction;
  const int n = i.n, depth = depth_of(i), size = operand_bytes(i.a_type);
  a_bits_.resize(static_cast<size_t>(kM) * kMmaBytes);
  b_bits_.resize(static_cast<size_t>(n) * kMmaBytes);
  const OperandTile a{"wgmma operand A", i.a, i.a_mn_major, kM, size}, b{"wgmma operand B", i.b, i.b_mn_major, n, size};
  constexpr int kRows = kM / kWarps;
  for (int warp = 0; warp < kWarps; ++warp) {
    const race::Context context = contexts_[warp];
    race::acquire(context, op.issued_by[warp].async_in(race::Space::kShared));
    if (i.a_registers == nullptr)
      read_operand(cta_, a, kRows * warp, kRows * (warp + 1), a_bits_.data(), context, op.pc);
    if (executed_ % kWarps == static_cast<uint64_t>(warp)) read_operand(cta_, b, 0, n, b_bits_.data(), context, op.pc);
    race::release(context, done_[warp][op.group % WgmmaThread::kGroups]);
    race::release(context, cta_.end);
  }
  const void* a_bits = i.a_registers == nullptr ? a_bits_.data() : op.a.data();
  const auto run = [&](auto& a, auto& b, auto& d) {
    a.resize(static_cast<size_t>(kM * depth));
    b.resize(static_cast<size_t>(n * depth));
    widen(i.a_type, a_bits, a.data(), kM * depth);
    widen(i.b_type, b_bits_.data(), b.data(), n * depth);
    if constexpr (std::is_same_v<decltype(d), std::vector<float>&>)
      multiply(d.data(), a.data(), b.data(), n, depth, i.accumulate != 0, sums_of(i));
    else
      multiply(d.data(), a.data(), b.data(), n, depth, i.accumulate != 0);
  };
  if (is_integer(i.a_type))
    run(a_integers_, b_integers_, op.tile->integers);
  else
    run(a_, b_, op.tile->values);
  if (i.d_type == AccumulatorType::kF16)
    for (float& x : op.tile->values) x = rounded_to_f16(x);
  ++mutable_statistics().mmas;
  mutable_statistics().multiply_adds += static_cast<double>(kM) * n * depth;
  operations_.pop_front();
  ++first_;
  ++executed_;
  waiting_.wake_all();
}

void WgmmaUnit::fence(Thread& thread, const void* stack) const {
  WgmmaThread& state = thread.wgmma;
  ++state.fences;
  state.operands.fenced(stack);
  // Variables of functions that have returned are gone.
  std::erase_if(state.touched,
                [=](const auto& entry) { return std::less<>()(static_cast<const void*>(entry.d), stack); });
  for (WgmmaThread::Touched& entry : state.touched)
    if (std::none_of(state.open.begin(), state.open.end(), [&](const WgmmaThread::Open& open) {
          return open.tile->registers[thread.index % kThreads] == entry.d;
        }))
      entry.sum = sum_of_registers(entry.d, entry.bytes);
}

void WgmmaUnit::commit(Thread& thread) {
  WgmmaThread& state = thread.wgmma;
  state.group_end[state.committed++ % WgmmaThread::kGroups] = state.issued;
}

void WgmmaUnit::wait(Thread& thread, int pending, const void* stack) {
  WgmmaThread& state = thread.wgmma;
  if (state.committed <= static_cast<uint64_t>(pending)) return;
  const uint64_t group = state.committed - static_cast<uint64_t>(pending) - 1;
  const uint64_t end = state.group_end[group % WgmmaThread::kGroups];
  while (executed_ < end) {
    waiting_.add(thread);
    execution().block(thread, {.kind = Wait::Kind::kMma, .number = static_cast<int>(executed_)});
  }
  race::acquire(thread.agent, done_[thread.index / 32 % kWarps][group % WgmmaThread::kGroups]);
  state.operands.waited(end, stack);
  std::erase_if(state.open, [&](const WgmmaThread::Open& open) {
    if (open.last >= end) return false;
    write_back(thread, *open.tile);
    return true;
  });
}

void WgmmaUnit::write_back(Thread& thread, AccumulatorTile& tile) {
  WgmmaThread& state = thread.wgmma;
  const int place = thread.index % kThreads;
  char* d = tile.registers[place];
  thread.warp->accumulators.give_back(thread);
  const size_t words = tile.type == AccumulatorType::kF16 ? 1 : 2;
  for (int v = 0; v < tile.n / 2; v += 2) {
    for (size_t word = 0; word < words; ++word) {
      uint32_t bits;
      std::memcpy(&bits, d + register_offset(tile.type, v) + word * sizeof bits, sizeof bits);
      if (bits != (words == 1 ? kPairInFlight : kInFlight))
        rule_broken("wgmma: the accumulator was written while instructions on it were in flight");
    }
    give_pair(tile, d, v, pair_of(place, v));
  }
  const size_t bytes = register_offset(tile.type, tile.n / 2);
  std::erase_if(state.touched, [=](const auto& entry) { return entry.d == d; });
  state.touched.push_back({d, bytes, state.fences, sum_of_registers(d, bytes)});
  if (++tile.written_back < kThreads) return;
  const auto owner = std::find_if(tiles_.begin(), tiles_.end(), [&](const auto& t) { return t.get() == &tile; });
  spare_tiles_.push_back(std::move(*owner));
  tiles_.erase(owner);
}

void WgmmaUnit::check_at_exit(const Thread& thread) const {
  if (!thread.wgmma.open.empty()) rule_broken("the thread exits without waiting for the wgmma instructions it issued");
}

std::string WgmmaUnit::describe_next() const {
  const void* pc = operations_.empty() ? nullptr : operations_.front()->pc;
  return text("wgmma of warpgroup %d of ", index_) + emulator::describe(cta_) + at_source_place(pc);
}

std::string WgmmaUnit::describe(int instruction) const {
  const uint64_t number = static_cast<uint64_t>(instruction);
  if (number < first_ || number >= first_ + operations_.size()) return text("instruction %d", instruction);
  return text("instruction %d was issued by %d of %d threads of warpgroup %d", instruction,
              operations_[number - first_]->issued, kThreads, index_);
}

namespace {

/// Returns the unit of the thread's warpgroup, all of whose threads execute the instruction `what`.
WgmmaUnit& unit_of(Thread& thread, const char* what) {
  const size_t warpgroup = static_cast<size_t>(thread.index / kThreads);
  if (thread.cta->threads.size() < (warpgroup + 1) * kThreads)
    rule_broken("%s: thread %d is in no whole warpgroup", what, thread.index);
  thread.warp->convergence.pass(thread, what, thread.pc, Convergence::Exited::kAreMissing);
  return *thread.cta->wgmma_units[warpgroup];
}

}  // namespace

void wgmma(const WgmmaInstruction& instruction) {
  const void* pc = __builtin_return_address(0);
  Entry entry("wgmma.mma_async");
  unit_of(entry.thread, "wgmma.mma_async").issue(entry.thread, instruction, pc);
}

void wgmma_fence() {
  Entry entry("wgmma.fence");
  unit_of(entry.thread, "wgmma.fence").fence(entry.thread, __builtin_frame_address(0));
}

void wgmma_commit_group() {
  Entry entry("wgmma.commit_group");
  unit_of(entry.thread, "wgmma.commit_group").commit(entry.thread);
}

void wgmma_wait_group(int pending) {
  Entry entry("wgmma.wait_group");
  unit_of(entry.thread, "wgmma.wait_group").wait(entry.thread, pending, __builtin_frame_address(0));
}

}  // namespace pallasgen::emulator
