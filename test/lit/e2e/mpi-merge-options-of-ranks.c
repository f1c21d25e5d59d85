// Ranks may have command lines of their own. A wrong one ends all, with one
// message, and none waits for it; an option of one rank applies to all.
//
// REQUIRES: mpi-of-two-programs
// RUN: %arcline-cc -O1 %s -o p && ARCLINE_OPTIONS=out=profile ./p
// RUN: for wrong in "-o sum" "profile" "--loca=1 -o sum profile"; do \
// RUN:   timeout 60 %mpirun -n 2 %mpi-merge -o sum profile : \
// RUN:     -n 2 %mpi-merge $wrong > output 2>&1; \
// RUN:   test $? = 2 || { cat output; exit 1; }; \
// RUN:   test $(grep -c '^arcline-mpi-merge: ' output) = 1 || exit 1; \
// RUN: done
// RUN: test ! -e sum
//
// RUN: timeout 60 %mpirun -n 1 %mpi-merge -o sum profile : \
// RUN:   -n 2 %mpi-merge --help > output
// RUN: grep -c -- '--local  ' output | grep -x 1 && test ! -e sum
// RUN: timeout 60 %mpirun -n 1 %mpi-merge -o sum profile : \
// RUN:   -n 2 %mpi-merge --local -o sum profile
// RUN: %arcline merge -o expected profile && cmp sum expected
// RUN: echo text > bad
// RUN: timeout 60 %mpirun -n 1 %mpi-merge -o sum profile bad : \
// RUN:   -n 2 %mpi-merge --strict -o sum profile bad > output 2>&1; test $? = 1
int main(void) { return 0; }
