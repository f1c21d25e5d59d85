#include <stdio.h>

int part(int x);
int other(int x);

int main(void) {
  int sum = 0;
  for (int i = 0; i < 1000; i++) {
    sum += part(i);
    if (i % 3 == 0)
      sum -= other(i);
  }
  printf("%d\n", sum);
  return 0;
}
