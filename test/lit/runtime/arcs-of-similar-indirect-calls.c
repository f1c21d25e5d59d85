// Indirect calls in both arms of a branch differ only in their numbers; the
// optimiser would merge them and distinguish them by a phi. Their arcs are
// distinguished at all levels, and objects are the same each time.
// RUN: for level in -O0 -O1 -O2 -O3; do \
// RUN:   %arcline-cc -g $level -c %s -o one.o && \
// RUN:   %arcline-cc -g $level -c %s -o two.o && cmp one.o two.o && \
// RUN:   %arcline-cc one.o -o prog && ./prog && \
// RUN:   %arcline-gprof -b -q prog gmon.out | FileCheck %s || exit 1; \
// RUN: done
// CHECK:      {{^}}[{{[0-9]+}}]{{.*}} 400 either [
// CHECK-NEXT: 200/200 a [
// CHECK-NEXT: 200/200 b [
static __attribute__((noinline)) void a(int n) {
  __asm__ volatile("" : : "r"(n));
}

static __attribute__((noinline)) void b(int n) {
  __asm__ volatile("" : : "r"(n));
}

static void (*volatile pointers[])(int) = {a, b};

static __attribute__((noinline)) void either(int n) {
  void (*f)(int) = pointers[n % 2];

  if (n % 4 < 3)
    f(n);
  else
    f(n);
}

int main(void) {
  for (int i = 0; i < 400; i++)
    either(i);
  return 0;
}
