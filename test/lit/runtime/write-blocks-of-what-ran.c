/* A profile lists the blocks of functions that were entered, 0 for what was not
   executed there. blocks=all lists those of all other functions as well, all of
   them 0, for GNU gprof to print ##### beside each of their lines. */
// REQUIRES: gprof
// RUN: %arcline-cc -g -O0 %s -o prog
// RUN: env ARCLINE_OPTIONS=hz=0 ./prog && %arcline dump gmon.out > entered
// RUN: env ARCLINE_OPTIONS=hz=0:blocks=all:out=every ./prog
// RUN: %arcline dump every > all
// RUN: grep ' block ' entered > few && grep ' block ' all > many
// RUN: grep ' 0$' few && test $(wc -l < few) -lt $(wc -l < many)
// RUN: grep -v ' 0$' few > few-run && grep -v ' 0$' many > many-run
// RUN: cmp few-run many-run
// RUN: sort few > a && sort many > b && comm -23 a b > c && not grep . c
// RUN: comm -13 a b > d && grep . d && not grep -v ' 0$' d
// RUN: %gprof -b -l -A prog gmon.out | FileCheck %s --check-prefix=ENTERED
// RUN: %gprof -b -l -A prog every | FileCheck %s --check-prefix=ALL
// ENTERED: 1 -> {{.*}}int entered(
// ENTERED: ##### -> {{.*}}return n * 2;
// ENTERED: ##### -> {{.*}}int never_entered(
// ENTERED: {{^ +}}return n * 3;
// ALL: ##### -> {{.*}}int never_entered(
// ALL: ##### -> {{.*}}return n * 3;
static int entered(int n) {
  if (n > 5)
    return n * 2;
  return n;
}

static int never_entered(int n) {
  if (n > 5)
    return n * 3;
  return n;
}

int main(int argc, char **argv) {
  (void)argv;
  return argc > 5 ? never_entered(argc) : entered(argc) - 1;
}
