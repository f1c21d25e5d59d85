// Functions and branches, and the lines of branches, are those of the program
// without directives: loops and switches over sections, loops over the parts of
// a loop, and functions for devices are not in the source.
// REQUIRES: openmp
// RUN: for level in -O0 -O2; do \
// RUN:   for option in -fno-openmp -fopenmp; do rm -f gmon.out* && \
// RUN:     %arcline-cc $level -g -Wno-unknown-pragmas $option %s -o %t && \
// RUN:     %t && %arcline export --format=lcov -o lines.info %t && \
// RUN:     grep -E '^(FN|BR)' lines.info > $option.info || exit 1; \
// RUN:   done && diff -- -fno-openmp.info -fopenmp.info || exit 1; \
// RUN: done

static int sections(int n) {
  int a = 0, b = 0;
#pragma omp parallel sections num_threads(1)
  {
#pragma omp section
    if (n > 2)
      a++;
#pragma omp section
    b = n;
#pragma omp section
    for (int i = 0; i < 5; i++)
      b += i % 2 ? 1 : 2;
  }
  return a + b;
}

static int blocks(int n) {
  int a = 0;
#pragma omp parallel num_threads(1)
  {
    if (n % 3 == 0)
      a++;
  }
#pragma omp parallel num_threads(1)
#pragma omp single
  if (n > 50)
    a++;
#pragma omp task shared(a)
  {
    a++;
    if (a > n)
      a--;
  }
  return a;
}

static int loops(void) {
  int a = 0, b = 5;
#pragma omp target teams distribute parallel for num_threads(1) num_teams(1)   \
    map(tofrom : a)
  for (int i = 0; i < 20; i++)
    if (i > 10)
      a++;
#pragma omp taskloop num_tasks(1) shared(a, b)
  for (int i = 0; i < 20; i++) {
    a += i;
    if (b < a)
      b++;
  }
  return a + b;
}

int main(void) { return sections(3) + blocks(30) + loops() == 0; }
