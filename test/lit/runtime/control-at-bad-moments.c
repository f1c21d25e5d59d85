/* arcline ctl while the program forks, starts and ends threads, loads and
   unloads a library, runs on the smallest stacks and alternate stacks, and
   ends: each command is answered, or the program has ended; its status is
   unchanged. */
// RUN: %cc -O1 -fPIC -shared -DLIBRARY -I%include -I%S/Inputs %s -L%libdir \
// RUN:   -larcline-shared -o libbad.so
// RUN: %cc -O1 -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread -ldl \
// RUN:   -o %t
// RUN: %t > pid & until [ -s pid ]; do :; done; pid=$(cat pid); n=0; \
// RUN: while %arcline ctl --timeout=60 $pid dump --reset > names 2> text; do \
// RUN:   n=$((n + 1)); %arcline dump gmon.out > records || exit 1; \
// RUN:   [ $n != 20 ] || touch end; \
// RUN: done; \
// RUN: cat text; wait $!; test $? = 7 -a $n -ge 20
// RUN: grep -E 'no such process|has ended|ended before it answered' text

/* In another network namespace, where its abstract sockets are not visible. */
// RUN: unshare -n true || exit 0; rm -f pid end; ls -A /tmp > before; \
// RUN: unshare -n %t > pid & until [ -s pid ]; do :; done; \
// RUN: %arcline ctl --timeout=60 $(cat pid) status > text; touch end; wait $!; \
// RUN: grep 'sampling on' text
/* Its socket is removed. Those of other commands disappear in the meantime. */
// RUN: for try in $(seq 600); do \
// RUN:   ls -A /tmp | grep -vxFf before | grep arcline-ctl || exit 0; sleep 0.1; \
// RUN: done; false
#include "instrument.h"

#ifdef LIBRARY
int library(void);

static NOINLINE void leaf(void) { CALLED(leaf); }

int library(void) {
  leaf();
  __asm__ volatile("");
  return 0;
}
#else
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

static NOINLINE void leaf(void) { CALLED(leaf); }

static void *on_small_stacks(void *arg) {
  static char memory[65536];
  const stack_t stack = {.ss_sp = memory, .ss_size = getauxval(51) + 1024};

  if (arg)
    sigaltstack(&stack, NULL);
  for (int i = 0; i < 100000; i++)
    leaf();
  return NULL;
}

int main(void) {
  pthread_attr_t attr;

  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN);
  printf("%d\n", (int)getpid());
  fflush(stdout);
  while (access("end", F_OK)) {
    pthread_t small, alternate;
    pthread_create(&small, &attr, on_small_stacks, NULL);
    pthread_create(&alternate, NULL, on_small_stacks, &attr);
    const pid_t pid = fork();
    if (pid == 0) {
      leaf();
      _exit(0);
    }
    void *handle = dlopen("./libbad.so", RTLD_NOW);
    int (*library)(void) = (int (*)(void))dlsym(handle, "library");
    library();
    dlclose(handle);
    while (waitpid(pid, NULL, 0) < 0)
      continue;
    pthread_join(small, NULL);
    pthread_join(alternate, NULL);
  }
  exit(7);
}
#endif
