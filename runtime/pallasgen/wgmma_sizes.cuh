#pragma once

// F(N) for every N that wgmma has (PTX ISA, "wgmma.mma_async"): for floating-point operands the multiples of 8, for
// integers fewer.
#define PALLASGEN_FOR_INTEGER_N(F) \
  F(8) F(16) F(24) F(32) F(48) F(64) F(80) F(96) F(112) F(128) F(144) F(160) F(176) F(192) F(208) F(224) F(240) F(256)
#define PALLASGEN_FOR_FLOAT_N(F) \
  PALLASGEN_FOR_INTEGER_N(F)     \
  F(40) F(56) F(72) F(88) F(104) F(120) F(136) F(152) F(168) F(184) F(200) F(216) F(232) F(248)
