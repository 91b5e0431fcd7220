#include "streams.h"

#include <deque>

#include "report.h"

struct CUstream_st {
  explicit CUstream_st(bool blocking) : stream(blocking) {}
  pallasgen::emulator::Stream stream;
};

namespace pallasgen::emulator {
namespace {

/// The default streams, legacy and per thread, then those that were created.
std::deque<CUstream_st>& streams() {
  static std::deque<CUstream_st> all = [] {
    std::deque<CUstream_st> defaults;
    defaults.emplace_back(true);
    defaults.emplace_back(true);
    return defaults;
  }();
  return all;
}

Stream& legacy() { return streams()[0].stream; }

}  // namespace

Stream& stream_of(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return legacy();
  if (handle == cudaStreamPerThread) return streams()[1].stream;
  return handle->stream;
}

cudaStream_t create_stream(bool blocking) { return &streams().emplace_back(blocking); }

race::Context Stream::context() {
  if (context_ != nullptr || !race::enabled()) return context_;
  size_t number = 0;
  for (const CUstream_st& other : streams()) {
    if (&other.stream == this) break;
    ++number;
  }
  const std::string created = text("stream %zu of those created", number - 1);
  context_ = race::create(number == 0 ? "the default stream" : number == 1 ? "the thread's stream" : created.c_str());
  return context_;
}

void Stream::begin(bool dependent) {
  if (!race::enabled()) return;
  if (!dependent) {
    const auto after = [this](Stream& other) { race::acquire(context(), other.finished_); };
    after(*this);
    if (this == &legacy()) {
      for (CUstream_st& other : streams())
        if (other.stream.blocking_) after(other.stream);
    } else if (blocking_) {
      after(legacy());
    }
    race::release(context(), begun_);
  }
  race::release_host(begun_);
  race::acquire(context(), begun_.generic);
}

void Stream::end(race::Sync& done) {
  race::acquire(context(), done);
  race::release(context(), finished_);
}

void Stream::end() {
  race::release(context(), finished_);
  race::release(context(), begun_);  // only a kernel lets the next work begin before its end
}

void Stream::record(race::Sync& event) {
  begin(/*dependent=*/false);
  race::release(context(), event);
}

void Stream::wait(race::Sync& event) {
  begin(/*dependent=*/false);
  end(event);
  end();
}

void Stream::host_waits() { race::host_waits_for(finished_); }

void host_waits_for_streams() {
  for (CUstream_st& handle : streams()) handle.stream.host_waits();
}

}  // namespace pallasgen::emulator
