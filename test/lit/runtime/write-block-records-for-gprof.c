/* GNU gprof reads the block records: counts beside source lines, ##### for
   lines that were never entered, and no effect of the records of counters. */
// REQUIRES: gprof
// RUN: %cc -g -O1 -I%include -I%S/Inputs %s -L%libdir -larcline -o %t
// RUN: %t
// RUN: %gprof -b -A %t gmon.out | FileCheck %s
// RUN: %gprof -b -l -z -C %t gmon.out | FileCheck %s --check-prefix=COUNTS
// RUN: %gprof -b -q %t gmon.out | FileCheck %s --check-prefix=GRAPH
// RUN: %gprof -i %t gmon.out | FileCheck %s --check-prefix=INFO
// INFO: 1 histogram record
// INFO-NEXT: 2 call-graph records
// INFO-NEXT: 2 basic-block count records
// GRAPH: 7/7 main
// GRAPH-NEXT: pick
// COUNTS: write-block-records-for-gprof.c:[[#]]: (pick:{{.*}}) 7 executions
// COUNTS: write-block-records-for-gprof.c:[[#]]: (pick:{{.*}}) 0 executions
// CHECK: 7 -> PICK_DATA
#include "instrument.h"

PICK_DATA

int main(void) {
  CALLED(main);
  for (int i = 0; i < 7; i++)
    pick(0);
  return 0;
}
