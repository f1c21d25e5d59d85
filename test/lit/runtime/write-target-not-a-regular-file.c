/* A target that is a FIFO, a folder, a device, a socket or a symbolic link is
   not changed; the program reports this once and ends as usual. A hard link is
   replaced, and the file's other name keeps what it has. */
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
// RUN: echo 'import socket; socket.socket(socket.AF_UNIX).bind("gmon.out")' \
// RUN:   | %python -
// RUN: %t 2> message
// RUN: FileCheck %s < message
// RUN: test -S gmon.out
// RUN: env ARCLINE_OPTIONS=out=/dev/ptmx %t 2> message
// RUN: grep 'ptmx: cannot write: not a regular file' message
// RUN: rm gmon.out message
// RUN: ls -A | count 0
// RUN: echo text > other && ln other gmon.out && %t
// RUN: echo text | cmp - other
// RUN: grep -q gmon gmon.out
// CHECK: arcline: gmon.out: cannot write: not a regular file
// CHECK-NOT: arcline
// DEVICE: arcline: /dev/full: cannot write: not a regular file
// DEVICE-NOT: arcline
#include "instrument.h"

static NOINLINE void leaf(void) { CALLED(leaf); }

int main(void) {
  leaf();
  return 0;
}
