// A counter that LICM has split between two runs of the promotion keeps its
// value: lines and branches of loops that return from the middle are those of
// -O0 at every level.
// RUN: for level in -O0 -O1 -O2 -O3 -Os; do rm -f gmon.out && \
// RUN:   %arcline-cc $level %s -o prog && ./prog && \
// RUN:   %arcline export --format=lcov prog > got$level || exit 1; done
// RUN: for level in -O1 -O2 -O3 -Os; do diff got-O0 got$level || exit 1; done
// RUN: FileCheck %s < got-O0
// CHECK: FNDA:1000,find
// CHECK: DA:[[#@LINE+14]],2666
struct item {
  struct item *next;
  int is_wanted;
};

struct lists {
  int n;
  struct item *first[3];
};

__attribute__((noinline)) static int found(int i) { return i + 1; }

__attribute__((noinline)) static int find(struct lists *lists) {
  for (int i = 0; i < lists->n; i++) {
    for (struct item *item = lists->first[i]; item; item = item->next) {
      if (item->is_wanted) {
        return found(i);
      }
    }
  }
  return 0;
}

int main(void) {
  struct item e[6] = {{&e[1], 0}, {&e[2], 0}, {0, 0},
                      {&e[4], 0}, {0, 1},     {0, 0}};
  struct lists lists = {3, {&e[0], &e[5], &e[3]}};
  int sum = 0;
  for (int i = 0; i < 1000; i++) {
    lists.n = 1 + i % 3;
    sum += find(&lists);
  }
  return sum == 999 ? 0 : 1;
}
