// Lines that directives of OpenMP control count as often as they run; directives
// count for their function, not for the parts that clang outlines.
// REQUIRES: openmp
// RUN: for level in -O0 -O2; do \
// RUN:   %arcline-cc $level -g -fopenmp %s -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o lines.info %t && \
// RUN:   sed -n 's,.*// \([0-9]*\)$,\1,p' %s > expected && \
// RUN:   grep -n '// [0-9]*$' %s | cut -d: -f1 | while read -r line; do \
// RUN:     sed -n "s/^DA:$line,//p" lines.info; done > counts && \
// RUN:   diff expected counts || exit 1; \
// RUN: done
static int fib(int n) { // 15
  int a, b;
  if (n < 2) // 15
    return n; // 8
#pragma omp task shared(a) // 7
  a = fib(n - 1); // 7
#pragma omp task shared(b) // 7
  {
    b = fib(n - 2); // 7
  }
#pragma omp taskwait // 7
  return a + b; // 7
}

int main(void) {
  int sum = 0, result = 0; // 1
#pragma omp parallel for reduction(+ : sum) num_threads(2) // 1
  for (int i = 0; i < 100; i++) { // 102
    if (i % 2) // 100
      sum += i; // 50
  }
#pragma omp parallel for num_threads(2) // 1
  for (int i = 0; i < 10; i++) // 12
    __atomic_add_fetch(&result, 1, __ATOMIC_RELAXED); // 10
#pragma omp parallel num_threads(2) // 1
  {
#pragma omp single
    result = fib(5); // 1
  }
#pragma omp parallel num_threads(3) // 1
  {
#pragma omp critical // 3
    sum++; // 3
#pragma omp for
    for (int i = 0; i < 6; i++) // 9
      __atomic_add_fetch(&result, 1, __ATOMIC_RELAXED); // 6
  }
  for (int i = 0; i < 3; i++) // 4
#pragma omp parallel sections num_threads(4) // 3
  {
#pragma omp section // 3
    __atomic_add_fetch(&result, 1, __ATOMIC_RELAXED); // 3
#pragma omp section // 3
    {
      if (i > 0) // 3
        __atomic_add_fetch(&result, 1, __ATOMIC_RELAXED); // 2
    }
#pragma omp section // 3
    if (i > 1) // 3
      __atomic_add_fetch(&result, 1, __ATOMIC_RELAXED); // 1
  }
  return sum + result != 2500 + 3 + 5 + 6 + 6; // 1
}
