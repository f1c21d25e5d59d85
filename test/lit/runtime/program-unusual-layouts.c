/* Programs with unusual places of their text: at the lowest possible address,
   at a high one, on separate pages, among other data, large: arcs are exact. In
   a section of another name they are exact as well, though GNU gprof cannot
   read it. */
// REQUIRES: gprof
// RUN: echo '%t && %arcline gprof -b -q %t | FileCheck %s && \
// RUN:   %arcline gprof -b -p %t | FileCheck %s --check-prefix=FLAT' > ours
// RUN: echo 'sh ours && %gprof -b -q %t 2> errors | FileCheck %s' > check
// RUN: %arcline-cc -O2 -no-pie -fno-pie %s -o %t -Wl,-Ttext-segment=0x10000
// RUN: sh check
// RUN: %arcline-cc -O2 %s -o %t -Wl,-Ttext-segment=0x5000000000
// RUN: sh check
// RUN: ld --verbose | sed -e '1,/^=====/d' -e '/^=====/,$d' \
// RUN:   -e 's/^  \.text  /  .code_of_ours /' > script
// RUN: %arcline-cc -O2 -no-pie -fno-pie %s -o %t -fuse-ld=bfd -Wl,-T,script
// RUN: rm gmon.out && sh ours
// RUN: %arcline-cc -O2 %s -o %t -Wl,-z,separate-code,-z,max-page-size=2097152
// RUN: sh check
// RUN: %arcline-cc -O2 %s -o %t -Wl,-z,noseparate-code -static
// RUN: sh check
// RUN: %arcline-cc -O2 -DLARGE %s -o %t
// RUN: sh check
// RUN: stat -c %%b gmon.out | awk '{ exit $1 > 2048 }'
// CHECK: 1000/1000 {{ *}}main
// CHECK-NEXT: leaf [
// FLAT: 1000 {{.*}} leaf
#include <stdlib.h>

#ifdef LARGE
__asm__(".text\nlarge: .skip 50000000\n");
#endif

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

int main(void) {
  for (int i = 0; i < 1000; i++)
    leaf();
  return 0;
}
