/* Recursion 10^6 deep, contexts that switch between stacks in the middle of
   counted functions, and exit() from deep recursion, from a context and from
   another thread: counts are exact. */
// RUN: echo 'for how in return deep context thread; do \
// RUN:   rm -f gmon.out; %t $how > truth && \
// RUN:   %check-truth "$@" %t %s truth gmon.out || exit 1; done' > check
// RUN: %arcline-cc -O2 -fno-optimize-sibling-calls %s -o %t -lpthread
// RUN: sh check
// RUN: %arcline-cc -O0 %s -o %t -lpthread
// RUN: sh check
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount:blocks=off %arcline-cc -O2 \
// RUN:   -fno-optimize-sibling-calls %s -o %t -lpthread
// RUN: sh check --no-blocks
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum {
  DEPTH = 1000000,
  N_CONTEXTS = 8,
  N_SWITCHES = 10000,
  STACK = 65536,
  DEEP_STACK = 500 << 20
};

static const char *how;
static int line;
static ucontext_t back, contexts[N_CONTEXTS];
static char stacks[N_CONTEXTS][STACK];

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

__attribute__((no_profile_instrument_function)) static void tell(void) {
  const int n_in_contexts = N_CONTEXTS * (N_SWITCHES - 1) + 1;

  printf("line %d %d\n", line, n_in_contexts);
  if (!strcmp(how, "context")) {
    printf("calls leaf %d\n", n_in_contexts);
  } else {
    printf("calls even %d\ncalls odd %d\n", DEPTH / 2, DEPTH / 2 - 1);
    printf("calls leaf %d\n", n_in_contexts + DEPTH - 1);
  }
  fflush(stdout);
}

static void end(const char *name) {
  if (strcmp(how, name))
    return;
  tell();
  exit(0);
}

static int even(int n);

__attribute__((noinline)) static int odd(int n) {
  leaf();
  return even(n - 1) + 1;
}

__attribute__((noinline)) static int even(int n) {
  leaf();
  if (n == 2) {
    end("deep");
    return 1;
  }
  return odd(n - 1) + 1;
}

static void in_context(int i) {
  for (int k = 0; k < N_SWITCHES; k++) {
    leaf(), line = __LINE__;
    if (i == 0 && k == N_SWITCHES - 1) {
      end("context");
      return;
    }
    swapcontext(&contexts[i], &contexts[(i + 1) % N_CONTEXTS]);
  }
}

/* In a circle; the first one to end leads back. */
static void switch_contexts(void) {
  for (int i = 0; i < N_CONTEXTS; i++) {
    getcontext(&contexts[i]);
    contexts[i].uc_stack.ss_sp = stacks[i];
    contexts[i].uc_stack.ss_size = STACK;
    contexts[i].uc_link = &back;
    makecontext(&contexts[i], (void (*)(void))in_context, 1, i);
  }
  swapcontext(&back, &contexts[0]);
}

static void *in_thread(void *arg) {
  even(DEPTH);
  end("thread");
  return arg;
}

int main(int argc, char **argv) {
  pthread_attr_t attributes;
  pthread_t thread;

  how = argv[argc - 1];
  switch_contexts();
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, DEEP_STACK);
  pthread_create(&thread, &attributes, in_thread, NULL);
  pthread_join(thread, NULL);
  tell();
  return 0;
}
