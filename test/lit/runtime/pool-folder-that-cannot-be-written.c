/* If a process has no right to write to the folder of a pool, or to create it,
   its message has the reason, and does not announce a file. Each session prints
   it once. */
// RUN: %arcline-cc -O1 -g %s -o prog && mkdir pool && chmod 555 pool
// RUN: for out in pool/%%m pool/folder/%%m pool/folder/plain; do \
// RUN:   ARCLINE_OPTIONS=out=$out setsid -w ./prog > messages 2>&1; \
// RUN:   FileCheck %s < messages || exit 1; \
// RUN: done
// RUN: ls pool | count 0 && chmod 755 pool
// CHECK-NOT: own file
// CHECK: pool/{{.*}}: cannot write: Permission denied; no profile written
// CHECK-NOT: arcline:
#include <unistd.h>

int main(void) { return getuid() == 0 && setuid(65534); }
