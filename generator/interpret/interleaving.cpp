#include "interleaving.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace pallasgen::interpreter {
namespace {

class ThreadScheduler {
 public:
  ThreadScheduler(size_t threads, const Interleaving::Pick& pick)
      : ready_(threads, [] { return true; }), ended_(threads, false), pick_(pick) {
    choose();
  }

  bool wait(size_t thread, const Interleaving::Ready& ready) {
    std::unique_lock lock(mutex_);
    ready_[thread] = ready;
    choose();
    changed_.wait(lock, [&] { return stopped_ || turn_ == thread; });
    return !stopped_;
  }
  bool start(size_t thread) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || turn_ == thread; });
    return !stopped_;
  }
  void end(size_t thread, std::exception_ptr thrown) {
    const std::lock_guard lock(mutex_);
    ended_[thread] = true;
    if (thrown && !thrown_) thrown_ = std::move(thrown);
    if (thrown_) stopped_ = true;
    choose();
  }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  void choose() {
    std::vector<size_t> can;
    bool all_ended = true;
    for (size_t i = 0; i < ready_.size() && !stopped_; ++i) {
      all_ended = all_ended && ended_[i];
      if (!ended_[i] && ready_[i]()) can.push_back(i);
    }
    if (can.empty()) {
      stopped_ = stopped_ || !all_ended;
    } else {
      turn_ = can[pick_(can.size())];
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Interleaving::Ready> ready_;
  std::vector<bool> ended_;
  const Interleaving::Pick& pick_;
  size_t turn_ = 0;
  bool stopped_ = false;
  std::exception_ptr thrown_;
};

}  // namespace

void Interleaving::run(size_t threads, const Control& control, const Pick& pick) {
  if (threads == 0) return;  // a grid without programs
  ThreadScheduler scheduler(threads, pick);
  const auto body = [&](size_t i) {
    std::exception_ptr thrown;
    try {
      if (scheduler.start(i)) control(i, [&, i](const Ready& ready) { return scheduler.wait(i, ready); });
    } catch (...) {
      thrown = std::current_exception();
    }
    scheduler.end(i, std::move(thrown));
  };
  std::vector<std::thread> others;
  for (size_t i = 0; i + 1 < threads; ++i) others.emplace_back(body, i);
  body(threads - 1);
  for (std::thread& other : others) other.join();
  scheduler.rethrow();
}

}  // namespace pallasgen::interpreter
