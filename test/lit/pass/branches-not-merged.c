// Updates in different branches are kept: one address each, not one update of
// an address that depends on the branch.
// RUN: %clang -fno-discard-value-names -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=EACH
// CHECK-LABEL: define {{.*}} @choose(
// CHECK-NOT:     phi ptr
// CHECK-NOT:     select {{.*}} ptr
// CHECK-NOT:     getelementptr i64, ptr %arcline.cells, i64 %
// CHECK-NOT:     getelementptr inbounds i64, ptr %arcline.cells, i64 %
// CHECK:       }
// EACH-COUNT-9: store i64
// EACH-NOT:     store i64
volatile int out;
void choose(int x) {
  switch (x) {
  case 0:
    out = 3;
    break;
  case 1:
    out = 14;
    break;
  case 2:
    out = 15;
    break;
  case 3:
    out = 92;
    break;
  case 4:
    out = 65;
    break;
  case 5:
    out = 35;
    break;
  case 6:
    out = 89;
    break;
  case 7:
    out = 79;
    break;
  default:
    break;
  }
}
