// Counts are the same if clang counts for its own coverage, too: the counter of
// a `case` that control also reaches from the one before has its location.
// REQUIRES: clang-coverage
// RUN: for level in -O0 -O2; do \
// RUN:   %arcline-cc $level -g -fprofile-instr-generate -fcoverage-mapping \
// RUN:     %s -o %t && rm -f gmon.out* && LLVM_PROFILE_FILE=%t.profraw %t && \
// RUN:   %arcline annotate --function=classify %t | FileCheck %s || exit 1; \
// RUN: done
static int classify(int c) {
  switch (c) {
  case 0:
    c += 1; // CHECK: {{^ +1 +}}[[#@LINE]]|
  case 1:
    c += 2; // CHECK: {{^ +3 +}}[[#@LINE]]|
    break;
  default:
    c = 0; // CHECK: {{^ +4 +}}[[#@LINE]]|
  }
  return c;
}

int main(void) {
  int sum = 0;
  for (int i = -3; i < 2; i++)
    sum += classify(i);
  return classify(1) + sum + classify(2) != 9;
}
