/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Times arcline_dump() inside of a program, just before it ends. Linked in,
 * not instrumented. Appends nanoseconds of real time and of CPU time of each
 * dump to the file that the environment variable DUMP_TIMES names. DUMP_RUNS is
 * the number of dumps. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "arcline/arcline.h"

enum { MAX_RUNS = 1000 };

static uint64_t now(clockid_t clock) {
  struct timespec time;

  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void time_dumps(void) {
  static uint64_t real[MAX_RUNS], cpu[MAX_RUNS];
  const char *runs = getenv("DUMP_RUNS");
  const char *name = getenv("DUMP_TIMES");
  const int n = runs ? atoi(runs) : 20;

  if (!name || n > MAX_RUNS)
    return;
  for (int i = 0; i < n; i++) {
    real[i] = now(CLOCK_MONOTONIC);
    cpu[i] = now(CLOCK_THREAD_CPUTIME_ID);
    if (arcline_dump())
      exit(1);
    cpu[i] = now(CLOCK_THREAD_CPUTIME_ID) - cpu[i];
    real[i] = now(CLOCK_MONOTONIC) - real[i];
  }
  FILE *file = fopen(name, "a");
  if (!file)
    exit(1);
  for (int i = 0; i < n; i++)
    fprintf(file, "%llu %llu\n", (unsigned long long)real[i],
            (unsigned long long)cpu[i]);
  fclose(file);
}

// After the runtime's own constructor, so it runs before the runtime's exit.
__attribute__((constructor)) static void start(void) { atexit(time_dumps); }
