int helper(int);
static inline int sq(int n) { return n * n; }
__attribute__((noinline)) int alpha(int n) { return sq(n) + helper(n); }
__attribute__((noinline)) int unused(int n) { return sq(n) - 1; }
int main(int argc, char **argv) { (void)argv; return alpha(argc); }
