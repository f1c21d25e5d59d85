/* Throws through counted frames, over several levels, nested, rethrown, and out
   of a callback of the C library: the same output as without the runtime, and
   exact counts. With an argument: as many rounds of two throws. */
// RUN: echo '%t > truth && %check-truth "$@" %t %s truth gmon.out' > check
// RUN: %arcline-c++ -O2 %s -o %t
// RUN: sh check
// RUN: %arcline-c++ -O2 --arcline-calls-only %s -o %t
// RUN: sh check --no-blocks
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount:blocks=off %arcline-c++ -O2 \
// RUN:   -fno-optimize-sibling-calls %s -o %t
// RUN: sh check --no-blocks
#include <cstdio>
#include <cstdlib>

enum { NumRounds = 30000 };

static int Line;
static unsigned long NumCaught;

extern "C" {
__attribute__((noinline)) void thrower(int X) {
  if (X % 5 != 0)
    throw X;
}

__attribute__((noinline)) void middle(int X) {
  thrower(X);
  __asm__ volatile("");
}

__attribute__((noinline)) void again(int X) {
  try {
    middle(X);
  } catch (int) {
    Line = __LINE__ + 1;
    throw; // as often as it is caught
  }
}

__attribute__((noinline)) void nested(int X) {
  try {
    again(X);
  } catch (int Y) {
    try {
      middle(Y + 1);
    } catch (int) {
      NumCaught++;
    }
  }
}
}

static int compare(const void *A, const void *B) {
  middle(*static_cast<const int *>(A) - *static_cast<const int *>(B));
  return 0;
}

int main(int argc, char **argv) {
  const int NumThrows = argc > 1 ? atoi(argv[1]) : NumRounds;
  int NumRethrown = 0, NumSecond = 0, NumSorts = 0;

  for (int I = 0; I < NumThrows; I++) {
    nested(I);
    NumRethrown += I % 5 != 0;
    NumSecond += I % 5 != 0 && (I + 1) % 5 != 0;
    int Numbers[] = {1, 0};
    if (I % 10 == 0) {
      try {
        qsort(Numbers, 2, sizeof(*Numbers), compare);
      } catch (int) {
        NumSorts++;
      }
    }
  }
  const int NumMiddle = NumThrows + NumRethrown + NumSorts;
  printf("calls nested %d\ncalls again %d\n", NumThrows, NumThrows);
  printf("calls middle %d\ncalls thrower %d\n", NumMiddle, NumMiddle);
  printf("line %d %d\n", Line, NumRethrown);
  return NumCaught != static_cast<unsigned long>(NumSecond);
}
