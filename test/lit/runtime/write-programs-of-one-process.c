/* exec() keeps the number of the process. With names that contain it, each of
   the programs that a process executes one after the other has a file of its
   own, and together they have all
   counts; dumps and failed calls of exec() do not begin another file. A file
   that is older than the process is that of another one, and is replaced. */
// RUN: for options in '-O0' '-O2' '-O2 -static'; do \
// RUN:   %arcline-cc -g $options %s -o prog || exit 1; \
// RUN:   rm -rf own && env ARCLINE_OPTIONS=out=own/%%p.gmon ./prog 4 || exit 1; \
// RUN:   ls own | sed 's/^[0-9]*//' | LC_ALL=C sort > names; \
// RUN:   FileCheck %s < names || exit 1; \
// RUN:   %arcline gprof -b -p prog own/*.gmon \
// RUN:     | FileCheck %s --check-prefix=SUM || exit 1; \
// RUN:   for f in own/*.gmon; do test -e $f.arcline || exit 1; \
// RUN:     grep " $(basename $f) " $f.arcline || exit 1; done; \
// RUN:   env GMON_OUT_PREFIX=own/some ./prog 4 && ls own/some.* | count 4; \
// RUN:   %arcline gprof -b -p prog own/some.* \
// RUN:     | FileCheck %s --check-prefix=SUM || exit 1; \
// RUN: done
// CHECK: {{^}}.2.gmon
// CHECK-NEXT: {{^}}.2.gmon.arcline
// CHECK-NEXT: {{^}}.3.gmon
// CHECK-NEXT: {{^}}.3.gmon.arcline
// CHECK-NEXT: {{^}}.4.gmon
// CHECK-NEXT: {{^}}.4.gmon.arcline
// CHECK-NEXT: {{^}}.gmon
// CHECK-NEXT: {{^}}.gmon.arcline
// CHECK-NOT: {{.}}
// SUM: {{ }}14 {{.*}} called{{$}}
//
// The first number is free, and that of an earlier process.
// RUN: rm -rf own && mkdir own && %arcline-cc -O2 %s -o prog
// RUN: sh -c 'touch -d "1 hour ago" own/$$.gmon own/$$.gmon.arcline; \
// RUN:   ARCLINE_OPTIONS=out=own/%%p.gmon exec ./prog 1'
// RUN: ls own | count 2
// RUN: %arcline gprof -b -p prog own/*.gmon | FileCheck %s --check-prefix=ONE
// ONE: {{ }}2 {{.*}} called{{$}}
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void arcline_dump(void);

__attribute__((noinline)) static void called(void) { __asm__ volatile(""); }

/* Programs number 4, 3, 2, 1 call it so many times and one more. */
int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 0;
  char next[12];

  called();
  arcline_dump();
  for (int i = 0; i < n; i++)
    called();
  if (n <= 1)
    return 0;
  snprintf(next, sizeof(next), "%d", n - 1);
  execl("/dev/null", argv[0], next, (char *)NULL);
  execl(argv[0], argv[0], next, (char *)NULL);
  return 1;
}
