static inline __attribute__((always_inline)) int inlined(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i * n;
  return sum;
}

__attribute__((noinline)) int cold(int n) { return n * 3; }

__attribute__((noinline)) int work(int n) {
  if (__builtin_expect(n > 100, 0))
    return cold(inlined(n)) + 1;
  return inlined(n + 1);
}

int main(int argc, char **argv) {
  (void)argv;
  return work(argc);
}

__attribute__((used)) static struct counted { // gcc writes types first
  int n;
} counted;
