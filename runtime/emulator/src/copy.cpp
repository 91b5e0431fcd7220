#include "copy.h"

#include "current.h"
#include "report.h"
#include "source_place.h"

namespace pallasgen::emulator {

Copy::Copy(Thread& issuer, const char* name, const void* pc) : issuer_(issuer), name_(name), pc_(pc) {
  race::release(issuer.agent, issued_);
}

Copy::~Copy() {
  race::destroy(generic_);
  for (const race::Context context : async_) race::destroy(context);
}

std::string Copy::describe() const {
  return std::string(name_) + " started by " + emulator::describe(issuer_) + " of " + emulator::describe(*issuer_.cta) +
         at_source_place(pc_);
}

race::Context Copy::generic_context() { return made_context(generic_, issued_.generic); }

race::Context Copy::context(race::Space space) {
  return made_context(async_[static_cast<int>(space)], issued_.async_in(space));
}

race::Context Copy::finished() {
  const race::Context shared = context(race::Space::kShared);
  race::release(async_[static_cast<int>(race::Space::kGlobal)], done_);
  race::acquire(shared, done_);
  return shared;
}

race::Context Copy::made_context(race::Context& context, uint64_t& issued) {
  if (!race::enabled() || context != nullptr) return context;
  // ThreadSanitizer keeps 63 characters of the name.
  context =
      race::create(text("%s of thread %d, %s", name_, issuer_.index, emulator::describe(*issuer_.cta).c_str()).c_str());
  race::acquire(context, issued);
  return context;
}

void Copy::write_shared(const void* p, size_t bytes) {
  race::Accesses(context(race::Space::kShared), pc_).overwrite(p, bytes);
}

Completed completion_target(Thread& thread, uint32_t bar, const char* what) {
  const SharedPlace place = shared_place(*thread.cta, bar, 8, 8, what);
  return {place.cta, place.offset, place.cta->mbarriers.phase_for_copy(place.offset)};
}

void issue_copy(std::unique_ptr<AsyncOperation> copy) {
  ++mutable_statistics().copies;
  execution().async.issue(std::move(copy), execution().options().copies);
}

}  // namespace pallasgen::emulator
