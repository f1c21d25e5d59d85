/* A program that is built again: tests of its earlier build are reported and
   not mixed with those of the current one. Counts whose program is gone stay
   until it is found. */
// RUN: %arcline-cc -O1 -g --arcline-suite=suite %s -o prog
// RUN: env ARCLINE_CONTEXT=old ./prog && env ARCLINE_CONTEXT=both ./prog
// RUN: %arcline tests first suite > hits && printf 'both\nold\n' | diff - hits
// RUN: %arcline-cc -O1 -g --arcline-suite=suite -DNEW %s -o prog
// RUN: env ARCLINE_CONTEXT=both ./prog && env ARCLINE_CONTEXT=new ./prog
// RUN: %arcline tests suite > list 2> err
// RUN: grep 'warning: suite: 1 of 3 tests ran an earlier build' err
// RUN: grep -x '        2  both' list && grep -x '        2  new' list
// RUN: grep -x '        0  old (earlier build)' list
// RUN: not %arcline tests first suite 2>&1 | grep 'no function of this name'
// RUN: %arcline tests second suite | xargs | grep -x 'both new'
// RUN: %arcline tests --format=json suite \
// RUN:   | jq -r '.tests[] | select(.is_stale).name' | grep -x old
//
// Runs that nobody has collected when the program is built again.
// RUN: env ARCLINE_CONTEXT=lost ./prog
// RUN: mkdir kept && mv prog kept
// RUN: %arcline-cc -O1 -g --arcline-suite=suite %s -o prog
// RUN: %arcline tests suite 2>&1 | tee out | FileCheck %s --check-prefix=LOST
// LOST: warning: {{.*}}prog: was built again; its contexts are left out; use --images=FOLDER
// RUN: not grep -w lost out
// RUN: %arcline tests --images=kept suite | grep -x '        2  lost'
// RUN: rm prog && env ARCLINE_CONTEXT=moved kept/prog
// RUN: %arcline tests suite | grep -x '        2  moved'
#ifdef NEW
__attribute__((noinline)) static int second(int n) { return n + 2; }
int main(int argc, char **argv) {
  (void)argv;
  return second(argc) == 0;
}
#else
__attribute__((noinline)) static int first(int n) { return n + 1; }
int main(int argc, char **argv) {
  (void)argv;
  return first(argc) == 0;
}
#endif
