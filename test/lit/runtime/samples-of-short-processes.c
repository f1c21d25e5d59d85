/* 120 processes of some 10 ms of CPU time each, into a pool, without an option:
   their time has a place, and some of them a call stack. Limits are wide: on a
   busy machine a process may end before the first tick, and chance decides
   which ones have samples. */
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o prog
// RUN: i=0; while [ $i -lt 120 ]; do env ARCLINE_OPTIONS=out=$PWD/pool/%%m ./prog || exit 1; i=$((i + 1)); done
// RUN: %python %S/Inputs/short_processes.py pool/prog.*.arcline 0.01
#include "burn.h"

BURN

    int
    main(void) {
  burn_seconds(0.01);
  return 0;
}
