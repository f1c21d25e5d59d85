#include <stdio.h>
int one(int x);
static int idle(int x) {
  x++;
  return x;
}
static int work(int argc) {
  int total = one(argc);
  if (argc > 2) {
    puts("many");
    total = total + 1;
  }
  return total;
}
int main(int argc, char **argv) {
  (void)argv;
  if (argc > 7)
    return idle(argc);
  if (argc > 8)
    return 1;
  return work(argc) == 0;
}
