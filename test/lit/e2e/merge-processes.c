// Profiles of many processes of a program and its library add up to the
// accounts of the processes, whatever the order and grouping, bit for bit; the
// sum equals that of GNU gprof, and all readers accept it.
// RUN: %arcline-cc -O1 -g -fPIC -shared -DLIBRARY %s -o libhalf.so
// RUN: %arcline-cc -O1 -g %s -L. -lhalf -Wl,-rpath,$PWD -o prog
// RUN: mkdir runs runs/deep
// RUN: for i in 1 2 3 4 5 6 7 8 9; do GMON_OUT_PREFIX=runs/p \
// RUN:   ARCLINE_OPTIONS=side=on ./prog $i || exit 1; done
// RUN: GMON_OUT_PREFIX=runs/deep/p ARCLINE_OPTIONS=side=on ./prog 10
//
// The files of one program are called as a process calls them.
// RUN: %arcline merge -o sum runs 2> err && count 0 < err
// RUN: ls sum* | xargs echo | grep -x 'sum sum.arcline sum.libhalf.so'
// RUN: grep -x 'processes 10' sum.arcline
// RUN: %arcline gprof -b -q sum.arcline > report
// RUN: grep -E ' 55/55 +work' report && grep -E ' 10 +main' report
//
// GNU gprof reads them, and adds single files up to the same.
// RUN: ls runs/p.* runs/deep/p.* | grep -E 'p\.[0-9]+$' > files
// RUN: %gprof -s prog $(cat files) 2> err
// RUN: %gprof -b prog sum > of-sum 2> err
// RUN: %gprof -b prog gmon.sum > of-gnu 2> err
// RUN: cmp of-sum of-gnu
// RUN: %arcline gprof -b -l -A prog sum > of-sum 2> err
// RUN: %arcline gprof -b -l -A prog $(cat files) > of-files 2> err
// RUN: cmp of-sum of-files
//
// Any grouping, into folders too.
// RUN: %python %S/Inputs/merge_tree.py %arcline runs sum
//
// Several programs go into a folder, which is made.
// RUN: %arcline-cc -O1 -g %s -DOTHER -L. -lhalf -Wl,-rpath,$PWD -o other
// RUN: GMON_OUT_PREFIX=runs/q ARCLINE_OPTIONS=side=on ./other 1
// RUN: %arcline merge -o both runs
// RUN: ls both | sed 's/[0-9a-f]\{16\}/ID/' | xargs echo \
// RUN:   | grep -x 'libhalf.so.ID other.ID other.ID.arcline prog.ID prog.ID.arcline'
// RUN: %arcline gprof -b both/prog*.arcline both/other*.arcline > report
// RUN: grep -E ' 55/56 +work' report && grep -E ' 1/56 +work' report
// RUN: %arcline merge -o again/ both && diff -r both again
// RUN: %arcline merge -o both both && diff -r both again
//
// Side files name the sums of the profiles that belong to them, and none of
// the profiles that were added up elsewhere, or not at all.
// RUN: mkdir sides && cp runs/p.*.arcline sides
// RUN: %arcline merge -o sides/only sides/*.arcline
// RUN: grep '^object' sides/only.arcline | cut -d ' ' -f 5 | xargs echo \
// RUN:   | grep -x 'only only.libhalf.so\( -\)*'
// RUN: %arcline merge -o sides/main/ sides/p.*.arcline $(head -9 files)
// RUN: grep '^object' sides/main/prog.*.arcline | cut -d ' ' -f 5 \
// RUN:   | sed 's/[0-9a-f]\{16\}/ID/' | grep -v -x -e - | xargs echo \
// RUN:   | grep -x 'prog.ID libhalf.so.ID'
// RUN: not %arcline report sides/only.arcline 2>&1 \
// RUN:   | grep 'only: .*prog is skipped'
//
// A file that was cut off is named and left out.
// RUN: mkdir bad && cp $(head -1 files) bad/whole && head -c 300 bad/whole > bad/cut
// RUN: echo nonsense > bad/text && ln -s whole bad/link && cp bad/whole bad/.x
// RUN: %arcline merge -o one bad 2> err
// RUN: grep -E 'bad/cut: truncated record \(offset [0-9]+\); skipped' err
// RUN: grep -x 'arcline: warning: skipped 1 of 2 files' err
// RUN: %arcline merge -o two bad/whole && cmp one two
// RUN: not %arcline merge --strict -o one bad 2> err
// RUN: %arcline merge -o one bad/text bad/whole 2>&1 | grep 'bad/text.*neither'
// RUN: not %arcline merge -o one bad/text 2>&1 | grep 'nothing to merge'
// RUN: not %arcline merge bad 2>&1 | grep 'no output given'
//
// Of files that do not fit one another most are kept, whichever comes first.
// RUN: for hz in 50 100 100 50 100; do \
// RUN:   ARCLINE_OPTIONS=hz=$hz:out=mixed/%%p.$hz ./prog 1 || exit 1; done
// RUN: mkdir forth back most && %arcline merge -o most/ mixed/*.100*
// RUN: %arcline merge -o forth/ $(ls mixed/*) 2> err
// RUN: grep -E 'mixed/[0-9]+.50 and 1 more: .*another rate or unit than others; skipped' err
// RUN: grep -E 'mixed/[0-9]+.50.arcline and 1 more: .*other files; skipped' err
// RUN: grep -E 'mixed/[0-9]+.50.libhalf.so and 1 more' err
// RUN: grep -x 'arcline: warning: skipped 6 of 15 files' err
// RUN: diff -r most forth
// RUN: %arcline merge -o back/ $(ls -r mixed/*) 2> err && diff -r most back
// RUN: not %arcline merge --strict -o back/ mixed

#ifdef LIBRARY
int half(int n) { return n / 2; }
#else
#include <stdlib.h>

int half(int n);

__attribute__((noinline)) static int work(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += half(i);
  return sum;
}

int main(int argc, char **argv) {
#ifdef OTHER
  argc++;
#endif
  return work(atoi(argv[1])) < 0 || argc > 9;
}
#endif
