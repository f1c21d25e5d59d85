/* Python's multiprocessing, with an instrumented library: processes are forked,
   by Python or by a server that it starts, or are new ones, and end by
   os._exit(), SIGTERM or SIGKILL. Forked ones lose no counts; processes that
   have no relative need a live file. A pool may end a process before that has
   loaded the library. */
// RUN: %arcline-cc -O1 -g -fPIC -shared %s -o libwork.so
// RUN: env ARCLINE_OPTIONS=out=fork/%%m \
// RUN:   %python %S/Inputs/multiprocessing_suite.py fork ./libwork.so
// RUN: %arcline export --format=lcov fork | FileCheck %s
// RUN: for how in fork forkserver spawn; do \
// RUN:   ARCLINE_OPTIONS=out=live-$how/%%m:persist=mmap \
// RUN:     %python %S/Inputs/multiprocessing_suite.py $how ./libwork.so && \
// RUN:   for file in live-$how/*.live.*; do \
// RUN:     %arcline recover $file 2> why || \
// RUN:       grep 'no object was loaded$' why || exit 1; done && \
// RUN:   %arcline export --format=lcov live-$how | FileCheck %s || exit 1; \
// RUN: done
// CHECK-DAG: FNDA:139,in_worker
// CHECK-DAG: FNDA:1,in_parent
void in_worker(void) { __asm__ volatile(""); }

void in_parent(void) { __asm__ volatile(""); }
