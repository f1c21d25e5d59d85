/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Threads that do the same work each, on data of their own: walks through a
 * search tree. Shared counters make threads wait for one another; the CPU time
 * of one thread and of four shows how much.
 *
 *   threads [SCALE [THREADS]]    SCALE times 10,000 insertions and 40,000
 *                                look-ups per thread; 1 thread
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_NODES = 10000, N_LOOKUPS = 40000, MAX_THREADS = 64, NONE = -1 };

struct node {
  uint32_t key;
  int left, right; // indices of nodes; NONE
};

struct worker {
  pthread_t thread;
  int scale;
  uint32_t random;
  uint64_t checksum;
  int n_nodes;
  struct node nodes[N_NODES]; // nodes[0] is the root
};

static uint32_t next_random(struct worker *worker) {
  worker->random = worker->random * 1664525u + 1013904223u;
  return worker->random >> 12;
}

static int *child_of(struct node *node, uint32_t key) {
  return key < node->key ? &node->left : &node->right;
}

static void insert(struct worker *worker, uint32_t key) {
  const int i_new = worker->n_nodes++;
  worker->nodes[i_new] = (struct node){key, NONE, NONE};
  if (i_new == 0)
    return;
  int *link = child_of(&worker->nodes[0], key);
  while (*link != NONE)
    link = child_of(&worker->nodes[*link], key);
  *link = i_new;
}

// The number of nodes down to the key, or to its place if it is missing.
static int depth_of(struct worker *worker, uint32_t key) {
  int depth = 0;
  for (int i = 0; i != NONE; depth++) {
    if (worker->nodes[i].key == key)
      break;
    i = *child_of(&worker->nodes[i], key);
  }
  return depth;
}

static void *work(void *context) {
  struct worker *const worker = context;
  for (int i = 0; i < worker->scale; i++) {
    worker->n_nodes = 0;
    for (int j = 0; j < N_NODES; j++)
      insert(worker, next_random(worker));
    for (int j = 0; j < N_LOOKUPS; j++)
      worker->checksum =
          worker->checksum * 31 + depth_of(worker, next_random(worker));
  }
  return NULL;
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  const int n_threads = argc > 2 ? atoi(argv[2]) : 1;
  struct worker *workers[MAX_THREADS];

  if (n_threads < 1 || n_threads > MAX_THREADS) {
    fprintf(stderr, "threads: 1 to %d threads\n", MAX_THREADS);
    return 2;
  }
  for (int i = 0; i < n_threads; i++) {
    workers[i] = calloc(1, sizeof(*workers[i]));
    if (!workers[i]) {
      fprintf(stderr, "threads: out of memory\n");
      return 1;
    }
    workers[i]->scale = scale;
    // The same numbers in each: the same work.
    workers[i]->random = 20261121;
    if (pthread_create(&workers[i]->thread, NULL, work, workers[i]) != 0) {
      fprintf(stderr, "threads: cannot create thread %d\n", i);
      return 1;
    }
  }
  uint64_t checksum = 0;
  for (int i = 0; i < n_threads; i++) {
    pthread_join(workers[i]->thread, NULL);
    checksum = checksum * 31 + workers[i]->checksum;
    free(workers[i]);
  }
  printf("%d threads, checksum %016llx\n", n_threads,
         (unsigned long long)checksum);
  return 0;
}
