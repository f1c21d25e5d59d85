static int total;

static __attribute__((noinline)) int leaf(int n) {
  total += n;
  return n * 3;
}

__attribute__((noinline)) int work(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += leaf(i);
  return sum;
}

static inline int twice(int n) { return work(n) + work(n + 1); }

__attribute__((weak)) int hook(int n) { return n; }

__attribute__((noinline)) int again(int n) {
  return n ? again(n - 1) + twice(n) + hook(n) : 0;
}

int main(void) { return again(4); }

int __attribute__((weak)) last = 1;
