// Two comparisons become one, counted or not; those that would stay two are
// counted after their branches.
// RUN: %clang --target=x86_64-linux-gnu -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
extern void tame(void) __attribute__((nothrow));

// CHECK-LABEL: define {{.*}} @digit(
// CHECK-NOT:     br i1
// CHECK:         icmp ult {{.*}}, 10
// CHECK-NEXT:    br i1
// CHECK-NOT:     br i1
// CHECK:       }
void digit(int c) {
  if ('0' <= c && c <= '9')
    tame();
}

// CHECK-LABEL: define {{.*}} @other(
// CHECK-NOT:     br i1
// CHECK:         icmp {{ult .*, -10|ugt .*, 9}}
// CHECK:         br i1
// CHECK-NOT:     br i1
// CHECK:       }
void other(int c) {
  if (c < '0' || c > '9')
    tame();
}

// CHECK-LABEL: define {{.*}} @both(
// CHECK-NOT:     zext i1 {{.*}} to i64
// CHECK:       }
void both(int c, int d) {
  if (c > 3 && d > 9)
    tame();
}
