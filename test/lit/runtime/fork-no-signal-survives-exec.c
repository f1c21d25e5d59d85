/* The timer ends with execve(): a new program without a handler for SIGPROF is
   not killed. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -o %t
// RUN: env ARCLINE_OPTIONS=hz=10000 %t %t
#include <time.h>
#include <unistd.h>

#include "instrument.h"

static NOINLINE void leaf(void) { CALLED(leaf); }

static void burn(void) {
  const clock_t end = clock() + CLOCKS_PER_SEC / 5;

  while (clock() < end)
    leaf();
}

int main(int argc, char **argv) {
  if (argc == 1)
    return 0;
  burn();
  execl("/bin/sh", "sh", "-c",
        "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); "
        "done; exec \"$0\"",
        argv[1], (char *)NULL);
  return 1;
}
