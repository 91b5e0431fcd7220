#include <pallasgen/emulator/instructions.h>

#include <cstring>
#include <vector>

#include "copy.h"
#include "current.h"
#include "global_memory.h"
#include "poison.h"
#include "report.h"

// Bulk copies of contiguous bytes and the groups that they and TMA stores belong to (PTX ISA, "cp.async.bulk").
namespace pallasgen::emulator {
namespace {

constexpr size_t kAlignment = 16;

void check_shape(const void* global, uint32_t bytes, const char* what) {
  if (bytes % kAlignment != 0) rule_broken("%s: %u bytes are no multiple of 16", what, bytes);
  if (reinterpret_cast<uintptr_t>(global) % kAlignment != 0)
    rule_broken("%s: the global address %p is no multiple of 16", what, global);
  check_global(global, bytes, what);
}

class BulkLoad : public Copy {
 public:
  BulkLoad(Thread& thread, const void* pc, const void* source, const SharedPlace& target, uint32_t bytes,
           const Completed& completed)
      : Copy(thread, "bulk load", pc), source_(source), target_(target), bytes_(bytes), completed_(completed) {}

  bool advance() override {
    race::Accesses(context(race::Space::kGlobal), pc_).read(source_, bytes_);
    write_shared(target_.p, bytes_);
    std::memcpy(target_.p, source_, bytes_);
    completed_.cta->mbarriers.complete_bytes(completed_.offset, bytes_, completed_.phase, finished());
    race::release(finished(), target_.cta->end);
    return true;
  }

  bool uses_shared_memory_of(const Cta& cta) const override { return target_.cta == &cta; }

 private:
  const void* const source_;
  const SharedPlace target_;
  const uint32_t bytes_;
  const Completed completed_;
};

class BulkStore : public Copy {
 public:
  BulkStore(Thread& thread, const void* pc, void* target, const SharedPlace& source, uint32_t bytes)
      : Copy(thread, "bulk store", pc),
        target_(target),
        source_(source),
        bytes_(bytes),
        group_(made(thread.bulk).add()) {}

  bool advance() override {
    if (!has_read_) {
      race::Accesses(context(race::Space::kShared), pc_).read(source_.p, bytes_);
      buffer_.assign(source_.p, source_.p + bytes_);
      has_read_ = true;
      issuer_.bulk->has_read(group_, finished());
    } else {
      race::Accesses(context(race::Space::kGlobal), pc_).write(target_, bytes_);
      std::memcpy(target_, buffer_.data(), bytes_);
      issuer_.bulk->has_completed(group_, finished());
      done_ = true;
    }
    race::release(finished(), source_.cta->end);
    execution().wake_for_copies(issuer_);
    return done_;
  }

  bool uses_shared_memory_of(const Cta& cta) const override { return !has_read_ && source_.cta == &cta; }

 private:
  void* const target_;
  const SharedPlace source_;
  const uint32_t bytes_;
  const uint64_t group_;
  std::vector<char> buffer_;
  bool has_read_ = false, done_ = false;
};

}  // namespace

void bulk_load(uint32_t dst, const void* src, uint32_t bytes, uint32_t bar) {
  const void* pc = __builtin_return_address(0);
  Entry entry("bulk load");
  check_shape(src, bytes, "bulk load");
  const SharedPlace target = shared_place(entry.cta(), dst, bytes, kAlignment, "bulk load");
  const Completed completed = completion_target(entry.thread, bar, "bulk load");
  poison::check(src, bytes, /*write=*/false, pc);
  poison::check(target.p, bytes, /*write=*/true, pc);
  issue_copy(std::make_unique<BulkLoad>(entry.thread, pc, src, target, bytes, completed));
}

void bulk_store(void* dst, uint32_t src, uint32_t bytes) {
  const void* pc = __builtin_return_address(0);
  Entry entry("bulk store");
  check_shape(dst, bytes, "bulk store");
  const SharedPlace source = shared_place(entry.cta(), src, bytes, kAlignment, "bulk store");
  if (source.cta != &entry.cta()) rule_broken("bulk store: from the shared memory of another CTA");
  poison::check(source.p, bytes, /*write=*/false, pc);
  poison::check(dst, bytes, /*write=*/true, pc);
  issue_copy(std::make_unique<BulkStore>(entry.thread, pc, dst, source, bytes));
}

void bulk_commit_group() {
  Entry entry("cp.async.bulk.commit_group");
  made(entry.thread.bulk).commit();
}

void bulk_wait_group(int pending, bool read_only) {
  Entry entry("cp.async.bulk.wait_group");
  Thread& thread = entry.thread;
  BulkGroups& groups = made(thread.bulk);
  while (!groups.done(pending, read_only)) {
    const Wait::Kind kind = read_only ? Wait::Kind::kBulkReads : Wait::Kind::kBulkGroups;
    execution().block(thread, {.kind = kind, .number = pending});
  }
  groups.waited(pending, read_only, thread.agent);
}

}  // namespace pallasgen::emulator
