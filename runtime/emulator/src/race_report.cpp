#include "race_report.h"

#include <pallasgen/emulator/exit_codes.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <string>

#include "current.h"
#include "global_memory.h"
#include "report.h"
#include "source_place.h"

extern "C" {
#define PALLASGEN_WEAK __attribute__((weak))
PALLASGEN_WEAK int __tsan_get_report_data(void* report, const char** description, int* count, int* stacks,
                                          int* accesses, int* locations, int* mutexes, int* threads, int* unique_tids,
                                          void** sleep, unsigned long trace_size);
PALLASGEN_WEAK int __tsan_get_report_mop(void* report, unsigned long index, int* tid, void** address, int* size,
                                         int* write, int* atomic, void** trace, unsigned long trace_size);
PALLASGEN_WEAK int __tsan_get_report_thread(void* report, unsigned long index, int* tid, unsigned long* os_id,
                                            int* running, const char** name, int* parent_tid, void** trace,
                                            unsigned long trace_size);
// The C library's own function, which the sanitizers do not intercept.
PALLASGEN_WEAK int __sigaction(int signal, const struct sigaction* action, struct sigaction* old);
}

namespace pallasgen::emulator {
namespace {

/// Ends the program with the message so far if the rest takes longer than some seconds. ThreadSanitizer holds a lock
/// meanwhile, which it takes again to free memory for a thread that it has evicted, as it does with some of several
/// hundred: it would then never return.
class Deadline {
 public:
  Deadline() {
    struct sigaction action = {};
    action.sa_handler = [](int) { syscall(SYS_exit_group, kExitRace); };
    if (__sigaction != nullptr && __sigaction(SIGALRM, &action, nullptr) == 0) alarm(kSeconds);
  }
  ~Deadline() { alarm(0); }

 private:
  static constexpr unsigned kSeconds = 5;
};

constexpr size_t kTrace = 16;

std::string thread_name(void* report, int threads, int tid) {
  for (int i = 0; i < threads; ++i) {
    int id = 0, running = 0, parent = 0;
    unsigned long os_id = 0;
    const char* name = nullptr;
    void* trace[1];
    __tsan_get_report_thread(report, static_cast<unsigned long>(i), &id, &os_id, &running, &name, &parent, trace, 1);
    if (id == tid && name != nullptr) return name;
  }
  return "the host";
}

std::string memory_name(const void* p) {
  if (const Execution* run = execution_or_null(); run != nullptr)
    for (const Cta* cta : run->ctas()) {
      if (cta->shared.contains(p))
        return describe_shared(*cta, static_cast<size_t>(static_cast<const char*>(p) - cta->shared.data())) + " of " +
               describe(*cta);
      if (const long thread = cta->stacks != nullptr ? cta->stacks->owner(p) : -1; thread >= 0)
        return "a variable of " + describe(cta->threads[static_cast<size_t>(thread)]) + " of " + describe(*cta);
    }
  const std::string global = describe_global(p);
  return global.empty() ? text("%p", p) : global;
}

/// Returns where the kernel made the access: the first call in the trace that has a line of the kernel's.
std::string access_place(void* const (&trace)[kTrace]) {
  for (void* pc : trace) {
    const std::string place = at_source_place(pc);
    if (!place.empty()) return place;
  }
  return "";
}

/// Describes how the second of the two accesses in a report relates to the first.
const char* relation_of(race::Kind first) {
  switch (first) {
    case race::Kind::kOverwrite:
      return ", and no fence.proxy.async or end of its instruction that was waited for came between";
    case race::Kind::kReadUnwritten:
      return ", although it is read as memory that the kernel does not write";
    case race::Kind::kEnd:
      return ", which no thread of that CTA has waited for";
    case race::Kind::kAccess:
      break;
  }
  return ", which nothing orders with the other";
}

}  // namespace

void describe_race(void* report) {
  const Deadline deadline;
  const char* description = nullptr;
  int count = 0, stacks = 0, accesses = 0, locations = 0, mutexes = 0, threads = 0, unique_tids = 0;
  void* sleep[1];
  __tsan_get_report_data(report, &description, &count, &stacks, &accesses, &locations, &mutexes, &threads, &unique_tids,
                         sleep, 1);
  std::string message = "pallasgen emulator: data race";
  for (int i = 0; i < accesses; ++i) {
    int tid = 0, size = 0, write = 0, atomic = 0;
    void* address = nullptr;
    void* trace[kTrace] = {};
    __tsan_get_report_mop(report, static_cast<unsigned long>(i), &tid, &address, &size, &write, &atomic, trace, kTrace);
    if (i == 0) message += " at " + memory_name(address);
    const bool ends = i == 0 && race::kind() == race::Kind::kEnd;
    message += text("\n  %s by %s%s",
                    ends         ? "given back at its end"
                    : write != 0 ? "written"
                                 : "read",
                    thread_name(report, threads, tid).c_str(), access_place(trace).c_str());
    if (i == 1) message += relation_of(race::kind());
  }
  const std::string place = describe_current();
  std::fprintf(stderr, "%s\n  %s\n", message.c_str(), place.c_str());
}

}  // namespace pallasgen::emulator
