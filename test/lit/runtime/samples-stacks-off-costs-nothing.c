/* Without stacks=on nothing is mapped for them, nothing is looked up before the
   end, and a sample makes no further system call. */
// REQUIRES: strace
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t
// No sample comes before the first second of CPU time.
// RUN: env ARCLINE_OPTIONS=hz=1 strace -o plain %t
// RUN: env ARCLINE_OPTIONS=hz=1:stacks=off strace -o off %t
// RUN: env ARCLINE_OPTIONS=hz=1:stacks=on strace -o on %t
// RUN: sed 's/(.*//;/^getppid/q' plain > plain.names
// RUN: sed 's/(.*//;/^getppid/q' off | diff plain.names -
// RUN: sed '/^getppid/q' off > off.start && sed '/^getppid/q' on > on.start
// RUN: not grep -E 'process_vm_readv|/maps' off.start
// RUN: grep -q '/maps' on.start
// RUN: test $(grep -c mmap on.start) -gt $(grep -c mmap off.start)
// RUN: env ARCLINE_OPTIONS=hz=1000 strace -o off %t
// RUN: grep -q SIGPROF off && not grep process_vm_readv off
// RUN: env ARCLINE_OPTIONS=hz=1000:stacks=on strace -o on %t
// RUN: grep -q process_vm_readv on
#include "burn.h"

BURN

    int
    main(void) {
  getppid(); // marks the log
  burn_seconds(0.3);
  return 0;
}
