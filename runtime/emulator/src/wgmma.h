#pragma once
#include <pallasgen/emulator/instructions.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "operand_registers.h"
#include "race.h"
#include "wait.h"

namespace pallasgen::emulator {

struct Cta;
struct Thread;

/// The 64 x n accumulator of wgmma instructions in flight. The threads' registers hold a NaN of a known pattern
/// meanwhile, and get their values when the threads wait.
struct AccumulatorTile {
  static constexpr int kM = 64, kThreads = 128;
  int n = 0;
  AccumulatorType type = AccumulatorType::kF32;
  char* registers[kThreads] = {};
  std::vector<float> values;       // row-major
  std::vector<uint32_t> integers;  // used instead for type s32
  int written_back = 0;            // threads that have their values
};

/// The clock of the accesses of wgmma instructions to the accumulators of one warp's threads: an access of the kernel
/// between an instruction and the wait for it races with it. There is none with clocks per thread.
class AccumulatorClock {
 public:
  ~AccumulatorClock() { race::destroy(context_); }
  /// Records that an instruction at `pc` takes over the registers of `thread`.
  void take(const Thread& thread, const void* registers, size_t bytes, const void* pc);
  /// Records that the thread has waited for the instructions on its registers.
  void give_back(const Thread& thread);

 private:
  race::Context context_ = nullptr;
  uint64_t taken_ = 0, given_back_ = 0;
};

/// A thread's state of its wgmma instructions.
struct WgmmaThread {
  static constexpr int kGroups = 16;  // more than wgmma.wait_group can leave unfinished
  struct Open {
    AccumulatorTile* tile;
    uint64_t last;  // instruction
  };
  struct Touched {
    const char* d;
    size_t bytes;
    uint64_t fences;  // number executed when its values were written back
    uint64_t sum;     // hash of the registers' bits then, or at the last fence since
  };
  uint64_t issued = 0;               // instructions
  uint64_t committed = 0;            // groups
  uint64_t group_end[kGroups] = {};  // instructions issued when group g was committed, at g % kGroups
  uint64_t fences = 0;
  std::vector<Open> open;  // accumulators in flight
  std::vector<Touched> touched;
  OperandRegisters operands;
};

/// The matrix unit from one warpgroup's view: instructions execute in the order of their issue.
class WgmmaUnit {
 public:
  WgmmaUnit(Cta& cta, int index, const std::string& cta_name);
  ~WgmmaUnit();
  WgmmaUnit(const WgmmaUnit&) = delete;
  WgmmaUnit& operator=(const WgmmaUnit&) = delete;

  void issue(Thread& thread, const WgmmaInstruction& instruction, const void* pc);
  /// `stack` is where the kernel's part of the stack ends.
  void fence(Thread& thread, const void* stack) const;
  void commit(Thread& thread);
  void wait(Thread& thread, int pending, const void* stack);
  void execute_next();
  /// Fails if the thread leaves instructions unfinished.
  void check_at_exit(const Thread& thread) const;
  /// "instruction 12 was issued by 96 of 128 threads".
  std::string describe(int instruction) const;
  /// Describes the instruction that executes next, and who issued it.
  std::string describe_next() const;

 private:
  static constexpr int kWarps = 4;
  struct Operation {
    WgmmaInstruction instruction;
    const void* pc;
    AccumulatorTile* tile = nullptr;
    int issued = 0;  // threads
    uint64_t group;
    std::vector<uint8_t> a;  // from registers, element k * 64 + i
    race::Sync issued_by[kWarps];  // each warp's threads' earlier accesses
  };
  Operation& operation(const Thread& thread, const WgmmaInstruction& instruction, const void* pc);
  void join_tile(Thread& thread, Operation& operation, char* d);
  void write_back(Thread& thread, AccumulatorTile& tile);

  Cta& cta_;
  const int index_;
  std::deque<std::unique_ptr<Operation>> operations_;  // issued by at least one thread, not executed
  uint64_t first_ = 0;                                 // number of operations_[0]
  uint64_t executed_ = 0;                              // instructions
  std::vector<std::unique_ptr<AccumulatorTile>> tiles_, spare_tiles_;
  std::vector<uint8_t> a_bits_, b_bits_;
  std::vector<float> a_, b_;
  std::vector<uint32_t> a_integers_, b_integers_;
  WaitList waiting_;
  // Each warp has a context, since an instruction orders what each warp did before for that warp alone (warps do not
  // meet in it), and a wait shows only to its own threads that their instructions are done. All contexts read B:
  // successive instructions use different ones. Each reads its own 16 rows of A.
  race::Context contexts_[kWarps] = {};
  race::Sync done_[kWarps][WgmmaThread::kGroups];
};

}  // namespace pallasgen::emulator
