; A function that another object may preempt is passed by an alias of our own;
; its callers would otherwise be recorded for the other object's function.
; RUN: env ARCLINE_PASS_OPTIONS=calls=mcount opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

; CHECK: @__arcline_body.table = {{.*}} i32 trunc (i64 add (i64 sub (i64 add (i64 ptrtoint (ptr @visible.arcline to i64), i64 1), {{.*}} i64 -1) to i32), i32
; CHECK: @visible.arcline = private alias void (), ptr @visible
define void @visible() {
; CHECK: call void @__arcline_mcount(ptr {{.*}}, ptr @visible.arcline)
  ret void
}
