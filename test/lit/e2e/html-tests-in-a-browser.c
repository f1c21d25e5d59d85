/* Pages show the tests that ran each function and line, as `arcline tests`
   prints them; the page of tests leads to the functions of each. */
// REQUIRES: browser
// RUN: %arcline-cc -O1 -g --arcline-suite=suite %s -o prog
// RUN: for i in $(seq -w 1 120); do ARCLINE_CONTEXT=all/$i ./prog || exit 1; done
// RUN: env ARCLINE_CONTEXT='<b>&3% x' ./prog rare && ./prog rare never
// RUN: %arcline tests --lines suite > list && cksum suite/arcline.contexts/index > sum
//
// RUN: %arcline html --root=/ -o report suite && %python %S/../analyzer/Inputs/check_html.py report
// RUN: cksum suite/arcline.contexts/index | diff sum -
// RUN: for f in main common rare never; do %arcline tests $f suite > $f.tests; test $? -lt 2 || exit 1; done
// RUN: node %S/../analyzer/Inputs/browse_tests.js %node-modules report .
//
// The same input is the same report.
// RUN: %arcline html --root=/ -o again suite && diff -r report again
//
// Without lines in the index, functions alone have tests.
// RUN: rm suite/arcline.contexts/index && ARCLINE_CONTEXT=one ./prog
// RUN: %arcline tests suite > list && %arcline html --root=/ -o report suite
// RUN: node %S/../analyzer/Inputs/print_rows.js %node-modules report/src/html-tests-in-a-browser.c-*.html > rows
// RUN: FileCheck --input-file=rows %s
// CHECK: <b>common</b>{{.*}}<summary>ran in 1 test</summary><ul><li><a href="../functions.html#test=one">one</a></li></ul>
// CHECK-NOT: <summary>ran in
// CHECK: <b>main</b>{{.*}}<summary>ran in 1 test</summary>
// CHECK-NOT: ran in
//
// Another build of the program is not what the tests ran.
// RUN: %arcline-cc -O0 -g --arcline-suite=suite %s -o prog && ./prog rare
// RUN: %arcline html --root=/ -o other suite && not grep -q 'ran in' other/src/*.html
//
// Without an index, no page has any of it, and none is left of an earlier report.
// RUN: rm suite/arcline.contexts/index && %arcline html --root=/ -o report suite
// RUN: not grep -rl 'tests.html\|tests.js\|tested.js' report --include=*.html
// RUN: not ls report/tests.html && not ls report/data/tests.js && not ls report/data/tested.js
#include <string.h>

__attribute__((noinline)) static int common(int n) { return n + 1; }

__attribute__((noinline)) static int rare(int n) {
  if (n > 2)
    return n * 5; // no test runs it
  return n * 3;
}

__attribute__((noinline)) static int never(int n) { return n - 1; }

int main(int argc, char **argv) {
  int sum = common(argc);
  if (argc > 1 && strcmp(argv[1], "rare") == 0)
    sum += rare(argc);
  if (argc > 9)
    sum += never(argc);
  return sum == 99;
}
