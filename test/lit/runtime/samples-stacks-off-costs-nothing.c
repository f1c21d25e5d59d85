/* Without stacks=on nothing is mapped for them, nothing is looked up before the
   end, and a sample makes no further system call. */
// REQUIRES: strace
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t
// RUN: env ARCLINE_OPTIONS=hz=1000 strace -o plain %t
// RUN: env ARCLINE_OPTIONS=hz=1000:stacks=off strace -o off %t
// RUN: env ARCLINE_OPTIONS=hz=1000:stacks=on strace -o on %t
// RUN: sed '/^getppid/q' plain > plain.start && sed '/^getppid/q' off > off.start
// RUN: sed '/^getppid/q' on > on.start
// The same calls at the start, and as many:
// RUN: sed 's/(.*//;/^---/d;/rt_sigreturn\|timer_/d' plain.start > plain.names
// RUN: sed 's/(.*//;/^---/d;/rt_sigreturn\|timer_/d' off.start \
// RUN:   | diff plain.names -
// RUN: not grep -E 'process_vm_readv|/maps' plain.start off.start
// RUN: not grep process_vm_readv plain off
// They are there with it:
// RUN: grep -q process_vm_readv on && grep -q '/maps' on.start
// RUN: test $(grep -c mmap on.start) -gt $(grep -c mmap plain.start)
#include "burn.h"

BURN

    int
    main(void) {
  getppid(); // marks the log
  burn_seconds(0.3);
  return 0;
}
