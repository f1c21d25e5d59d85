// Compiled under a name that is markup: html-hostile-names.test.
#include <cstdio>

// </code></td><script>alert("text")</script>
__attribute__((noinline)) int evil(int x) __asm__("<script>alert(1)</script>");
int evil(int x) { return x + 1; }

template <class T> __attribute__((noinline)) T twice(T x) {
  return x + x;
}

int main() {
  int sum = 0;
  for (int i = 0; i < 12; i++)
    sum += evil(i) + (i & 1 ? twice(i) : (int)twice(1.5 * i));
  std::printf("%d\n", sum);
  return 0;
}
