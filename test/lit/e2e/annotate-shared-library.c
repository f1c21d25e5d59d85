// A shared library has its own profile, which is read like the program's, or
// together with it: as image and profile, or by the side file. Even the
// shortest run may have a sample; sampling is off here.
// RUN: export ARCLINE_OPTIONS=hz=0
// RUN: %arcline-cc -g -O2 -fPIC -shared -DLIBRARY %s -o libpart.so
// RUN: %arcline-cc -g -O2 %s -L. -lpart -Wl,-rpath,$PWD -o prog && ./prog
// RUN: %arcline annotate libpart.so gmon.out.libpart.so > annotated && %python %S/Inputs/check_counts.py %s annotated library
// RUN: %arcline annotate prog gmon.out > annotated && %python %S/Inputs/check_counts.py %s annotated program
// RUN: %arcline annotate prog gmon.out libpart.so gmon.out.libpart.so > annotated && %python %S/Inputs/check_counts.py %s annotated joined
// RUN: %arcline annotate gmon.out.arcline | diff annotated -
// RUN: %arcline export --format=lcov gmon.out.arcline > all.info
// RUN: %arcline export --format=lcov libpart.so gmon.out.libpart.so prog gmon.out | diff all.info -
// RUN: FileCheck --check-prefix=LCOV %s --input-file=all.info
//
// Several runs add up; an inline function of both objects does so, too.
// RUN: mkdir two && cd two && ../prog && cd .. && %arcline annotate gmon.out.arcline two/gmon.out.arcline > twice
// RUN: %python %S/Inputs/check_counts.py %s twice twice
//
// A folder stands for what is in it of the image before it, or for its side
// files.
// RUN: mkdir runs && for i in 1 2; do env ARCLINE_OPTIONS=out=runs/%%p:side=on:hz=0 ./prog; done && echo no profile > runs/a.txt
// RUN: ls runs | count 7
// RUN: %arcline annotate prog runs/ libpart.so runs | diff twice -
// RUN: %arcline annotate runs | diff twice -
// RUN: %arcline export --format=lcov runs | diff - <(%arcline export --format=lcov runs/*.arcline)
// RUN: %arcline gprof -b -q prog runs libpart.so runs > graph && grep -E ' 20/20 +main ' graph
// RUN: %arcline gprof -b -q runs | diff graph -
// RUN: %arcline gprof -b -q prog runs | diff - <(%arcline gprof -b -q prog runs/*[0-9])
// RUN: mkdir of_library && cp gmon.out.libpart.so of_library
// RUN: not %arcline gprof prog of_library 2>&1 | FileCheck --check-prefix=OTHERS %s
// RUN: not %arcline annotate of_library 2>&1 | FileCheck --check-prefix=NO_SIDES %s
// RUN: not %arcline gprof runs prog 2>&1 | FileCheck --check-prefix=ORDER %s
// ORDER: prog: not a side file, but folder runs stands for its side files; name the image before a folder of profiles
// OTHERS: of_library: folder contains no profile of prog; profiles of other images: 1
// NO_SIDES: of_library: folder contains no side file to name images and profiles; name the image before the folder
//
// RUN: not %arcline annotate prog gmon.out.libpart.so 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: not %arcline annotate prog gmon.out libpart.so 2>&1 | FileCheck --check-prefix=NOT_ALL %s

int part(int n);

static inline int both(int n) {
  return n + 1; // library: 6 // program: 10 // joined: 16 // twice: 32
}

#ifdef LIBRARY
int part(int n) {
  if (n > 3)
    return both(n); // library: 6 // joined: 6 // twice: 12
  return n * 2;     // library: 4 // joined: 4 // twice: 8
}
#else
int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++) // program: 11 // joined: 11 // twice: 22
    sum += part(both(i) - 1);
  return sum == 0;
}
#endif

// WRONG: arcline: gmon.out.libpart.so: build ID
// NOT_ALL: arcline: libpart.so: no profile after this image; with several images, each needs its own
// LCOV-DAG: FNDA:16,both
// LCOV-DAG: FNDA:1,main
// LCOV-DAG: FNDA:10,part
