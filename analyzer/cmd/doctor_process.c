/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Checks a running process for `arcline doctor`. */
#include "cmd/doctor.h"

#include "base/err.h"
#include "cmd/ctl_client.h"
#include "cmd/live_process.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TIMEOUT_S = 5 };

/** Find "key value" in an answer. Returns the value up to the end of its line,
 * and its length; or NULL. */
static const char *value_of(const char *answer, const char *key, size_t *n) {
  const size_t n_key = strlen(key);

  for (const char *line = answer; *line;) {
    const size_t n_line = strcspn(line, "\n");
    if (n_line > n_key && memcmp(line, key, n_key) == 0 && line[n_key] == ' ') {
      *n = n_line - n_key - 1;
      return line + n_key + 1;
    }
    line += n_line + (line[n_line] != '\0');
  }
  return NULL;
}

static bool is_value(const char *answer, const char *key, const char *value) {
  size_t n;
  const char *const found = value_of(answer, key, &n);

  return found && n == strlen(value) && memcmp(found, value, n) == 0;
}

/** Can files be written in the folder of the program's profiles? */
static void check_output(struct doctor *doctor, const char *subject,
                         const char *answer, pid_t pid) {
  char folder[PATH_MAX], start[128];
  size_t n = 0;
  const char *const name = value_of(answer, "output", &n);

  if (!name)
    return;
  const char *const slash = memrchr(name, '/', n);
  const int n_folder = slash ? (int)(slash - name) : 0;
  // As the program sees it, which may be in a container.
  live_process_path(pid, *name == '/' ? "root" : "cwd", start, sizeof(start));
  snprintf(folder, sizeof(folder), "%s/%.*s", start, n_folder, name);
  if (access(folder, F_OK) == 0 && access(folder, W_OK) != 0)
    doctor_find(doctor, subject, "the folder of its profile is not writable",
                "use ARCLINE_OPTIONS=out= to write elsewhere");
}

static void check_answer(struct doctor *doctor, const char *subject,
                         const char *answer, pid_t pid) {
  if (is_value(answer, "objects", "0"))
    doctor_find(doctor, subject, "none of its code is instrumented",
                "compile and link with arcline-cc or arcline-c++");
  if (is_value(answer, "sampling", "none"))
    doctor_find(doctor, subject,
                "takes no samples: hz=0, syscalls=none, or it handles SIGPROF "
                "itself",
                "do not handle SIGPROF in the program; counts are exact "
                "without samples, too");
  else if (is_value(answer, "sampling", "off"))
    doctor_find(doctor, subject, "sampling is stopped",
                "run `arcline ctl PID start' to resume it");
  else if (is_value(answer, "samples", "0"))
    doctor_find(doctor, subject, "no samples yet",
                "the process waits or has used no CPU time; clock=wall samples "
                "waiting threads, too");
  if (!is_value(answer, "lost-calls", "0"))
    doctor_find(doctor, subject,
                "some calls were not counted for lack of memory",
                "give the program more memory");
  if (!is_value(answer, "threads-without-counters", "0"))
    doctor_find(doctor, subject, "threads share counters and may lose counts",
                "raise memory= in ARCLINE_OPTIONS");
  check_output(doctor, subject, answer, pid);
}

static bool is_same_file(const char *a, const char *b) {
  struct stat of_a, of_b;

  return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 &&
         of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

int doctor_check_process(struct doctor *doctor, pid_t pid, struct err *err) {
  const struct ctl_request request = {
      .pid = pid, .command = ARCLINE_CTL_STATUS, .timeout_s = TIMEOUT_S};
  char subject[32], image[PATH_MAX], link[PATH_MAX];
  char *answer;

  snprintf(subject, sizeof(subject), "%d", (int)pid);
  if (live_process_check(pid, false, err) != 0) {
    if (doctor_find_error(doctor, err) != 0)
      return -1;
  } else if (ctl_ask(&request, &answer, err) != 0) {
    if (doctor_find_error(doctor, err) != 0)
      return -1;
  } else {
    check_answer(doctor, subject, answer, pid);
    free(answer);
  }
  // /proc leads to the file that runs, even if another one replaced it.
  live_process_path(pid, "exe", image, sizeof(image));
  if (!live_process_link(pid, "exe", link, sizeof(link)))
    return 0;
  return doctor_check_image(doctor, is_same_file(image, link) ? link : image,
                            err);
}
