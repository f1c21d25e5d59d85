// With -fno-strict-overflow a pointer may wrap around (before clang 20 with
// -fwrapv as well), so that this loop has a trip count only because a loop
// without side effects has to end. Counting code in it does not change that.
// The count is a number that is known before the loop.
// RUN: %clang -O2 -fno-strict-overflow -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: env ARCLINE_PASS_OPTIONS=promote=off %clang -O2 -fno-strict-overflow -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// CHECK-LABEL: @clear(
// CHECK:         call void @llvm.memset
// CHECK-NOT:     br i1
// CHECK-LABEL: @clear_once_at_least(
// CHECK:         call void @llvm.memset
// CHECK-NOT:     br i1
// OFF-LABEL: @clear(
// OFF-NOT:     memset
void clear(long *start, const long *stop) {
  while (start < stop)
    *start++ = 0;
}
void clear_once_at_least(long *start, const long *stop) {
  do
    *start++ = 0;
  while (start < stop);
}

// A loop that waits for another thread is not such a loop, even if it counts.
// CHECK-LABEL: @wait(
// CHECK:         load volatile
// CHECK:         store i64
// CHECK:         br i1
void wait(const volatile int *flag) {
  while (*flag)
    ;
}

// Options that the source sets for a loop stay with it if the back edge gets a
// block of its own.
// CHECK-LABEL: @asked_for(
// CHECK:         br i1 {{.*}} !llvm.loop ![[ASKED:[0-9]+]]
// CHECK-DAG:   ![[ASKED]] = distinct !{![[ASKED]]
// CHECK-DAG:   !{!"llvm.loop.unroll.disable"}
int asked_for(const int *p) {
  int n = 0;
#pragma clang loop unroll(disable)
  do
    n += *p;
  while (*p++);
  return n;
}
