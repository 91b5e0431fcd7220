#include <doctest/doctest.h>
#include <pallasgen/launch.h>

#include <vector>

#include "../emulator/child.h"
#include "element_kernels.cuh"
#include "order_kernels.cuh"

using namespace pallasgen;

TEST_CASE("elements outside of an array are read as told and not written") {
  const int64_t M = 20, N = 33, P = 41, Q = 17;
  for (const auto& [row, column] : {std::pair(0, 0), std::pair(-3, 5), std::pair(7, -9), std::pair(100, 0)}) {
    std::vector<int16_t> in(static_cast<size_t>(M * N)), out(static_cast<size_t>(P * Q + 2), 77);
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int16_t>(i + 1);
    REQUIRE(launch(elements::shift<int16_t>, 1, 128, 0, nullptr, static_cast<const int16_t*>(in.data()), out.data() + 1,
                   M, N, P, Q, row, column) == cudaSuccess);
    int wrong = 0;
    for (int64_t i = 0; i < P; ++i) {
      for (int64_t j = 0; j < Q; ++j) {
        const int64_t r = i + row, c = j + column;
        const bool inside = r >= 0 && r < M && c >= 0 && c < N;
        wrong += out[static_cast<size_t>(1 + i * Q + j)] != (inside ? r * N + c + 1 : -1);
      }
    }
    CHECK(wrong == 0);
    CHECK(out.front() == 77);
    CHECK(out.back() == 77);
  }
}

TEST_CASE("elements by strides") {
  const int64_t L = 5, M = 3, N = 7;
  std::vector<float> in(static_cast<size_t>(L * N)), out(static_cast<size_t>(L * M * N));
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  REQUIRE(launch(elements::turn<float>, 1, 32, 0, nullptr, static_cast<const float*>(in.data()), out.data(), L, M, N) ==
          cudaSuccess);
  int wrong = 0;
  for (int64_t i = 0; i < L * M * N; ++i)
    wrong += out[static_cast<size_t>(i)] != static_cast<float>(i / (M * N) + i % N * L);
  CHECK(wrong == 0);
}

TEST_CASE("elements of half a byte that two CTAs store") {
  alignas(4) uint8_t bytes[4] = {0, 0, 0xab, 0xab};
  REQUIRE(launch(orders::store_own<u4x2>, 4, 1, 0, nullptr, reinterpret_cast<u4x2*>(bytes)) == cudaSuccess);
  CHECK(bytes[0] == 0x21);
  CHECK(bytes[1] == 0x43);
  CHECK(bytes[2] == 0xab);
}

TEST_CASE("elements by strides, of an array that ends before the last of them") {
  const auto read = [](int64_t columns) {
    return in_child([=] {
      void* array = nullptr;
      cudaMalloc(&array, 4 * sizeof(float));
      if (launch(elements::pick<float>, 1, 1, 0, nullptr, static_cast<float*>(array), columns) != cudaSuccess) _exit(3);
    });
  };
  CHECK(read(4).code == 0);
  CHECK(read(5).code != 0);
}
