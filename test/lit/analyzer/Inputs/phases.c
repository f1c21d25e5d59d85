// Threads that run one after the other: "parser" calls parse(), then "drawer"
// calls draw(); both wait in rest(). The main thread waits for each.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <time.h>

static volatile uint64_t sink;

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void spin(double seconds) {
  const double end = cpu_seconds() + seconds;
  do
    for (int i = 0; i < 20000; i++)
      sink += (uint64_t)i;
  while (cpu_seconds() < end);
}

__attribute__((noinline)) static void parse(void) {
  spin(0.4);
  sink++;
}

__attribute__((noinline)) static void draw(void) {
  spin(0.4);
  sink++;
}

__attribute__((noinline)) static void rest(void) {
  nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
  sink++;
}

static void *run(void *work) {
  rest();
  ((void (*)(void))work)();
  return NULL;
}

static void run_thread(const char *name, void (*work)(void)) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_create(&thread, &attributes, run, (void *)work);
  pthread_setname_np(thread, name);
  pthread_join(thread, NULL);
}

int main(void) {
  run_thread("parser", parse);
  run_thread("drawer", draw);
  return 0;
}
