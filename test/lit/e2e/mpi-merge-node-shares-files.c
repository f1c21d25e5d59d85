// With `arcline-mpi-merge --local`, ranks of one node that name the same files
// divide them: none is added twice, however many ranks a node has. Ranks that
// name others read those.
//
// REQUIRES: mpi
// RUN: %arcline-cc -O1 %s -o p
// RUN: mkdir -p one/files two/files
// RUN: for i in 1 2 3 4 5; do \
// RUN:   ARCLINE_OPTIONS=out=one/files/%%p ./p || exit 1; \
// RUN:   ARCLINE_OPTIONS=out=two/files/%%p ./p || exit 1; \
// RUN: done
// RUN: mkdir of-one of-both got
// RUN: %arcline merge -o of-one/sum one
// RUN: %arcline merge -o of-both/sum one two
// RUN: not cmp of-one/sum of-both/sum
// RUN: for n in 1 2 3 7; do \
// RUN:   %mpirun -n $n %mpi-merge --local -o got/sum one/files || exit 1; \
// RUN:   diff -r got of-one || exit 1; rm got/*; \
// RUN: done
//
// By whatever names; and as ranks of two nodes would do, in other folders.
// RUN: ln -s one/files link
// RUN: %if mpi-of-two-programs %{ \
// RUN:   %mpirun -n 2 %mpi-merge --local -o got/sum link : \
// RUN:     -n 1 %mpi-merge --local -o got/sum one/files && \
// RUN:   diff -r got of-one && rm got/* && \
// RUN:   %mpirun -n 3 --wdir one %mpi-merge --local -o $PWD/got/sum files : \
// RUN:     -n 2 --wdir two %mpi-merge --local -o $PWD/got/sum files && \
// RUN:   diff -r got of-both && rm got/* %}
//
// What no rank of a node can read is told once.
// RUN: %mpirun -n 3 %mpi-merge --local -o got/sum one/files missing 2> messages
// RUN: diff -r got of-one
// RUN: grep -c 'missing: cannot open: No such file' messages | grep -x 1
// RUN: grep 'rank 0: warning: skipped 1 of 11 files$' messages
int main(void) { return 0; }
