/* An entry with the name of a pool to which counts cannot be added is not
   changed: a file that is damaged or has another sampling rate, a link, a
   folder. The file for messages has a line about it, and the counts are in a
   separate file of the process, unless the folder is not writable. */
// RUN: %arcline-cc -O1 %s -o prog && echo './prog; true' > run
// RUN: export ARCLINE_OPTIONS=out=pool/%%m
// RUN: ./prog && ls pool | grep -v arcline > name && ls pool | count 2
// RUN: cp pool/$(cat name) good && head -c 60 good > pool/$(cat name)
// RUN: cp pool/$(cat name) damaged
// RUN: setsid -w sh run 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=DAMAGED < pool/arcline.log
// DAMAGED: {{^}}prog: {{.*}}/pool/prog.{{[0-9a-f]+}}: cannot write: not a pool, corrupt, or sampled
// DAMAGED-SAME: at another rate; this process writes its own file{{$}}
// DAMAGED-NOT: prog
// RUN: cmp damaged pool/$(cat name)
// RUN: ls pool/$(cat name).[0-9]* | count 1
// RUN: %arcline gprof -b -p prog pool/$(cat name).[0-9]* | grep ' 3 .* counted$'
//
// RUN: cp good pool/$(cat name) && rm pool/$(cat name).*
// RUN: env ARCLINE_OPTIONS=out=pool/%%m:hz=50 setsid -w sh run 2>&1 \
// RUN:   | count 0
// RUN: grep -c 'at another rate' pool/arcline.log | grep -x 1
// RUN: cmp good pool/$(cat name) && ls pool/$(cat name).[0-9]*[0-9]
//
// A gmon file, as earlier versions left it, is read with those of the processes.
// RUN: rm pool/$(cat name).* && %arcline merge -o old/ pool
// RUN: cp old/$(cat name) pool/$(cat name) && setsid -w sh run 2>&1 | count 0
// RUN: cmp old/$(cat name) pool/$(cat name)
// RUN: %arcline gprof -b -p prog pool | grep -E ' 6 .* counted$'
//
// RUN: rm -r pool && mkdir -p pool/$(cat name)
// RUN: setsid -w sh run 2>&1 | count 0
// RUN: grep 'not a regular file' pool/arcline.log
// RUN: ls pool/$(cat name).[0-9]*[0-9]
// RUN: rm -r pool && mkdir pool && ln -s ../good pool/$(cat name)
// RUN: cp good before; setsid -w sh run 2>&1 | count 0
// RUN: grep 'not a regular file' pool/arcline.log
// RUN: cmp good before
//
// RUN: rm -r pool && touch pool
// RUN: setsid -w sh run 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: arcline: {{.*}}/pool/prog.{{.*}}: cannot write: Not a directory; no profile written
//
// A parent's counts are its own.
// RUN: rm pool && env ARCLINE_OPTIONS=out=pool/%%m:fork=inherit ./prog 2>&1 \
// RUN:   | count 0
// RUN: grep 'fork=inherit: ignored' pool/arcline.log
__attribute__((noinline)) static void counted(void) { __asm__ volatile(""); }

int main(void) {
  for (int i = 0; i < 3; i++)
    counted();
  return 0;
}
