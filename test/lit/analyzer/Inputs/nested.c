// Functions inlined into one another, with a place known by name in each. Never run:
// samples and calls come from the test.
#define PLACE(name) \
  __asm__ volatile(".p2align 3\n" name "_place: nop\n nop\n nop\n nop\n nop\n nop")

static inline __attribute__((always_inline)) int inner(int x) {
  PLACE("inner");
  return x + 1;
}

static inline __attribute__((always_inline)) int outer(int x) {
  PLACE("outer");
  return inner(x) * 3;
}

__attribute__((noinline)) int host(int x) {
  PLACE("host");
  return outer(x) + 1;
}

int main(int argc, char **argv) {
  (void)argv;
  return host(argc);
}
