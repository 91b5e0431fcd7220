#pragma once

#include <clang/AST/ASTContext.h>

#include <string>
#include <string_view>
#include <vector>

#include "memory.h"

namespace pallasgen::vet {

// Actions of a thread that other threads can observe. docs/vet.md explains the runtime's verbs.
enum class Verb {
  barrier_init,
  barrier_init_fence,
  barrier_wait,
  barrier_arrive,
  barrier_expect,
  barrier_arrive_expect,
  copies_arrive,
  named_sync,
  named_arrive,
  cta_sync,
  warp_sync,
  proxy_fence,
  tensor_load,
  tensor_store,
  bulk_load,
  bulk_copy,
  bulk_commit,
  bulk_wait,
  bulk_wait_read,
  async_copy,
  async_commit,
  async_wait,
  shared_read,
  shared_write,
  wgmma_fence,
  wgmma,
  wgmma_commit,
  wgmma_wait,
  registers_up,
  registers_down,
};

struct Event {
  Verb verb;
  clang::SourceLocation at;  // in the kernel's file
  Pointer place;             // the barrier, or the shared memory that is read or written
  Pointer other;             // the barrier on which a copy completes
  int64_t number = 0;        // count, parity, bytes, groups, registers, barrier id
  int64_t threads = 0;       // of a named barrier
  const MapInfo* map = nullptr;
};

// Threads of a warp with the same events: the first lane, the elected lane, or all others.
struct Actor {
  int warp = 0, lane = 0, threads = 0;
  std::string role;                       // the function of the file that the kernel calls for it, or empty
  int group() const { return warp / 4; }  // its warpgroup
  std::vector<Event> events;
};

// One launch of a kernel with given sizes; one CTA does all its work.
struct Launch {
  const clang::FunctionDecl* kernel = nullptr;
  int64_t threads = 0, programs = 1, shared_bytes = 0;  // `programs`: rows of the threads
  clang::SourceLocation at, threads_at, shared_at;
  Object* shared = nullptr;
  std::vector<Actor> actors;
  std::string sizes;         // "M = 256, N = 8"
  std::string not_followed;  // why the actors' events are incomplete, or empty
};

}  // namespace pallasgen::vet
