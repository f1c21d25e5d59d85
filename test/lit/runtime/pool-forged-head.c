/* A pool whose head has a number of arcs that no table could have, with the
   right checksum: a process reports that, and ends. */
// RUN: %arcline-cc -O1 -g %s -o prog
// RUN: export ARCLINE_OPTIONS=out=pool/%%m:hz=0
// RUN: ./prog && ./prog && ls pool/prog.???????????????? > name
// RUN: cp $(cat name) good
// RUN: for n in 0xffffffffffffffff 0x7fffffffffffffff 0x4000000000000000 \
// RUN:     0xffffffffffffff00 100000; do \
// RUN:   cp good $(cat name) && \
// RUN:   %python %S/Inputs/forge_pool.py $(cat name) 3 $n && \
// RUN:   cp $(cat name) bad && timeout -s KILL 20 ./prog && \
// RUN:   grep 'not a pool, corrupt' pool/arcline.log && rm pool/arcline.log && \
// RUN:   cmp $(cat name) bad && rm $(cat name).[0-9]* || exit 1; \
// RUN: done
#define CALLEE(name)                                                           \
  static void name(void) { __asm__ volatile(""); }
CALLEE(one)
CALLEE(two)
CALLEE(three)
static void (*const callees[])(void) = {one, two, three};

int main(void) {
  for (int i = 0; i < 6; i++)
    callees[i % 3]();
  return 0;
}
