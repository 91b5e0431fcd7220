#include "rendezvous.h"

#include "interleaving.h"

namespace pallasgen::interpreter {
namespace {

// How many programs wait, and how many have ended.
struct Round {
  size_t programs, waiting = 0, ended = 0, number = 0;
  bool whole = true;  // no program had ended when the last round closed

  void close_if_complete() {
    if (waiting == 0 || waiting + ended < programs) return;
    whole = ended == 0;
    waiting = 0;
    ++number;
  }
};

}  // namespace

void Rendezvous::run(size_t programs, const Program& program) {
  Round round{programs};
  const auto control = [&](size_t i, const Interleaving::Wait& wait) {
    program(i, [&] {
      const size_t own = round.number;
      ++round.waiting;
      round.close_if_complete();
      return wait([&round, own] { return round.number > own; }) && round.whole;
    });
    ++round.ended;
    round.close_if_complete();
  };
  Interleaving::run(programs, control, [](size_t) { return size_t{0}; });
}

}  // namespace pallasgen::interpreter
