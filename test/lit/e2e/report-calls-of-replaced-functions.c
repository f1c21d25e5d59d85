// A call of a library function that the optimiser replaced is a call of the
// function that the source names, in all reports: printf() becomes puts(), and
// malloc() with memset() becomes calloc().
//
// RUN: for level in -O0 -O2; do \
// RUN:   %arcline-cc -g $level %s -o prog && ./prog > out && \
// RUN:   %arcline report prog > report && FileCheck %s < report && \
// RUN:   %arcline report --lines prog > lines && \
// RUN:   grep -q '^calls    51, counted exactly$' lines && \
// RUN:   %arcline annotate --calls prog > listing && \
// RUN:   FileCheck --check-prefix=SITES %s < listing && \
// RUN:   %arcline diff --format=json gmon.out gmon.out \
// RUN:     | jq -e '.calls == {"a": 51, "b": 51}' || exit 1; \
// RUN: done
// CHECK: calls    51, counted exactly
// CHECK-DAG: {{^|  }}20  free
// CHECK-DAG: {{^|  }}20  malloc
// CHECK-DAG: {{^|  }}10  printf
// CHECK-DAG: {{^|  }}1  main
// SITES-DAG: 20 {{ *}}|   -> free
// SITES-DAG: 20 {{ *}}|   -> malloc
// SITES-DAG: 10 {{ *}}|   -> printf
//
// RUN: nm -u prog > imports && grep -qw puts imports
// RUN: not grep -qwE 'malloc|printf' imports
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *volatile kept;

int main(void) {
  for (int i = 0; i < 20; i++) {
    void *const bytes = malloc(100);
    if (bytes)
      memset(bytes, 0, 100);
    kept = bytes;
    free(kept);
  }
  for (int i = 0; i < 10; i++)
    printf("ten times\n");
  return 0;
}
