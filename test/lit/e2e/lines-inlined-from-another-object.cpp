// Instances of `extern template` are inlined from an object that owns them:
// their lines count for each copy, and calls in them have callers, whether the
// owner is instrumented, in a library, or neither.
// RUN: for level in -O0 -O1 -O2 -O3; do \
// RUN:   %arcline-c++ $level -g %s -c -o user.o && \
// RUN:   %arcline-c++ $level -g -DOWNER %s -c -o owner.o && \
// RUN:   %arcline-c++ user.o owner.o -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o lines.info %t && \
// RUN:   FileCheck --check-prefixes=CHECK,IN-ONE %s < lines.info && \
// RUN:   %arcline gprof -b -q %t | FileCheck --check-prefix=GRAPH %s || exit 1; \
// RUN: done

// Lines of copies in another object count there.
// RUN: %arcline-c++ -O2 -g -fPIC -shared -DOWNER %s -o libowner.so
// RUN: %arcline-c++ user.o ./libowner.so -o %t && rm -f gmon.out* && %t
// RUN: %arcline export --format=lcov %t | FileCheck %s

// An owner that is not instrumented leaves the copies' counts.
// RUN: %clang -x c++ -O2 -g -DOWNER %s -c -o owner.o
// RUN: %arcline-c++ user.o owner.o -o %t && rm -f gmon.out* && %t
// RUN: %arcline export --format=lcov %t | FileCheck %s
// RUN: %arcline gprof -b -q %t | FileCheck --check-prefix=COPIES %s

void report(int);

template <class T> struct Sum {
  T value = 0;
  void add(int x) {
    value += x; // CHECK: DA:[[#@LINE]],72
    report(value); // CHECK-NEXT: DA:[[#@LINE]],72
  }
  void subtract(int x) {
    value -= x; // IN-ONE: DA:[[#@LINE]],0
  }
};
extern template struct Sum<long>;

#ifdef OWNER
static volatile int last;
void report(int x) { last = x; }
template struct Sum<long>;
#else
__attribute__((noinline)) static void twice(Sum<long> &sum, int i) {
  sum.add(i);
  sum.add(i + 1);
}

int main() {
  Sum<long> sum;
  for (int i = 0; i < 36; i++)
    twice(sum, i);
  return sum.value == 1;
}
#endif
// GRAPH: 72/72 Sum<long>::add(int)
// GRAPH-NEXT: {{.*}} 72 report(int)
// GRAPH: 72/72 twice(Sum<long>&, int)
// GRAPH-NEXT: {{.*}} 72 Sum<long>::add(int)

// COPIES: 72/72 twice(Sum<long>&, int)
// COPIES-NEXT: {{.*}} 72 report(int)
