// A function that was inlined before a block of the same function does not contain what was inlined
// in the block: its total time is its own.
// RUN: %arcline-cc -O1 -g %s -o prog && env ARCLINE_OPTIONS=stacks=on:hz=500 ./prog
// RUN: %arcline report --fields=total,calls,name --focus='^(begin|work)$' prog | FileCheck %s
// CHECK-DAG: {{^ +[0-9.]+ +1 +work \(inlined\)$}}
// CHECK-DAG: {{^ +1 +begin \(inlined\)$}}
static volatile unsigned long sink;

__attribute__((noinline)) static void spin(unsigned long n) {
  for (unsigned long i = 0; i < n; i++)
    sink += i;
}

static inline void begin(void) { sink++; }

static inline void work(unsigned long n) {
  spin(n);
  sink++;
}

int main(int argc, char **argv) {
  (void)argv;
  begin();
  {
    unsigned long n = 400000000ul * (unsigned long)argc;
    work(n);
    sink = n;
  }
  return 0;
}
