// Builds keep the name of their folder out of debug information: by
// /proc/self/cwd, which is another folder while a report is made, or by ".".
// Text is found from any folder, also if names lead above that of the build:
// from the folder of the program upwards to the project's root. Archives too.
// RUN: mkdir -p proj/src proj/build/bin proj/else && cp %s proj/src/a.c
// RUN: touch proj/arcline.ini && cd proj
// RUN: for folder in /proc/self/cwd .; do \
// RUN:   (cd build && %arcline-cc -g -fdebug-compilation-dir=$folder ../src/a.c -o bin/prog && ./bin/prog) && \
// RUN:   for from in build . else /; do \
// RUN:     (project=$PWD && cd $from && %arcline annotate --root=$project $project/build/bin/prog $project/build/gmon.out 2> $project/err) > list && \
// RUN:     count 0 < err && FileCheck %s < list || { echo failed: $folder $from; exit 1; }; \
// RUN:   done || exit 1; \
// RUN:   %arcline annotate build/bin/prog build/gmon.out | FileCheck %s && \
// RUN:   %arcline archive --sources -o run.arcz build/bin/prog build/gmon.out && mv src gone && \
// RUN:   %arcline annotate run.arcz | FileCheck %s && mv gone src || exit 1; \
// RUN: done
// CHECK: {{^}}../src/a.c{{$}}
// CHECK: 1 {{.*}}| static int callee(void)
// GNU gprof does not search there.
// RUN: %arcline gprof -b -l -A build/bin/prog build/gmon.out > list 2> err && count 0 < list && \
// RUN:   grep -F "././../src/a.c: cannot open source file" err
// A map of that folder is one of all names.
// RUN: cd build && %arcline-cc -g -fdebug-compilation-dir=/proc/self/cwd ../src/a.c -o prog && ./prog
// RUN: %arcline export --format=lcov --path-map=/proc/self/cwd=/p/build prog | grep -xF SF:/p/src/a.c

static int callee(void) { return 0; }
int main(void) { return callee(); }
