/* A message of all processes of a test suite is printed by the first one only,
   since tests may compare the output of the others. Each command line prints it
   again, as do commands in another folder; tests of a harness that runs each in
   its own session do not. With verbose=0 no message is printed, including those
   about wrong options. */
// RUN: %arcline-cc -O1 %s -o prog && touch file && mkdir other
// RUN: echo 'for i in 1 2 3 4 5 6 7 8; do ./prog & done; wait; ./prog' > many
// RUN: export ARCLINE_OPTIONS=out=$PWD/file/%%m
// RUN: setsid -w sh many 2>&1 | FileCheck %s
// RUN: setsid -w sh many 2>&1 | FileCheck %s
// RUN: setsid -w ./prog 2>&1 | FileCheck %s
// CHECK: {{^}}arcline: {{.*}}/file/prog.{{[0-9a-f]+}}: cannot write: Not a directory; no profile
// CHECK-SAME: written{{$}}
// CHECK-NOT: {{.}}
// RUN: export ARCLINE_OPTIONS=out=../file/%%m
// RUN: setsid -w sh -c 'cd other; ../prog; ../prog' \
// RUN:   2>&1 | grep -c '^arcline:' | grep -x 1
//
// RUN: echo 'for i in 1 2 3 4; do setsid -w ./prog; done' > sessions
// RUN: export ARCLINE_OPTIONS=out=$PWD/file/%%m
// RUN: sh sessions 2>&1 | grep -c '^arcline:' | grep -x 1
// RUN: sh sessions 2>&1 | grep -c '^arcline:' | grep -x 1
//
// An earlier group that had the same number has printed it.
// RUN: echo './prog; touch -d "1 minute ago" /tmp/arcline-message-*-$$-*; ./prog; ./prog' \
// RUN:   > reused
// RUN: setsid -w sh reused 2>&1 | grep -c '^arcline:' | grep -x 2
//
// As with files that are added to, so with those that each process has.
// RUN: env -u ARCLINE_OPTIONS GMON_OUT_PREFIX=$PWD/file/x setsid -w sh many 2>&1 \
// RUN:   | grep -c '^arcline: .*/file/x[.][0-9]*: cannot write: Not a directory' | grep -x 1
// RUN: env ARCLINE_OPTIONS=out=$PWD/file/%%p setsid -w sh many 2>&1 \
// RUN:   | grep -c '^arcline: .*/file/[0-9]*: cannot write: Not a directory' | grep -x 1
//
// Of one file, which many replace, each tells.
// RUN: env ARCLINE_OPTIONS=out=$PWD/file/x setsid -w sh many 2>&1 \
// RUN:   | grep -c '^arcline: .*Not a directory' | grep -x 9
//
// RUN: env ARCLINE_OPTIONS=verbose=0:out=$PWD/file/%%m ./prog 2>&1 | count 0
// RUN: env ARCLINE_OPTIONS=verbose=0:out=$PWD/file/x:bogus ./prog 2>&1 | count 0
// RUN: env ARCLINE_OPTIONS=verbose=1:out=$PWD/pool/%%m setsid -w sh many 2>&1 \
// RUN:   | grep -c '^arcline: wrote .*[.][0-9a-f]*$' | grep -x 9
int main(void) { return 0; }
