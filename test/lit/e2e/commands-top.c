// `arcline top`: the functions of a program between two displays; plain text
// without a terminal.
// RUN: %arcline-cc -O1 -g %s -o prog && mkdir run
// RUN: (cd run && (env ARCLINE_OPTIONS=hz=1000 ../prog > ready & pid=$!; until grep -q ready ready; do sleep 0.05; done; until %arcline ctl $pid status | grep -q 'samples [1-9]'; do sleep 0.05; done; %arcline top -n 2 -d 0.5 $pid > ../out; %arcline top -n 1 -d 0.2 --top=1 $pid > ../one; kill -TERM $pid; wait $pid; true))
// RUN: FileCheck %s < out && grep -c 'calls per second' out | grep -qx 2
// CHECK: {{^[0-9]+}}: {{[0-9.]+}} seconds and {{[1-9][0-9]+}} calls per second, over {{[0-9.]+}} s
// CHECK-NEXT: self calls/s calls function
// CHECK-DAG: {{[0-9.]+}} % {{[1-9][0-9]*}} {{[1-9][0-9]*}} twice
// CHECK-DAG: {{[0-9.]+}} % {{[1-9][0-9]*}} {{[1-9][0-9]*}} once
// Nothing of it is what was done before the first look.
// RUN: not grep before out
// RUN: test $(wc -l < one) = 4

// Counts of calls are exact: twice as many, at any time of a display.
// RUN: awk '$5 == "once" { once = $4 } $5 == "twice" { twice = $4 } /^$/ { if (twice < 2 || twice - 2 * once > 2 || 2 * once - twice > 2) exit 1; n++ } END { exit n != 2 }' out

// With %n each file has the counts since the previous one.
// RUN: (cd run && (env ARCLINE_OPTIONS=hz=1000:out=part.%%n ../prog > ready2 & pid=$!; until grep -q ready ready2; do sleep 0.05; done; until %arcline ctl $pid status | grep -q 'samples [1-9]'; do sleep 0.05; done; %arcline top -n 2 -d 0.3 $pid > ../parts; kill -TERM $pid; wait $pid; true))
// RUN: FileCheck %s --check-prefix=PARTS < parts && not grep before parts
// PARTS: {{[1-9][0-9]*}} twice

// In a pool, the side file is not written each time.
// RUN: (cd run && (env ARCLINE_OPTIONS=hz=0:out=pool/%%m ../prog > ready4 & pid=$!; until grep -q ready ready4; do sleep 0.05; done; %arcline top -n 2 -d 0.3 $pid > ../pool; kill -TERM $pid; wait $pid; true))
// RUN: FileCheck %s --check-prefix=PARTS < pool && not grep before pool

// It ends when the program ends.
// RUN: (cd run && (env ARCLINE_OPTIONS=hz=1000 ../prog 1 > ready3 & pid=$!; until grep -q ready ready3; do sleep 0.05; done; timeout 60 %arcline top -d 0.3 $pid > /dev/null 2> ../err; test $? -le 2; wait $pid))

// RUN: not %arcline top 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: arcline: no process given; try arcline top --help
// RUN: not %arcline top -d 0 1 2>&1 | FileCheck %s --check-prefix=DELAY
// DELAY: arcline: --delay=0: must be a number of seconds above 0 and up to 86400; try arcline top --help
// RUN: sleep 60 & not %arcline top $! 2>&1 | FileCheck %s --check-prefix=PLAIN; kill $!
// PLAIN: arcline: {{[0-9]+}}: {{.*}} is not instrumented
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;

__attribute__((noinline)) void before(void) { sink++; }

__attribute__((noinline)) void twice(void) {
  for (int i = 0; i < 1000; i++)
    sink += (unsigned long)i;
}

__attribute__((noinline)) void once(void) {
  for (int i = 0; i < 1000; i++)
    sink += (unsigned long)i;
}

int main(int argc, char **argv) {
  const time_t end = argc > 1 ? time(NULL) + atoi(argv[1]) : 0;
  for (int i = 0; i < 1000; i++)
    before();
  puts("ready");
  fflush(stdout);
  while (!end || time(NULL) <= end) {
    once();
    twice();
    twice();
  }
  return 0;
}
