// Copies of a program and its library, as test suites make them, are one
// program: sums of their processes are those that `arcline merge` makes.
//
// RUN: %arcline-cc -O1 -g -fPIC -shared -DLIBRARY %s -o libapply.so
// RUN: %arcline-cc -O1 -g %s -o prog ./libapply.so
// RUN: export ARCLINE_OPTIONS=hz=0
// RUN: for i in 1 2; do mkdir run$i && cp prog libapply.so run$i && \
// RUN:   (cd run$i && ./prog $i) || exit 1; done
// RUN: %arcline merge -o sum run1/gmon.out* run2/gmon.out*
// RUN: for p in sum.arcline 'run1/gmon.out.arcline run2/gmon.out.arcline' \
// RUN:   'run1 run2'; do \
// RUN:   %arcline report --tree --top=0 $p > report && \
// RUN:   FileCheck %s < report || exit 1; \
// RUN: done
// CHECK: program {{.*}}run1/prog and 1 library
// CHECK: calls 64, counted exactly
// CHECK: {{^}}twice: 60 calls
// CHECK-NEXT: called by
// CHECK-NEXT: 60 apply
// CHECK-DAG: {{^}}apply: 2 calls
// CHECK-DAG: {{^}}main: 2 calls
// CHECK-NOT: {{^(apply|main|twice)}}:
// Named one by one, each copy has the calls of its own process.
// RUN: %arcline report --tree --top=0 run1/prog run1/gmon.out \
// RUN:   run1/libapply.so run1/gmon.out.libapply.so run2/prog run2/gmon.out \
// RUN:   run2/libapply.so run2/gmon.out.libapply.so | FileCheck %s -check-prefix=EACH
// EACH: calls 64, counted exactly
// EACH: {{^}}twice: 40 calls
// EACH-NEXT: called by
// EACH-NEXT: 40 apply
// EACH: {{^}}twice: 20 calls
// EACH-NEXT: called by
// EACH-NEXT: 20 apply
// RUN: %arcline annotate --summary run1 run2 > whole
// RUN: %arcline annotate --summary sum.arcline | diff - whole
int apply(int n, int (*function)(int));

#ifdef LIBRARY
int apply(int n, int (*function)(int)) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += function(i);
  return sum;
}
#else
static int twice(int n) { return 2 * n; }

int main(int argc, char **argv) {
  return argc != 2 || apply(20 * (argv[1][0] - '0'), twice) < 0;
}
#endif
