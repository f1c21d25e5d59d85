/* Histograms of which most bins are 0 lie in holes of a pool's files, and are
   neither read nor written: what is beside and between the holes stays as it
   is, whether a process has added its own before or adds it then. */
// RUN: %arcline-cc -O1 %s -o prog
// RUN: export ARCLINE_OPTIONS=out=pool/%%m:hz=1
// RUN: ./prog && ls pool | grep -v arcline > name
//
// The first bins, the last ones, some within a page, and two pages.
// RUN: %python %S/Inputs/bins.py set pool/$(cat name) 0:1 1:65535 -1:7 \
// RUN:   50000:3 50001:4 70000:5 80000:6
// RUN: %python %S/Inputs/bins.py list pool/$(cat name) > before
// RUN: grep -x '80000 6' before && count 8 < before
// RUN: ./prog && ./prog
// RUN: %python %S/Inputs/bins.py list pool/$(cat name) | diff before -
// RUN: %gprof -b -p prog pool/$(cat name) | grep -E ' 3 .* counted$'
//
// Two that are not empty: the bins are added up.
// RUN: cp pool/$(cat name) other
// RUN: %arcline merge -o sum other pool/$(cat name)
// RUN: %python %S/Inputs/bins.py list sum > twice
// RUN: grep -x '80000 12' twice && grep -x '1 131070' twice && count 8 < twice
//
// None at all is left where there is nothing but holes.
// RUN: %python %S/Inputs/bins.py set pool/$(cat name) 0:0 1:0 -1:0 50000:0 \
// RUN:   50001:0 70000:0 80000:0
// RUN: ./prog && %python %S/Inputs/bins.py list pool/$(cat name) | count 1
//
// One alone is kept, wherever it is.
// RUN: for bin in 0 1 60000 -2 -1; do \
// RUN:   %python %S/Inputs/bins.py set pool/$(cat name) $bin:1 && ./prog && \
// RUN:   %python %S/Inputs/bins.py list pool/$(cat name) | count 2 && \
// RUN:   %python %S/Inputs/bins.py set pool/$(cat name) $bin:0 || exit 1; done

__asm__(".text\n.fill 400000, 1, 0\n");

__attribute__((noinline)) static void counted(void) { __asm__ volatile(""); }

int main(void) {
  counted();
  return 0;
}
