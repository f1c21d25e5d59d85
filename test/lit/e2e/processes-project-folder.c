// A project's arcline.ini names the folder of profiles that commands without operands read.
// RUN: mkdir src && printf 'profiles = results\n' > arcline.ini
// RUN: %arcline-cc -O1 -g %s -o prog
// RUN: env ARCLINE_OPTIONS=out=$PWD/results/%m:hz=0 ./prog && env ARCLINE_OPTIONS=out=$PWD/results/%m:hz=0 ./prog
// RUN: cd src && %arcline report | FileCheck %s
// CHECK: {{^}}profile{{ +}}{{.*}}results
// CHECK: {{ }}6{{ +}}work
// RUN: %arcline config | FileCheck %s --check-prefix=CONFIG
// CONFIG: arcline.ini:1: profiles = results
__attribute__((noinline)) int work(int n) { return n * 3 + 1; }

int main(int argc, char **argv) {
  (void)argv;
  return work(work(work(argc))) == 0;
}
