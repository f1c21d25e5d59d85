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
  // Not ours: as if it were not handled.
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

int mapped_file_open(const char *path, struct mapped_file *out,
                     struct err *err) {
  struct stat status;

  *out = (struct mapped_file){0};
  const int fd = in_file_open(path, IN_FILE_REGULAR, &status);
  if (fd < 0)
    return err_set(err, ERR_INPUT, "%s: %s", path, in_file_reason(errno));
  const size_t n_bytes = (size_t)status.st_size;
  void *const bytes =
      n_bytes ? mmap(NULL, n_bytes, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
  const int error = errno;
  close(fd);
  if (bytes == MAP_FAILED)
    return err_set(err, ERR_SYSTEM, "%s: cannot map: %s", path,
                   strerror(error));
  *out = (struct mapped_file){
      .bytes = bytes, .n_bytes = n_bytes, .next = open_files};
  err_set(&out->gone, ERR_INPUT,
          "%s: became shorter while it was read; try again when nothing "
          "writes to it",
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
    munmap((void *)file->bytes, file->n_bytes);
  *file = (struct mapped_file){0};
}
