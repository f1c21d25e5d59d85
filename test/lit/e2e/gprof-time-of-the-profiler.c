// The profiler's time has a separate row, and does not belong to functions of
// the program; a report of the profile alone has the profiler's functions by
// name.
//
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount:blocks=off %arcline-cc -O2 %s \
// RUN:   -o prog
// RUN: env ARCLINE_OPTIONS=hz=1000 ./prog && %arcline gprof -b prog > report
// RUN: %python %S/Inputs/check_shares.py report '<profiler>>=2' \
// RUN:   '__arcline.*<=0' 'main->tiny=50000000'
// RUN: %arcline gprof -b --no-side prog > alone && not grep '<profiler>' alone
// RUN: %python %S/Inputs/check_shares.py alone '__arcline.*>=2'

__attribute__((noinline)) static int tiny(int n) {
  __asm__("");
  return n + 1;
}

int main(void) {
  int sum = 0;

  for (int i = 0; i < 50000000; i++)
    sum = tiny(sum);
  return sum == 1;
}
