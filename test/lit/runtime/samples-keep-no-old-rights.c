/* A process that gives up rights and then only waits: the thread that samples
   waits with clock=wall does not keep them. It comes back with those that the
   program has, except after a new filter of system calls. */
// RUN: %arcline-cc -O2 -g1 %s -o %t
// RUN: env ARCLINE_OPTIONS=clock=wall %t privileges
// RUN: env ARCLINE_OPTIONS=clock=wall %t filter
// RUN: test $(id -u) != 0 || env ARCLINE_OPTIONS=clock=wall:out=none %t user
#define _GNU_SOURCE
#include <dirent.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { NOBODY = 65534, MAX_WAITS = 2000 };

/* Lines of a thread's status that matter here. */
struct thread {
  char name[256], user[256], privileges[256], filter[256];
};

static bool read_thread(const char *tid, struct thread *out) {
  char path[300], line[256];

  memset(out, 0, sizeof(*out));
  snprintf(path, sizeof(path), "/proc/self/task/%s/status", tid);
  FILE *file = fopen(path, "r");
  if (!file)
    return false;
  while (fgets(line, sizeof(line), file))
    if (!strncmp(line, "Name:", 5))
      strcpy(out->name, line);
    else if (!strncmp(line, "Uid:", 4))
      strcpy(out->user, line);
    else if (!strncmp(line, "NoNewPrivs:", 11))
      strcpy(out->privileges, line);
    else if (!strncmp(line, "Seccomp_filters:", 16))
      strcpy(out->filter, line);
  fclose(file);
  return true;
}

/* Is there a thread of the runtime, with the same rights as this one or not? */
static bool has_helper(bool same) {
  struct thread self, other;
  bool is_found = false;
  char tid[32];
  DIR *folder = opendir("/proc/self/task");
  struct dirent *it;

  snprintf(tid, sizeof(tid), "%d", (int)getpid());
  if (!folder || !read_thread(tid, &self))
    exit(3);
  while ((it = readdir(folder)))
    if (it->d_name[0] != '.' && read_thread(it->d_name, &other) &&
        strcmp(other.name, "Name:\tarcline\n") == 0)
      is_found |= same == (!strcmp(self.user, other.user) &&
                           !strcmp(self.privileges, other.privileges) &&
                           !strcmp(self.filter, other.filter));
  closedir(folder);
  return is_found;
}

static bool becomes(bool there, bool same, void (*meanwhile)(void)) {
  for (int i = 0; i < MAX_WAITS; i++) {
    if (has_helper(same) == there)
      return true;
    meanwhile();
  }
  return false;
}

__attribute__((noinline)) static void wait_a_bit(void) {
  nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

__attribute__((noinline)) static void use_cpu(void) {
  for (volatile int i = 0; i < 10000000; i++)
    continue;
}

static bool add_filter(void) {
  static struct sock_filter all[] = {
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const struct sock_fprog program = {.len = 1, .filter = all};

  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

int main(int argc, char **argv) {
  const bool is_filter = argc > 1 && !strcmp(argv[1], "filter");

  if (is_filter && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    return 1;
  if (!becomes(true, true, use_cpu))
    return puts("no thread of the runtime"), 1;
  if (is_filter ? !add_filter()
      : argc > 1 && !strcmp(argv[1], "user")
          ? setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY)
          : prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    return puts("rights cannot be given up"), 1;
  if (!becomes(false, false, wait_a_bit))
    return puts("a thread has more rights than the program"), 1;
  if (is_filter) {
    use_cpu();
    return has_helper(true) || has_helper(false);
  }
  if (!becomes(true, true, use_cpu))
    return puts("the thread did not come back"), 1;
  return 0;
}
