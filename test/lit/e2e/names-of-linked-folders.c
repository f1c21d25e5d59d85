// A source file that units name by several folders, because links lead to its
// folder, is one file in all reports, and in archives. A link to the file
// itself is a file of its own: builds compile one text in several ways so.
//
// RUN: mkdir real && ln -s real link && cp %s real/first.c
// RUN: printf '%%s\n' 'static inline int pick(int x) {' '  if (x > 2)' \
// RUN:   '    return 1;' '  return 2;' '}' > real/pick.h
// RUN: echo '#include "pick.h"' > real/second.c
// RUN: echo 'int NAME(int x) { return pick(x); }' >> real/second.c
// RUN: ln -s second.c real/third.c
// RUN: %arcline-cc -g -c $PWD/real/first.c -o first.o
// RUN: %arcline-cc -g -c -DNAME=second $PWD/link/second.c -o second.o
// RUN: %arcline-cc -g -c -DNAME=third $PWD/link/third.c -o third.o
// RUN: %arcline-cc -g first.o second.o third.o -o prog && ARCLINE_OPTIONS=hz=0 ./prog
//
// RUN: %arcline annotate --summary prog | FileCheck %s
// CHECK: 1 of {{ *}}1 {{ *}}100.0 {{.*}} link/second.c
// CHECK-NEXT: 1 of {{ *}}1 {{ *}}100.0 {{.*}} link/third.c
// CHECK-NEXT: 1 of {{ *}}1 {{ *}}100.0 {{.*}} real/first.c
// CHECK-NEXT: 5 of {{ *}}5 {{ *}}100.0 {{.*}}1 of {{ *}}1 {{ *}}real/pick.h
// CHECK-NEXT: 8 of {{ *}}8 {{ *}}100.0 {{.*}} total
// RUN: %arcline export --format=lcov prog | grep '^SF:.*pick' > files
// RUN: echo "SF:$PWD/real/pick.h" | diff files -
// RUN: %arcline diff --fail-under='file:lines(*pick.h)=100' gmon.out gmon.out
//
// RUN: %arcline archive -o prog.arcz prog && mv real gone
// RUN: %arcline annotate --summary prog.arcz | FileCheck %s

#include "pick.h"

int second(int x);
int third(int x);

int main(void) { return pick(3) + second(1) + third(1) != 5; }
