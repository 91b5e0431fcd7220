#include "timing.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#if __has_include(<cublasLt.h>)
#include <cublasLt.h>
#define PALLASGEN_HAS_CUBLASLT 1
#endif

namespace pallasgen {

namespace {

constexpr size_t kOutsideL2 = 200'000'000;  // bytes that no L2 cache of Hopper holds
constexpr int kMostCopies = 16;
constexpr size_t kPage = 4096, kMostCopied = 256u << 20;  // bytes; the second is the most that a copy moves
constexpr int kRounds = 9, kTrials = 3;

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

struct TimedArray {
  bool output = false;
  std::string dtype;
  size_t bytes = 0;
};

struct TimedJob {
  std::string label, beside, layout, epilogue;
  double operations = 0;
  std::vector<TimedArray> arrays;
  std::vector<int64_t> dims;
  std::vector<RunnerScalar> scalars;
  std::string name() const {
    std::string text = label;
    for (size_t i = 0; i < dims.size(); ++i) text += (i == 0 ? "_" : "x") + std::to_string(dims[i]);
    return text;
  }
  size_t bytes() const {
    size_t sum = 0;
    for (const TimedArray& array : arrays) sum += array.bytes;
    return sum;
  }
};

TimedJob read_job(const char* path) {
  TimedJob job;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "label") words >> job.label;
    if (word == "operations") words >> job.operations;
    if (word == "beside") words >> job.beside >> job.layout >> job.epilogue;
    if (word == "dim") words >> word >> job.dims.emplace_back();
    if (word == "scalar") {
      double value = 0;
      words >> word >> value;
      job.scalars.push_back({.floating = value, .integer = static_cast<int64_t>(value)});
    }
    if (word == "in" || word == "out") {
      job.arrays.push_back({word == "out", "", 0});
      words >> job.arrays.back().dtype >> job.arrays.back().bytes;
    }
  }
  return job;
}

void* allocate(const TimedArray& array, uint32_t seed) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, array.bytes), "cudaMalloc");
  if (array.output)
    check(cudaMemset(memory, 0, array.bytes), "cudaMemset");
  else
    fill_with_noise(memory, array.bytes, array.dtype, seed);
  return memory;
}

using Launch = std::function<void(int i, cudaStream_t stream)>;

// A graph of several launches.
struct Graph {
  cudaGraphExec_t exec = nullptr;
  int launches = 0;
};

Graph graph_of(const Launch& launch, int launches, cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
  for (int i = 0; i < launches; ++i) launch(i, stream);
  check(cudaStreamEndCapture(stream, &graph), "end of capture");
  Graph result{nullptr, launches};
  check(cudaGraphInstantiate(&result.exec, graph, 0), "graph");
  cudaGraphDestroy(graph);
  return result;
}

double microseconds(const Graph& graph, cudaStream_t stream) {
  static cudaEvent_t begin = nullptr, end = nullptr;
  if (begin == nullptr) check(cudaEventCreate(&begin), "event"), check(cudaEventCreate(&end), "event");
  cudaEventRecord(begin, stream);
  check(cudaGraphLaunch(graph.exec, stream), "graph launch");
  cudaEventRecord(end, stream);
  check(cudaEventSynchronize(end), "graph");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end), "elapsed time");
  return 1000.0 * static_cast<double>(milliseconds) / graph.launches;
}

struct Measured {
  double median = 0, least = 0;
};

// Measures the graphs in turn in each round, so that all run at the same clocks.
std::vector<Measured> measure(const std::vector<Graph>& graphs, int rounds, cudaStream_t stream) {
  std::vector<std::vector<double>> samples(graphs.size());
  for (int round = -1; round < rounds; ++round)  // the first warms up
    for (size_t g = 0; g < graphs.size(); ++g) {
      const double taken = microseconds(graphs[g], stream);
      if (round >= 0) samples[g].push_back(taken);
    }
  std::vector<Measured> result;
  for (std::vector<double>& values : samples) {
    std::sort(values.begin(), values.end());
    result.push_back({values[values.size() / 2], values.front()});
  }
  return result;
}

int launches_for(const Launch& launch, cudaStream_t stream) {
  launch(0, stream);
  check(cudaStreamSynchronize(stream), "first launch");
  const double once = microseconds(graph_of(launch, 1, stream), stream);
  return once < 200 ? 50 : 20;
}

// The operands of a matmul in each copy, in the launcher's order: a, b, c.
using Operands = std::vector<std::vector<void*>>;

#ifdef PALLASGEN_HAS_CUBLASLT
template <class F>
F symbol(void* library, const char* name) {
  return reinterpret_cast<F>(dlsym(library, name));
}
#define PALLASGEN_LT(name) const auto name##_ = symbol<decltype(&name)>(library, #name)

// A launch of one algorithm on the copies of the operands in turn.
struct LtLaunch {
  decltype(&cublasLtMatmul) matmul;
  cublasLtHandle_t handle;
  cublasLtMatmulDesc_t description;
  cublasLtMatrixLayout_t first, second, result;
  cublasLtMatmulAlgo_t algorithm;
  void* workspace;
  size_t workspace_bytes;
  Operands operands;

  void operator()(int at, cudaStream_t stream) const {
    const std::vector<void*>& set = operands[static_cast<size_t>(at) % operands.size()];
    const float one = 1.0f, zero = 0.0f;
    const cublasStatus_t status = matmul(handle, description, &one, set[1], first, set[0], second, &zero, set[2],
                                         result, set[2], result, &algorithm, workspace, workspace_bytes, stream);
    if (status != CUBLAS_STATUS_SUCCESS) std::printf("skipped cuBLASLt: status %d\n", static_cast<int>(status));
  }
};

// c = a @ b of row-major bf16 arrays, b as [K, N] (NN) or [N, K] (NT): in cuBLASLt's columns, c^T = b^T a^T. Returns a
// launch for each algorithm that its heuristics suggest, the first choice first; none if the library cannot be loaded.
// The epilogue `gelu` is the library's own, by tanh: it has none by erf.
std::vector<Launch> cublaslt(const TimedJob& job, const Operands& operands, std::string& why) {
  void* library = nullptr;
  for (const char* name : {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"})
    if (library == nullptr) library = dlopen(name, RTLD_NOW);
  if (library == nullptr) {
    why = "no libcublasLt.so";
    return {};
  }
  PALLASGEN_LT(cublasLtCreate);
  PALLASGEN_LT(cublasLtMatmulDescCreate);
  PALLASGEN_LT(cublasLtMatmulDescSetAttribute);
  PALLASGEN_LT(cublasLtMatrixLayoutCreate);
  PALLASGEN_LT(cublasLtMatmulPreferenceCreate);
  PALLASGEN_LT(cublasLtMatmulPreferenceSetAttribute);
  PALLASGEN_LT(cublasLtMatmulAlgoGetHeuristic);
  PALLASGEN_LT(cublasLtMatmul);
  const int64_t m = job.dims[0], n = job.dims[1], k = job.dims[2];
  const bool transposed = job.layout == "NT";
  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t description = nullptr;
  cublasLtMatrixLayout_t first = nullptr, second = nullptr, result = nullptr;
  cublasLtMatmulPreference_t preference = nullptr;
  const cublasOperation_t operation = transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  const cublasLtEpilogue_t epilogue = job.epilogue == "gelu" ? CUBLASLT_EPILOGUE_GELU : CUBLASLT_EPILOGUE_DEFAULT;
  const size_t workspace_bytes = 32 << 20;
  constexpr int kMost = 8;
  std::vector<cublasLtMatmulHeuristicResult_t> found(kMost);
  int count = 0;
  const bool made =
      cublasLtCreate_(&handle) == CUBLAS_STATUS_SUCCESS &&
      cublasLtMatmulDescCreate_(&description, CUBLAS_COMPUTE_32F, CUDA_R_32F) == CUBLAS_STATUS_SUCCESS &&
      cublasLtMatmulDescSetAttribute_(description, CUBLASLT_MATMUL_DESC_TRANSA, &operation, sizeof operation) ==
          CUBLAS_STATUS_SUCCESS &&
      cublasLtMatmulDescSetAttribute_(description, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue) ==
          CUBLAS_STATUS_SUCCESS &&
      cublasLtMatrixLayoutCreate_(&first, CUDA_R_16BF, transposed ? k : n, transposed ? n : k, transposed ? k : n) ==
          CUBLAS_STATUS_SUCCESS &&
      cublasLtMatrixLayoutCreate_(&second, CUDA_R_16BF, k, m, k) == CUBLAS_STATUS_SUCCESS &&
      cublasLtMatrixLayoutCreate_(&result, CUDA_R_16BF, n, m, n) == CUBLAS_STATUS_SUCCESS &&
      cublasLtMatmulPreferenceCreate_(&preference) == CUBLAS_STATUS_SUCCESS &&
      cublasLtMatmulPreferenceSetAttribute_(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes,
                                            sizeof workspace_bytes) == CUBLAS_STATUS_SUCCESS &&
      cublasLtMatmulAlgoGetHeuristic_(handle, description, first, second, result, result, preference, kMost,
                                      found.data(), &count) == CUBLAS_STATUS_SUCCESS;
  if (!made || count == 0) {
    why = "cuBLASLt has no algorithm for it";
    return {};
  }
  void* workspace = nullptr;
  check(cudaMalloc(&workspace, workspace_bytes), "cudaMalloc");
  std::vector<Launch> launches;
  for (int i = 0; i < count; ++i)
    launches.push_back(LtLaunch{cublasLtMatmul_, handle, description, first, second, result,
                                found[static_cast<size_t>(i)].algo, workspace, workspace_bytes, operands});
  return launches;
}
#else
std::vector<Launch> cublaslt(const TimedJob&, const Operands&, std::string& why) {
  why = "no cublasLt.h";
  return {};
}
#endif

// Formats the time of a rival, and its ratio to ours.
std::string beside(const char* what, const Measured& rival, const Measured& ours) {
  char text[160];
  std::snprintf(text, sizeof text, "; %s %.1f us, %.2fx", what, rival.median, rival.median / ours.median);
  return text;
}

// Measures the rivals, in turn with ours.
std::string rivals(const TimedJob& job, const Operands& operands, const Graph& ours, cudaStream_t stream) {
  if (job.beside == "alone") return "";
  if (job.beside == "copy") {
    // Copies that read and write as much as the kernel, in whole pages: others, and those of more than a GB, run at two
    // thirds of the rate.
    const size_t bytes = (job.bytes() / 2 + kPage - 1) / kPage * kPage;
    void *from = nullptr, *to = nullptr;
    check(cudaMalloc(&from, bytes), "cudaMalloc");
    check(cudaMalloc(&to, bytes), "cudaMalloc");
    const Graph copies = graph_of(
        [=](int, cudaStream_t on) {
          for (size_t at = 0; at < bytes; at += kMostCopied)
            check(cudaMemcpyAsync(static_cast<char*>(to) + at, static_cast<char*>(from) + at,
                                  std::min(kMostCopied, bytes - at), cudaMemcpyDeviceToDevice, on),
                  "copy");
        },
        ours.launches, stream);
    const std::vector<Measured> both = measure({ours, copies}, kRounds, stream);
    return beside("a copy", both[1], both[0]);
  }
  std::string why;
  const std::vector<Launch> launches = cublaslt(job, operands, why);
  if (launches.empty()) return "; " + why;
  std::vector<Graph> graphs;
  for (const Launch& launch : launches) {
    launch(0, stream);
    check(cudaStreamSynchronize(stream), "cuBLASLt");
    graphs.push_back(graph_of(launch, ours.launches, stream));
  }
  const std::vector<Measured> trials = measure(graphs, kTrials, stream);
  size_t best = 0;
  for (size_t i = 0; i < trials.size(); ++i)
    if (trials[i].median < trials[best].median) best = i;
  const std::vector<Measured> all = measure({ours, graphs.front(), graphs[best]}, kRounds, stream);
  const std::string with = job.epilogue == "gelu" ? " with gelu by tanh" : "";
  return beside(("cuBLASLt's first" + with).c_str(), all[1], all[0]) +
         beside(("its best, number " + std::to_string(best + 1) + " of " + std::to_string(graphs.size())).c_str(),
                all[2], all[0]);
}

// Replays the graph once for each line of stdin and prints the time of a launch, so that another process can alternate
// with it.
void take_turns(const Graph& graph, cudaStream_t stream) {
  microseconds(graph, stream);  // warms up
  std::printf("ready\n");
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    std::printf("turn %.3f\n", microseconds(graph, stream));
    std::fflush(stdout);
  }
}

}  // namespace

// Arguments: the file of the row, and `turns` if another process asks for each replay.
int time_job(int argc, char** argv, cudaError_t (*launch)(const RunnerCall& call), const char* (*last_error)(),
             size_t (*workspace_bytes)(const RunnerCall& call), const char* (*)(const void* workspace), WriteAhead) {
  if (argc < 2) return 2;
  const TimedJob job = read_job(argv[1]);
  const int copies = std::clamp(static_cast<int>(kOutsideL2 / std::max<size_t>(job.bytes(), 1)) + 1, 1, kMostCopies);
  Operands operands(static_cast<size_t>(copies));
  std::vector<RunnerCall> calls;
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream), "stream");
  for (std::vector<void*>& set : operands) {
    RunnerCall call;
    call.dims = job.dims;
    call.scalars = job.scalars;
    call.stream = stream;
    for (const TimedArray& array : job.arrays) {
      set.push_back(allocate(array, static_cast<uint32_t>(0x1234567 * (set.size() + 1))));
      call.arrays.push_back({set.back()});
    }
    if (workspace_bytes != nullptr) {
      call.workspace_bytes = workspace_bytes(call);
      check(cudaMalloc(&call.workspace, std::max<size_t>(call.workspace_bytes, 16)), "cudaMalloc");
    }
    calls.push_back(call);
  }
  check(cudaDeviceSynchronize(), "inputs");
  const Launch ours = [&](int i, cudaStream_t) {
    if (const cudaError_t error = launch(calls[static_cast<size_t>(i) % calls.size()])) {
      std::printf("%s: %s\n", cudaGetErrorString(error), last_error());
      std::exit(1);
    }
  };
  const Graph graph = graph_of(ours, launches_for(ours, stream), stream);
  if (argc > 2 && std::string(argv[2]) == "turns") {
    take_turns(graph, stream);
    return 0;
  }
  const Measured alone = measure({graph}, kRounds, stream).front();
  const std::string others = rivals(job, operands, graph, stream);
  std::printf("time %s %.1f us (least %.1f), %.1f TFLOP/s, %.0f GB/s%s\n", job.name().c_str(), alone.median,
              alone.least, job.operations / alone.median * 1e-6, static_cast<double>(job.bytes()) / alone.median * 1e-3,
              others.c_str());
  return 0;
}

}  // namespace pallasgen
