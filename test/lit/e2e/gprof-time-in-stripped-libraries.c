// Functions of a stripped library are distinguished all the same: by the names
// that it exports, by those in calls, and by their addresses.
//
// RUN: %clang -O1 -fPIC -shared -DLIBRARY %s -o libwork.so -Wl,--build-id
// RUN: %arcline-cc -O1 %s -o prog -L. -lwork -Wl,-rpath,$PWD 
// RUN: env ARCLINE_OPTIONS=hz=500 ./prog
// RUN: %arcline gprof -b prog > report
// RUN: %python %S/Inputs/check_shares.py report 'exported>=15' 'hidden>=15' \
// RUN:   'chosen_one>=15' 'use->exported=150' 'use->chosen_one=150'
//
// The build-id is the same, so the profile is.
// RUN: llvm-strip libwork.so && %arcline gprof -b prog > report
// RUN: %python %S/Inputs/check_shares.py report 'exported>=15' \
// RUN:   'libwork.so\+0x[0-9a-f]*>=15' 'hidden<=0' 'chosen>=15' \
// RUN:   'use->exported=150' 'use->chosen=150' 'exported<=60' 'chosen<=60'
//
// A debug file has the names again.
// RUN: %clang -O1 -fPIC -shared -DLIBRARY %s -o libwork.so -Wl,--build-id
// RUN: llvm-objcopy --only-keep-debug libwork.so libwork.so.debug
// RUN: llvm-objcopy --strip-all --add-gnu-debuglink=libwork.so.debug libwork.so
// RUN: %arcline gprof -b prog > report
// RUN: %python %S/Inputs/check_shares.py report 'hidden>=15' 'chosen_one>=15'
// RUN: rm libwork.so.debug
//
// Another library under its name is not believed.
// RUN: %clang -O0 -fPIC -shared -DLIBRARY %s -o libwork.so -Wl,--build-id
// RUN: %arcline gprof -b prog 2>&1 > report | FileCheck %s
// RUN: %python %S/Inputs/check_shares.py report '<libwork.so>>=60' \
// RUN:   'use->exported=150'
// CHECK: arcline: warning: {{.*}}libwork.so: build ID differs from that of the
// CHECK-SAME: image that ran; its functions are reported as one, <libwork.so>
#define SPIN(sum, n)                                                           \
  for (volatile long i = 0; i < (n); i++)                                      \
  (sum) += i

#ifdef LIBRARY
static __attribute__((noinline)) long hidden(void) {
  long sum = 0;
  SPIN(sum, 2500000);
  return sum;
}

long exported(void) {
  long sum = 0;
  SPIN(sum, 2500000);
  return sum + hidden();
}

static long chosen_one(void) {
  long sum = 0;
  SPIN(sum, 2500000);
  return sum;
}

static void *choose(void) { return (void *)chosen_one; }
long chosen(void) __attribute__((ifunc("choose")));
#else
long exported(void);
long chosen(void);

__attribute__((noinline)) static long use(int n) {
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += exported() + chosen();
  return sum;
}

int main(void) { return use(150) == 1; }
#endif
