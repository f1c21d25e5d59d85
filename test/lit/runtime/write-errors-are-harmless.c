/* A file in a folder's place, a limit on file size or on descriptors, a deleted
   working folder: a former file is kept, no partial file is left, the status is
   kept, and there is one line of explanation. A missing folder is created. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -o %t
// RUN: touch file && env ARCLINE_OPTIONS=out=file/such/gmon.out %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FOLDER && rm file
// FOLDER: arcline: {{.*}}/file/such/gmon.out: cannot write: Not a directory
// FOLDER-NOT: arcline
// RUN: env ARCLINE_OPTIONS=out=no/such/gmon.out %t 2>&1 | count 0
// RUN: ls no/such/gmon.out && rm -r no
// RUN: echo old > gmon.out
// RUN: %t fsize 2>&1 | FileCheck %s --check-prefix=FSIZE
// RUN: echo old | cmp - gmon.out
// RUN: ls -A | count 1
// FSIZE: arcline: gmon.out: cannot write: File too large
// FSIZE-NOT: arcline
// RUN: %t nofile 2>&1 | FileCheck %s --check-prefix=EMPTY --allow-empty
// RUN: not grep -q old gmon.out
// EMPTY-NOT: arcline
// RUN: %t nofile-hard 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: arcline: gmon.out: cannot write: Too many open files
// RUN: %t cwd 2>&1 | FileCheck %s --check-prefix=CWD
// CWD: arcline: gmon.out: cannot write: No such file or directory
// RUN: %t stderr
// RUN: FileCheck %s --check-prefix=STDERR < user.txt
// STDERR: {{^}}mine
// STDERR-NOT: arcline
// RUN: rmdir gmon.out && %t umask
// RUN: stat -c %%a gmon.out | grep -x 640
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "instrument.h"

static NOINLINE void leaf(void) { CALLED(leaf); }

static void limit(int resource, rlim_t soft, rlim_t hard) {
  const struct rlimit both = {soft, hard};

  if (setrlimit(resource, &both))
    abort();
}

int main(int argc, char **argv) {
  const char *how = argv[argc - 1];

  leaf();
  if (!strcmp(how, "fsize")) {
    limit(RLIMIT_FSIZE, 100, 100);
  } else if (!strcmp(how, "nofile")) {
    limit(RLIMIT_NOFILE, 3, 100);
  } else if (!strcmp(how, "nofile-hard")) {
    limit(RLIMIT_NOFILE, 3, 3);
  } else if (!strcmp(how, "cwd")) {
    mkdir("gone", 0777);
    if (chdir("gone") || rmdir("../gone"))
      abort();
  } else if (!strcmp(how, "umask")) {
    umask(026);
  } else if (!strcmp(how, "stderr")) {
    close(2);
    if (open("user.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666) != 2)
      abort();
    if (write(2, "mine\n", 5) != 5 || unlink("gmon.out") ||
        mkdir("gmon.out", 0777))
      abort();
  }
  return 0;
}
