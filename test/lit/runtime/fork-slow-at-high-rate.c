/* fork() that takes longer than the sampling period is not restarted for
   ever. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread -o %t
// RUN: env ARCLINE_OPTIONS=hz=10000 %t
// RUN: env ARCLINE_OPTIONS=hz=10000:clock=wall %t
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "instrument.h"

enum { N_BYTES = 128 << 20, N_CHILDREN = 20 };

static NOINLINE void leaf(void) { CALLED(leaf); }

int main(void) {
  char *memory = mmap(NULL, N_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  madvise(memory, N_BYTES, MADV_NOHUGEPAGE); // more to copy
  memset(memory, 1, N_BYTES);
  for (int i = 0; i < N_CHILDREN; i++) {
    int status;
    const pid_t child = fork();
    leaf();
    if (!child)
      _exit(7);
    if (child < 0 || waitpid(child, &status, 0) != child || status != 7 << 8)
      abort();
  }
  return 0;
}
