/* Libraries of plain -pg objects: one that is linked with the runtime has its
   own profile, one that is not calls libc's mcount. Even if such libraries come
   first on the command line, the program gets the runtime's mcount; a program
   that is not linked with the runtime keeps libc's. */
// REQUIRES: lld
// RUN: %cc -O2 -fno-unroll-loops -pg -fPIC -shared -DLIBRARY=linked %s -o liblinked.so \
// RUN:   -Wl,-soname,liblinked.so -Wl,--build-id -L%libdir -larcline-shared
// RUN: %cc -O2 -fno-unroll-loops -pg -fPIC -shared -DLIBRARY=plain %s -o libplain.so
// RUN: for linker in bfd gold lld; do \
// RUN:   rm -f gmon.out*; \
// RUN:   %clang -fuse-ld=$linker -O2 -pg %s -o %t -L. -llinked -lplain \
// RUN:     -L%libdir -larcline -Wl,-rpath,. && \
// RUN:   %t && \
// RUN:   %python %S/Inputs/gmon.py llvm-nm %t gmon.out > arcs && \
// RUN:   FileCheck %s < arcs && \
// RUN:   %python %S/Inputs/gmon.py llvm-nm liblinked.so \
// RUN:     gmon.out.liblinked.so > arcs && \
// RUN:   FileCheck --check-prefix=LINKED %s < arcs && \
// RUN:   not ls gmon.out.libplain.so || exit 1; done
// CHECK-NOT: helper
// CHECK: arc main leaf 3
// CHECK-NOT: helper
// LINKED: arc linked helper 100
// LINKED: arc outside linked 10
//
// RUN: rm gmon.out*
// RUN: %cc -O2 -pg %s -o %t -L. -llinked -lplain -Wl,-rpath,.
// RUN: %t
// RUN: %python %S/Inputs/gmon.py llvm-nm liblinked.so \
// RUN:   gmon.out.liblinked.so | FileCheck --check-prefix=LINKED %s
// RUN: %gprof -b -q %t gmon.out | FileCheck --check-prefix=LIBC %s
// LIBC: 3/3{{ +}}main
#ifdef LIBRARY
static __attribute__((noinline, noclone)) void helper(void) {
  __asm__ volatile("");
}

void LIBRARY(void) {
  for (int i = 0; i < 10; i++)
    helper();
}
#else
void linked(void);
void plain(void);

static __attribute__((noinline)) void leaf(void) { __asm__ volatile(""); }

int main(void) {
  for (int i = 0; i < 10; i++) {
    linked();
    plain();
  }
  for (volatile int i = 0; i < 3; i++)
    leaf();
  return 0;
}
#endif
