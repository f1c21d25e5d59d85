// The changed lines of a renamed file are those that differ from the old file,
// committed or not, in any folder, under any name, and with any configuration
// of git.
// RUN: export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_DIFF_OPTS=-u9
// RUN: export ARCLINE_OPTIONS=hz=0
// RUN: mkdir -p tree/lib && cd tree && git init -q .
// RUN: git config user.name x && git config user.email x@example.com
// RUN: git config diff.renames false && git config diff.interHunkContext 9
// RUN: grep -v '^//' %s > lib/part.c && cp lib/part.c copied.c
// RUN: sed 's/main/unused/' lib/part.c > lib/other.c
// RUN: git add . && git commit -q -m 'before'

// Renamed and changed, in the index and in the working tree.
// RUN: git mv lib/part.c 'a part.c' && sed -i 's/sum = 0/sum = 1/' 'a part.c'
// RUN: %arcline-cc -O0 -g 'a part.c' -o ../prog && ../prog
// RUN: %arcline diff --changed-since=HEAD --fail-under lines=100 gmon.out | FileCheck %s
// RUN: git commit -q -a -m 'rename'
// RUN: %arcline diff --changed-since=HEAD~ --fail-under lines=100 gmon.out | FileCheck %s
// CHECK: changed lines 100.0 % of 1

// A folder that is moved, with one line that never runs.
// RUN: mkdir deep && git mv lib 'deep/new lib' && git mv 'a part.c' 'deep/new lib/part.c'
// RUN: sed -i 's/return -1;/return -2;/; s/x + 2/x + 3/' 'deep/new lib/part.c'
// RUN: git commit -q -a -m 'move'
// RUN: cd deep && %arcline-cc -O0 -g 'new lib/part.c' 'new lib/other.c' -o ../../prog && ../../prog
// RUN: not %arcline diff --changed-since=HEAD~ --fail-under lines=100 gmon.out > out
// RUN: FileCheck %s --check-prefix=MOVED < out
// MOVED: changed lines 50.0 % of 2
// MOVED: Changed lines that never ran
// MOVED-NEXT: new lib/part.c:6 return -2;

// A copy is new code, all of it.
// RUN: cp ../copied.c new.c && git add new.c && git commit -q -m 'copy'
// RUN: %arcline-cc -O0 -g new.c -o ../../prog && ../../prog
// RUN: not %arcline diff --changed-since=HEAD~ --fail-under lines=100 gmon.out > out
// RUN: FileCheck %s --check-prefix=COPY < out
// COPY: changed lines 76.9 % of 13
static int part(int x) {
  if (x < 0)
    return -1;
  if (x > 1000)
    return -1000;
  if (x > 100)
    return -100;
  return x + 2;
}

int main(void) {
  int sum = 0;
  sum += part(2);
  return sum == 0;
}
