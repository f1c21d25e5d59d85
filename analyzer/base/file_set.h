/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Keeps files in memory under the absolute names that they had elsewhere, as
 * those of an archive (archive.h). Names are cleaned: path_clean().
 *
 * Large files have a descriptor of their own, and blocks of zeros in them take
 * no memory.
 */
#ifndef ARCLINE_FILE_SET_H
#define ARCLINE_FILE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct err;

/** Private. */
struct file_set_file {
  char *name;
  char *target; /* first name of the file; NULL: it is this one */
  uint64_t n_bytes;
  int64_t written;      /* seconds since 1970 */
  uint64_t n_filled;    /* while it is added */
  unsigned char *bytes; /* of a small file, or NULL */
  int fd;               /* of a large file, or -1 */
  size_t i_target;      /* index of that with the first name */
};

/** All zero is empty. */
struct file_set {
  char *folder;                /* in which relative names are; NULL: the root */
  struct file_set_file *files; /* private from here; sorted when complete */
  size_t n_files, max_files;
  uint64_t n_in_memory;
};

/**
 * Begin another file, after the last one is complete.
 *
 * name  copied.
 *
 * Returns 0; or -1 with *err set (no memory, no descriptor).
 */
int file_set_begin(struct file_set *set, const char *name, uint64_t n_bytes,
                   int64_t written, struct err *err);

/** Append bytes to the file that was begun; no more than it has. Returns 0, or
 * -1 with *err set (no memory). */
int file_set_append(struct file_set *set, const void *bytes, size_t n_bytes,
                    struct err *err);

/** Add another name of a file, of which the first name is given. Returns 0, or
 * -1 with *err set (no memory). */
int file_set_link(struct file_set *set, const char *name, const char *target,
                  struct err *err);

/** Sort the files: all are added. Returns 0; or -1 with *err set: a name occurs
 * twice, or the first name of a file is missing. */
int file_set_finish(struct file_set *set, struct err *err);

/**
 * Open a file for reading.
 *
 * name    relative to set->folder; need not be clean.
 * status  type, size, time, and an inode that all names of a file share.
 *
 * Returns a descriptor of its own; or -1 with errno set: ENOENT; EISDIR if
 * there are files below that name.
 */
int file_set_open(const struct file_set *set, const char *name,
                  struct stat *status);

/** Fill in status as file_set_open(), also of a folder. Returns 0; or -1 with
 * errno set: ENOENT. */
int file_set_status(const struct file_set *set, const char *name,
                    struct stat *status);

/** The name of a file without links. Returns it to free(); or NULL with errno
 * set. */
char *file_set_real(const struct file_set *set, const char *name);

/**
 * Visit the files of a folder and its subfolders, in order of names, each with
 * its name below the folder. Returns 0, or the first value of the function that
 * is not.
 */
int file_set_walk(const struct file_set *set, const char *folder,
                  int (*visit)(void *context, const char *rest), void *context);

/** Free; an empty one may be released too. */
void file_set_release(struct file_set *set);

#endif
