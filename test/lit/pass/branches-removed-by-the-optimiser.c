// A branch that the plain build removes is removed, counted or not; one that
// stays is counted after it.
// RUN: %clang --target=x86_64-linux-gnu -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang --target=x86_64-linux-gnu -O2 -fpass-plugin=%plugin -S %s -o - | FileCheck %s --check-prefix=ASM
// RUN: %clang --target=x86_64-linux-gnu -O0 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: zext i1 {{.*}} to i64
extern void tame(void) __attribute__((nothrow));

// CHECK-LABEL: define {{.*}} @smaller(
// CHECK-NOT:     br i1
// CHECK:         zext i1 {{.*}} to i64
// CHECK:         umin
// CHECK-NOT:     br i1
// CHECK:       }
unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }

// CHECK-LABEL: define {{.*}} @more(
// CHECK-NOT:     br i1
// CHECK:       }
int more(int n, int x) {
  if (x > 3)
    n++;
  return n;
}

// The read after the first condition must not be moved before it.
// CHECK-LABEL: define {{.*}} @string(
// CHECK-NOT:     zext i1 {{.*}} to i64
// CHECK:       }
void string(const char *s) {
  if (s && *s)
    tame();
}

// CHECK-LABEL: define {{.*}} @expected(
// CHECK-NOT:     zext i1 {{.*}} to i64
// CHECK:       }
int expected(int n, int x) {
  if (__builtin_expect(x > 3, 0))
    n = n * 3 + x;
  return n;
}

// Of two conditions each has a branch, in a loop's head, too.
// CHECK-LABEL: define {{.*}} @both(
// CHECK-NOT:     zext i1 {{.*}} to i64
// CHECK:       }
void both(unsigned long set, int n) {
  for (; set > 0 && n > 0; n--, set &= set - 1)
    tame();
}

// CHECK-LABEL: define {{.*}} @end_of_line(
// CHECK-NOT:     zext i1 {{.*}} to i64
// CHECK:       }
static int is_end_of_line(char c) { return c == '\n' || c == '\r'; }
const char *end_of_line(const char *s) {
  while (!is_end_of_line(*s))
    s++;
  return s;
}

// Unless one comparison replaces both.
// CHECK-LABEL: define {{.*}} @is_digit(
// CHECK-NOT:     br i1
// CHECK:         zext i1 {{.*}} to i64
// CHECK:         icmp ult
// CHECK-NOT:     br i1
// CHECK:       }
int is_digit(int c) { return '0' <= c && c <= '9'; }

// Outcomes that the one comparison decides for both are counted after it; the
// rest is compared on the branch where it does not decide.
// CHECK-LABEL: define {{.*}} @digit(
// CHECK-NOT:     zext i1 {{.*}} to i64
// CHECK:         br i1
// CHECK:         zext i1 {{.*}} to i64
// CHECK-NOT:     zext i1 {{.*}} to i64
// CHECK:       }
void digit(int c) {
  if ('0' <= c && c <= '9')
    tame();
}

// The same computation with different operands: these are selected, without a
// branch in the code, even if floating-point values have no conditional moves.
// CHECK-LABEL: define {{.*}} @rounded(
// CHECK-NOT:     br i1
// CHECK:         zext i1 {{.*}} to i64
// CHECK-NOT:     br i1
// CHECK:       }
// ASM-LABEL: rounded:
// ASM:         mulsd
// ASM-NOT:     {{^[[:space:]]+j}}
// ASM:         cvttsd2si
// ASM:         ret
long rounded(double x, double y) {
  x *= y;
  if (x < 0)
    return (long)(x - 0.5);
  else
    return (long)(x + 0.5);
}

// CHECK-LABEL: define {{.*}} @different(
// CHECK-NOT:     zext i1 {{.*}} to i64
// CHECK:       }
long different(double x) {
  if (x < 0)
    return (long)(x / 3);
  else
    return (long)(x * 5);
}
