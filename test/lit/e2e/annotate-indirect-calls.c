// --calls names the callees of indirect calls, with the counts of the program
// itself, in one object and across several.
// RUN: %arcline-cc -g -O1 -fPIC -shared -DLIBRARY %s -o libpart.so
// RUN: for level in -O0 -O1 -O2; do \
// RUN:   %arcline-cc -g $level %s -L. -lpart -Wl,-rpath,$PWD -o prog && \
// RUN:   rm -f gmon.out* && ./prog && \
// RUN:   %arcline annotate --calls gmon.out.arcline > all && \
// RUN:   FileCheck --check-prefixes=CHECK,ALL %s < all && \
// RUN:   %arcline annotate --calls prog > one && \
// RUN:   FileCheck --check-prefixes=CHECK,ONE %s < one || exit 1; \
// RUN: done

typedef int number_fn(int);

number_fn part_first, part_second;
int part_apply(number_fn *f, int n);

#ifdef LIBRARY
int part_first(int n) { return n; }
int part_second(int n) { return n + 2; }
int part_apply(number_fn *f, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += f(i);
  // ALL: {{ }}23 23 [[@LINE-1]]|
  // ALL-NEXT: {{^}} 7 | -> own_first
  // ALL-NEXT: {{^}} 16 | -> part_second
  return sum;
}
#else
static int own_first(int n) { return n * 2; }
static int own_second(int n) { return n * 3; }
static int own_third(int n) { return n * 4; }

static number_fn *const volatile numbers[] = {own_first, own_second, own_third,
                                              part_first};

// Inlined, so that it has no code of its own.
static inline __attribute__((always_inline)) int by_number(int n, int i) {
  return numbers[n](i);
  // ALL: {{ }}45 45 [[@LINE-1]]|
  // ALL-NEXT: {{^}} 12 | -> own_first
  // ALL-NEXT: {{^}} 11 | -> own_second
  // ALL-NEXT: {{^}} 11 | -> own_third
  // ALL-NEXT: {{^}} 11 | -> part_first
  // ONE: {{ }}45 45 [[@LINE-6]]|
  // ONE-NEXT: {{^}} 11 | -> (indirect call)
  // ONE-NEXT: {{^}} 12 | -> own_first
  // ONE-NEXT: {{^}} 11 | -> own_second
  // ONE-NEXT: {{^}} 11 | -> own_third
}

static __attribute__((noinline)) int in_turn(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += by_number(i & 3, i);
  return sum;
}

int main(void) {
  int sum = in_turn(45);
  for (int i = 0; i < 6; i++)
    sum += own_second(i) + numbers[i & 1](i) + own_third(i);
  // CHECK: {{ }}6 18 [[@LINE-1]]|
  // CHECK-NEXT: {{^}} 3 | -> own_first
  // CHECK-NEXT: {{^}} 9 | -> own_second
  // CHECK-NEXT: {{^}} 6 | -> own_third
  sum += part_apply(own_first, 7);
  sum += part_apply(part_second, 16);
  return sum == 0;
}
#endif
