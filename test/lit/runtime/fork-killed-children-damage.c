/* A child that is killed after it has written over the memory that its counts
   are in, as programs with a wild pointer do, harms no relative: the parent
   ends as without the runtime, and its own counts are exact. Of the child's,
   those that were written over are what it wrote; a message says which ones
   cannot be read. */
// RUN: %arcline-cc -O1 -g -I%include %s -o prog
// RUN: export ARCLINE_OPTIONS=out=pool/%%m
// RUN: for value in 3 1000 1048576 8589934592 4611686018427387904 -1; do \
// RUN:   for what in kind object offset room bytes detail n_regions; do \
// RUN:     rm -rf pool && ./prog $what $value && \
// RUN:     %arcline export --format=lcov pool > info && \
// RUN:     grep -x FNDA:1,counted info || exit 1; \
// RUN:   done; \
// RUN:   ./prog contents $value && ./prog slots $value || exit 1; \
// RUN: done
// RUN: for what in offset room bytes detail n_regions contents; do \
// RUN:   rm -rf pool && ./prog $what 1 && echo $what >> log && \
// RUN:   cat pool/arcline.log >> log || test $what = contents || exit 1; \
// RUN: done; FileCheck %s < log
// CHECK: offset
// CHECK-NEXT: prog: a killed child has written over its counts; missing: blocks
// CHECK-NEXT: room
// CHECK-NEXT: missing: blocks
// CHECK-NEXT: bytes
// CHECK-NEXT: missing: blocks
// CHECK-NEXT: detail
// CHECK-NEXT: missing: samples
// CHECK-NEXT: n_regions
// CHECK-NEXT: missing: unknown ones
// CHECK-NEXT: contents
// CHECK-NOT: missing
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arcline/live_format.h"

__attribute__((noinline)) static void counted(void) { __asm__ volatile(""); }

/* The first bytes of a mapping, which describe its slots. */
static void fill_start(uint64_t *words, size_t n_bytes, uint64_t value) {
  const size_t n = n_bytes < ARCLINE_LIVE_ALIGN ? n_bytes : ARCLINE_LIVE_ALIGN;

  for (size_t i = 0; i < n / sizeof(*words); i++)
    words[i] = value;
}

static int is_head(const struct arcline_live_head *head) {
  return head->n_regions > 0 && head->n_regions < 100 &&
         head->regions[0].offset >= ARCLINE_LIVE_HEAD_BYTES &&
         head->regions[0].room > 0;
}

static void fill(struct arcline_live_head *head,
                 const struct arcline_live_region *region, uint64_t value) {
  uint64_t *const words = (uint64_t *)((char *)head + region->offset);

  for (size_t i = 0; i < region->bytes / sizeof(*words); i++)
    words[i] = value;
}

static void damage(struct arcline_live_head *head, const char *what,
                   uint64_t value) {
  if (strcmp(what, "n_regions") == 0) {
    head->n_regions = value;
    return;
  }
  for (size_t i = 0; i < head->n_regions; i++) {
    struct arcline_live_region *const region = &head->regions[i];
    if (strcmp(what, "kind") == 0)
      region->kind = (uint32_t)(3 + (i + value) % 6);
    else if (strcmp(what, "object") == 0)
      region->object = 1;
    else if (strcmp(what, "offset") == 0)
      region->offset = value;
    else if (strcmp(what, "room") == 0)
      region->room = value;
    else if (strcmp(what, "bytes") == 0)
      region->bytes = value;
    else if (strcmp(what, "contents") == 0)
      fill(head, region, value);
    else
      region->detail = value;
  }
}

/* Returns the number of places that were written to. */
static int damage_all(const char *what, uint64_t value) {
  FILE *const maps = fopen("/proc/self/maps", "r");
  char line[4096], access[8];
  unsigned long first, end;
  int n = 0;

  while (maps && fgets(line, sizeof(line), maps)) {
    if (sscanf(line, "%lx-%lx %7s", &first, &end, access) != 3 ||
        strcmp(access, "rw-s") != 0 || !strstr(line, "/dev/zero"))
      continue;
    if (strcmp(what, "slots") == 0) {
      fill_start((void *)first, end - first, value);
      n++;
      continue;
    }
    for (; first + ARCLINE_LIVE_HEAD_BYTES <= end; first += ARCLINE_LIVE_ALIGN)
      if (is_head((void *)first)) {
        damage((void *)first, what, value);
        n++;
      }
  }
  if (maps)
    fclose(maps);
  return n;
}

static void run_child(const char *what, uint64_t value) {
  for (volatile int i = 0; i < 30000000; i++)
    continue;
  if (damage_all(what, value))
    kill(getpid(), SIGKILL);
  _exit(3);
}

int main(int argc, char **argv) {
  for (int i = 0; argc > 2 && i < 2; i++) {
    const pid_t child = fork();
    int status = 0;
    if (child == 0)
      run_child(argv[1], strtoull(argv[2], NULL, 0));
    if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status) ||
        WTERMSIG(status) != SIGKILL)
      return 1;
  }
  counted();
  return 0;
}
