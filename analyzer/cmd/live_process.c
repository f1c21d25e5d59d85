/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cmd/live_process.h"

#include "arcline/abi.h"
#include "arcline/ctl_format.h"
#include "base/err.h"
#include "base/options.h"
#include "image/image.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  PATH_BYTES = 4096,
  FOLDER_BYTES = 64,
  SECCOMP_STRICT = 1,
  SECCOMP_FILTER = 2
};

/** Contents of /proc/PID/status, or that of a thread. */
struct status {
  char state; /* 'R' runs, 'T' and 't' stopped, 'Z' ended */
  long process;
  long owner;       /* effective user */
  uint64_t blocked; /* signals */
  uint64_t pending;
  uint64_t caught;
  int seccomp;
};

int live_process_parse(const char *text, const char *command, pid_t *out,
                       struct err *err) {
  long pid;

  if (text[strspn(text, "0123456789")] || !options_parse_number(text, &pid) ||
      pid == 0 || pid > INT32_MAX)
    return options_reject(text, "not a process ID", command, err);
  *out = (pid_t)pid;
  return 0;
}

/** The second of the numbers in a text, or -1. */
static long second_number(const char *text) {
  char *next, *end;

  strtol(text, &next, 10);
  const long number = strtol(next, &end, 10);
  return end == next ? -1 : number;
}

/** Returns false if there is no such process or thread. */
static bool read_status(const char *folder, struct status *out) {
  char path[64];
  char line[512];

  *out = (struct status){.owner = -1};
  snprintf(path, sizeof(path), "%s/status", folder);
  FILE *file = fopen(path, "re");
  if (!file)
    return false;
  while (fgets(line, sizeof(line), file)) {
    const char *value = strchr(line, ':');
    if (!value)
      continue;
    value += strspn(value, ": \t");
    if (strncmp(line, "State:", 6) == 0)
      out->state = *value;
    else if (strncmp(line, "Tgid:", 5) == 0)
      out->process = strtol(value, NULL, 10);
    else if (strncmp(line, "Uid:", 4) == 0)
      out->owner = second_number(value);
    else if (strncmp(line, "SigPnd:", 7) == 0)
      out->pending = strtoull(value, NULL, 16);
    else if (strncmp(line, "SigBlk:", 7) == 0)
      out->blocked = strtoull(value, NULL, 16);
    else if (strncmp(line, "SigCgt:", 7) == 0)
      out->caught = strtoull(value, NULL, 16);
    else if (strncmp(line, "Seccomp:", 8) == 0)
      out->seccomp = (int)strtol(value, NULL, 10);
  }
  fclose(file);
  return out->state != '\0';
}

static bool has_ended(const struct status *status) {
  return status->state == 'Z' || status->state == 'X';
}

/** Find the folder in /proc that describes a process. If its main thread has
 * ended, but others go on, that of one of these: the kernel has no program,
 * mappings or files at a thread that ended. */
static void find_folder(pid_t pid, char out[FOLDER_BYTES]) {
  char tasks[FOLDER_BYTES / 2];
  struct status status;
  DIR *folder;

  snprintf(out, FOLDER_BYTES, "/proc/%d", (int)pid);
  if (!read_status(out, &status) || !has_ended(&status))
    return;
  snprintf(tasks, sizeof(tasks), "/proc/%d/task", (int)pid);
  if (!(folder = opendir(tasks)))
    return;
  const struct dirent *entry;
  while ((entry = readdir(folder))) {
    char task[FOLDER_BYTES];
    const long tid = strtol(entry->d_name, NULL, 10);
    snprintf(task, sizeof(task), "%s/%ld", tasks, tid);
    if (tid <= 0 || !read_status(task, &status) || has_ended(&status))
      continue;
    memcpy(out, task, FOLDER_BYTES);
    break;
  }
  closedir(folder);
}

static bool read_process_status(pid_t pid, struct status *out) {
  char folder[FOLDER_BYTES];

  find_folder(pid, folder);
  return read_status(folder, out);
}

static bool has_sigprof(uint64_t signals) {
  return signals >> (SIGPROF - 1) & 1;
}

/** Contents of the mark in /proc/PID/maps. */
enum mark { NO_MARK, MARKED, MARKED_FILTERED };

/** Returns -1 with errno set if the mappings cannot be read. */
static int find_mark(pid_t pid, enum mark *out) {
  char path[FOLDER_BYTES + 16];
  char *line = NULL;
  size_t room = 0;

  *out = NO_MARK;
  live_process_path(pid, "maps", path, sizeof(path));
  FILE *file = fopen(path, "re");
  if (!file)
    return -1;
  while (*out == NO_MARK && getline(&line, &room, file) > 0) {
    char *next;
    const uint64_t start = strtoull(line, &next, 16);
    if (*next != '-' || !strstr(line, " ---p ") || strpbrk(line, "/["))
      continue;
    const uint64_t end = strtoull(next + 1, NULL, 16);
    if (end - start == ARCLINE_CTL_MARK_BYTES)
      *out = MARKED;
    else if (end - start == ARCLINE_CTL_FILTERED_BYTES)
      *out = MARKED_FILTERED;
  }
  const bool is_read = !ferror(file);
  fclose(file);
  free(line);
  return is_read ? 0 : -1;
}

static bool is_instrumented(pid_t pid) {
  char path[FOLDER_BYTES + 16];
  struct image image;
  struct image_section section;
  struct err ignored = {0};

  live_process_path(pid, "exe", path, sizeof(path));
  if (image_open(path, &image, &ignored))
    return false;
  bool is_found = image_find_section(&image, ARCLINE_SECTION_FUNCS, &section) ||
                  image_find_section(&image, ARCLINE_SECTION_CELLS, &section);
  image_close(&image);
  return is_found;
}

static int check_mark(pid_t pid, const struct status *status, bool is_forced,
                      struct err *err) {
  char program[PATH_BYTES];
  enum mark mark;

  const int rc = find_mark(pid, &mark);
  const int error = errno;
  const bool is_gone =
      !live_process_link(pid, "exe", program, sizeof(program)) &&
      errno == ENOENT;
  // A process that is about to end loses its mappings, then its program.
  if ((rc || mark == NO_MARK) && (is_gone || live_process_has_ended(pid)))
    return err_set(err, ERR_INPUT,
                   "%d: process has ended; its profile is where it wrote it",
                   (int)pid);
  if (rc)
    return err_set(err, ERR_INPUT,
                   "%d: cannot inspect process: %s; it may run with other "
                   "privileges than arcline",
                   (int)pid, strerror(error));
  if (mark == NO_MARK && !is_instrumented(pid))
    return err_set(err, ERR_INPUT,
                   "%d: %s is not instrumented; build it with arcline-cc",
                   (int)pid, program);
  if (mark == NO_MARK)
    return err_set(err, ERR_INPUT,
                   "%d: %s is instrumented but accepts no commands: it is "
                   "set-user-ID, handles SIGPROF itself, is a child with "
                   "fork=off, or has not started yet",
                   (int)pid, program);
  if (!has_sigprof(status->caught))
    return err_set(
        err, ERR_INPUT,
        "%d: %s has reset SIGPROF to its default; a command would kill it",
        (int)pid, program);
  if (status->seccomp == SECCOMP_STRICT ||
      (status->seccomp == SECCOMP_FILTER && mark != MARKED_FILTERED &&
       !is_forced))
    return err_set(
        err, ERR_INPUT,
        "%d: %s filters its system calls (seccomp); a command might kill it%s",
        (int)pid, program,
        status->seccomp == SECCOMP_STRICT ? "" : "; use --force to try");
  return 0;
}

int live_process_check(pid_t pid, bool is_forced, struct err *err) {
  struct status status;

  if (!read_process_status(pid, &status) || has_ended(&status))
    return err_set(err, ERR_INPUT, "%d: no such process", (int)pid);
  if (status.process != pid)
    return err_set(err, ERR_INPUT,
                   "%d: not a process, but a thread of process %ld", (int)pid,
                   status.process);
  if (geteuid() != 0 && status.owner != (long)geteuid())
    return err_set(
        err, ERR_INPUT,
        "%d: process belongs to another user; run arcline as that user",
        (int)pid);
  if (status.state == 'T' || status.state == 't')
    return err_set(err, ERR_INPUT,
                   "%d: process is stopped; continue it by kill -CONT %d",
                   (int)pid, (int)pid);
  // Read once more, right before the signal: exec may have replaced the program
  // of the mark.
  if (check_mark(pid, &status, is_forced, err))
    return -1;
  if (!read_process_status(pid, &status) || !has_sigprof(status.caught))
    return err_set(err, ERR_INPUT,
                   "%d: process has executed another program; try again",
                   (int)pid);
  return 0;
}

bool live_process_has_ended(pid_t pid) {
  struct status status;

  return !read_process_status(pid, &status) || has_ended(&status);
}

int live_process_find_threads(pid_t pid, pid_t *out, int n_room) {
  char path[64];
  int n = 0;
  bool is_taken = false;

  snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
  DIR *folder = opendir(path);
  if (!folder)
    return -1;
  const struct dirent *entry;
  while (n < n_room && (entry = readdir(folder))) {
    const long tid = strtol(entry->d_name, NULL, 10);
    struct status status;
    snprintf(path, sizeof(path), "/proc/%d/task/%ld", (int)pid, tid);
    if (tid <= 0 || !read_status(path, &status) || has_ended(&status) ||
        has_sigprof(status.blocked))
      continue;
    is_taken = true;
    // A signal that is pending swallows a second one.
    if (status.state == 'R' && !has_sigprof(status.pending))
      out[n++] = (pid_t)tid;
  }
  closedir(folder);
  return is_taken ? n : -1;
}

bool live_process_is_elsewhere(pid_t pid) {
  char theirs[PATH_BYTES];
  char ours[PATH_BYTES];

  return live_process_link(pid, "ns/net", theirs, sizeof(theirs)) &&
         live_process_link(getpid(), "ns/net", ours, sizeof(ours)) &&
         strcmp(theirs, ours) != 0;
}

void live_process_path(pid_t pid, const char *name, char *out, size_t room) {
  char folder[FOLDER_BYTES];

  find_folder(pid, folder);
  snprintf(out, room, "%s/%s", folder, name);
}

bool live_process_link(pid_t pid, const char *name, char *out, size_t room) {
  char path[FOLDER_BYTES + 16];

  live_process_path(pid, name, path, sizeof(path));
  const ssize_t n = readlink(path, out, room - 1);
  if (n < 0) {
    snprintf(out, room, "?");
    return false;
  }
  out[n] = '\0';
  return true;
}
