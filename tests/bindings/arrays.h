/* Arrays of a kernel's arguments on the device, from files of their bytes and back, for callers in C (c_values.py). */
#pragma once
#include <cuda_runtime.h>
#include <pallasgen/error.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(const char* what, const char* detail) {
  printf("%s: %s\n", what, detail);
  exit(1);
}

static void expect_success(const char* what, cudaError_t status) {
  if (status != cudaSuccess) fail(what, pallasgen_last_error());
}

/* Allocates memory on the device; null for 0 bytes. */
static void* device(size_t bytes) {
  void* memory = NULL;
  if (bytes > 0) expect_success("cudaMalloc", cudaMalloc(&memory, bytes));
  return memory;
}

static void* array_of(const char* file, size_t bytes) {
  void *memory = device(bytes), *host = malloc(bytes + 1);
  FILE* in = fopen(file, "rb");
  if (!host || !in || fread(host, 1, bytes, in) != bytes) fail(file, "cannot be read");
  fclose(in);
  expect_success("cudaMemcpy", cudaMemcpy(memory, host, bytes, cudaMemcpyHostToDevice));
  free(host);
  return memory;
}

static void save(const char* file, const void* memory, size_t bytes) {
  void* host = malloc(bytes + 1);
  FILE* out = fopen(file, "wb");
  if (!host || !out) fail(file, "cannot be written");
  expect_success("cudaMemcpy", cudaMemcpy(host, memory, bytes, cudaMemcpyDeviceToHost));
  if (fwrite(host, 1, bytes, out) != bytes || fclose(out) != 0) fail(file, "cannot be written");
  free(host);
}
