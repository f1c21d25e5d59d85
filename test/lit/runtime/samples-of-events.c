/* event= samples by events, or one line reports the reason and CPU time is
   sampled. GNU gprof prints the unit that the file names. */
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t
// RUN: %python %S/Inputs/samples.py events %t cycles Gcycles G burn 5
// RUN: %python %S/Inputs/samples.py events %t instructions Ginstrs G burn 5
// RUN: %python %S/Inputs/samples.py events %t cache-misses Mmisses M main 0
// RUN: %python %S/Inputs/samples.py events %t branch-misses Mmisses M main 0
// RUN: %python %S/Inputs/samples.py events %t task-clock seconds s burn 20
// RUN: %python %S/Inputs/samples.py events %t context-switches kswitches k \
// RUN:   main 0
// RUN: %python %S/Inputs/samples.py events %t page-faults kfaults k touch 350
// RUN: %if gprof %{ %gprof -b -p %t gmon.out > gnu %}
// RUN: %if gprof %{ %arcline gprof -b -p --no-side %t gmon.out | diff gnu - %}
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "burn.h"

enum { PAGE_BYTES = 4096, N_PAGES = 4000 };

BURN

    __attribute__((noinline)) static void
    touch(volatile char *memory) {
  for (long i = 0; i < N_PAGES; i++)
    memory[i * PAGE_BYTES] = 1;
}

int main(void) {
  char *memory =
      mmap(NULL, (size_t)N_PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  madvise(memory, (size_t)N_PAGES * PAGE_BYTES, MADV_NOHUGEPAGE);
  touch(memory);
  burn_seconds(0.3);
  return 0;
}
