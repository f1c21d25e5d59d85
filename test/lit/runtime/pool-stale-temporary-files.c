/* A temporary file of a pool's side file, left by a process that was killed when
   it wrote, is removed by the next one that adds; an entry of that name that
   cannot be removed is ignored, and does not prevent adding. */
// RUN: %arcline-cc -O1 %s -o prog
// RUN: export ARCLINE_OPTIONS=out=pool/%%m:hz=0
// RUN: ./prog && ls pool > names && count 2 < names
// RUN: grep arcline names > side
// RUN: echo half > pool/.$(cat side).$(stat -c %%i pool/$(cat side)).tmp
// RUN: ls -A pool | count 3
// A program of another name adds to the side file, one of the same name does
// not.
// RUN: ln -s prog first && ln -s prog second
// RUN: ./first && ls -A pool | diff names -
//
// RUN: mkdir pool/.$(cat side).$(stat -c %%i pool/$(cat side)).tmp
// RUN: setsid -w ./second 2>&1 | count 0
// RUN: ls -A pool | count 3 && ls pool | diff names -
// RUN: %arcline gprof -b -p prog pool/$(grep -v arcline names) \
// RUN:   | grep -E ' 3 .* counted$'
// RUN: %arcline merge -o sum pool && grep -x 'processes 3' sum.arcline

__attribute__((noinline)) static void counted(void) { __asm__ volatile(""); }

int main(void) {
  counted();
  return 0;
}
