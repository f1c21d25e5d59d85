// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hundred thousand exceptions: thrown through frames, caught, rethrown, out
// of a callback of the C library, nested.
#include <cstdio>
#include <cstdlib>

enum { N_ROUNDS = 100000 };

static unsigned long Sum;

struct Guard {
  ~Guard() { Sum++; }
};

extern "C" [[gnu::noinline]] void leaf(int I) {
  Guard One;
  if (I % 2)
    throw I;
  Sum += 2;
}

[[gnu::noinline]] static void middle(int I) {
  Guard One;
  try {
    leaf(I);
  } catch (int &) {
    if (I % 3 == 0)
      throw;
    try {
      leaf(I + 2);
    } catch (...) {
      Sum += 5;
    }
  }
}

static int compare(const void *A, const void *) {
  middle(*static_cast<const int *>(A));
  return 0;
}

int main() {
  for (int I = 0; I < N_ROUNDS; I++) {
    int Numbers[] = {I, I};
    try {
      if (I % 10 == 0)
        std::qsort(Numbers, 2, sizeof(*Numbers), compare);
      else
        middle(I);
    } catch (int Caught) {
      Sum += static_cast<unsigned>(Caught);
    }
  }
  std::printf("%lu\n", Sum);
}
