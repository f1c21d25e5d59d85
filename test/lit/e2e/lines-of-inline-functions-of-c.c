// An inline function of C has one object that owns it. The copies in others count
// for its lines, too.
// RUN: for flags in -O0 -O2 "-O2 -fPIE -pie" "-O2 -static"; do \
// RUN:   %arcline-cc $flags -g -DOWNER %s -c -o owner.o && \
// RUN:   %arcline-cc $flags -g %s owner.o -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o lines.info %t && \
// RUN:   FileCheck %s < lines.info && \
// RUN:   %arcline gprof -b -q %t | FileCheck --check-prefix=GRAPH %s || exit 1; \
// RUN: done

// CHECK: FN:[[#@LINE+2]],twice
// CHECK: FNDA:20,twice
inline int twice(int x) { // CHECK: DA:[[#@LINE]],20
  if (x > 5)    // CHECK-NEXT: DA:[[#@LINE]],20
    return x;   // CHECK-NEXT: DA:[[#@LINE]],8
  return 2 * x; // CHECK-NEXT: DA:[[#@LINE]],12
}

int by_pointer(int);

#ifdef OWNER
extern int twice(int);
static int (*volatile pointer)(int) = twice;

int by_pointer(int x) { return pointer(x); }
#else
int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += twice(i) + by_pointer(i);
  return sum == 1;
}
#endif
// GRAPH: 10/20 main
// GRAPH-NEXT: 10/20 by_pointer
// GRAPH-NEXT: {{.*}} 20 twice
