/* With stacks=off no mapping is read before the end, and a sample makes no
   additional system call. */
// REQUIRES: strace
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t
// No sample comes before the first second of CPU time.
// RUN: env ARCLINE_OPTIONS=hz=1 strace -o plain %t
// RUN: env ARCLINE_OPTIONS=hz=1:stacks=off strace -o off %t
// RUN: env ARCLINE_OPTIONS=hz=1:stacks=on strace -o on %t
// Nor does the start of a program ask the kernel for more with them, but for a
// number by chance, so that processes that take no sample pay nothing.
// RUN: sed 's/(.*//;/^getppid/q' off > off.names
// RUN: sed 's/(.*//;/^getppid/q' on | grep -v clock_gettime > on.names
// RUN: sed 's/(.*//;/^getppid/q' plain | grep -v clock_gettime | diff on.names -
// RUN: grep -v clock_gettime off.names | diff on.names -
// RUN: sed '/^getppid/q' plain | not grep -E 'process_vm_readv|/maps'
// RUN: env ARCLINE_OPTIONS=hz=1000:stacks=off strace -o off %t
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
