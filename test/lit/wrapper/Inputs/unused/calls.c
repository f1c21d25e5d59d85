/* Calls through pointers, in functions of which nothing calls the last one. */
int in_no_c_object(int x);

static int add(int x) { return x + 1; }
static int subtract(int x) { return x - 1; }

__attribute__((noinline)) static int apply(int (*call)(int), int x) {
  return call(x);
}

__attribute__((constructor)) static void use(void) {
  for (int i = 0; i < 400; i++)
    apply(i % 4 ? add : subtract, i);
}

int lost(int (*call)(int)) {
  return call(in_no_c_object(1));
}
