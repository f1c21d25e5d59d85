// Counts of every iteration, of several functions inlined into one loop, are
// added up once after the loop, and each function has the counts of -O0.
// RUN: for level in -O0 -O1 -O2 -O3 -Os "-O2 -fPIC"; do rm -f gmon.out && \
// RUN:   %arcline-cc $level %s -o prog && ./prog && \
// RUN:   %arcline export --format=lcov prog > "got$level" || exit 1; done
// RUN: for level in -O1 -O2 -O3 -Os "-O2 -fPIC"; do diff got-O0 "got$level" || exit 1; done
// RUN: FileCheck %s < got-O0
// RUN: %clang -O2 -fPIE -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=ONCE
// CHECK: FNDA:4985,first
// CHECK: FNDA:9815,second
// CHECK: FNDA:4830,third
// CHECK: FNDA:140,mixed
// CHECK: FNDA:20,early

// Two cells: entries and iterations.
// ONCE-LABEL: define {{.*}}@mixed(
// ONCE-COUNT-2:  store i64
// ONCE-NOT:      store i64
// ONCE:       }
static inline unsigned first(unsigned x) { return x * 3; }
static inline unsigned second(unsigned x) { return x ^ 5; }
static inline unsigned third(unsigned x) { return first(second(x)); }

__attribute__((noinline)) static unsigned mixed(const unsigned *values,
                                                unsigned n) {
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum += second(values[i]) + third(i);
  return sum;
}

// Two exits of the loop, with separate sums.
__attribute__((noinline)) static unsigned early(const unsigned *values,
                                                unsigned n, unsigned last) {
  for (unsigned i = 0; i < n; i++)
    if (first(second(values[i])) == last)
      return i;
  return n;
}

int main(void) {
  static unsigned values[70];
  unsigned sum = 0;
  for (unsigned i = 0; i < 70; i++)
    values[i] = i;
  for (unsigned n = 0; n < 140; n++)
    sum += mixed(values, n / 2);
  for (unsigned n = 0; n < 20; n++)
    sum += early(values, 10, (n ^ 5) * 3);
  return sum == 0;
}
