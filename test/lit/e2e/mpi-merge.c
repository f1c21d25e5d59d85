// `arcline-mpi-merge` writes the bytes that `arcline merge` does: of any number
// of ranks, also such that have no files; of programs that one rank alone has;
// of files that each rank has on disks of its own. Files that a rank cannot read
// are named with it, left out and counted. When one fails, none waits for it.
//
// REQUIRES: mpi
// RUN: mkdir lib all odd even
// RUN: %arcline-cc -O1 -fPIC -shared -DLIBRARY %s -o lib/libshared.so
// RUN: for i in 1 2 3 4 5; do \
// RUN:   %arcline-cc -O1 -DWHICH=$i %s lib/libshared.so -Wl,-rpath,$PWD/lib \
// RUN:     -o p$i || exit 1; \
// RUN:   for j in 1 2 3; do \
// RUN:     folder=odd; [ $((i % 2)) = 1 ] || folder=even; \
// RUN:     ARCLINE_OPTIONS=out=$folder/p$i/%%p ./p$i || exit 1; \
// RUN:   done; \
// RUN: done
// RUN: %arcline merge -o expected odd even
// RUN: ls expected | count 11
// RUN: for n in 1 2 3 4 7 40; do \
// RUN:   rm -rf all; %mpirun -n $n %mpi-merge -o all odd even > output 2>&1; \
// RUN:   test $? = 0 -a ! -s output || { cat output; exit 1; }; \
// RUN:   diff -r expected all || { echo $n; exit 1; }; \
// RUN: done
//
// Two nodes, in this case folders, with files of the same names.
// RUN: cp -r odd node && mkdir one two && mv node one/files && cp -r even two/files
// RUN: %if mpi-of-two-programs %{ \
// RUN:   %mpirun -n 1 --wdir one %mpi-merge --local -o $PWD/local files \
// RUN:     : -n 1 --wdir two %mpi-merge --local -o $PWD/local files && \
// RUN:   diff -r expected local %}
//
// RUN: echo text > bad; head -c 50 expected/p1.*[0-9a-f] > cut
// RUN: %mpirun -n 3 %mpi-merge -o odd.sum odd cut bad missing 2> messages
// RUN: FileCheck %s --check-prefix=BAD < messages
// BAD-DAG: {{^}}arcline-mpi-merge: rank {{[0-2]}}: warning: cut: {{.*}} (offset {{[0-9]+}}); skipped
// BAD-DAG: {{^}}arcline-mpi-merge: rank {{[0-2]}}: warning: bad: neither
// BAD-DAG: {{^}}arcline-mpi-merge: rank {{[0-2]}}: warning: missing: cannot open: No such file
// BAD-DAG: {{^}}arcline-mpi-merge: rank 0: warning: skipped 3 of 30 files{{$}}
// RUN: %arcline merge -o odd.expected odd && diff -r odd.expected odd.sum
// RUN: %mpirun -n 3 %mpi-merge --strict -o odd.sum odd bad > output 2>&1; test $? = 1
//
// Of files of a program that do not fit one another most are kept, as by
// `arcline merge`, wherever they are read.
// RUN: for hz in 50 100 100 50 50 50 100 100 100; do \
// RUN:   ARCLINE_OPTIONS=hz=$hz:out=mixed/%%p ./p1 || exit 1; done
// RUN: %arcline merge -o most/ mixed 2> messages
// RUN: for n in 1 2 4 9; do \
// RUN:   %mpirun -n $n %mpi-merge -o most.$n/ mixed 2> messages || exit 1; \
// RUN:   grep 'skipped 12 of 27 files$' messages || exit 1; \
// RUN:   diff -r most most.$n || exit 1; \
// RUN: done
//
// RUN: %mpirun -n 3 %mpi-merge -o sum bad > output 2>&1; test $? = 1
// RUN: grep '^arcline-mpi-merge: rank 0: bad: nothing to merge$' output
// RUN: %mpirun -n 4 %mpi-merge -o no/such/folder/ odd > output 2>&1; test $? = 1
// RUN: grep '^arcline-mpi-merge: rank 0: no/such/folder/: cannot create folder' output
// RUN: %mpirun -n 2 %mpi-merge odd > output 2>&1; test $? = 2
// RUN: grep -c '^arcline-mpi-merge: no output given' output | grep -x 1
// RUN: %mpirun -n 2 %mpi-merge --help | grep -c -- "      --local  " | grep -x 1
void shared(int n);

#ifdef LIBRARY
static volatile int n_shared;

void shared(int n) {
  for (int i = 0; i < n; i++)
    n_shared++;
}
#else
int main(void) {
  shared(WHICH);
  return 0;
}
#endif
