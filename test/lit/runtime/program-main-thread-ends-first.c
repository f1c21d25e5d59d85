/* The main thread ends by pthread_exit(): /proc/self is a zombie's then. The
   side file names the executable all the same, and reports find it. */
// RUN: %arcline-cc -O1 -g -pthread %s -o prog && ./prog
// RUN: %arcline export --format=lcov gmon.out.arcline | grep -x FNDA:1000,count
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./prog && %arcline export pool | grep -x FNDA:1000,count
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((noinline)) static void count(void) { __asm__ volatile(""); }

static char state_of(pid_t id) {
  char path[64], state = 0;
  snprintf(path, sizeof(path), "/proc/%d/stat", (int)id);
  FILE *file = fopen(path, "r");
  if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
    state = 0;
  if (file)
    fclose(file);
  return state;
}

static void *work(void *unused) {
  while (state_of(getpid()) != 'Z')
    usleep(1000);
  for (int i = 0; i < 1000; i++)
    count();
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, NULL))
    return 1;
  pthread_exit(NULL);
}
