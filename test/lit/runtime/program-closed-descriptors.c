/* A program that starts without descriptors 0 to 2, closes them, or uses the
   numbers for files of its own: its files are unchanged, a profile is not mixed
   with the output of a thread to a closed number, and the next number that it
   gets is the same as without the runtime. */
// RUN: %arcline-cc -O2 %s -o %t -lpthread
// RUN: %t at-start 0<&- 1>&- 2>&-
// RUN: %arcline gprof -b -p %t gmon.out | FileCheck %s
// RUN: %t close && %arcline gprof -b -p %t gmon.out | FileCheck %s
// RUN: %t write && %arcline gprof -b -p %t gmon.out | FileCheck %s
// RUN: %t reopen
// RUN: for f in 0 1 2; do echo mine | cmp - mine.$f || exit 1; done
// RUN: rm gmon.out && mkdir gmon.out && rm mine.*
// RUN: %t reopen
// RUN: for f in 0 1 2; do echo mine | cmp - mine.$f || exit 1; done
// RUN: %t numbers 2>&1 | FileCheck %s --check-prefix=NUMBERS
// CHECK: 1000 {{.*}} leaf
// NUMBERS: next 3, open 0 1 2 3
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_STANDARD = 3 };

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

static void check(int is_fine) {
  if (!is_fine)
    _exit(9);
}

static void close_all(void) {
  for (int i = 0; i < N_STANDARD; i++)
    close(i);
}

/* Runs until the end, and during it. */
static void *write_on(void *arg) {
  for (;;)
    if (write(1, "nobody reads this\n", 18) > 0)
      continue;
  return arg;
}

static void reopen(void) {
  char name[] = "mine.0";

  close_all();
  for (int i = 0; i < N_STANDARD; i++) {
    name[5] = (char)('0' + i);
    check(open(name, O_RDWR | O_CREAT | O_EXCL, 0666) == i);
    check(write(i, "mine\n", 5) == 5);
  }
}

static void print_numbers(void) {
  const int next = open("/dev/null", O_RDONLY);
  DIR *folder = opendir("/proc/self/fd");

  printf("next %d, open", next);
  for (struct dirent *it; (it = readdir(folder));)
    if (it->d_name[0] != '.' && atoi(it->d_name) != dirfd(folder))
      printf(" %s", it->d_name);
  puts("");
  closedir(folder);
}

int main(int argc, char **argv) {
  const char *how = argv[argc - 1];
  pthread_t thread;

  for (int i = 0; i < 1000; i++)
    leaf();
  if (!strcmp(how, "at-start"))
    check(open("/dev/null", O_RDONLY) == 0 && close(0) == 0);
  else if (!strcmp(how, "numbers"))
    print_numbers();
  else if (!strcmp(how, "reopen"))
    reopen();
  else
    close_all();
  if (!strcmp(how, "write"))
    pthread_create(&thread, NULL, write_on, NULL);
  return 0;
}
