#include "runner/runner.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

namespace pallasgen {

namespace {

constexpr size_t kFlank = 1024;
constexpr size_t kBeside = 64;  // guarded bytes around each element of an array whose elements lie far apart
constexpr unsigned char kPattern = 0xcd;
constexpr unsigned char kNan = 0xff;  // NaN in floats; surrounds the elements of inputs, so that reads of it are found
constexpr size_t kRefusedWorkspace = 1 << 20;

struct JobArray {
  bool output = false;
  size_t bytes = 0;
  std::string path, back;       // back: file for its content after the run; empty: none
  std::string first;            // an input's content in a previous call; empty: the same
  size_t element_bytes = 0;     // if the elements of the array lie far apart
  std::vector<size_t> offsets;  // offsets of its elements, in bytes, in the order of its file
  bool is_far() const { return element_bytes > 0; }
  unsigned char beside() const { return output ? kPattern : kNan; }  // content of guarded bytes
};

struct JobCase {
  std::string name;
  std::vector<JobArray> arrays;
  RunnerCall call;
  int expected_error = 0;
  std::string broken, how;        // the array whose argument is broken: its number, or "workspace"
  size_t shift = 0;               // shift of its pointer, in bytes
  unsigned char fill = kPattern;  // initial bytes of outputs and the workspace
  bool twice = false;             // called twice in a row
  bool has_first = false;         // a call before this one has other inputs
};

// Reads the rest of a line `places`.
void read_places(std::istringstream& words, JobArray& array) {
  size_t rank = 0, elements = 1;
  words >> array.element_bytes >> rank;
  std::vector<size_t> extents(rank), strides(rank);
  for (size_t& extent : extents) words >> extent;
  for (size_t& stride : strides) words >> stride;
  for (const size_t extent : extents) elements *= extent;
  for (size_t i = 0; i < elements; ++i) {
    size_t rest = i, place = 0;
    for (size_t d = rank; d-- > 0; rest /= extents[d]) place += rest % extents[d] * strides[d];
    array.offsets.push_back(place * array.element_bytes);
  }
}

std::vector<JobCase> read_job(const char* path) {
  std::vector<JobCase> cases;
  std::ifstream file(path);
  std::string line;
  int fill = kPattern;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "fill") {
      words >> fill;
    } else if (kind == "case") {
      cases.emplace_back();
      cases.back().fill = static_cast<unsigned char>(fill);
      words >> cases.back().name;
    } else if (kind == "in" || kind == "out") {
      JobArray array;
      array.output = kind == "out";
      words >> array.bytes >> std::ws;
      std::getline(words, array.path);
      if (array.output) array.back = array.path;
      cases.back().arrays.push_back(array);
    } else if (kind == "places") {
      read_places(words, cases.back().arrays.back());
    } else if (kind == "back") {
      words >> std::ws;
      std::getline(words, cases.back().arrays.back().back);
    } else if (kind == "twice") {
      cases.back().twice = true;
    } else if (kind == "first") {
      words >> std::ws;
      std::getline(words, cases.back().arrays.back().first);
      cases.back().has_first = true;
    } else if (kind == "dim") {
      words >> cases.back().call.dims.emplace_back();
    } else if (kind == "integer") {
      words >> cases.back().call.scalars.emplace_back().integer;
    } else if (kind == "floating") {
      words >> cases.back().call.scalars.emplace_back().floating;
    } else if (kind == "break") {
      words >> cases.back().broken >> cases.back().how >> cases.back().shift;
    } else if (kind == "expect") {
      words >> cases.back().expected_error;
    }
  }
  return cases;
}

// An array of a case in device memory, between guarded bytes if requested. `content`: the bytes to write to an input
// before the launch; null: they are there. `first`: the same for the previous call; null: `content`.
struct DeviceArray {
  unsigned char *base = nullptr, *content = nullptr, *first = nullptr;
  size_t bytes = 0, flank = 0;
  void* data() const { return base + flank; }
};

// A part of an array whose elements lie far apart: one element, or several near each other, and the bytes around them.
struct Window {
  size_t begin, end;
  std::vector<size_t> elements;  // their numbers
};

std::vector<Window> windows_of(const JobArray& array) {
  std::vector<size_t> order(array.offsets.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return array.offsets[a] < array.offsets[b]; });
  std::vector<Window> windows;
  for (const size_t i : order) {
    const size_t offset = array.offsets[i];
    const size_t begin = offset - std::min(offset, kBeside);
    const size_t end = std::min(offset + array.element_bytes + kBeside, array.bytes);
    if (windows.empty() || windows.back().end < begin) windows.push_back({begin, end, {}});
    windows.back().end = end;
    windows.back().elements.push_back(i);
  }
  return windows;
}

// Writes the elements, which are consecutive in `elements`, and the guarded bytes around them.
cudaError_t scatter(const JobArray& array, unsigned char* data, const std::vector<unsigned char>& elements) {
  for (const Window& window : windows_of(array)) {
    std::vector<unsigned char> host(window.end - window.begin, array.beside());
    for (const size_t i : window.elements)
      std::memcpy(host.data() + (array.offsets[i] - window.begin), elements.data() + i * array.element_bytes,
                  array.element_bytes);
    if (const cudaError_t error = cudaMemcpy(data + window.begin, host.data(), host.size(), cudaMemcpyHostToDevice))
      return error;
  }
  return cudaSuccess;
}

// Reads the elements. Returns false if a guarded byte was written, or memory cannot be copied.
bool gather(const JobArray& array, const unsigned char* data, std::vector<unsigned char>& elements) {
  elements.resize(array.offsets.size() * array.element_bytes);
  for (const Window& window : windows_of(array)) {
    std::vector<unsigned char> host(window.end - window.begin);
    if (cudaMemcpy(host.data(), data + window.begin, host.size(), cudaMemcpyDeviceToHost) != cudaSuccess) return false;
    const auto at = [&](size_t i) { return host.data() + (array.offsets[i] - window.begin); };
    for (const size_t i : window.elements)
      std::memcpy(elements.data() + i * array.element_bytes, at(i), array.element_bytes);
    for (const size_t i : window.elements) std::memset(at(i), array.beside(), array.element_bytes);
    if (std::any_of(host.begin(), host.end(), [&](unsigned char byte) { return byte != array.beside(); })) return false;
  }
  return true;
}

cudaError_t allocate_far(const JobArray& array, unsigned char fill, DeviceArray& device) {
  device.bytes = array.bytes;
  void* base = nullptr;
  if (const cudaError_t error = cudaMalloc(&base, array.bytes)) return error;
  device.base = static_cast<unsigned char*>(base);
  std::vector<unsigned char> elements(array.offsets.size() * array.element_bytes, fill);
  if (!array.output) {
    std::ifstream file(array.path, std::ios::binary);
    file.read(reinterpret_cast<char*>(elements.data()), static_cast<std::streamsize>(elements.size()));
    if (file.gcount() != static_cast<std::streamsize>(elements.size())) return cudaErrorFileNotFound;
  }
  return scatter(array, device.base, elements);
}

// Allocates device memory with the file's bytes.
cudaError_t allocate_file(const std::string& path, size_t bytes, unsigned char*& data) {
  std::vector<char> host(bytes);
  std::ifstream file(path, std::ios::binary);
  file.read(host.data(), static_cast<std::streamsize>(bytes));
  if (file.gcount() != static_cast<std::streamsize>(bytes)) return cudaErrorFileNotFound;
  void* base = nullptr;
  if (const cudaError_t error = cudaMalloc(&base, bytes)) return error;
  data = static_cast<unsigned char*>(base);
  return cudaMemcpy(data, host.data(), bytes, cudaMemcpyHostToDevice);
}

cudaError_t allocate(const JobArray& array, size_t flank, unsigned char fill, DeviceArray& device) {
  if (array.is_far()) return allocate_far(array, fill, device);
  device.bytes = array.bytes;
  device.flank = flank;
  void* base = nullptr;
  // An empty array still gets an address: launchers refuse null only if they would read something.
  if (cudaError_t error = cudaMalloc(&base, array.bytes + 2 * flank + (array.bytes == 0 ? 16 : 0))) return error;
  device.base = static_cast<unsigned char*>(base);
  std::vector<unsigned char> host(array.bytes + 2 * flank, array.beside());
  std::fill_n(host.begin() + static_cast<std::ptrdiff_t>(flank), array.bytes, array.output ? fill : kPattern);
  if (const cudaError_t error = cudaMemcpy(base, host.data(), host.size(), cudaMemcpyHostToDevice)) return error;
  if (array.output || array.bytes == 0) return cudaSuccess;
  if (const cudaError_t error = allocate_file(array.path, array.bytes, device.content)) return error;
  return array.first.empty() ? cudaSuccess : allocate_file(array.first, array.bytes, device.first);
}

// Copies back on the stream, checks the flanks, writes outputs and appends their bytes to `written`. Returns an empty
// string if all is well.
std::string collect(const JobArray& array, const DeviceArray& device, cudaStream_t stream,
                    std::vector<unsigned char>& written) {
  if (array.is_far()) {
    std::vector<unsigned char> elements;
    if (!gather(array, device.base, elements)) return "memory beside the elements of '" + array.path + "' was written";
    if (array.back.empty()) return "";
    written.insert(written.end(), elements.begin(), elements.end());
    std::ofstream file(array.back, std::ios::binary);
    file.write(reinterpret_cast<const char*>(elements.data()), static_cast<std::streamsize>(elements.size()));
    return file ? "" : "cannot write " + array.back;
  }
  std::vector<unsigned char> host(device.bytes + 2 * device.flank);
  if (cudaMemcpyAsync(host.data(), device.base, host.size(), cudaMemcpyDeviceToHost, stream) != cudaSuccess ||
      cudaStreamSynchronize(stream) != cudaSuccess)
    return "cannot copy back";
  for (size_t i = 0; i < device.flank; ++i)
    if (host[i] != array.beside() || host[host.size() - 1 - i] != array.beside())
      return "memory outside '" + array.path + "' was written";
  if (array.back.empty()) return "";
  written.insert(written.end(), host.begin() + static_cast<std::ptrdiff_t>(device.flank),
                 host.end() - static_cast<std::ptrdiff_t>(device.flank));
  std::ofstream file(array.back, std::ios::binary);
  file.write(reinterpret_cast<const char*>(host.data() + device.flank), static_cast<std::streamsize>(device.bytes));
  return file ? "" : "cannot write " + array.back;
}

// Returns the first byte in which the outputs of two runs differ; their size if none does. With a tolerance they are
// f32, and differ if |a - b| > tolerance * max(1, |a|).
size_t first_difference(const std::vector<unsigned char>& a, const std::vector<unsigned char>& b, float tolerance) {
  const size_t bytes = a.size();
  if (a.size() != b.size()) return 0;
  if (tolerance <= 0) return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
  for (size_t i = 0; i + sizeof(float) <= bytes; i += sizeof(float)) {
    float x, y;
    std::memcpy(&x, a.data() + i, sizeof x);
    std::memcpy(&y, b.data() + i, sizeof y);
    if (std::memcmp(&x, &y, sizeof x) != 0 && !(std::fabs(x - y) <= tolerance * std::fmax(1.0f, std::fabs(x))))
      return i;
  }
  return bytes;
}

// Returns the pointer that the launcher gets.
void* handed(void* pointer, const std::string& name, const JobCase& job) {
  if (job.broken != name) return pointer;
  return job.how == "null" ? nullptr : static_cast<unsigned char*>(pointer) + job.shift;
}

// The launcher's functions: the parameters of run_job.
struct Launcher {
  cudaError_t (*launch)(const RunnerCall&);
  const char* (*last_error)();
  size_t (*workspace_bytes)(const RunnerCall&);
  const char* (*status)(const void*);
  WriteAhead write_ahead;
};

// Writes the inputs, of the previous call or of the one that counts.
cudaError_t write_inputs(const JobCase& job, const std::vector<DeviceArray>& arrays, bool first,
                         const Launcher& launcher) {
  for (const DeviceArray& array : arrays) {
    const unsigned char* content = first && array.first != nullptr ? array.first : array.content;
    if (content == nullptr) continue;
    if (const cudaError_t error = launcher.write_ahead(array.data(), content, array.bytes, job.call.stream))
      return error;
  }
  return cudaSuccess;
}

// Calls the launcher on other inputs, and fills the outputs anew.
cudaError_t launch_before(const JobCase& job, const std::vector<DeviceArray>& arrays, const Launcher& launcher) {
  if (const cudaError_t error = write_inputs(job, arrays, true, launcher)) return error;
  if (const cudaError_t error = launcher.launch(job.call)) return error;
  for (size_t i = 0; i < job.call.arrays.size(); ++i) {
    const JobArray& array = job.arrays[i];
    const bool is_workspace = array.output && array.back.empty();
    if (!array.output || is_workspace || array.is_far() || array.bytes == 0) continue;
    if (const cudaError_t error = cudaMemsetAsync(arrays[i].data(), job.fill, array.bytes, job.call.stream))
      return error;
  }
  return cudaSuccess;
}

// Writes the inputs and launches, and waits for both. Returns an empty string if all is well.
std::string launch_behind(const JobCase& job, const std::vector<DeviceArray>& arrays, const Launcher& launcher) {
  const bool is_legal = job.expected_error == 0;
  cudaError_t error = is_legal && job.has_first ? launch_before(job, arrays, launcher) : cudaSuccess;
  if (error == cudaSuccess && is_legal) error = write_inputs(job, arrays, false, launcher);
  if (error == cudaSuccess && is_legal && job.twice) error = launcher.launch(job.call);
  if (error == cudaSuccess) error = launcher.launch(job.call);
  if (error != job.expected_error) return std::string(cudaGetErrorString(error)) + ": " + launcher.last_error();
  if (error != cudaSuccess) return "";
  if (const cudaError_t late = cudaStreamSynchronize(job.call.stream)) return cudaGetErrorString(late);
  return launcher.status == nullptr ? "" : launcher.status(job.call.workspace);
}

std::string run_case(JobCase job, size_t flank, cudaStream_t stream, const Launcher& launcher,
                     std::vector<unsigned char>& written) {
  const auto workspace_bytes = launcher.workspace_bytes;
  job.call.stream = stream;
  if (workspace_bytes != nullptr) {
    // The last array is the workspace; its guarded bytes must leave it aligned.
    job.call.workspace_bytes = workspace_bytes(job.call);
    // A call that must be refused may ask for any size; nothing is written there.
    const size_t bytes =
        job.expected_error == 0 ? job.call.workspace_bytes : std::min(job.call.workspace_bytes, kRefusedWorkspace);
    JobArray workspace;
    workspace.output = true;
    workspace.bytes = bytes;
    workspace.path = "the workspace";
    job.arrays.push_back(workspace);
  }
  std::vector<DeviceArray> arrays(job.arrays.size());
  std::string failure;
  for (size_t i = 0; i < arrays.size() && failure.empty(); ++i) {
    if (const cudaError_t error = allocate(job.arrays[i], flank, job.fill, arrays[i]))
      failure = cudaGetErrorString(error);
    job.call.arrays.push_back({handed(arrays[i].data(), std::to_string(i), job)});
  }
  if (workspace_bytes != nullptr) job.call.workspace = handed(arrays.back().data(), "workspace", job);
  if (job.broken == "workspace" && job.how == "less") --job.call.workspace_bytes;
  if (failure.empty()) failure = launch_behind(job, arrays, launcher);
  for (size_t i = 0; i < arrays.size(); ++i) {
    if (failure.empty() && job.expected_error == 0) failure = collect(job.arrays[i], arrays[i], stream, written);
    if (arrays[i].base != nullptr) cudaFree(arrays[i].base);
    if (arrays[i].content != nullptr) cudaFree(arrays[i].content);
    if (arrays[i].first != nullptr) cudaFree(arrays[i].first);
  }
  return failure;
}

}  // namespace

int run_job(int argc, char** argv, cudaError_t (*launch)(const RunnerCall& call), const char* (*last_error)(),
            size_t (*workspace_bytes)(const RunnerCall& call), const char* (*status)(const void* workspace),
            WriteAhead write_ahead) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s JOB [flanks] [repeat=N] [f32=TOLERANCE]\n", argv[0]);
    return 2;
  }
  size_t flank = 0;
  int repeat = 1;
  float tolerance = 0;
  for (int i = 2; i < argc; ++i) {
    if (std::strcmp(argv[i], "flanks") == 0) flank = kFlank;
    if (std::strncmp(argv[i], "repeat=", 7) == 0) repeat = std::atoi(argv[i] + 7);
    if (std::strncmp(argv[i], "f32=", 4) == 0) tolerance = std::strtof(argv[i] + 4, nullptr);
  }
  bool fine = true;
  const Launcher launcher{launch, last_error, workspace_bytes, status, write_ahead};
  cudaStream_t stream = nullptr;
  if (const cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)) {
    std::fprintf(stderr, "no stream: %s\n", cudaGetErrorString(error));
    return 2;
  }
  for (const JobCase& job : read_job(argv[1])) {
    std::string failure;
    std::vector<unsigned char> first;
    for (int run = 1; run <= repeat && failure.empty(); ++run) {
      std::vector<unsigned char> written;
      failure = run_case(job, flank, stream, launcher, written);
      if (run == 1) first = written;
      if (const size_t differs = first_difference(first, written, tolerance);
          failure.empty() && differs != first.size()) {
        failure = "run " + std::to_string(run) + " of " + std::to_string(repeat) +
                  " differs from run 1, first in byte " + std::to_string(differs) + " of the outputs";
      }
    }
    if (failure.empty())
      std::printf("done %s\n", job.name.c_str());
    else
      std::printf("failed %s: %s\n", job.name.c_str(), failure.c_str());
    std::fflush(stdout);
    fine = fine && failure.empty();
  }
  return fine ? 0 : 1;
}

}  // namespace pallasgen
