// A statement after `case A ... B` has the number of its own runs, also if the
// range is so large that clang tests it by a branch.
// RUN: sed -n 's,.*//= \([0-9]*\)$,\1,p' %s > expected
// RUN: for level in -O0 -O2; do \
// RUN:   %arcline-cc $level -g %s -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o lines.info %t && \
// RUN:   grep -n '//= [0-9]*$' %s | cut -d: -f1 | while read -r line; do \
// RUN:     sed -n "s/^DA:$line,//p" lines.info; done > counts && \
// RUN:   diff expected counts && \
// RUN:   grep -c '^BRDA:14,' lines.info | grep -x 8 || exit 1; \
// RUN: done

static int kind(unsigned long c) {
  switch (c) { //= 21
  case 0 ... 5:
    return 1; //= 6
  case 1000 ... 2000:
    return 2; //= 2
  case 5000 ... 9000:
  case 20000 ... 29999:
    return 3; //= 2
  default:
    return 4; //= 11
  }
}

static int byte(const char *text) {
  int n = 0;
  for (; *text; text++)
    switch (*(const unsigned char *)text) { //= 5
    case 0x80 ... 0xff: n += 100; //= 0
    case 'a' ... 'z': n += 10; break; //= 3
    default: n++; //= 2
    }
  return n;
}

int main(void) {
  unsigned long sum = 0;
  for (unsigned long i = 0; i < 17; i++)
    sum += kind(i);
  sum += kind(1000) + kind(1500) + kind(6000) + kind(25000); //= 1
  return sum + byte("ab cD") == 0;
}
