/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Opens files for reading. Names come from the user and from input that may be
 * hostile, so that only files are opened. Opening a device may have effects,
 * and reading it may never end. Opening a pipe may block until it has a writer.
 *
 * Names may lead to files of an archive instead of those of the machine:
 * in_file_use().
 */
#ifndef ARCLINE_IN_FILE_H
#define ARCLINE_IN_FILE_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

struct file_set;

/** Kinds of files that may be opened. */
enum in_file_kind {
  IN_FILE_REGULAR, /* a regular file */
  IN_FILE_PIPE,    /* that or a pipe, without waiting for its writer */
  IN_FILE_SOURCE,  /* a regular file; of the machine if the archive lacks it */
  IN_FILE_OWN,     /* a regular file, of the machine in any case */
};

/** Use the files of an archive from now on; NULL: those of the machine again.
 * Borrowed. */
void in_file_use(const struct file_set *files);

/** The files in use; NULL: those of the machine. */
const struct file_set *in_file_used(void);

/** Called with each file that in_file_open() has opened. */
typedef void in_file_opened(void *context, const char *path,
                            enum in_file_kind kind);

/** Call a function from now on, but not for IN_FILE_OWN; NULL: none. */
void in_file_watch(in_file_opened *function, void *context);

/**
 * Open a file for reading, if it is of the kind.
 *
 * status  of what was opened.
 *
 * Returns a descriptor, whose reads wait as usual; or -1 with errno set:
 * EISDIR for a folder, EINVAL for any other wrong kind.
 */
int in_file_open(const char *path, enum in_file_kind kind, struct stat *status);

/**
 * Read until n_bytes are read or the file ends.
 *
 * Returns how many were; or -1 with errno set.
 */
ssize_t in_file_read(int fd, void *bytes, size_t n_bytes);

/**
 * Read the first bytes of a regular file, up to n_bytes.
 *
 * status  of what was opened.
 *
 * Returns how many there were; or -1 with errno set, as in_file_open().
 */
ssize_t in_file_start(const char *path, void *bytes, size_t n_bytes,
                      struct stat *status);

/** As access() of a file or folder. */
int in_file_access(const char *path, int mode);

/** As stat() of a file or folder. */
int in_file_status(const char *path, struct stat *status);

/** As realpath() of a file, to free(). */
char *in_file_real(const char *path);

/** The current folder, to free(); NULL: it was removed, or no memory. That of
 * an archive is the one in which it was packed. */
char *in_file_folder(void);

/** Text of an errno of in_file_open(): strerror() except for EINVAL. */
const char *in_file_reason(int error);

#endif
