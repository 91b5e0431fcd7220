#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <pallasgen/emulator/emulator.h>
#include <pallasgen/launch.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <pallasgen/device.cuh>
#include <string>
#include <thread>
#include <vector>

// The emulator in a program that continues after a kernel has gone wrong: the result of the launch, its report, and an
// unaffected next launch.
using namespace pallasgen;

namespace {

constexpr int kCtas = 4, kThreads = 128;

__global__ void good_kernel(int* p) {
  __syncthreads();
  p[blockIdx.x * kThreads + threadIdx.x] = static_cast<int>(threadIdx.x);
}
__global__ void trap_kernel(int*) {
  if (threadIdx.x == 77) __trap();
  __syncthreads();
}
__global__ void deadlock_kernel(int*) {
  if (threadIdx.x != 5) __syncwarp();
  if (threadIdx.x == 5) __syncwarp(1u << 6 | 1u << 5);
}
__global__ void poll_kernel(int*) {
  PALLASGEN_DYNAMIC_SMEM(Barrier, barrier);
  if (threadIdx.x == 0) barrier.init(1, "never");
  __syncthreads();
  barrier.wait(0);
}
__global__ void address_kernel(int*) {
  __syncthreads();
  if (threadIdx.x == 5) *reinterpret_cast<volatile int*>(8) = 1;
}
__global__ void endless_kernel(int*) {
  volatile int goes_on = 1;
  while (goes_on != 0) {
  }
}
int deep(volatile int* p, int levels) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(levels);
  return levels == 0 ? p[0] : deep(p, levels - 1) + frame[0];
}
__global__ void stack_kernel(int* p) { p[0] = deep(p, 100000); }
__global__ void divide_kernel(int* p) {
  volatile int zero = 0;
  p[0] = 7 / zero;
}

struct Wrong {
  void (*kernel)(int*);
  cudaError_t error;
  const char* report;
};
constexpr Wrong kWrong[] = {
    {trap_kernel, cudaErrorLaunchFailure, "trap"},
    {deadlock_kernel, cudaErrorLaunchTimeout, "deadlock: "},
    {poll_kernel, cudaErrorLaunchTimeout, "never"},
    {address_kernel, cudaErrorIllegalAddress, "SIGSEGV at 0x8"},
    {endless_kernel, cudaErrorLaunchTimeout, "without a synchronisation"},
    {stack_kernel, cudaErrorIllegalAddress, "the stack of thread 0 overflowed"},
    {divide_kernel, cudaErrorIllegalAddress, "SIGFPE"},
};
constexpr int kEndless = 4;  // takes half a second each time

cudaError_t launched(void (*kernel)(int*), int* p) { return launch(kernel, Grid(kCtas), kThreads, 64, nullptr, p); }

bool launches_well() {
  std::array<int, kCtas * kThreads> numbers{};
  if (launched(good_kernel, numbers.data()) != cudaSuccess) return false;
  for (size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != static_cast<int>(i % kThreads)) return false;
  return true;
}

size_t mappings() {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  size_t count = 0;
  while (std::getline(maps, line)) ++count;
  return count;
}

/// While it lives, errors are returned.
struct Returning {
  Returning() {
    emulator::Options options = before;
    options.poll_limit = 20000;
    options.seconds_without_switch = 0.5;
    emulator::set_options(options);
    emulator::return_errors(true);
  }
  ~Returning() {
    emulator::return_errors(false);
    emulator::set_options(before);
  }
  const emulator::Options before = emulator::options();
};

}  // namespace

TEST_CASE("a kernel that goes wrong ends its launch, and nothing else") {
  const Returning returning;
  int number = 0;
  for (const Wrong& wrong : kWrong) {
    CAPTURE(wrong.report);
    CHECK(launched(wrong.kernel, &number) == wrong.error);
    INFO(emulator::last_report());
    CHECK(std::string(emulator::last_report()).find(wrong.report) != std::string::npos);
    CHECK(std::string(last_error()).find(wrong.report) != std::string::npos);
    CHECK(launches_well());
  }
}

TEST_CASE("the report of one call is not that of the next error") {
  const Returning returning;
  int number = 0;
  CHECK(launched(trap_kernel, &number) == cudaErrorLaunchFailure);
  CHECK(cudaMemset(nullptr, 0, 4) == cudaErrorInvalidValue);
  CHECK(std::string(cudaGetErrorString(cudaErrorLaunchFailure)).find("trap") == std::string::npos);
}

TEST_CASE("a red zone that was written is told once") {
  const Returning returning;
  int* p = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&p), 64) == cudaSuccess);
  p[17] = 1;
  std::array<int, kCtas * kThreads> numbers{};
  CHECK(launched(good_kernel, numbers.data()) == cudaErrorLaunchFailure);
  CHECK(launches_well());
  p[17] = 1;
  CHECK(cudaFree(p) == cudaErrorLaunchFailure);
  CHECK(launches_well());
}

TEST_CASE("launches that fail leave no memory behind") {
  const Returning returning;
  int number = 0;
  for (const Wrong& wrong : kWrong) static_cast<void>(launched(wrong.kernel, &number));
  const size_t before = mappings();
  for (int i = 0; i < 30; ++i) {
    for (const Wrong& wrong : kWrong)
      if (&wrong != &kWrong[kEndless]) static_cast<void>(launched(wrong.kernel, &number));
  }
  CHECK(mappings() < before + 20);
}

TEST_CASE("host threads launch at once, each with reports of its own") {
  const Returning returning;
  std::vector<int> wrong_results(4);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < wrong_results.size(); ++t) {
    threads.emplace_back([&wrong_results, t] {
      int number = 0;
      for (size_t i = 0; i < 40; ++i) {
        const size_t which = (i + t) % std::size(kWrong);
        if (which == kEndless) continue;
        const Wrong& wrong = kWrong[which];
        const bool as_told = launched(wrong.kernel, &number) == wrong.error &&
                             std::string(emulator::last_report()).find(wrong.report) != std::string::npos;
        wrong_results[t] += !as_told + !launches_well();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong_results == std::vector<int>(4));
}

TEST_CASE("signal handlers of the program are there again behind a launch") {
  const Returning returning;
  struct sigaction own{}, found{};
  own.sa_handler = [](int) {};
  for (const int signal : {SIGSEGV, SIGFPE, SIGVTALRM}) sigaction(signal, &own, nullptr);
  int number = 0;
  for (const Wrong& wrong : {kWrong[0], kWrong[3]}) {
    static_cast<void>(launched(wrong.kernel, &number));
    for (const int signal : {SIGSEGV, SIGFPE, SIGVTALRM}) {
      sigaction(signal, nullptr, &found);
      const bool is_there = found.sa_handler == own.sa_handler;
      CHECK(is_there);
    }
  }
  own.sa_handler = SIG_DFL;
  for (const int signal : {SIGSEGV, SIGFPE, SIGVTALRM}) sigaction(signal, &own, nullptr);
}
