// With -g1, variables have no names in the debug information, and a state that
// only gets constants looks like clang's own variable of cleanups.
//
// RUN: for level in -O0 -O2; do for debug in -g -g1 -gline-tables-only; do \
// RUN:   %arcline-cc $level $debug %s -o prog && ./prog && \
// RUN:   %arcline annotate --branches prog | FileCheck %s || \
// RUN:   { echo $level $debug; exit 1; }; done; done
// CHECK: 5 {{.*}}switch (state) {
// CHECK-NEXT: branch: 1 (20.0 %), 3 (60.0 %), 1 (20.0 %)

enum state { BEGIN, WORD, SPACE };

static void leave(int *n) { ++*n; }

int main(void) {
  enum state state = BEGIN;
  int n_words = 0;
  for (const char *at = "ab c"; state != SPACE || *at; at++) {
    __attribute__((cleanup(leave))) int unused = 0;
    switch (state) {
    case BEGIN:
      state = WORD;
      break;
    case WORD:
      if (*at == ' ')
        state = SPACE;
      else if (!*at)
        return n_words != 1;
      break;
    case SPACE:
      n_words++;
      state = WORD;
      continue;
    }
  }
  return 1;
}
