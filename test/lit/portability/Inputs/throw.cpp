/* Exceptions leave functions in the middle. */
static volatile int n_seen;

__attribute__((noinline)) static void thrower(int n) {
  if (n % 3 == 0)
    throw n;
  n_seen = n_seen + 1;
}

__attribute__((noinline)) static void between(int n) {
  thrower(n);
  n_seen = n_seen + 1;
}

int main() {
  int n_caught = 0;

  for (int i = 0; i < 30; i++) {
    try {
      between(i);
    } catch (int) {
      n_caught++;
    }
  }
  return n_caught != 10 || n_seen != 40;
}
