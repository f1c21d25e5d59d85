#include "parse.h"

int main(void) {
  if (parse("12") != 12)
    return 1;
  if (parse("7") != 7)
    return 2;
  return parse("1x") != -1;
}
