/* ARCLINE_OPTIONS and GMON_OUT_PREFIX: unknown and wrong options are named in
   one line and ignored. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -o %t
// RUN: env ARCLINE_OPTIONS='stacks=on,hz=1000:hz=x' %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SEPARATOR
// SEPARATOR: stacks=on,hz=1000: bad value, ignored; separate options by ':'{{$}}
// SEPARATOR-NEXT: hz=x: bad value, ignored; arcline(1) describes all options{{$}}
// RUN: env ARCLINE_OPTIONS='hz=250:colour=red:hz=x:out=:hz:stacks=yes:verbose=1' \
// RUN:   %t 2>&1 | FileCheck %s
// CHECK: arcline: ARCLINE_OPTIONS: colour=red: unknown option, ignored
// CHECK-NEXT: arcline: ARCLINE_OPTIONS: hz=x: bad value, ignored
// CHECK-NEXT: arcline: ARCLINE_OPTIONS: out=: bad value, ignored
// CHECK-NEXT: arcline: ARCLINE_OPTIONS: hz: bad value, ignored
// CHECK-NEXT: arcline: ARCLINE_OPTIONS: stacks=yes: bad value, ignored
// CHECK: arcline: wrote gmon.out
// RUN: %python %S/Inputs/gmon.py llvm-nm %t gmon.out \
// RUN:   | FileCheck %s --check-prefix=RATE
// RATE: rate 250
// RUN: rm gmon.out
// RUN: env GMON_OUT_PREFIX=prefix %t > pid
// RUN: test -f prefix.$(cat pid) && ls prefix.* | count 1
// RUN: env GMON_OUT_PREFIX=both ARCLINE_OPTIONS=side=on %t > pid
// RUN: test -f both.$(cat pid).arcline && ls both.* | count 2
// RUN: env ARCLINE_OPTIONS=stacks=on:side=off:out=o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-SIDE
// NO-SIDE: arcline: ARCLINE_OPTIONS: stacks=on: no side file is written, ignored
// RUN: mkdir none && (cd none && ARCLINE_OPTIONS=side=off %t && ls -A | count 1)
// RUN: env ARCLINE_OPTIONS=out=%%p:hz=0 %t > pid
// RUN: test -f $(cat pid)
// RUN: not ls gmon.out
#include <stdio.h>
#include <unistd.h>

#include "instrument.h"

static NOINLINE void leaf(void) { CALLED(leaf); }

int main(void) {
  leaf();
  printf("%d\n", (int)getpid());
  fflush(stdout);
  return 0;
}
