#include <stdio.h>

int part(int x);
int doubled(int x);

int main(void) {
  printf("%d\n", part(doubled(20)));
  return 0;
}
