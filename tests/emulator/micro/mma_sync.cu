// The elements that mma.sync's registers hold: every operation of mma_sync.json that the runtime wraps. Operands are
// small integers at the table's places; the sums must come out at the table's places.
#include <cuda_fp8.h>

#include <pallasgen/ptx/mma.cuh>

#include "layouts.h"

using namespace pallasgen;

namespace {

// The bits of a register of an operand or a sum, by the table's name of its type.
uint64_t bits_of(const std::string& type, int x) {
  const auto raw = [](const auto& value) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
  };
  if (type == "f16") return raw(__float2half_rn(static_cast<float>(x)));
  if (type == "bf16") return raw(__float2bfloat16_rn(static_cast<float>(x)));
  if (type == "e4m3") return raw(__nv_fp8_e4m3(static_cast<float>(x)));
  if (type == "e5m2") return raw(__nv_fp8_e5m2(static_cast<float>(x)));
  if (type == "f64") return raw(static_cast<double>(x));
  if (type == "f32" || type == "tf32") return raw(static_cast<float>(x));
  return static_cast<uint32_t>(x);
}

#define PALLASGEN_OPERATIONS(F)                                                             \
  F(m16n8k16_f32_bf16, float, 4, uint32_t, 4, 2, "m16n8k16.row.col.f32.bf16.bf16.f32")      \
  F(m16n8k16_f32_f16, float, 4, uint32_t, 4, 2, "m16n8k16.row.col.f32.f16.f16.f32")         \
  F(m16n8k16_f16_f16, uint32_t, 2, uint32_t, 4, 2, "m16n8k16.row.col.f16.f16.f16.f16")      \
  F(m16n8k8_f32_bf16, float, 4, uint32_t, 2, 1, "m16n8k8.row.col.f32.bf16.bf16.f32")        \
  F(m16n8k8_f32_tf32, float, 4, uint32_t, 4, 2, "m16n8k8.row.col.f32.tf32.tf32.f32")        \
  F(m16n8k4_f32_tf32, float, 4, uint32_t, 2, 1, "m16n8k4.row.col.f32.tf32.tf32.f32")        \
  F(m16n8k32_s32_s8_s8, int32_t, 4, uint32_t, 4, 2, "m16n8k32.row.col.s32.s8.s8.s32")       \
  F(m16n8k16_s32_s8_s8, int32_t, 4, uint32_t, 2, 1, "m16n8k16.row.col.s32.s8.s8.s32")       \
  F(m8n8k16_s32_s8_s8, int32_t, 2, uint32_t, 1, 1, "m8n8k16.row.col.s32.s8.s8.s32")         \
  F(m8n8k4_f64, double, 2, double, 1, 1, "m8n8k4.row.col.f64.f64.f64.f64")                  \
  F(m16n8k32_f32_e4m3_e4m3, float, 4, uint32_t, 4, 2, "m16n8k32.row.col.f32.e4m3.e4m3.f32") \
  F(m16n8k32_f32_e5m2_e5m2, float, 4, uint32_t, 4, 2, "m16n8k32.row.col.f32.e5m2.e5m2.f32")

#define PALLASGEN_KERNEL(NAME, D, SIZE_D, T, SIZE_A, SIZE_B, PTX)            \
  __global__ void kernel_##NAME(D* d, const T* a, const T* b) {              \
    D sums[SIZE_D];                                                          \
    T left[SIZE_A], right[SIZE_B];                                           \
    for (int i = 0; i < SIZE_D; ++i) sums[i] = d[threadIdx.x * SIZE_D + i];  \
    for (int i = 0; i < SIZE_A; ++i) left[i] = a[threadIdx.x * SIZE_A + i];  \
    for (int i = 0; i < SIZE_B; ++i) right[i] = b[threadIdx.x * SIZE_B + i]; \
    ptx::mma_##NAME(sums, left, right);                                      \
    for (int i = 0; i < SIZE_D; ++i) d[threadIdx.x * SIZE_D + i] = sums[i];  \
  }
PALLASGEN_OPERATIONS(PALLASGEN_KERNEL)

// Element (row, column) of an operand, and of the initial sums.
int element(const std::string& operand, int row, int column) {
  return operand == "A"   ? (3 * row + 5 * column) % 7 - 3
         : operand == "B" ? (2 * row + 3 * column) % 5 - 2
                          : row - column;
}

// The registers of a whole warp, of one type, by the table.
template <class T>
std::vector<T> registers_of(const nlohmann::json& table, const std::string& operand, const std::string& type,
                            int registers) {
  std::vector<T> out(static_cast<size_t>(32 * registers));
  const size_t bits = table["elem_bits"][operand], pieces = sizeof(T) * 8 / bits;
  for (size_t lane = 0; lane < 32; ++lane)
    for (size_t v = 0; v < table[operand][lane].size(); ++v) {
      const auto& at = table[operand][lane][v];
      const uint64_t value = bits_of(type, element(operand, at[0], at[1])) & (bits == 64 ? ~0ull : (1ull << bits) - 1);
      T& target = out[lane * static_cast<size_t>(registers) + v / pieces];
      uint64_t word = 0;
      memcpy(&word, &target, sizeof target);
      word |= value << bits * (v % pieces);
      memcpy(&target, &word, sizeof target);
    }
  return out;
}

template <class D, class T>
void test(void (*kernel)(D*, const T*, const T*), const nlohmann::json& table, int size_d, int size_a, int size_b) {
  const std::string ptx = table["ptx"];
  std::vector<std::string> words;  // mma sync aligned shape row col d a b c
  for (size_t at = 0; at <= ptx.size();) {
    const size_t dot = std::min(ptx.find('.', at), ptx.size());
    words.push_back(ptx.substr(at, dot - at));
    at = dot + 1;
  }
  const int depth = table["mnk"][2];
  const micro::Array<T> a(registers_of<T>(table, "A", words[7], size_a)),
      b(registers_of<T>(table, "B", words[8], size_b));
  micro::Array<D> d(registers_of<D>(table, "C", words[6], size_d));
  micro::run(kernel, 1, 32, 0, d.device(), a.device(), b.device());
  d.download();
  const size_t bits = table["elem_bits"]["C"], pieces = sizeof(D) * 8 / bits;
  for (size_t lane = 0; lane < 32; ++lane)
    for (size_t v = 0; v < table["C"][lane].size(); ++v) {
      const int row = table["C"][lane][v][0], column = table["C"][lane][v][1];
      int wanted = element("C", row, column);
      for (int k = 0; k < depth; ++k) wanted += element("A", row, k) * element("B", column, k);
      uint64_t word = 0;
      memcpy(&word, &d.host[lane * static_cast<size_t>(size_d) + v / pieces], sizeof(D));
      word = word >> bits * (v % pieces) & (bits == 64 ? ~0ull : (1ull << bits) - 1);
      micro::check_equal(word, bits_of(words[6], wanted),
                         ptx + ", lane " + std::to_string(lane) + ", value " + std::to_string(v));
    }
}

}  // namespace

int main(int argc, char** argv) {
  const nlohmann::json tables = micro::table(argc, argv, "mma_sync");
  int found = 0;
  for (const auto& table : tables["ops"]) {
    const std::string ptx = table["ptx"];
#define PALLASGEN_TEST(NAME, D, SIZE_D, T, SIZE_A, SIZE_B, PTX) \
  if (ptx == "mma.sync.aligned." PTX) ++found, test(kernel_##NAME, table, SIZE_D, SIZE_A, SIZE_B);
    PALLASGEN_OPERATIONS(PALLASGEN_TEST)
  }
  // Not wrapped: operands of 4 bits, and sums in f16 of 8-bit operands.
  micro::check_equal(found, static_cast<int>(tables["ops"].size()) - 2, "tables");
  return micro::finish();
}
