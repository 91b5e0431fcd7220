#include "current.h"
#include "execution.h"
#include "report.h"

namespace pallasgen::emulator {
namespace {

constexpr uint64_t kNever = UINT64_MAX;
constexpr int kDelayBits = 12;  // random delays are 0 to 2^12 switches, their logarithm evenly distributed

uint64_t due(Completion completion) {
  if (completion == Completion::kLate) return kNever;
  Random& random = execution().random;
  const uint64_t limit = uint64_t{1} << random.below(kDelayBits + 1);
  return execution().switches() + random.below(limit);
}

}  // namespace

void AsyncQueue::issue(std::unique_ptr<AsyncOperation> operation, Completion completion) {
  if (completion == Completion::kEarly) {
    while (!operation->advance()) {
    }
    return;
  }
  insert({std::move(operation), completion});
}

void AsyncQueue::insert(Pending pending) {
  const auto key = std::pair(due(pending.completion), issued_++);
  operations_.emplace(key, std::move(pending));
}

bool AsyncQueue::advance_one(bool force) {
  if (operations_.empty()) return false;
  const auto first = operations_.begin();
  if (!force && first->first.first > execution().switches()) return false;
  Pending pending = std::move(first->second);
  operations_.erase(first);
  running_ = pending.operation.get();
  const bool done = pending.operation->advance();
  running_ = nullptr;
  if (!done) insert(std::move(pending));
  return true;
}

void AsyncQueue::check_cta_exit(const Cta& cta) const {
  for (const auto& [due, pending] : operations_)
    if (pending.operation->uses_shared_memory_of(cta))
      rule_broken("the CTA ends while this still uses its shared memory: %s", pending.operation->describe().c_str());
}

}  // namespace pallasgen::emulator
