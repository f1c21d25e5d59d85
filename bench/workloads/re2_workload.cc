/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic RE2 workload: expressions are compiled, and text is searched
 * for their matches and submatches.
 *
 *   re2_workload [SCALE]    SCALE rounds over 64 KiB of text
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <re2/re2.h>

#include "made_data.h"

namespace {

const char *const Expressions[] = {
    "<(\\w+) id=\"(\\d+)\"[^>]*>",
    "text (\\d{3,}) &amp;",
    "(a&lt;[13579]')",
    "</(arc|block|line)>\\s*</",
    "(?i)(PROFILE|symbol|time)",
    "((?:\\d\\d)+)[^\\d]",
};

} // namespace

int main(int argc, char **argv) {
  const int Scale = argc > 1 ? std::atoi(argv[1]) : 1;
  std::vector<char> Text(64 * 1024);
  uint32_t Random = 20261123;
  uint64_t NumMatches = 0, Check = 0;

  for (int I = 0; I < Scale; I++) {
    const size_t NumBytes = make_document(Text.data(), Text.size(), &Random);
    for (const char *Expression : Expressions) {
      re2::RE2 Compiled(Expression);
      re2::StringPiece Left(Text.data(), NumBytes), Part;
      if (!Compiled.ok()) {
        std::fprintf(stderr, "re2_workload: cannot compile %s\n", Expression);
        return 1;
      }
      while (re2::RE2::FindAndConsume(&Left, Compiled, &Part)) {
        NumMatches++;
        Check = Check * 31 + uint64_t(Part.data() - Text.data()) + Part.size();
      }
    }
  }
  std::printf("%llu matches, checksum %016llx\n",
              static_cast<unsigned long long>(NumMatches),
              static_cast<unsigned long long>(Check));
  return 0;
}
