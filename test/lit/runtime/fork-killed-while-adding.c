/* A child that is killed while it adds the counts of its own killed child to
   the pool does not lose them: another relative adds them. */
// RUN: %arcline-cc -O1 -g -I%include %s -o prog
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./prog
// RUN: %arcline export --format=lcov pool | FileCheck %s
// RUN: %arcline merge -o sum pool && grep -x 'processes 3' sum.arcline
// CHECK-DAG: FNDA:2,in_child
// CHECK-DAG: FNDA:3,in_grandchild
// CHECK-DAG: FNDA:1,main
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arcline/arcline.h"

static volatile int sum;
static int start[2]; /* read from, it ends when the child may write */

__attribute__((noinline)) static int in_child(int x) { return x + 1; }

__attribute__((noinline)) static int in_grandchild(int x) { return x + 2; }

static void be_child(void) {
  char byte;
  const pid_t pid = fork();

  if (pid == 0) {
    for (int i = 0; i < 3; i++)
      sum += in_grandchild(i);
    raise(SIGKILL);
  }
  for (int i = 0; i < 2; i++)
    sum += in_child(i);
  close(start[1]);
  if (waitpid(pid, NULL, 0) != pid || read(start[0], &byte, 1))
    exit(1);
  arcline_dump();
  exit(1);
}

/* Others wait as long as this process has the pool's file open. */
static int lock_pool(struct stat *status) {
  glob_t found;

  if (glob("pool/prog.????????????????", 0, NULL, &found) ||
      found.gl_pathc != 1)
    exit(1);
  const int fd = open(found.gl_pathv[0], O_RDWR);
  if (fd < 0 || flock(fd, LOCK_EX) || fstat(fd, status))
    exit(1);
  return fd;
}

static int has_open(pid_t pid, const struct stat *file) {
  char path[64], name[400];
  struct stat status;
  int is_found = 0;

  snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
  DIR *folder = opendir(path);
  if (!folder)
    exit(1);
  for (const struct dirent *it = readdir(folder); it; it = readdir(folder)) {
    snprintf(name, sizeof(name), "%s/%s", path, it->d_name);
    is_found |= stat(name, &status) == 0 && status.st_dev == file->st_dev &&
                status.st_ino == file->st_ino;
  }
  closedir(folder);
  return is_found;
}

int main(void) {
  struct stat status;

  if (arcline_dump() || pipe(start))
    return 1;
  const pid_t pid = fork();
  if (pid == 0)
    be_child();
  close(start[0]);
  const int fd = lock_pool(&status);
  close(start[1]);
  while (!has_open(pid, &status))
    usleep(1000);
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
  close(fd);
  return 0;
}
