// Names that -ffile-prefix-map makes are those of the map: not relative to the
// folder of compilation, wherever that is and however sources were named.
// Exports of lines and of functions have the same, and counts are those of
// other builds, even if they depend on the text of the source.
// RUN: mkdir -p proj/src proj/inc proj/build && cp %s proj/src/a.c && cd proj
// RUN: printf 'static inline int twice(int x) {\n  return 2 * x;\n}\n' > inc/twice.h

// RUN: %arcline-cc -O1 -g -Iinc src/a.c -o prog && ./prog
// RUN: %arcline export --format=lcov prog | grep '^DA' > plain
// RUN: grep -n '// [0-9]*$' %s | sed 's,^\([0-9]*\):.*// \([0-9]*\)$,DA:\1\,\2,' > counts
// RUN: grep -xF -f counts plain | diff counts -

// Folder of compilation, what the project's folder becomes, sources and headers.
// RUN: sed -n "s,^// BUILD: ,,p" %s | sed "s,PWD,$PWD,g" > builds && project=$PWD
// RUN: while read -r folder to src inc expected; do \
// RUN:   from=$project; test "$to" != - || { to=; from=$from/; }; rm -f gmon.out*; \
// RUN:   (cd $folder && %arcline-cc -O1 -g -I$inc -ffile-prefix-map=$from=$to $src/a.c -o $project/prog) && \
// RUN:   ./prog && %arcline export --format=lcov -o all.info --format=callgrind -o all.cg prog && \
// RUN:   grep '^SF' all.info | tr '\n' ' ' | grep -xF "SF:${expected}inc/twice.h SF:${expected}src/a.c " && \
// RUN:   grep '^fl=' all.cg | grep -qF " ${expected}src/a.c" && grep '^DA' all.info | diff plain - && \
// RUN:   %arcline annotate --path-map=${to:-.}=$project prog > list 2>&1 && grep -qF "return 2 * x" list || \
// RUN:   { echo failed: $folder $to $src $inc; exit 1; }; done < builds > out
// RUN: count 15 < out

// The text is found from the project's folder, or from another one by a map.
// RUN: cd build && %arcline-cc -g -I$project/inc -ffile-prefix-map=$project=. ../src/a.c -o ../prog && cd ..
// RUN: ./prog && %arcline annotate prog > list 2> err && grep -qF "return 2 * x" list && count 0 < err
// A folder of the project is as good as the project's: with the same lines, of which comments exclude some.
// RUN: touch .git && %arcline annotate --marker=line=twice prog > list && (cd build && %arcline annotate --marker=line=twice ../prog ../gmon.out 2> err | diff ../list - && count 0 < err)
// RUN: %arcline annotate -s --no-markers prog > list && (cd build && %arcline annotate -s --marker=line=twice ../prog ../gmon.out | not diff -q ../list -) && rm .git
// RUN: mkdir else && cd else && map=--path-map=.=$project
// RUN: %arcline annotate $map ../prog ../gmon.out > list && grep -qF "return 2 * x" list
// RUN: (mkdir b && cd b && ../../prog more)
// RUN: (%arcline diff $map ../gmon.out.arcline b/gmon.out.arcline || test $? = 1) > list && grep -q 'proj/src/a.c:.*return a > b' list
// RUN: %arcline html -o pages $map ../prog ../gmon.out 2> err && count 0 < err
// RUN: %arcline gprof -b -A $map ../prog ../gmon.out > list && grep -qF "File $project/src/a.c:" list && grep -qF "return a > b" list
// RUN: %arcline export --format=lcov $map ../prog ../gmon.out | grep -xF "SF:$project/src/a.c"

// BUILD: . . src inc
// BUILD: . . PWD/src PWD/inc
// BUILD: build . ../src ../inc
// BUILD: build . ../src PWD/inc
// BUILD: build . PWD/src PWD/inc
// BUILD: . /usr/src/pkg src inc /usr/src/pkg/
// BUILD: . /usr/src/pkg PWD/src PWD/inc /usr/src/pkg/
// BUILD: build /usr/src/pkg ../src PWD/inc /usr/src/pkg/
// BUILD: build /usr/src/pkg PWD/src PWD/inc /usr/src/pkg/
// BUILD: . out/pkg src inc out/pkg/
// BUILD: . out/pkg PWD/src PWD/inc out/pkg/
// BUILD: build out/pkg PWD/src PWD/inc out/pkg/
// BUILD: build - ../src PWD/inc
// BUILD: build - PWD/src PWD/inc
// BUILD: / . PWD/src PWD/inc
#include "twice.h"

static volatile int seen;

__attribute__((noinline)) static int choose(int a, int b) {
  return a > b // 6
             ? 1       // 2
             : 2 - 2 * // 4
                   b;
}

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 5 + argc; i++)
    seen += choose(i, 3) + twice(i);
  return 0;
}
