#include "element_program.h"

#include <doctest/doctest.h>

using namespace pallasgen;

namespace {

// Returns the kernel's lines after the one that holds `after`.
std::string body_after(const std::string& text, const std::string& after) {
  const size_t start = text.find('\n', text.find(after)) + 1;
  return text.substr(start, text.find("\n}\n", start) - start + 1);
}

}  // namespace

TEST_CASE("statements on tiles and single elements") {
  const std::string text = emitted(element_program::plan()).cu;
  CHECK(body_after(text, "PALLASGEN_DYNAMIC_SMEM") == R"(  const int thread = threadIdx.x;
  for (int i = thread; i < bm * bn; i += kThreads) {
    const int r = i / bn, c = i % bn;
    // s = x * 2
    smem.s[r][c] = element(x, {M, N}, {r, c}) * 2.0f;
  }
  __syncthreads();  // s is written

  // z[...] = sum(s, axis=1)
  if (const int r = thread; r < bm) {
    float sum = 0.0f;
    for (int c = 0; c < bn; ++c) sum += smem.s[r][c];
    store_element(z, {M, N}, {r, 0}, sum);
  }
  int64_t count = 0;
  const int64_t limit = M + 1;
  while (count < limit) {
    const auto k_stop = count;
    #pragma unroll 2
    for (int64_t k = 7; k > k_stop; k -= 2) {
      if (thread == 0) {
        if (smem.s[k][0] < 0.0f) smem.s[k][0] += (k < 4 ? at(y, {M, N}, {k, 0}) : -1.0f);
      }
    }
    count += 1;
  }
  if (smem.flags[3]) {
    if (thread == 0)
      printf("%lld%% of {%g}: %s\n", (long long)(count), cast<double>(smem.s[0][1]), smem.flags[3] ? "true" : "false");
  } else {
    if (thread == 0 && !(smem.flags[c])) {
      printf("a flag \"is\" set, 100%%\n");
      __trap();
    }
  }
  if (const int r = thread; r < bm) {
    float old = {};
    if (is_inside({M, N}, {r, 0})) old = atomic_max(in_global(&at(z, {M, N}, {r, 0})), 1.5f);
    atomic_cas<MemoryOrder::kAcqRel, MemoryScope::kCta>(in_shared(&smem.s[r][0]), 0.0f, old);
  }
  Fragment<float, StridedLayout<kThreads, 4, bm, bn>> x_block;
  store_shared(x_block, smem.s[0]);
  load_shared(x_block, smem.s[0]);
  // m = max(x, axis=1)
  reduce<Maximum, 1>(x_block, x_block, smem.s);
  grid_sync(grid_barrier);
  const int ticket = static_cast<int>(take_ticket(ticket_counter, smem.flags));
  if (has_fault(check_status)) return;
  if (smem.flags[3]) return report_fault(check_status, 1, {5});
)");
}
