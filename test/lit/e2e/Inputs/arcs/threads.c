// Calls in threads. See arcs-agree-with-mcount.test.
#include <pthread.h>
#include <stdio.h>

static _Thread_local long total;

static void add(int x) { total += x; }
static void subtract(int x) { total -= x; }

static void work(int n, void (*const *steps)(int)) {
  for (int i = 0; i < n; i++) {
    steps[i % 3 == 0](i);
    add(i);
  }
}

static void *run(void *arg) {
  static void (*const steps[])(int) = {add, subtract};
  work(20000, steps);
  if (arg)
    pthread_exit(NULL);
  return NULL;
}

int main(void) {
  pthread_t threads[8];

  for (int i = 0; i < 8; i++)
    pthread_create(&threads[i], NULL, run, i % 2 ? threads : NULL);
  run(NULL);
  for (int i = 0; i < 8; i++)
    pthread_join(threads[i], NULL);
  printf("%d\n", total != 0);
}
