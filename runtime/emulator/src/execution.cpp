#include "execution.h"

#include <algorithm>

#include "builtin_variables.h"
#include "current.h"
#include "deadlock.h"
#include "poison.h"
#include "report.h"
#include "symbol.h"
#include "watchdog.h"

namespace pallasgen::emulator {
namespace {

// Threads may compute for long between two events that the emulator sees, and meet at barriers meanwhile.
constexpr uint64_t kIdleSwitchesPerPoll = 100;
constexpr uint64_t kTurnOverOnceIn = 64;
constexpr int kCandidates = 8;  // among which the favourite is chosen
// A warp that polls may pass the result to its other lanes before it polls again.
constexpr int kWaitsOfPoll = 8 * kWarpSize;

size_t stack_bytes(const Options& options) {
  if (options.stack_bytes != 0) return options.stack_bytes;
  return 256 << 10;
}

bool is_poll(const Wait& wait) { return wait.kind == Wait::Kind::kPoll && *wait.text != '\0'; }

void thread_main() {
  Fiber::started();
  Thread& thread = current_thread("kernel", nullptr);
  const KernelCall& call = execution().call();
  race::acquire(thread.agent, thread.cta->begin);
  race::enter(thread.agent.generic);
  call.invoke(call.arguments);
  race::enter_runtime();
  execution().exit_thread(thread);
}

}  // namespace

Statistics& mutable_statistics() {
  static Statistics statistics;
  return statistics;
}

const Statistics& statistics() { return mutable_statistics(); }

Execution::Execution(const cudaLaunchConfig_t& config, const KernelCall& call, const LaunchAttributes& attributes)
    : random(emulator::options().seed),
      options_(emulator::options()),
      call_(call),
      grid_(config.gridDim),
      block_(config.blockDim),
      attributes_(attributes),
      shared_bytes_(config.dynamicSmemBytes),
      kernel_(function_name(call.function)),
      stream_(stream_of(config.stream)) {}

void Execution::run() {
  stream_.begin(attributes_.dependent);
  set_builtin_shape(block_, grid_);
  const uint3 shape = attributes_.cluster;
  const uint3 clusters{grid_.x / shape.x, grid_.y / shape.y, grid_.z / shape.z};
  std::vector<uint3> order;
  for (unsigned z = 0; z < clusters.z; ++z)
    for (unsigned y = 0; y < clusters.y; ++y)
      for (unsigned x = 0; x < clusters.x; ++x) order.push_back({x * shape.x, y * shape.y, z * shape.z});
  if (options_.random_order)
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  // In random order as many as there are SMs run at once, so that waiting CTAs meet others in all states.
  size_t at_once = options_.random_order ? std::max<size_t>(1, static_cast<size_t>(options_.sms)) : 1;
  if (attributes_.cooperative) at_once = order.size();
  for (size_t i = 0; i < order.size(); ++i) {
    start_cluster(order[i]);
    if ((i + 1) % at_once == 0 || i + 1 == order.size()) run_started();
  }
  if (read_only_ != nullptr) race::release(read_only_, done_);
  race::destroy(read_only_);
  stream_.end(done_);
}

race::Context Execution::read_only() {
  if (read_only_ != nullptr || !race::enabled()) return read_only_;
  read_only_ = race::create("__ldg, which takes it for unwritten,");
  race::acquire(read_only_, stream_.begun().generic);
  return read_only_;
}

void Execution::start_cluster(uint3 first) {
  clusters_.push_back(std::make_unique<Cluster>());
  Cluster& cluster = *clusters_.back();
  cluster.shape = attributes_.cluster;
  uint32_t rank = 0;
  for (unsigned z = 0; z < cluster.shape.z; ++z)
    for (unsigned y = 0; y < cluster.shape.y; ++y)
      for (unsigned x = 0; x < cluster.shape.x; ++x) {
        const uint3 index{first.x + x, first.y + y, first.z + z};
        const std::string name = text("CTA (%u,%u,%u)", index.x, index.y, index.z);
        const uint3 threads{block_.x, block_.y, block_.z};
        cluster.ctas.push_back(std::make_unique<Cta>(cluster, index, rank++, threads, shared_bytes_, name));
        ctas_.push_back(cluster.ctas.back().get());
        start_threads(*ctas_.back());
      }
}

void Execution::run_started() {
  run_threads();
  // The copies complete their writes to global memory before the grid ends.
  while (!async.empty()) async.advance_one(/*force=*/true);
  for (Cta* cta : ctas_) {
    if (const long at = cta->shared.overrun(); at >= 0)
      rule_broken("%s wrote %ld bytes behind its shared memory", describe(*cta).c_str(), at + 1);
    race::acquire(cta->root, cta->end);
    race::release(cta->root, done_);
    strong.forget(cta->shared.data(), cta->shared.bytes());
    if (!race::enabled()) spare_stacks_ = std::move(cta->stacks);
    ++mutable_statistics().ctas;
  }
  ctas_.clear();
  clusters_.clear();
}

void Execution::start_threads(Cta& cta) {
  cta.root = race::create(describe(cta).c_str());
  race::acquire(cta.root, stream_.begun().generic);
  race::release(cta.root, cta.begin);
  cta.stacks = std::move(spare_stacks_);
  // Under ThreadSanitizer every CTA has fresh stacks, or threads of different CTAs would seem to race on them; guards
  // would cost a system call per thread each time.
  if (cta.stacks == nullptr)
    cta.stacks = std::make_unique<Stacks>(cta.threads.size(), stack_bytes(options_), /*guards=*/!race::enabled());
  give_priorities(cta);
  for (Thread& thread : cta.threads) {
    thread.fiber.prepare(cta.stacks->base(static_cast<size_t>(thread.index)), cta.stacks->bytes(), thread_main);
    ready_.push_back(&thread);
  }
}

// The seed selects the kind of a random schedule: two of four kinds have no favourites, one favourite CTAs and one
// favourite warps, which lead most of the time, until new ones are drawn; uniform choices cause no leads.
void Execution::give_priorities(Cta& cta) {
  if (!has_favourites()) return;
  const bool alike = options_.seed % 2 == 1;
  const uint64_t of_cta = random.next();
  for (Warp& warp : cta.warps) warp.priority = alike ? of_cta : random.next();
}

bool Execution::has_favourites() const { return options_.random_order && options_.seed % 4 >= 2; }

// If threads only poll, favourites among them would otherwise keep the threads that they wait for from running.
bool Execution::comes_before(const Thread& one, const Thread& other) const {
  const bool polls = is_poll(one.wait), other_polls = is_poll(other.wait);
  if (polls_in_vain() && polls != other_polls) return other_polls;
  return has_favourites() && one.warp->priority > other.warp->priority;
}

Thread* Execution::next_ready() {
  if (ready_.empty()) return nullptr;
  if (options_.random_order) {
    size_t chosen = random.below(ready_.size());
    const int candidates = polls_in_vain() ? 4 * kCandidates : has_favourites() ? kCandidates : 1;
    for (int i = 1; i < candidates; ++i) {
      const size_t other = random.below(ready_.size());
      if (comes_before(*ready_[other], *ready_[chosen])) chosen = other;
    }
    std::swap(ready_.front(), ready_[chosen]);
    if (has_favourites() && random.once_in(kTurnOverOnceIn)) give_priorities(*ready_.front()->cta);
  }
  Thread* thread = ready_.front();
  ready_.pop_front();
  return thread;
}

void Execution::run_threads() {
  const auto live = [this] {
    return std::any_of(ctas_.begin(), ctas_.end(), [](const Cta* cta) { return cta->live > 0; });
  };
  while (!ready_.empty() || live()) {
    if (async.advance_one(/*force=*/false)) idle_switches_ = 0;
    // When every ready thread has polled in vain, only asynchronous work can help.
    if (polls_in_vain() && async.advance_one(/*force=*/true)) note_progress();
    Thread* thread = next_ready();
    if (thread == nullptr) {
      if (!async.advance_one(/*force=*/true)) report_deadlock(*this);
      idle_switches_ = 0;
      continue;
    }
    if (polls_ > options_.poll_limit) report_polling(*this, *thread);
    if (++idle_switches_ > kIdleSwitchesPerPoll * options_.poll_limit) report_idling(*this, *thread);
    ++switches_;
    watchdog_progress();
    thread->state = Thread::State::kRunning;
    set_current_thread(thread);
    set_builtin_place(thread->place, thread->cta->index);
    thread->fiber.resume();
    set_current_thread(nullptr);
    if (abandoned_ != cudaSuccess) throw Failure(abandoned_);
  }
}

// Lanes that wait for one another make no progress if the wait is part of a poll.
void Execution::note_wait(const Thread& thread) {
  const bool of_poll = thread.wait.kind == Wait::Kind::kWarp && thread.warp->waits_since_poll < kWaitsOfPoll;
  if (!of_poll) polls_ = 0;
}

void Execution::block(Thread& thread, const Wait& wait) {
  thread.wait = wait;
  thread.state = Thread::State::kBlocked;
  if (wait.kind == Wait::Kind::kWarp && thread.warp->waits_since_poll < kWaitsOfPoll) ++thread.warp->waits_since_poll;
  note_wait(thread);
  thread.fiber.suspend();
  thread.wait = {};
}

void Execution::yield(Thread& thread, const char* polled) {
  thread.wait = {.kind = Wait::Kind::kPoll, .text = polled == nullptr ? "" : polled};
  if (polled != nullptr) {
    ++polls_;
    thread.warp->waits_since_poll = 0;
  }
  thread.state = Thread::State::kReady;
  ready_.push_back(&thread);
  thread.fiber.suspend();
  thread.wait = {};
}

void Execution::wake(Thread& thread) {
  if (thread.state != Thread::State::kBlocked) return;
  thread.state = Thread::State::kReady;
  note_wait(thread);
  ready_.push_back(&thread);
}

void Execution::wake_for_copies(Thread& thread) {
  const Wait::Kind kind = thread.wait.kind;
  if (kind == Wait::Kind::kBulkGroups || kind == Wait::Kind::kBulkReads || kind == Wait::Kind::kCopyGroups)
    wake(thread);
}

void Execution::abandon(Thread& thread, cudaError_t error) {
  abandoned_ = error;
  thread.fiber.finish();
}

void Execution::exit_thread(Thread& thread) {
  Cta& cta = *thread.cta;
  if (thread.bulk != nullptr && !thread.bulk->all_waited_for())
    rule_broken(
        "the thread exits while a store it started may still read shared memory; it must wait for its bulk group's "
        "reads");
  if (thread.copies != nullptr && !thread.copies->all_waited_for())
    rule_broken("the thread exits without waiting for a cp.async it started");
  cta.wgmma_units[static_cast<size_t>(thread.index / kWarpgroupSize)]->check_at_exit(thread);
  race::release(thread.agent, cta.end);
  race::release(thread.agent, cta.left);
  thread.state = Thread::State::kExited;
  thread.warp->live &= ~(1u << thread.lane);
  --cta.live;
  note_progress();
  thread.warp->convergence.lane_exited(thread);
  thread.warp->exchanges.lane_exited(*thread.warp);
  cta.named_barriers.thread_exited(thread);
  leave_cluster_barrier(thread);
  if (cta.live == 0) {
    cta.registers.check_at_exit();
    cta.mbarriers.check_at_exit();
    async.check_cta_exit(cta);
    // Its shared memory may become another CTA's after this: accesses to it by copies and by other CTAs of the cluster
    // must come before the exit of one of its threads.
    race::acquire(cta.root, cta.left);
    race::Accesses(cta.root, nullptr).end(cta.shared.data(), cta.shared.bytes());
  }
  thread.fiber.finish();
}

}  // namespace pallasgen::emulator
