/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Runs `arcline merge` in all ranks of an MPI job. Each adds up
 * its share of the files; MPI's own reduction adds up the ranks, by an operator
 * that is the same addition. The bytes written are those of `arcline merge`.
 *
 * After each step, ranks exchange errors, so that no rank waits for one that
 * has ended.
 */
#include "base/err.h"
#include "base/options.h"
#include "bundle.h"
#include "file_list.h"
#include "merge/merge.h"
#include "readers.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 2 };

enum { OPT_OUTPUT = 1, OPT_STRICT, OPT_LOCAL, OPT_IMAGES };

static const struct option_spec option_specs[] = {
    {OPT_OUTPUT, 'o', "output", OPTION_ARGUMENT, "OUT",
     "file or folder to write"},
    {OPT_LOCAL, 0, "local", OPTION_NO_ARGUMENT, NULL,
     "each node reads all files, from its own disks"},
    {OPT_IMAGES, 0, "images", OPTION_ARGUMENT, "FOLDER",
     "search FOLDER for images of pools, by build ID"},
    {OPT_STRICT, 0, "strict", OPTION_NO_ARGUMENT, NULL,
     "exit with 1 if a file was skipped"},
    {0},
};

struct job {
  int rank;
  MPI_Comm readers; // the ranks that share files with this one
  const char *output;
  const char *images; // folder, or NULL
  bool is_strict, is_local, is_help;
  char **operands; // up to NULL
};

static int apply(void *context, int id, const char *value, struct err *err) {
  struct job *const job = context;
  (void)err;
  if (id == OPT_OUTPUT)
    job->output = value;
  else if (id == OPT_IMAGES)
    job->images = value;
  else if (id == OPT_LOCAL)
    job->is_local = true;
  else
    job->is_strict = true;
  return 0;
}

static int parse(struct job *job, int argc, char **argv, struct err *err) {
  int first;
  const int rc =
      options_parse(option_specs, argc, argv, apply, job, &first, err);
  job->is_help = rc == OPTIONS_HELP;
  if (rc)
    return rc < 0 ? -1 : 0;
  job->operands = argv + first;
  if (!job->output || !job->output[0])
    return err_set(err, ERR_USAGE,
                   "no output given; use -o OUT; try arcline-mpi-merge --help");
  if (!job->operands[0])
    return err_set(err, ERR_USAGE,
                   "no file or folder given; try arcline-mpi-merge --help");
  return 0;
}

static void print_help(void) {
  puts("Add up profiles and side files of any number of processes.\n\n"
       "Usage: mpirun arcline-mpi-merge [OPTION]... -o OUT FILE|FOLDER...\n\n"
       "Writes the same files as arcline merge. Each rank reads a share of the "
       "files, or,\nwith --local, those of its own node.\n\n"
       "Options:");
  options_print_help(option_specs, stdout);
  puts("\nExamples:\n"
       "  mpirun arcline-mpi-merge -o gmon.out profiles/\n"
       "  mpirun arcline-mpi-merge --local -o gmon.out /tmp/profiles/");
}

// --- Agreeing ---

/** Returns whether any rank has failed; those that have report why. */
static bool has_any_failed(int rc, const struct err *err) {
  int is_failed = rc != 0, is_any;
  if (is_failed)
    fprintf(stderr, "%s: %s\n", err_program(), err->text);
  MPI_Allreduce(&is_failed, &is_any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
  return is_any;
}

/** Agree on the work: ranks may have command lines of their own. Returns 0, or
 * EXIT_USAGE if any rank has a wrong one; the first such rank reports it. */
static int agree(struct job *job, int rc, const struct err *err) {
  int speaker = rc ? job->rank : INT_MAX, first;
  MPI_Allreduce(&speaker, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first != INT_MAX) {
    if (first == job->rank)
      fprintf(stderr, "arcline-mpi-merge: %s\n", err->text);
    return EXIT_USAGE;
  }
  int flags[] = {job->is_help, job->is_local, job->is_strict};
  MPI_Allreduce(MPI_IN_PLACE, flags, 3, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
  job->is_help = flags[0];
  job->is_local = flags[1];
  job->is_strict = flags[2];
  return 0;
}

// --- Reading ---

/** Find the files on the first reader, and send them to all others. */
static int share_list(const struct job *job, struct file_list *list,
                      struct err *err) {
  int rc = 0, reader;
  MPI_Comm_rank(job->readers, &reader);
  for (char **at = job->operands; reader == 0 && *at && rc == 0; at++)
    rc = file_list_add(list, *at, err);
  if (has_any_failed(rc, err))
    return -1;
  unsigned long long n_bytes = list->n_bytes;
  MPI_Bcast(&n_bytes, 1, MPI_UNSIGNED_LONG_LONG, 0, job->readers);
  if (reader != 0) {
    list->text = malloc(n_bytes ? n_bytes : 1);
    list->n_bytes = n_bytes;
    rc = list->text ? 0 : err_no_memory(err);
  }
  if (has_any_failed(rc, err))
    return -1;
  for (size_t at = 0, n; at < list->n_bytes; at += n) {
    n = list->n_bytes - at < 1 << 30 ? list->n_bytes - at : 1 << 30;
    MPI_Bcast(list->text + at, (int)n, MPI_CHAR, 0, job->readers);
  }
  return 0;
}

/** Add up this rank's share. */
static int read_share(const struct job *job, struct merge *merge) {
  struct file_list list = {0};
  struct err err = {0};
  bool is_given;
  int reader, n_readers, rc = 0;
  MPI_Comm_rank(job->readers, &reader);
  MPI_Comm_size(job->readers, &n_readers);
  if (share_list(job, &list, &err)) {
    file_list_release(&list);
    return -1;
  }
  merge->images.folder = job->images;
  merge->n_skipped = list.n_skipped;
  size_t at = 0, i = 0;
  for (const char *path;
       rc == 0 && (path = file_list_next(&list, &at, &is_given)); i++)
    if (i % (size_t)n_readers == (size_t)reader)
      rc = merge_add_file(merge, path, is_given, &err);
  file_list_release(&list);
  return has_any_failed(rc, &err) ? -1 : 0;
}

static int read_files(struct job *job, struct merge *merge) {
  struct err err = {0};
  int rc = 0;
  if (job->is_local)
    rc = readers_of_node(job->operands, &job->readers, &err);
  else
    MPI_Comm_dup(MPI_COMM_WORLD, &job->readers);
  rc = has_any_failed(rc, &err) ? -1 : read_share(job, merge);
  MPI_Comm_free(&job->readers);
  return rc;
}

// --- Reducing ---

/** The operator. An element is a whole buffer, so that none is divided. */
static void add(void *from, void *to, int *n, MPI_Datatype *type) {
  int n_bytes;
  MPI_Type_size(*type, &n_bytes);
  for (int i = 0; i < *n; i++)
    bundle_add((char *)from + (size_t)i * (size_t)n_bytes,
               (char *)to + (size_t)i * (size_t)n_bytes, (size_t)n_bytes);
}

/** Reduce buffers of n_bytes. out: of the first rank. */
static void reduce(const void *buffer, void *out, size_t n_bytes) {
  MPI_Datatype whole;
  MPI_Op op;
  MPI_Type_contiguous((int)n_bytes, MPI_BYTE, &whole);
  MPI_Type_commit(&whole);
  MPI_Op_create(add, 1, &op);
  MPI_Reduce(buffer, out, 1, whole, op, 0, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  MPI_Type_free(&whole);
}

/** Bring the sums of all ranks to the first one. */
static int reduce_all(const struct job *job, struct merge *merge) {
  unsigned long long n_needed = bundle_bytes(merge), n_most;
  struct err err = {0};
  MPI_Allreduce(&n_needed, &n_most, 1, MPI_UNSIGNED_LONG_LONG, MPI_MAX,
                MPI_COMM_WORLD);
  merge_trim(merge);
  for (size_t n_bytes = 0;;) {
    int rc = 0;
    char *buffer = NULL;
    if ((n_bytes = bundle_room(n_bytes, n_most)) == 0)
      rc = job->rank == 0
               ? err_set(&err, ERR_SYSTEM,
                         "sums are larger than %d bytes, which MPI cannot "
                         "reduce; merge fewer programs at once",
                         BUNDLE_MAX_BYTES)
               : 0; // one word is enough
    // The first rank alone gets the result.
    else if (!(buffer = calloc(job->rank == 0 ? 2 : 1, n_bytes)))
      rc = err_no_memory(&err);
    if (has_any_failed(rc, &err)) {
      free(buffer);
      return -1;
    }
    char *const out = job->rank == 0 ? buffer + n_bytes : NULL;
    bundle_pack(merge, buffer, n_bytes);
    reduce(buffer, out, n_bytes);
    struct bundle result = {0};
    if (job->rank == 0)
      memcpy(&result, out, sizeof(result));
    MPI_Bcast(&result, sizeof(result), MPI_BYTE, 0, MPI_COMM_WORLD);
    if (result.has_failed)
      rc = job->rank == 0 ? err_no_memory(&err) : 0;
    if (rc == 0 && !result.has_failed && result.n_needed <= n_bytes &&
        job->rank == 0) {
      merge_release(merge);
      rc = bundle_unpack(out, merge, &err);
    }
    free(buffer);
    if (has_any_failed(rc, &err))
      return -1;
    if (result.n_needed <= n_bytes)
      return 0;
    n_most = result.n_needed;
  }
}

// --- Writing ---

static int write_sum(const struct job *job, struct merge *merge) {
  struct err err = {0};
  int rc = 0;
  if (job->rank == 0 && !merge->n_sums)
    rc = err_set(&err, ERR_INPUT, "%s: nothing to merge%s", job->operands[0],
                 merge->n_skipped ? "" : ": no profile found");
  else if (job->rank == 0)
    rc = merge_choose(merge, &err) || merge_write(merge, job->output, &err) ? -1
                                                                            : 0;
  if (has_any_failed(rc, &err))
    return 1;
  int is_incomplete = job->rank == 0 && merge->n_skipped;
  if (is_incomplete)
    warn("skipped %zu of %zu files", merge->n_skipped,
         merge->n_skipped + merge->n_files);
  MPI_Bcast(&is_incomplete, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return is_incomplete && job->is_strict;
}

static int run(struct job *job) {
  struct merge merge = {0};
  const int rc = read_files(job, &merge);
  const int status = rc || reduce_all(job, &merge) ? 1 : write_sum(job, &merge);
  merge_release(&merge);
  return status;
}

int main(int argc, char **argv) {
  struct job job = {0};
  struct err err = {0};
  char name[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
  snprintf(name, sizeof(name), "arcline-mpi-merge: rank %d", job.rank);
  err_set_program(name);
  const int rc = parse(&job, argc, argv, &err);
  int status = agree(&job, rc, &err);
  if (status) {
    // Reported already.
  } else if (job.is_help) {
    if (job.rank == 0)
      print_help();
  } else {
    status = run(&job);
  }
  MPI_Finalize();
  return status;
}
