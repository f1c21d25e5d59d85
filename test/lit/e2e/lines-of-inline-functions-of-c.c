// A function that GNU's `extern inline` defines has a record in each object that
// uses it, and in the one that has its code. Its lines take more bytes where the
// header is far down in the list of files.
// RUN: mkdir -p include/a-folder-with-a-name-that-makes-the-list-of-files-long/of-the-other-file && \
// RUN:   sed -n 's,^//H ,,p' %s > include/half.h && echo 'int other(int x) { return x; } // 10' > \
// RUN:   include/a-folder-with-a-name-that-makes-the-list-of-files-long/of-the-other-file/other.h
// RUN: printf '#define INLINE\n#include "half.h"\n' > half.c
// RUN: for order in "%s half.c" "half.c %s"; do for level in -O0 -O2; do \
// RUN:   rm -f gmon.out* && %arcline-cc $level -g -Iinclude $order -o prog && ./prog && \
// RUN:   %arcline export --format=lcov -o lines.info prog && \
// RUN:   %python %S/Inputs/check_line_comments.py include/half.h lines.info || exit 1; done; done
//H INLINE int half(int x) { // 10
//H   if (x % 2)     // 10
//H     return -1;   // 5
//H   return x / 2;  // 5
//H }
#include "a-folder-with-a-name-that-makes-the-list-of-files-long/of-the-other-file/other.h"
#define INLINE extern inline __attribute__((gnu_inline))
#include "half.h"

int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += other(half(i));
  return sum != 5;
}
