// Functions of one name in several programs are compared separately: of
// different source files, and of one file that is in all of them.
// RUN: export ARCLINE_OPTIONS=hz=0
// RUN: cp %s common.c && cp %s first.c && cp %s second.c
// RUN: %arcline-cc -O1 -g -DCOMMON -c common.c && mkdir one two
// RUN: %arcline-cc -O1 -g -DTIMES=2 first.c common.o -o one/prog
// RUN: %arcline-cc -O1 -g -DTIMES=3 second.c common.o -o two/prog
// RUN: ARCLINE_OPTIONS=hz=0:out=$PWD/a/%m one/prog 10 && ARCLINE_OPTIONS=hz=0:out=$PWD/a/%m two/prog 10
// RUN: ARCLINE_OPTIONS=hz=0:out=$PWD/b/%m one/prog 10 && ARCLINE_OPTIONS=hz=0:out=$PWD/b/%m two/prog 20
// RUN: not %arcline diff a b > out && FileCheck %s < out
//      CHECK: Functions: calls (exact)
// CHECK-NEXT: A B
// CHECK-NEXT: 30 60 +30 +100.0 % work second.c:
// CHECK-NEXT: 10 20 +10 {{.*}} shared common.c:{{[0-9]+}} in two/prog
// CHECK-NOT: %
//      CHECK: Calls from function
// CHECK-NEXT: A B
// CHECK-NEXT: 30 60 +30 +100.0 % main -> work second.c
// CHECK-NOT: first.c

// RUN: not %arcline diff --fail-on 'calls(work) > +3%' --fail-on 'calls(shared) > 19' a b | grep -A9 '^failed' | FileCheck %s --check-prefix=GATE
//      GATE: failed calls(work) > +3%: work 30 -> 60 (+100.00 %)
// GATE-NEXT: failed calls(shared) > 19: shared in two/prog 20
// GATE-NOT: failed
// RUN: not %arcline diff --format=json --fail-on 'calls(shared) > 19' a b > json
// RUN: FileCheck %s --check-prefix=JSON < json
// JSON: "name": "shared"
// JSON: "program": "two/prog"
// JSON: "a": 10
// JSON: "b": 20
// JSON: "gates"
// JSON: "program": "two/prog"
// RUN: %python %root/test/lit/analyzer/Inputs/check_schema.py %root/docs/arcline-diff-1.schema.json %root/docs/JSON.md json
// RUN: not %arcline diff --html=pages a b && grep -q 'in two/prog' pages/index.html
#include <stdlib.h>

#ifdef COMMON
__attribute__((noinline)) int shared(int x) { return x + 1; }
#else
int shared(int x);
__attribute__((noinline)) static int work(int x) { return x * TIMES; }

int main(int argc, char **argv) {
  int n = atoi(argv[argc - 1]), s = 0;
  for (int i = 0; i < n * TIMES; i++)
    s += work(i);
  for (int i = 0; i < n; i++)
    s += shared(i);
  return s == -1;
}
#endif
