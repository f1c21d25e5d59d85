// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A deterministic workload for double-conversion: numbers become text in three
/// ways, and numbers again.
///
///   double_workload [SCALE]    SCALE times 1,000 numbers
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "double-conversion/double-conversion.h"

using double_conversion::DoubleToStringConverter;
using double_conversion::StringBuilder;
using double_conversion::StringToDoubleConverter;

int main(int argc, char **argv) {
  const int scale = argc > 1 ? std::atoi(argv[1]) : 1;
  const DoubleToStringConverter &to =
      DoubleToStringConverter::EcmaScriptConverter();
  const StringToDoubleConverter from(StringToDoubleConverter::NO_FLAGS, 0.0,
                                     0.0, nullptr, nullptr);
  std::uint64_t random = 20261124, check = 0;
  for (int i = 0; i < scale * 1000; i++) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    // From 1e-30 to 1e30 or so, some with few digits.
    std::uint64_t bits =
        (random & ((1ULL << 52) - 1)) | ((923 + (random >> 55) % 200) << 52);
    if (i % 4 == 0)
      bits &= ~0ULL << 40;
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    char text[256];
    StringBuilder builder(text, sizeof(text));
    to.ToShortest(value, &builder);
    const int n = builder.position();
    builder.AddCharacter(' ');
    to.ToPrecision(value, 1 + i % 20, &builder);
    builder.AddCharacter(' ');
    if (value < 1e20)
      to.ToFixed(value, i % 9, &builder);
    builder.Finalize();
    for (const char *c = text; *c; c++)
      check = check * 31 + static_cast<unsigned char>(*c);
    int used = 0;
    if (from.StringToDouble(text, n, &used) != value || used != n)
      return 1;
  }
  std::printf("checksum %016llx\n", static_cast<unsigned long long>(check));
  return 0;
}
