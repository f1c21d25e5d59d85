/* Programs that are linked with everything resolved at start, relocations
   read-only, branch targets marked, and code in pages of its own: they run, and
   the runtime's objects do not remove the marks. */
// RUN: for flags in '-Wl,-z,now -Wl,-z,relro' '-Wl,-z,separate-code' \
// RUN:   '-Wl,-z,noseparate-code' '-static-pie' '-static' '-no-pie' \
// RUN:   '-fcf-protection=full -Wl,-z,ibt -Wl,-z,shstk'; do \
// RUN:   %arcline-cc -O2 $flags %s -o %t -lpthread && %t > truth && \
// RUN:   %check-truth %t %s truth gmon.out || exit 1; done
// RUN: llvm-readelf -n %t | grep -E 'x86 feature: IBT, SHSTK'
// RUN: llvm-readelf -n %libdir/libarcline.a > notes
// RUN: grep -c '^File:' notes > files
// RUN: grep -c 'IBT, SHSTK' notes | diff files -
// REQUIRES: x86_64
#include <pthread.h>
#include <stdio.h>

static int line;

__attribute__((noinline)) static void leaf(void) {
  __asm__ volatile("");
  line = __LINE__ - 1;
}

static void (*volatile pointer)(void) = leaf;

static void *work(void *arg) {
  for (int i = 0; i < 1000; i++)
    pointer();
  return arg;
}

int main(void) {
  pthread_t thread;

  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  printf("calls leaf 2000\nline %d 2000\n", line);
  return 0;
}
