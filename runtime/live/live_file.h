/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Creates, opens and removes the live file on the disk. */
#ifndef ARCLINE_RT_LIVE_FILE_H
#define ARCLINE_RT_LIVE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "os/os.h"
#include "settings/settings.h"

struct rt_live_file {
  dev_t device;
  ino_t inode;
  unsigned n_before; /* live files of this process that programs have left */
  char path[RT_MAX_PATH];
};

/** Create a new file beside the profile. Returns a descriptor, or a negative
 * errno. */
int rt_live_file_create(const struct rt_settings *settings,
                        struct rt_live_file *file);
/** Open it again. Returns a descriptor, or a negative errno. Runs: hook. */
int rt_live_file_open(const struct rt_live_file *file);
/** Fill a hole for good, with n_bytes zeros. Returns 0 or a negative errno.
 * Runs: hook. */
int rt_live_file_allocate(int fd, uint64_t offset, const void *zeros,
                          size_t n_bytes);
/** Copy memory into a piece of the file, and map the piece there. Returns 0 or
 * a negative errno. */
int rt_live_file_move_in(int fd, uint64_t offset, void *memory, size_t bytes);
/** Remove the file at path, if it is still the same one. */
void rt_live_file_remove(const struct rt_live_file *file);

#endif
