// The second unit of c_main.c.
#include "c_units.h"

static int local(int x) { return x - 1; }

int overridden(int x) { return local(x); }

int other(int x) { return local(x) > 3; }

int other_op(int x) { return shared_inline(x); }

static operation chosen = other_op;

int other_caller(int n) {
  int result = 0;
  while (n--) {
    result += chosen(n) + overridden(n) + local(n);
    chosen = n % 2 ? aliased : other_op;
  }
  return result;
}
