// Functions that were inlined are functions of their own in `arcline report`:
// with the calls that the program itself counts, even if they have no code of
// their own; their callers and callees are those of the source.
//
// RUN: %arcline-c++ -O2 -g %s -o prog && ./prog > truth
// RUN: %arcline report --top=0 --fields=calls,name --width=0 > rows
// RUN: FileCheck %s --check-prefix=MARKS < rows
// MARKS-DAG: {{[0-9]}}  everywhere(int) (inlined)
// MARKS-DAG: {{[0-9]}}  here_and_there(int) (partly inlined)
// MARKS-DAG: {{[0-9]}}  space::Accumulator<long>::add(long) (inlined)
// MARKS-DAG: {{[0-9]}}  never(int){{$}}
// RUN: sed 's/,//g; s/ ([a-z ]*inlined)$//' rows | awk '$1 ~ /^[0-9]+$/ { n = $1; $1 = ""; print substr($0, 2) ": " n }' | sort > counted
// RUN: (while read -r line; do grep -qFx -e "$line" counted || echo "$line"; done) < truth > missing
// RUN: count 0 < missing
// RUN: test $(wc -l < truth) -eq 5
//
// RUN: %arcline --tree --focus='^everywhere' > tree && FileCheck %s --check-prefix=TREE < tree
// TREE: everywhere(int) (inlined): {{.*}}3,000 calls
// TREE: called by
// TREE-DAG: 1,000  here_and_there(int) (partly inlined)
// TREE-DAG: 2,000  main
// TREE: calls
// TREE: 3,000  never(int){{$}}
// RUN: %arcline --tree --focus='^main$' > tree && FileCheck %s --check-prefix=HOST < tree
// HOST: calls
// HOST-NOT: never(int)
//
// As lines count them:
// RUN: %arcline annotate prog | FileCheck %s --check-prefix=LINES
// LINES: everywhere(int): called 3000 times
//
// In a profile without side file, and in one of two runs:
// RUN: cp gmon.out alone && %arcline report prog alone --top=0 --fields=calls,name > bare
// RUN: grep '(.*inlined)$' rows | sort > expected
// RUN: grep '(.*inlined)$' bare | sort | diff expected -
// RUN: %arcline report prog alone alone --fields=calls,name --top=0 | FileCheck %s --check-prefix=TWICE
// TWICE: 6,000  everywhere(int) (inlined)
//
// Where the graphs' lines were stripped, all that needs none is there:
// RUN: strip -g -R __arcline_line prog -o stripped
// RUN: %arcline report stripped gmon.out --fields=calls,name --top=0 > rows 2> err && FileCheck %s --check-prefix=STRIPPED < rows
// RUN: FileCheck %s --check-prefix=WARNING < err
// STRIPPED: 3,000  never(int)
// STRIPPED-NOT: inlined
// WARNING: arcline: warning: {{.*}}stripped: lines of functions were stripped; {{.*}}; calls of inlined functions are omitted
#include <cstdio>

__attribute__((noinline)) static int never(int x) {
  static volatile int n;
  n = n + 1;
  return x ^ n;
}

static inline __attribute__((always_inline)) int everywhere(int x) {
  return never(x) + 1;
}

int here_and_there(int x) { return everywhere(x) * 2; }

namespace space {
template <class T> struct Accumulator {
  T sum = 0;
  __attribute__((always_inline)) void add(T x) { sum += x; }
};
} // namespace space

int (*volatile pointer)(int) = here_and_there;

int main() {
  space::Accumulator<long> sum;
  for (int i = 0; i < 2000; i++)
    sum.add(everywhere(i));
  for (int i = 0; i < 400; i++)
    sum.add(here_and_there(i));
  for (int i = 0; i < 600; i++)
    sum.add(pointer(i));
  std::printf("everywhere(int): 3000\nhere_and_there(int): 1000\n"
              "never(int): 3000\nspace::Accumulator<long>::add(long): 3000\n"
              "main: 1\n");
  return sum.sum == 42;
}
