/* A program that handles SIGPROF before we start keeps it; one that takes it
   later keeps its handler; a SIGPROF that is not our timer's still kills. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -o %t
// RUN: %t late
// RUN: %cc -O2 -DEARLY -I%include -I%S/Inputs %s -L%libdir -larcline -o %t.early
// RUN: %t.early early
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

#include "instrument.h"

static volatile int n_ticks;

static NOINLINE void leaf(void) { CALLED(leaf); }

static void handler(int number) {
  (void)number;
  n_ticks++;
}

#ifdef EARLY
static void take(void) { signal(SIGPROF, handler); }
__attribute__((section(".preinit_array"), used)) static void (*early)(void) =
    take;
#endif

int main(int argc, char **argv) {
  struct sigaction now;

  leaf();
  if (argv[argc - 1][0] == 'l')
    signal(SIGPROF, handler);
  raise(SIGPROF);
  if (n_ticks != 1)
    return 1;
  sigaction(SIGPROF, NULL, &now);
  return now.sa_handler != handler;
}
