/* With %m in out=, each binary and library has one file, to which 300 processes
   at a time add their counts: of the two programs, of a library that they
   share, of forked children, of threads; dumped once, or repeatedly. The sum
   equals the accounts of the processes, and the output of arcline merge for
   their own files, to the byte; GNU gprof reads it. */
// RUN: %arcline-cc -O2 -g -I%include -fPIC -shared -DLIBRARY %s -o libshared.so
// RUN: %arcline-cc -O2 -g -I%include %s -L. -lshared -lpthread \
// RUN:   -Wl,-rpath,$PWD -o one
// RUN: %arcline-cc -O2 -g -I%include -DTWO %s -L. -lshared -lpthread \
// RUN:   -Wl,-rpath,$PWD -o two
// RUN: seq 1 150 > numbers
// RUN: export ARCLINE_OPTIONS=out=a/pool/%%m:hz=0
// RUN: xargs -P 150 -n 1 ./one < numbers & pid=$!; \
// RUN:   xargs -P 150 -n 1 ./two < numbers && wait $pid
//
// RUN: ls -A a/pool | sed 's/[0-9a-f]\{16\}/ID/' | xargs echo | grep -x \
// RUN:   'libshared.so.ID one.ID one.ID.arcline two.ID two.ID.arcline'
//
// 1 + ... + 150 = 11325; each number is counted by the process, by a child, by
// two threads and after a dump.
// RUN: %arcline gprof -b -p one a/pool/one.????????????????  > report
// RUN: grep -E ' 56625 .* counted$' report && grep -E ' 150 .* main$' report
// RUN: %arcline merge -o pooled/ a/pool
// RUN: %gprof -b -p two pooled/two.???????????????? > report
// RUN: grep -E ' 56775 .* counted$' report
// RUN: %arcline dump pooled/libshared.so.* | grep 'from=0x0 .* count=113400$'
// RUN: %arcline gprof -b -q a/pool/one.*.arcline > report
// RUN: grep -E ' 56625/113400 +counted' report
// RUN: grep -x 'processes 300' pooled/one.*.arcline
//
// RUN: mkdir single && cd single && export ARCLINE_OPTIONS=out=%%e.%%p:hz=0 && xargs -n 1 \
// RUN:   ../one < ../numbers && xargs -n 1 \
// RUN:   ../two < ../numbers && cd ..
// RUN: %arcline merge -o merged/ single
// RUN: (cd merged && ls | grep -v arcline$) > files && count 3 < files
// RUN: for f in $(cat files); do cmp merged/$f pooled/$f || exit 1; done
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arcline/arcline.h"

int shared(int n);

#ifdef LIBRARY
int shared(int n) { return n + 1; }
#else
__attribute__((noinline)) static void counted(int n) {
  static volatile int sink;
  sink = shared(n);
}

static void *count(void *number) {
  for (int i = 0; i < *(int *)number; i++)
    counted(i);
  return NULL;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0;
  pthread_t threads[2];
  int status = 0;

  count(&n);
  if (arcline_dump() != 0)
    return 3;
  const pid_t child = fork();
  if (child == 0) {
    count(&n);
    exit(0);
  }
  if (waitpid(child, &status, 0) != child || status != 0)
    return 2;
#ifdef TWO
  counted(0); // another program
#endif
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, count, &n);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  if (arcline_dump() != 0 || arcline_dump() != 0)
    return 3;
  count(&n);
  return 0;
}
#endif
