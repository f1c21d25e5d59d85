// A shared library has a profile of its own, which is read like the program's.
// RUN: %arcline-cc -g -O2 -fPIC -shared -DLIBRARY %s -o libpart.so
// RUN: %arcline-cc -g -O2 %s -L. -lpart -Wl,-rpath,$PWD -o prog && ./prog
// RUN: %arcline annotate libpart.so gmon.out.libpart.so > annotated && %python %S/Inputs/check_counts.py %s annotated library
// RUN: %arcline annotate prog gmon.out > annotated && %python %S/Inputs/check_counts.py %s annotated program
// RUN: not %arcline annotate prog gmon.out.libpart.so 2>&1 | FileCheck --check-prefix=WRONG %s

int part(int n);

#ifdef LIBRARY
int part(int n) {
  if (n > 3)
    return 1; // library: 6
  return n * 2; // library: 4
}
#else
int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++) // program: 11
    sum += part(i);
  return sum == 0;
}
#endif

// WRONG: arcline: gmon.out.libpart.so: written by an image with build-id
