/* Each instrumented library costs a process some 11 system calls of the dynamic
   linker and 12 that add to a pool. No other call depends on their number: they
   are not searched for one by one, and no memory is mapped for each. */
// REQUIRES: strace
// RUN: mkdir few many idle
// RUN: for i in $(seq 24); do \
// RUN:   %arcline-cc -O1 -fPIC -shared -DN=$i %s -o libn$i.so; done
// RUN: LINK="-Wl,--no-as-needed,-rpath,$PWD -L."
// RUN: %clang -O1 -DHOST=4 %s -o few/host $LINK $(seq -f -ln%%g 4)
// RUN: %clang -O1 -DHOST=24 %s -o many/host $LINK $(seq -f -ln%%g 24)
// RUN: %clang -O1 -DHOST=4 %s -o idle/host $LINK $(seq -f -ln%%g 24)
// RUN: for i in few many idle; do \
// RUN:   export ARCLINE_OPTIONS=hz=0:out=$i/%%m; $i/host && $i/host; \
// RUN:   strace -o $i.log $i/host; \
// RUN:   grep -E 'm(map|advise|unmap|remap)' $i.log > $i.maps; done
// RUN: test $(wc -l < many.log) -lt $(($(wc -l < few.log) + 20 * 27))
// RUN: test $(wc -l < many.maps) -lt $(($(wc -l < few.maps) + 20 * 6))
//
// Libraries that are not called cost a single call, and have a file.
// RUN: test $(wc -l < idle.log) -lt $(($(wc -l < many.log) - 20 * 8))
// RUN: %arcline export --format=lcov idle | FileCheck %s -check-prefix=IDLE
// IDLE-DAG: FNDA:3,library4
// IDLE-DAG: FNDA:0,library24
//
// The counts are those of all processes, with what a destructor counts after
// the first addition.
// RUN: for i in few many; do %arcline merge -o $i.out $i/libn2.so.*; \
// RUN:   %arcline gprof -b -p libn2.so $i.out | FileCheck %s; done
// CHECK-DAG: {{ 6 .* of_library$}}
// CHECK-DAG: {{ 3 .* at_end$}}
#define NAME2(name, n) name##n
#define NAME(name, n) NAME2(name, n)

#ifdef HOST
#define CALL(n)                                                                \
  int NAME(library, n)(void);                                                  \
  NAME(library, n)();
#define CALL_FOUR(a, b, c, d) CALL(a) CALL(b) CALL(c) CALL(d)
int main(void) {
  CALL_FOUR(1, 2, 3, 4)
#if HOST > 4
  CALL_FOUR(5, 6, 7, 8)
  CALL_FOUR(9, 10, 11, 12)
  CALL_FOUR(13, 14, 15, 16)
  CALL_FOUR(17, 18, 19, 20)
  CALL_FOUR(21, 22, 23, 24)
#endif
  return 0;
}
#else
__attribute__((noinline)) static void of_library(void) { __asm__ volatile(""); }

void NAME(library, N)(void) { of_library(); }

#if N == 2
__attribute__((noinline)) static void at_end(void) { of_library(); }

__attribute__((destructor)) static void end(void) { at_end(); }
#endif
#endif
