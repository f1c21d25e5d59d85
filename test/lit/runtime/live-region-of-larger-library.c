/* arcline_reset() leaves room in the live file, which a library that is loaded
   later may get, but only if all of it fits. */
// RUN: %arcline-cc -O1 -g -shared -fPIC -DLIBRARY %s -o library.so
// RUN: %arcline-cc -O1 -g -I%root/include %s -o prog
// RUN: for n in 0 1 2 3 4 5 9; do env ARCLINE_OPTIONS=persist=mmap ./prog $n && \
// RUN:   %arcline export --format=lcov gmon.out.arcline | grep -x FNDA:3,use || exit 1; done
#ifdef LIBRARY
#define MANY(x) \
  if (n == x) \
    n++; \
  if (n == x + 1) \
    n += 2;
void use(int n);
void use(int n) {
  volatile int sum = 0;
  for (int i = 0; i < n; i++) {
    MANY(10) MANY(20) MANY(30) MANY(40) MANY(50) MANY(60) MANY(70) MANY(80)
    sum += i;
  }
}
#else
#include <arcline/arcline.h>
#include <dlfcn.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  for (int n = atoi(argv[argc - 1]); n > 0; n--)
    arcline_reset();
  void *library = dlopen("./library.so", RTLD_NOW);
  void (*use)(int) = library ? (void (*)(int))dlsym(library, "use") : NULL;
  for (int i = 0; i < 3 && use; i++)
    use(i);
  return !use;
}
#endif
