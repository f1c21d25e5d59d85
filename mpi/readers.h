/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Finds ranks that see the same files, and divides the files among them, so
 * that no file is added twice. */
#ifndef ARCLINE_READERS_H
#define ARCLINE_READERS_H

#include <mpi.h>

struct err;

/**
 * Find the ranks of this one's node for which the operands are the same files
 * and folders. Collective: every rank of MPI_COMM_WORLD calls it.
 *
 * operands  up to NULL; each rank has its own.
 * out       gets a communicator of them, to be freed by MPI_Comm_free(); or, if
 *           any rank of the node fails, one of a rank alone.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int readers_of_node(char *const *operands, MPI_Comm *out, struct err *err);

#endif
