#include "core/cpu.h"

#include <gtest/gtest.h>

namespace linsep {
namespace {

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
TEST(Cpu, AgreesWithTheCompiler) {
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                    __builtin_cpu_supports("popcnt");
  EXPECT_EQ(cpu_has_avx2(), avx2);
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
                      __builtin_cpu_supports("avx512bitalg");
  EXPECT_EQ(cpu_has_avx512(), avx2 && avx512);
}
#endif

}  // namespace
}  // namespace linsep
