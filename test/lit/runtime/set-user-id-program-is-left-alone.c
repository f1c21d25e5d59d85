/* Under AT_SECURE nothing is armed and nothing is written, whatever the
   environment says; the same program without the bit writes its file. */
// REQUIRES: root
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -o prog
// RUN: open=$(mktemp -d) && cp prog $open && cd $open
// RUN: chmod 4755 prog && chmod 777 .
// RUN: setpriv --reuid 65534 --regid 65534 --clear-groups \
// RUN:   env ARCLINE_OPTIONS=verbose=1:bad=1 ./prog 2>&1 | count 0
// RUN: test "$(ls)" = prog
// RUN: chmod 755 prog
// RUN: setpriv --reuid 65534 --regid 65534 --clear-groups ./prog
// RUN: test -f gmon.out && rm -r $open
#include "instrument.h"

PICK_DATA

static NOINLINE void leaf(void) { CALLED(leaf); }

int main(void) {
  for (int i = 0; i < 1000; i++) {
    leaf();
    pick(i);
  }
  return 0;
}
