/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic {fmt} workload: numbers and strings are formatted in many
 * ways, by formats known when it is compiled and by others.
 *
 *   fmt_workload [SCALE]    SCALE times 10,000 lines
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

int main(int argc, char **argv) {
  const int Scale = argc > 1 ? std::atoi(argv[1]) : 1;
  const std::string Formats[] = {"{:>10}|{:<8}|{:^12}\n", "{0:x} {2} {1}\n",
                                 "{:#b}, {:+d}: {:.3}\n"};
  uint32_t Random = 20261122;
  uint64_t Check = 0;

  for (int I = 0; I < Scale; I++) {
    fmt::memory_buffer Out;
    auto To = std::back_inserter(Out);
    for (int J = 0; J < 10000; J++) {
      Random = Random * 1664525u + 1013904223u;
      const uint32_t Number = Random >> 8;
      const std::vector<int> Some(Number % 5, J);
      fmt::format_to(To, "{:6.2f} {:12} {}\n", Number / 97.0, Number, "line");
      fmt::format_to(To, fmt::runtime(Formats[Number % 3]), Number, J, "name");
      fmt::format_to(To, "{:e} [{}]\n", Number * 1e-9, fmt::join(Some, ", "));
    }
    for (const char C : Out)
      Check = Check * 31 + static_cast<unsigned char>(C);
  }
  std::printf("checksum %016llx\n", static_cast<unsigned long long>(Check));
  return 0;
}
