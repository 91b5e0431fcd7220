/* Calls launchers of generated kernels from C, by their headers alone, with CUDA's headers compiled as C. */
#include <pallasgen/error.h>
#include <stdio.h>
#include <string.h>

#include "basics/add_vectors_blocked.h"
#include "checks/gather_checked.h"
#include "rows/layer_norm.h"

static int wrong = 0;

static void expect(int holds, const char* what) {
  if (holds) return;
  ++wrong;
  printf("wrong: %s\n", what);
}

static void* device(size_t bytes) {
  void* memory = NULL;
  expect(cudaMalloc(&memory, bytes) == cudaSuccess, "cudaMalloc");
  return memory;
}

static void call_add(void) {
  enum { N = 1000 };
  int32_t x[N], y[N], z[N];
  for (int i = 0; i < N; ++i) {
    x[i] = i;
    y[i] = 5;
  }
  int32_t *dx = device(sizeof x), *dy = device(sizeof y), *dz = device(sizeof z);
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y, sizeof y, cudaMemcpyHostToDevice);
  expect(add_vectors_blocked(dx, dy, dz, N, NULL) == cudaSuccess, "add_vectors_blocked");
  expect(cudaDeviceSynchronize() == cudaSuccess, "it runs");
  cudaMemcpy(z, dz, sizeof z, cudaMemcpyDeviceToHost);
  int equal = 1;
  for (int i = 0; i < N; ++i) equal = equal && z[i] == i + 5;
  expect(equal, "sums");
  expect(add_vectors_blocked(dx, dy, dz, -8, NULL) == cudaErrorInvalidValue, "a negative size is refused");
  expect(strcmp(pallasgen_last_error(), "add_vectors_blocked: negative extent") == 0, "the last error says so");
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dz);
}

/* Passes a workspace, and a fault for run-time checks: row 40 of a table of 32. */
static void call_gather(void) {
  enum { N = 3 };
  const int32_t picks[2][N] = {{0, 31, 7}, {0, 40, 7}};
  float table[32 * 64];
  for (int i = 0; i < 32 * 64; ++i) table[i] = 1.0f;
  const size_t bytes = gather_checked_workspace_bytes(N);
  float *dtable = device(sizeof table), *y = device(N * 64 * sizeof(float));
  int32_t* dpicks = device(sizeof picks[0]);
  void* workspace = device(bytes);
  cudaMemcpy(dtable, table, sizeof table, cudaMemcpyHostToDevice);
  for (int call = 0; call < 2; ++call) {
    cudaMemcpy(dpicks, picks[call], sizeof picks[call], cudaMemcpyHostToDevice);
    expect(gather_checked(dtable, dpicks, y, N, workspace, bytes, NULL) == cudaSuccess, "gather_checked");
    cudaDeviceSynchronize();
    const char* found = gather_checked_status(workspace);
    expect((found[0] != 0) == (call == 1), "the checks find the row that is not there, and nothing else");
  }
  cudaFree(dtable);
  cudaFree(y);
  cudaFree(dpicks);
  cudaFree(workspace);
}

/* Passes floats of 16 bits: 1.0 is 0x3f80. Rows of one value have no variance, and become beta. */
static void call_layer_norm(void) {
  enum { N = 768 };
  static __nv_bfloat16 x[2 * N], y[2 * N];
  static float gamma[N], beta[N];
  for (int i = 0; i < 2 * N; ++i) x[i].x = 0x3f80;
  for (int i = 0; i < N; ++i) {
    gamma[i] = 1.0f;
    beta[i] = 2.0f;
  }
  __nv_bfloat16 *dx = device(sizeof x), *dy = device(sizeof y);
  float *dgamma = device(sizeof gamma), *dbeta = device(sizeof beta), *scale = device(2 * sizeof(float));
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemcpy(dgamma, gamma, sizeof gamma, cudaMemcpyHostToDevice);
  cudaMemcpy(dbeta, beta, sizeof beta, cudaMemcpyHostToDevice);
  expect(layer_norm(dx, dgamma, dbeta, dy, scale, 2, NULL) == cudaSuccess, "layer_norm");
  cudaDeviceSynchronize();
  cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
  int equal = 1;
  for (int i = 0; i < 2 * N; ++i) equal = equal && y[i].x == 0x4000;
  expect(equal, "rows are beta");
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dgamma);
  cudaFree(dbeta);
  cudaFree(scale);
}

int main(void) {
  call_add();
  call_gather();
  call_layer_norm();
  return wrong;
}
