/* A target that is a FIFO, a folder, a device or a symbolic link is left alone;
   the program says so once and ends as it would have. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -o %t
// RUN: mkfifo gmon.out
// RUN: %t 2> message
// RUN: test -p gmon.out
// RUN: FileCheck %s < message
// RUN: rm gmon.out && mkdir gmon.out
// RUN: %t 2> message
// RUN: FileCheck %s < message
// RUN: rmdir gmon.out && ln -s secret gmon.out && echo text > secret
// RUN: %t 2> message
// RUN: FileCheck %s < message
// RUN: echo text | cmp - secret
// RUN: test -L gmon.out
// RUN: rm secret
// RUN: %t 2> message
// RUN: FileCheck %s < message
// RUN: not test -e secret
// RUN: env ARCLINE_OPTIONS=out=/dev/full %t 2> message
// RUN: FileCheck %s --check-prefix=DEVICE < message
// RUN: test -c /dev/full
// RUN: rm gmon.out message
// RUN: ls -A | count 0
// CHECK: arcline: gmon.out: exists and is not a regular file
// CHECK-NOT: arcline
// DEVICE: arcline: /dev/full: exists and is not a regular file
// DEVICE-NOT: arcline
#include "instrument.h"

static NOINLINE void leaf(void) { CALLED(leaf); }

int main(void) {
  leaf();
  return 0;
}
