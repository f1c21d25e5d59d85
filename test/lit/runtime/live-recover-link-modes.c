/* A recovered profile equals the one that the program wrote, in every link
   mode: block addresses need relocation or not, by one kind of table or
   another; and for both ways of counting calls. */
// RUN: %arcline-cc -O2 -g1 -I%include -c %s -o code.o
// RUN: %arcline-cc -O2 -g1 -I%include -c -fno-pie %s -o fixed.o
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount %arcline-cc -O2 -g1 -I%include -c \
// RUN:   %s -o mcount.o
// RUN: %arcline-cc -pie code.o -o pie
// RUN: %arcline-cc -no-pie fixed.o -o fixed
// RUN: %arcline-cc -static fixed.o -o static
// RUN: %arcline-cc -static-pie code.o -o static-pie
// RUN: %arcline-cc -pie -fuse-ld=lld -Wl,-z,pack-relative-relocs code.o -o relr
// RUN: %arcline-cc -pie mcount.o -o mcount
// RUN: bash -c 'for mode in pie fixed static static-pie relr mcount; do \
// RUN:   mkdir out.$mode; \
// RUN:   ARCLINE_OPTIONS=persist=mmap:hz=0:out=$mode.gmon ./$mode || true; \
// RUN:   %arcline recover -o out.$mode $mode.gmon.live.* || exit; \
// RUN:   cmp $mode.gmon out.$mode/$mode.gmon || exit; \
// RUN:   %arcline dump $mode.gmon | grep "count=50$" || exit; \
// RUN:   %arcline dump $mode.gmon | grep "^  block .* 100$" || exit; done'
#include <signal.h>
#include <unistd.h>

#include "arcline/arcline.h"

static __attribute__((noinline)) void leaf(void) { __asm__ volatile(""); }

static __attribute__((no_instrument_function)) void on_signal(int number) {
  (void)number;
  arcline_dump();
  kill(getpid(), SIGKILL);
}

int main(void) {
  void (*volatile pointer)(void) = leaf;

  for (int i = 0; i < 50; i++) {
    leaf();
    pointer();
  }
  signal(SIGALRM, on_signal);
  raise(SIGALRM);
  return 0;
}
