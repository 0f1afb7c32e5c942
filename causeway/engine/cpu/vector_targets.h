// The instruction sets the vector kernels are compiled for, beside what the compiler itself aims at. Included before
// hwy/foreach_target.h. Those left out are steps between two that are kept, and cost minutes of compiling; vectors of
// SVE have no size that a tile of them could be made with.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
