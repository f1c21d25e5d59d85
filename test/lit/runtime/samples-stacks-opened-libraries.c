/* Libraries are opened, closed and replaced by others while samples are taken,
   without notice to the runtime: stacks lead through them, too. */
// RUN: %clang -O2 -fomit-frame-pointer -shared -fPIC -DNAME=1 %s -o one.so
// RUN: %clang -O2 -fomit-frame-pointer -shared -fPIC -DNAME=2 %s -o two.so
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t
// RUN: %python %S/Inputs/stacks.py chains %t ./one.so ./two.so -- \
// RUN:   burn '_start>.*main>through>((one|two).so|.unknown.)>back>burn'
#ifdef NAME
static volatile char pad[4096 * NAME];

#if NAME == 2
/* Other frames at other places. */
__attribute__((noinline)) static void with_frame(void (*function)(void)) {
  volatile char frame[200];

  frame[0] = 1;
  function();
  pad[0] += frame[0];
}
#endif

void call(void (*function)(void)) {
  pad[0]++;
#if NAME == 2
  with_frame(function);
#else
  function();
#endif
  pad[1]++;
}
#else
#include <dlfcn.h>

#include "burn.h"

BURN

    static volatile int sink;

static void back(void) {
  burn(5000000);
  sink++;
}

__attribute__((noinline)) static void through(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  void (*call)(void (*)(void)) =
      (void (*)(void (*)(void)))dlsym(library, "call");

  call(back);
  dlclose(library);
}

int main(int argc, char **argv) {
  for (int i = 0; i < 100; i++)
    through(argv[1 + i % (argc - 1)]);
  return 0;
}
#endif
