/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "readers.h"

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>

/** A rank's view of one operand, and of those before it. */
struct look {
  uint64_t group; // the first rank that had the same ones so far
  uint64_t is_there;
  uint64_t device, inode;
};

enum { LOOK_WORDS = sizeof(struct look) / sizeof(uint64_t) };

static struct look look_at(const char *operand, int group) {
  struct look look = {.group = (uint64_t)group};
  struct stat status;
  if (operand && stat(operand, &status) == 0) {
    look.is_there = 1;
    look.device = (uint64_t)status.st_dev;
    look.inode = (uint64_t)status.st_ino;
  }
  return look;
}

static bool is_same(const struct look *a, const struct look *b) {
  return a->group == b->group && a->is_there == b->is_there &&
         a->device == b->device && a->inode == b->inode;
}

/** Compare operands one by one, so that memory does not depend on their number.
 * looks: room for those of all ranks of the node. */
static int find_group(MPI_Comm node, char *const *operands,
                      struct look *looks) {
  int n_operands = 0, n_most, group = 0;
  while (operands[n_operands])
    n_operands++;
  MPI_Allreduce(&n_operands, &n_most, 1, MPI_INT, MPI_MAX, node);
  for (int i = 0; i < n_most; i++) {
    const struct look look =
        look_at(i < n_operands ? operands[i] : NULL, group);
    MPI_Allgather(&look, LOOK_WORDS, MPI_UINT64_T, looks, LOOK_WORDS,
                  MPI_UINT64_T, node);
    for (group = 0; !is_same(&looks[group], &look);)
      group++;
  }
  return group;
}

int readers_of_node(char *const *operands, MPI_Comm *out, struct err *err) {
  MPI_Comm node;
  int rank, n_ranks, is_failed, is_any;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                      &node);
  MPI_Comm_rank(node, &rank);
  MPI_Comm_size(node, &n_ranks);
  struct look *const looks = calloc((size_t)n_ranks, sizeof(*looks));
  is_failed = !looks;
  MPI_Allreduce(&is_failed, &is_any, 1, MPI_INT, MPI_LOR, node);
  const int group = is_any ? rank : find_group(node, operands, looks);
  MPI_Comm_split(node, group, rank, out);
  MPI_Comm_free(&node);
  free(looks);
  return is_failed ? err_no_memory(err) : 0;
}
