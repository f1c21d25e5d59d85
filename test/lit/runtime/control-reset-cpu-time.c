/* After a reset, the side file has the CPU time since then, as it has samples
   and calls: a report of an interval does not have the time before. */
// RUN: %cc -O1 -I%include -I%S/Inputs %s -L%libdir -larcline -o %t && %t
// RUN: awk '$1 == "cpu" { print $2 + $3 < 200000 }' gmon.out.arcline | grep -x 1
// RUN: awk '$1 == "process" { print $3 }' gmon.out.arcline | grep -x control-reset.*
#include <time.h>

#include "arcline/arcline.h"
#include "instrument.h"

static NOINLINE void leaf(void) { CALLED(leaf); }

int main(void) {
  leaf();
  while (clock() < CLOCKS_PER_SEC * 4 / 10)
    ;
  arcline_reset();
  leaf();
  return 0;
}
