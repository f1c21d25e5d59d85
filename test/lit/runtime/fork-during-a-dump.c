// A child may be forked while another thread writes a profile: it has the
// memory of the program at that moment, and counts as usual. (The child must
// not unmap memory again that the writer has just freed, since it may have been
// mapped again.)
//
// RUN: %arcline-cc -O1 -I%include %s -o %t -lpthread
// RUN: mkdir files
// RUN: env ARCLINE_OPTIONS=out=files/%%p:side=off %t files
// RUN: %arcline gprof -b -q %t files/child | FileCheck %s
//
// CHECK: 7 {{.*}}counted
#include <arcline/arcline.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_MAPPERS = 4, N_FORKS = 600, PAGE = 4096, N_PAGES = 384 };

// As large as the memory that a writer frees at its end.
#define BYTES ((size_t)N_PAGES * PAGE)

static atomic_int is_done;
static _Atomic(unsigned char *) shown[N_MAPPERS];

__attribute__((noinline)) void counted(void) { __asm__ volatile(""); }

static void *dump(void *unused) {
  while (!is_done)
    if (arcline_dump())
      abort();
  return unused;
}

static void *map(void *number) {
  const intptr_t mine = (intptr_t)number;

  while (!is_done) {
    unsigned char *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      abort();
    for (size_t i = 0; i < N_PAGES; i += 64)
      memory[i * PAGE] = 1;
    shown[mine] = memory;
    usleep(10);
    shown[mine] = NULL;
    munmap(memory, BYTES);
  }
  return NULL;
}

static int is_all_there(void) {
  for (int i = 0; i < N_MAPPERS; i++)
    if (shown[i] && msync(shown[i], BYTES, MS_ASYNC))
      return 0;
  return 1;
}

int main(int argc, char **argv) {
  pthread_t threads[N_MAPPERS + 1];
  char from[200], to[200];
  int n_wrong = 0;

  if (argc != 2)
    return 2;
  pthread_create(&threads[N_MAPPERS], NULL, dump, NULL);
  for (intptr_t i = 0; i < N_MAPPERS; i++)
    pthread_create(&threads[i], NULL, map, (void *)i);
  for (int i = 0; i < N_FORKS; i++) {
    int status;
    const pid_t child = fork();
    if (child == 0) {
      if (!is_all_there())
        _exit(1);
      for (int k = 0; k < 7; k++)
        counted();
      if (i < N_FORKS - 1)
        _exit(0);
      exit(arcline_dump() != 0);
    }
    if (waitpid(child, &status, 0) != child)
      abort();
    n_wrong += status != 0;
    snprintf(from, sizeof(from), "%s/%d", argv[1], (int)child);
  }
  is_done = 1;
  for (int i = 0; i <= N_MAPPERS; i++)
    pthread_join(threads[i], NULL);
  snprintf(to, sizeof(to), "%s/child", argv[1]);
  if (rename(from, to))
    abort();
  if (n_wrong)
    printf("%d of %d children miss memory\n", n_wrong, N_FORKS);
  return n_wrong != 0;
}
