/* A leaf is called as often by a function that takes long as by one that call
   stacks may or may not contain. */
__attribute__((noinline)) int leaf(int n) { return n * n; }
__attribute__((noinline)) int often(int n) { return leaf(n) + 1; }
__attribute__((noinline)) int seldom(int n) { return leaf(n) + 2; }
int main(int argc, char **argv) {
  (void)argv;
  return often(argc) + seldom(argc);
}
