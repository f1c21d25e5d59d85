#include "parse.h"

int parse(const char *text) {
  int n = 0;

  while (*text >= '0' && *text <= '9')
    n = n * 10 + (*text++ - '0');
  if (*text == '\0')
    return n;
  return -1;
}
