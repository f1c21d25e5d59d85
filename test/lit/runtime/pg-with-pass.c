/* Objects of plain -pg beside instrumented ones: each call is counted once, by
   the one or the other, whether it is direct or not; clang's own -pg and
   -mfentry do not change instrumentation. */
// RUN: for pg in "%cc -O0 -pg" "%cc -O2 -pg -mfentry" "%clang -O2 -pg"; do \
// RUN:   $pg -fno-optimize-sibling-calls -DPG -c %s -o pg.o || exit 1; \
// RUN:   for pass in "-O2" "-O2 -pg" "-O2 -pg -mfentry" \
// RUN:       "-O0 --arcline-calls-only -pg -mfentry"; do \
// RUN:     echo "$pg and $pass"; rm -f gmon.out; \
// RUN:     %arcline-cc $pass %s pg.o -o %t && %t && \
// RUN:     %python %S/Inputs/gmon.py llvm-nm %t gmon.out > arcs && \
// RUN:     %python %S/Inputs/sum_arcs.py < arcs > sums && \
// RUN:     FileCheck %s < sums || exit 1; done; done
// CHECK: main instrumented 10{{$}}
// CHECK: main plain 20{{$}}
// CHECK: outside instrumented 20{{$}}
// CHECK: plain helper 20{{$}}
// CHECK-NOT: plain instrumented
void plain(void);
void instrumented(void);

#ifdef PG
__attribute__((noinline)) void helper(void) { __asm__ volatile(""); }

void plain(void) {
  instrumented();
  helper();
}
#else
void instrumented(void) { __asm__ volatile(""); }

int main(void) {
  void (*volatile one)(void) = plain;
  void (*volatile other)(void) = instrumented;

  for (int i = 0; i < 10; i++)
    plain();
  for (int i = 0; i < 7; i++) {
    one();
    other();
  }
  for (int i = 0; i < 6; i++) {
    void (*volatile either)(void) = i % 2 ? plain : instrumented;
    either();
  }
  return 0;
}
#endif
