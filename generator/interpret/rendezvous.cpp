#include "rendezvous.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace pallasgen::interpreter {
namespace {

// Whose turn it is. A program has a thread of its own, of which one runs at any time.
struct Turns {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<bool> ended;
  std::vector<int64_t> last_round;  // of those that ended
  size_t turn = 0;
  int64_t round = 0;

  // Gives the turn to the next program that has not ended; past the last one, a round is over.
  void pass() {
    const size_t programs = ended.size();
    for (size_t step = 0; step < programs; ++step) {
      if (++turn == programs) {
        turn = 0;
        ++round;
      }
      if (!ended[turn]) break;
    }
    changed.notify_all();
  }
  // Whether a program ended in that round or before, and so never came to what others waited for at its end.
  bool ended_by(int64_t wanted) const {
    for (size_t i = 0; i < ended.size(); ++i) {
      if (ended[i] && last_round[i] <= wanted) return true;
    }
    return false;
  }
};

}  // namespace

void Rendezvous::run(size_t programs, const Program& program) {
  Turns turns;
  turns.ended.assign(programs, false);
  turns.last_round.assign(programs, 0);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < programs; ++i) {
    threads.emplace_back([&, i] {
      std::unique_lock lock(turns.mutex);
      turns.changed.wait(lock, [&] { return turns.turn == i; });
      const auto wait = [&] {
        const int64_t round = turns.round;
        turns.pass();
        turns.changed.wait(lock, [&] { return turns.turn == i && turns.round > round; });
        return !turns.ended_by(round);
      };
      program(i, wait);
      turns.ended[i] = true;
      turns.last_round[i] = turns.round;
      turns.pass();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace pallasgen::interpreter
