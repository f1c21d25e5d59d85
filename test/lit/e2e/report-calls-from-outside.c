// Calls from libc and from other objects are calls, also in a profile without
// a side file to identify the callers: the heading reports all as counted
// exactly.
//
// RUN: %arcline-cc -g -O1 %s -o prog
// RUN: env GMON_OUT_PREFIX=alone ./prog && mv alone.* alone && not ls *.arcline
// RUN: %arcline report --fields=calls --tree --focus=compare prog alone \
// RUN:   | FileCheck %s
// CHECK: calls {{ *}}41, counted exactly
// CHECK: compare: 40 calls
// CHECK-NEXT: called by
// CHECK-NEXT: 40  (unknown)
//
// RUN: %arcline export --format=json -o calls.json --format=pprof \
// RUN:   -o calls.pb.gz --format=speedscope -o calls.speedscope prog alone
// RUN: grep -A 4 '"name": "compare"' calls.json | grep -q '"calls": 40,'
// RUN: grep -A 4 '"weights"' calls.speedscope | grep -q '^ *40,\{0,1\}$'
//
// The number is that of the profile with a side file.
// RUN: ./prog
// RUN: %arcline export --format=json -o joined.json prog
// RUN: grep -A 4 '"name": "compare"' joined.json | grep -q '"calls": 40,'
//
// `arcline gprof` has GNU gprof's numbers.
// RUN: %arcline gprof -b prog alone > ours && %gprof -b prog alone > gnus
// RUN: diff ours gnus && not grep -q '40 .*compare' ours
#include <stdlib.h>

static int compare(const void *left, const void *right) {
  return *(const int *)left - *(const int *)right;
}

int main(void) {
  for (int i = 0; i < 40; i++) {
    int numbers[] = {i, 7};
    qsort(numbers, 2, sizeof(*numbers), compare);
  }
  return 0;
}
