/* Names of files that are too long, have formats, newlines or escape sequences
   in them, or lead to other folders: limited, used literally, one readable
   line, which each session prints once. */
// RUN: %arcline-cc -O2 %s -o %t && mkdir there
// RUN: env GMON_OUT_PREFIX=%%n%%s%%p%%1000000d %t 2>&1 | count 0
// RUN: ls | grep '^%%n%%s%%p%%1000000d\.[0-9]*$'
// RUN: env GMON_OUT_PREFIX=../$(basename $PWD)/there/x %t 2>&1 | count 0
// RUN: ls there | grep '^x\.[0-9]*$'
// RUN: env GMON_OUT_PREFIX="$(printf 'two\nlines\033[2J')" %t 2>&1 | count 0
// RUN: touch no
// RUN: env GMON_OUT_PREFIX="$(printf 'no/two\nlines\033[2J')" setsid -w %t 2> messages
// RUN: FileCheck %s < messages && wc -l < messages | grep -x 1
// RUN: env GMON_OUT_PREFIX= %t 2>&1 | count 0
// RUN: test -f gmon.out
// RUN: env GMON_OUT_PREFIX=$(printf '%%0120000d' 0) %t 2> messages
// RUN: FileCheck %s --check-prefix=LONG < messages
// RUN: env GMON_OUT_PREFIX=$(printf '%%0300d' 0) setsid -w %t 2> messages
// RUN: FileCheck %s --check-prefix=NAME < messages
// RUN: env ARCLINE_OPTIONS=out=$(printf '%%0120000d' 0) %t 2> messages
// RUN: FileCheck %s --check-prefix=OPTION < messages
// RUN: env ARCLINE_OPTIONS=$(yes out=%%e%%e%%e | head -9000 | tr '\n' ':') %t \
// RUN:   2>&1 | count 0
// RUN: env ARCLINE_OPTIONS=out=there/%%e%%q%%%%%% %t 2>&1 | count 0
// RUN: ls there | grep '^write-hostile-names.c.tmp%%q%%%%$'
// RUN: ls -A | not grep '^\.'
// CHECK: {{^}}arcline: no/two?lines?[2J.{{[0-9]+}}: cannot write: Not a directory
// CHECK-NOT: arcline
// LONG: {{^}}arcline: GMON_OUT_PREFIX: too long, ignored
// LONG-NOT: arcline
// NAME: {{^}}arcline: 000{{0+\.[0-9]+}}: cannot write: File name too long; no profile written
// NAME-NOT: arcline
// OPTION: {{^}}arcline: ARCLINE_OPTIONS: out=000{{0+}}: bad value, ignored; arcline(1) describes all options{{$}}
// OPTION-NOT: arcline
__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

int main(void) {
  leaf();
  return 0;
}
