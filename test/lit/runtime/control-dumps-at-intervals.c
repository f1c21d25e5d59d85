/* dump=1s: a running program with several threads writes profiles at intervals,
   with all counts so far, or with %n or %t with the counts since the previous
   dump: these add up, line by line, to its work. A process that does not run
   writes none; children begin at zero; without samples there are no intervals,
   which is reported.
 */
// RUN: %arcline-cc -O2 -g %s -o prog -lpthread
// RUN: env ARCLINE_OPTIONS=dump=1s ./prog gmon.out > truth
// RUN: %check-truth ./prog %s truth gmon.out
//
// RUN: env ARCLINE_OPTIONS=dump=1s:out=d/%%n ./prog d/3 > truth
// RUN: ls d | grep -x -e 1 -e 2 -e 3 -e 4 | count 4
// RUN: %check-truth --no-calls ./prog %s truth d/*[0-9]
// RUN: %arcline merge -o sum d && %check-truth --no-calls ./prog %s truth sum
// RUN: env ARCLINE_OPTIONS=dump=1s:out=t/%%t.%%n ./prog t/ > truth
// RUN: ls t | grep -E '^20[0-9]{6}T[0-9]{6}\.2$'
// RUN: %check-truth --no-calls ./prog %s truth t/*.[0-9]
//
// A process that sleeps writes nothing; a child has numbers of its own.
// RUN: env ARCLINE_OPTIONS=dump=1s:out=s/%%n ./prog sleep && ls s | count 2
// RUN: env ARCLINE_OPTIONS=dump=1s:out=f/%%p.%%n ./prog fork f > pids
// RUN: while read pid; do test -e f/$pid.1 || exit 1; done < pids
//
// RUN: env ARCLINE_OPTIONS=dump=1s:hz=0 ./prog none 2>&1 | FileCheck %s
// CHECK: {{^}}arcline: ARCLINE_OPTIONS: dump=: requires samples, which are off; ignored
// RUN: for value in 0x 1d -1 s 3600001 1001h; do \
// RUN:   ARCLINE_OPTIONS=dump=$value ./prog none 2>&1 | grep "dump=$value: bad value, ignored" \
// RUN:     || exit 1; \
// RUN: done
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_THREADS = 4, LINE = __LINE__ + 4 };

static atomic_bool is_ending;

__attribute__((noinline)) static void served(void) { __asm__ volatile(""); }

static void *serve(void *argument) {
  unsigned long n = 0;

  for (; !is_ending; n++)
    served();
  *(unsigned long *)argument = n;
  return NULL;
}

/* The file; two of those in the folder. */
static int has_files(const char *path) {
  int n = 0;

  if (path[strlen(path) - 1] != '/')
    return access(path, F_OK) == 0;
  DIR *folder = opendir(path);
  for (const struct dirent *entry; folder && (entry = readdir(folder));)
    n += entry->d_name[0] != '.' && !strstr(entry->d_name, ".arcline");
  if (folder)
    closedir(folder);
  return n >= 2;
}

static void work_until(const char *path) {
  unsigned long counts[N_THREADS], sum = 0;
  pthread_t threads[N_THREADS];

  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, serve, &counts[i]);
  while (!has_files(path))
    usleep(10000);
  is_ending = 1;
  for (int i = 0; i < N_THREADS; i++) {
    pthread_join(threads[i], NULL);
    sum += counts[i];
  }
  printf("calls served %lu\nline %d %lu\n", sum, LINE, sum);
}

int main(int argc, char **argv) {
  char path[64];

  if (!strcmp(argv[1], "none"))
    return 0;
  if (!strcmp(argv[1], "sleep"))
    return usleep(1500000);
  if (strcmp(argv[1], "fork")) {
    work_until(argv[1]);
    return argc != 2;
  }
  for (int i = 0; i < 2; i++)
    if (fork() == 0) {
      snprintf(path, sizeof(path), "%s/%d.1", argv[2], (int)getpid());
      while (access(path, F_OK))
        served();
      printf("%d\n", (int)getpid());
      return 0;
    }
  while (wait(NULL) > 0)
    continue;
  return 0;
}
