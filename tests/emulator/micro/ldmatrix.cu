// ldmatrix and stmatrix, 16-bit: the row that a lane's address selects, the elements that a lane holds (ldmatrix.json).
#include "layouts.h"

using namespace pallasgen;

namespace {

struct alignas(1024) Smem {
  uint16_t rows[32][8];
};

template <int Count, bool Transposed>
__device__ void load(uint32_t address, uint32_t (&r)[4]) {
  if constexpr (Count == 1) Transposed ? ptx::ldmatrix_x1_trans(address, r[0]) : ptx::ldmatrix_x1(address, r[0]);
  if constexpr (Count == 2)
    Transposed ? ptx::ldmatrix_x2_trans(address, r[0], r[1]) : ptx::ldmatrix_x2(address, r[0], r[1]);
  if constexpr (Count == 4)
    Transposed ? ptx::ldmatrix_x4_trans(address, r[0], r[1], r[2], r[3])
               : ptx::ldmatrix_x4(address, r[0], r[1], r[2], r[3]);
}

template <int Count, bool Transposed>
__device__ void store(uint32_t address, const uint32_t (&r)[4]) {
  if constexpr (Count == 1) Transposed ? ptx::stmatrix_x1_trans(address, r[0]) : ptx::stmatrix_x1(address, r[0]);
  if constexpr (Count == 2)
    Transposed ? ptx::stmatrix_x2_trans(address, r[0], r[1]) : ptx::stmatrix_x2(address, r[0], r[1]);
  if constexpr (Count == 4)
    Transposed ? ptx::stmatrix_x4_trans(address, r[0], r[1], r[2], r[3])
               : ptx::stmatrix_x4(address, r[0], r[1], r[2], r[3]);
}

// Element c of row R is 8 R + c. registers: 4 words per lane; rows: the result of stmatrix from them.
template <int Count, bool Transposed>
__global__ void matrix_kernel(uint32_t* registers, uint16_t* rows) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const int lane = threadIdx.x;
  for (int c = 0; c < 8; ++c) smem.rows[lane][c] = static_cast<uint16_t>(8 * lane + c);
  __syncthreads();
  // Lanes whose address does not matter pass that of a row that does.
  const uint32_t address = ptx::shared_address(smem.rows[lane % (8 * Count)]);
  uint32_t r[4] = {};
  load<Count, Transposed>(address, r);
  for (int i = 0; i < 4; ++i) registers[4 * lane + i] = r[i];
  __syncthreads();
  for (int c = 0; c < 8; ++c) smem.rows[lane][c] = 0xffff;
  __syncthreads();
  store<Count, Transposed>(address, r);
  __syncthreads();
  for (int c = 0; c < 8; ++c) rows[8 * lane + c] = smem.rows[lane][c];
}

template <int Count, bool Transposed>
void test(const nlohmann::json& ops, const std::string& ptx) {
  int found = 0;
  for (const auto& [name, op] : ops.items()) {
    if (op["ptx"] != ptx) continue;
    ++found;
    micro::Array<uint32_t> registers(size_t{128});
    micro::Array<uint16_t> rows(size_t{256});
    micro::run(matrix_kernel<Count, Transposed>, 1, 32, sizeof(Smem), registers.device(), rows.device());
    registers.download();
    for (int lane = 0; lane < 32; ++lane)
      for (int r = 0; r < Count; ++r)
        for (int half = 0; half < 2; ++half) {
          const int row = op["reg"][lane][r][half][0], column = op["reg"][lane][r][half][1];
          micro::check_equal(registers.host[static_cast<size_t>(4 * lane + r)] >> 16 * half & 0xffff,
                             static_cast<uint32_t>(8 * row + column),
                             ptx + ", lane " + std::to_string(lane) + ", register " + std::to_string(r));
        }
    rows.download();
    for (int e = 0; e < 256; ++e)
      micro::check_equal(int(rows.host[static_cast<size_t>(e)]), e < 64 * Count ? e : 0xffff, "stmatrix after " + ptx);
  }
  micro::check(found != 0, "a table for " + ptx);
}

}  // namespace

int main(int argc, char** argv) {
  const nlohmann::json ops = micro::table(argc, argv, "ldmatrix")["ops"];
  test<1, false>(ops, "ldmatrix.sync.aligned.m8n8.x1.shared.b16");
  test<2, false>(ops, "ldmatrix.sync.aligned.m8n8.x2.shared.b16");
  test<4, false>(ops, "ldmatrix.sync.aligned.m8n8.x4.shared.b16");
  test<1, true>(ops, "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16");
  test<2, true>(ops, "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16");
  test<4, true>(ops, "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16");
  return micro::finish();
}
