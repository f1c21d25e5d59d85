/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/mapped_file.h"

#include "base/in_file.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/** All that are open, for the handler. */
static struct mapped_file *open_files;

static mapped_file_end *end_process;

static void handle_sigbus(int number, siginfo_t *info, void *context) {
  const uintptr_t vaddr = (uintptr_t)info->si_addr;

  (void)context;
  for (const struct mapped_file *file = open_files; file; file = file->next)
    if (vaddr - (uintptr_t)file->bytes < file->n_bytes)
      end_process(file->gone.text);
  // The address is in none of these files: restore the default action.
  signal(number, SIG_DFL);
  raise(number);
}

void mapped_file_guard(mapped_file_end *end) {
  struct sigaction action = {.sa_sigaction = handle_sigbus,
                             .sa_flags = SA_SIGINFO};

  end_process = end;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, NULL);
}

/**
 * Map a file, and whole pages of memory before it.
 *
 * Returns where the file's bytes are, or MAP_FAILED with errno set.
 */
static void *map(int fd, size_t n_before, size_t n_bytes) {
  if (!n_before)
    return mmap(NULL, n_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
  uint8_t *const both = mmap(NULL, n_before + n_bytes, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (both == MAP_FAILED)
    return MAP_FAILED;
  if (mprotect(both, n_before, PROT_READ | PROT_WRITE) == 0 &&
      mmap(both + n_before, n_bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd,
           0) != MAP_FAILED)
    return both + n_before;
  const int error = errno;
  munmap(both, n_before + n_bytes);
  errno = error;
  return MAP_FAILED;
}

int mapped_file_open(const char *path, size_t n_before, struct mapped_file *out,
                     struct err *err) {
  const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
  struct stat status;

  *out = (struct mapped_file){0};
  const int fd = in_file_open(path, IN_FILE_REGULAR, &status);
  if (fd < 0)
    return err_set(err, ERR_INPUT, "%s: cannot open: %s", path,
                   in_file_reason(errno));
  const size_t n_bytes = (size_t)status.st_size;
  n_before = (n_before + page_bytes - 1) / page_bytes * page_bytes;
  void *const bytes = n_bytes ? map(fd, n_before, n_bytes) : NULL;
  const int error = errno;
  close(fd);
  if (bytes == MAP_FAILED)
    return err_set(err, ERR_SYSTEM, "%s: cannot map: %s", path,
                   strerror(error));
  *out = (struct mapped_file){.bytes = bytes,
                              .n_bytes = n_bytes,
                              .n_before = n_before,
                              .next = open_files};
  err_set(&out->gone, ERR_INPUT,
          "%s: file was truncated while it was being read; try again when no "
          "process writes to it",
          path);
  open_files = out;
  return 0;
}

void mapped_file_close(struct mapped_file *file) {
  for (struct mapped_file **at = &open_files; *at; at = &(*at)->next)
    if (*at == file) {
      *at = file->next;
      break;
    }
  if (file->bytes)
    munmap((void *)(file->bytes - file->n_before),
           file->n_before + file->n_bytes);
  *file = (struct mapped_file){0};
}
