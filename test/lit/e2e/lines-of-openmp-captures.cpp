// A line under a directive of OpenMP that never runs has count 0 also if it is
// the first to use a variable that the directive's code reaches by an address:
// a reference, a variable that a task shares. Nor does the last line of a
// statement without braces count for the end of the code that clang outlines.
// REQUIRES: openmp
// RUN: sed -n 's,.*//= \([0-9]*\)$,\1,p' %s > expected
// RUN: for level in -O0 -O2; do \
// RUN:   %arcline-c++ $level -g -fopenmp -Wno-pass-failed %s -o %t && \
// RUN:   rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o lines.info %t && \
// RUN:   grep -n '//= [0-9]*$' %s | cut -d: -f1 | while read -r line; do \
// RUN:     sed -n "s/^DA:$line,//p" lines.info; done > counts && \
// RUN:   diff expected counts || exit 1; \
// RUN: done

static int rare;

static void references(int n, int &r) {
#pragma omp parallel num_threads(1)
  {
    if (n > 100) //= 3
      r++;       //= 0
  }
#pragma omp parallel for num_threads(1)
  for (int i = 0; i < n; i++) {
    if (i > 100) //= 3
      r++;       //= 0
  }
#pragma omp parallel num_threads(1) if (n > 1)
  {
    if (n > 100) //= 3
      r++;       //= 0
  }
#pragma omp simd
  for (int i = 0; i < n; i++) {
    if (i > 100) //= 3
      r++;       //= 0
  }
#pragma omp single
  {
    if (n > 100) //= 3
      r++;       //= 0
  }
#pragma omp taskgroup
  {
    if (n > 100) //= 3
      r++;       //= 0
  }
#pragma omp target
  {
    if (n > 100) //= 3
      r++;       //= 0
  }
#pragma omp target teams distribute parallel for num_threads(1) num_teams(1)
  for (int i = 0; i < n; i++) {
    if (i > 100) //= 3
      r++;       //= 0
  }
  [&] {
#pragma omp simd
    for (int i = 0; i < n; i++) {
      if (i > 100) //= 3
        rare += n; //= 0
    }
  }();
}

static int tasks(int n) {
  int shared = 0, sum = 0; //= 1
#pragma omp taskloop grainsize(5) shared(shared)
  for (int i = 0; i < n; i++) {
    if (i > 100) //= 30
      shared++;  //= 0
  }
#pragma omp taskloop simd grainsize(5) reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += i & 1; //= 30
  for (int i = 0; i < n; i++)
#pragma omp task firstprivate(i)
    if (i > 25) //= 30
      rare++;   //= 4
#pragma omp taskwait
#pragma omp target
  if (n > 25) //= 1
    for (int i = 0; i < 3; i++)
      rare++; //= 3
#pragma omp target teams distribute parallel for num_threads(1) num_teams(1)
  for (int i = 0; i < n; i++)
    rare++;            //= 30
  return shared + sum; //= 1
}

int main() {
  int r = 0;
  for (int n = 0; n < 3; n++)
    references(n, r); //= 3
  return tasks(30) != 15 || r;
}
