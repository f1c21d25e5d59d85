// A weak function that one of another unit replaces. See
// arcs-agree-with-mcount.test.
__attribute__((weak)) int overridden(int x) { return x; }

int main(void) {
  volatile int total = 0;
  for (int i = 0; i < 50; i++)
    total += overridden(i);
}
