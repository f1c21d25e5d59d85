// Conditions are in lcov's format of 2.2 and in gcov's JSON, and gates check
// them. Programs without MC/DC have none.
// RUN: %arcline-cc --arcline-mcdc -O2 -g %s -o prog
// RUN: ./prog 7 5 5 4 3 2
// RUN: %arcline export --lcov-format=2.2 -o lcov prog
// RUN: grep -E '^MC' lcov > records
// RUN: FileCheck %s --check-prefix=LCOV < records
// RUN: %arcline export -o old prog
// RUN: not grep MCDC old
// RUN: %arcline export --format=gcov-json -o json prog
// RUN: %python -c "import json; [print(l['line_number'], c) for l in json.load(open('json'))['files'][0]['lines'] for c in l['conditions']]" > conditions
// RUN: FileCheck %s --check-prefix=JSON < conditions
// RUN: not %arcline diff --fail-under=mcdc=50 gmon.out.arcline | FileCheck %s --check-prefix=FAILS
// RUN: %arcline diff --fail-under=mcdc=33 --fail-under=conditions=50 gmon.out.arcline | FileCheck %s --check-prefix=PASSES
// RUN: %arcline diff --format=json --fail-under=lines=1 gmon.out.arcline | FileCheck %s --check-prefix=DIFF
// RUN: %arcline-cc -O2 -g %s -o plain
// RUN: rm gmon.out*
// RUN: ./plain 7
// RUN: not %arcline diff --fail-under=mcdc=50 gmon.out.arcline 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: %arcline diff --fail-under=lines=1 gmon.out.arcline | not grep condition
// RUN: not %arcline diff --fail-under='conditions(*.c)=50' gmon.out.arcline 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: =50: no conditions were counted; build with arcline-cc --arcline-mcdc
#include <stdlib.h>

__attribute__((noinline)) static int test(int a, int b, int c) {
  // LCOV: MCDC:[[#@LINE+15]],3,t,3,0,0
  // LCOV-NEXT: MCDC:[[#@LINE+14]],3,f,0,0,0
  // LCOV-NEXT: MCDC:[[#@LINE+13]],3,t,1,1,1
  // LCOV-NEXT: MCDC:[[#@LINE+12]],3,f,0,1,1
  // LCOV-NEXT: MCDC:[[#@LINE+11]],3,t,4,2,2
  // LCOV-NEXT: MCDC:[[#@LINE+10]],3,f,2,2,2
  // LCOV-NEXT: MCF:6
  // LCOV-NEXT: MCH:4
  // FAILS: conditions (MC/DC) {{.*}}33.3 % of 3
  // FAILS: failed{{.*}}mcdc=50
  // PASSES: passed{{.*}}mcdc=33
  // DIFF: "mcdc": {
  // DIFF: "all": 3,
  // DIFF-NEXT: "executed": 1
  // JSON: [[#@LINE+1]] {'count': 6, 'covered': 4, 'not_covered_true': [], 'not_covered_false': [0, 1]}
  if ((a || b) && c)
    return 1;
  // JSON-NEXT: [[#@LINE+1]] {'count': 2, 'covered': 1, 'not_covered_true': [0], 'not_covered_false': []}
  if (a > 4)
    return 3;
  return 0;
}

int main(int argc, char **argv) {
  int sum = 0;

  for (int i = 1; i < argc; i++) {
    const int v = atoi(argv[i]);
    sum += test(v >> 2 & 1, v >> 1 & 1, v & 1);
  }
  return sum < 0;
}
