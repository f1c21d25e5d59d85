// Lines are not loaded with the program, so that tools that strip it may drop
// them. Those that write a debug file keep them there; without one the message
// states the remedy. All other reports need no lines. Linkers keep them. Even
// the shortest run may have a sample; sampling is off here.
// RUN: export ARCLINE_OPTIONS=hz=0
// RUN: %arcline-cc -O2 -g %s -DLIBRARY -c -o other.o
// RUN: %arcline-cc -O2 -g %s -c -o main.o
// RUN: %arcline-cc main.o other.o -o prog
// RUN: readelf -SW prog | FileCheck %s --check-prefix=SECTION
// SECTION: __arcline_line PROGBITS 0000000000000000 {{[0-9a-f]+}} {{[0-9a-f]+}} 00 {{ *}}0 0 1
// RUN: ./prog
// RUN: %arcline annotate prog gmon.out > whole.txt
// RUN: FileCheck %s < whole.txt
// CHECK:      weak_one: called 30 times
// CHECK-NEXT: 30 {{.*}} int weak_one
// CHECK:      main: called 1 time

// RUN: cp prog symbols && strip symbols
// RUN: %arcline annotate symbols gmon.out > symbols.txt
// RUN: diff whole.txt symbols.txt
// RUN: cp prog debug && strip -g debug
// RUN: %arcline annotate debug gmon.out > debug.txt
// RUN: diff whole.txt debug.txt

// RUN: objcopy --only-keep-debug prog prog.debug
// RUN: cp prog lines && strip -g -R __arcline_line lines
// RUN: not %arcline annotate lines gmon.out 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %arcline gprof -b -p lines gmon.out | FileCheck %s --check-prefix=GPROF
// NONE: arcline: lines: lines of functions were stripped; name the unstripped image, put its debug file next to it, or keep section __arcline_line when stripping
// GPROF: 30 {{.*}} weak_one
// RUN: objcopy --add-gnu-debuglink=prog.debug lines
// RUN: %arcline annotate lines gmon.out > lines.txt
// RUN: diff whole.txt lines.txt

// One object made of two, and one assembled by itself.
// RUN: ld -r main.o other.o -o both.o
// RUN: %arcline-cc both.o -o both && ./both
// RUN: %arcline annotate both gmon.out > both.txt
// RUN: diff whole.txt both.txt
// RUN: %arcline-cc -O2 -g %s -S -o main.s && %arcline-cc -c main.s -o main.o
// RUN: %arcline-cc main.o other.o -Wl,--gc-sections -o collected && ./collected
// RUN: %arcline annotate collected gmon.out > collected.txt
// RUN: diff whole.txt collected.txt
int other(int x);

__attribute__((weak, noinline)) int weak_one(int x) { return x + 1; }

#ifdef LIBRARY
int other(int x) { return weak_one(x) + weak_one(x); }
#else
int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += weak_one(i) + other(i);
  return sum == 0;
}
#endif
